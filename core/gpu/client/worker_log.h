// SPDX-License-Identifier: GPL-3.0-or-later
// The log file of bench workers, on the side of who starts them, so that it also tells of those on other machines: when
// one was started and by which command, what it was asked to prepare, what it answered to that, its errors and hangs,
// how it ended and all that it wrote to standard error (64 KiB at most). Not each candidate: those are in the session.
// Every program of ours that starts workers appends to it, a line at a time, so lines of two programs never mix.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace cubinlab {

constexpr std::size_t kWorkerLogBytes = std::size_t{1}
                                        << 20;  // then it becomes NAME.1, of which there is one

// $CUBINLAB_WORKER_LOG, else $XDG_STATE_HOME/cubinlab/worker.log, else ~/.local/state/cubinlab/worker.log. Empty: there is
// none, since CUBINLAB_WORKER_LOG is "off" or no home is known.
std::filesystem::path worker_log_path();

// Appends "DATE TIME PROCESS worker NUMBER: TEXT", a line for each line of the text. That it cannot be written (a full
// disk, no right) stops nothing and is not told.
void log_worker(int number, std::string_view text);

// Hears each of these lines besides (`--verbose`), and tell_worker_detail(). Set it before
// the first worker is started; it is called from the threads that speak with workers, one at a time.
using WorkerListener = std::function<void(const std::string& line)>;
void set_worker_listener(WorkerListener listener);
// To the listener alone: what happens too often for the file.
void tell_worker_detail(int number, std::string_view text);
bool worker_detail_wanted();

}  // namespace cubinlab
