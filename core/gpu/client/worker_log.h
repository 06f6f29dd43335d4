// SPDX-License-Identifier: GPL-3.0-or-later
// The log file of bench workers, written by the client, so that it includes workers on other machines: start
// time and command, the `prepare` request and its answer, errors and hangs, the end, and standard error (at
// most 64 KiB). Candidates are in the session, not here. Every program that starts workers appends whole
// lines, so lines of two programs do not mix.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace cubinlab {

constexpr std::size_t kWorkerLogBytes = std::size_t{1}
                                        << 20;  // then it is renamed to NAME.1, which is replaced

// $XDG_STATE_HOME/cubinlab, else ~/.local/state/cubinlab. Empty: no home is known.
std::filesystem::path user_state_folder();
// $CUBINLAB_WORKER_LOG, else worker.log in the state folder.
// Empty: no log (CUBINLAB_WORKER_LOG is "off", or no home is known).
std::filesystem::path worker_log_path();

// Appends "DATE TIME PROCESS worker NUMBER: TEXT" for each line of the text. Ignores write errors (a full
// disk, no permission).
void log_worker(int number, std::string_view text);

// Gets the same lines (`--verbose`) and those of tell_worker_detail(). Set it before the first worker is
// started. It is called from the threads of the clients, one at a time.
using WorkerListener = std::function<void(const std::string& line)>;
void set_worker_listener(WorkerListener listener);
// Only to the listener: events that are too frequent for the file.
void tell_worker_detail(int number, std::string_view text);
bool worker_detail_wanted();

}  // namespace cubinlab
