// SPDX-License-Identifier: GPL-3.0-or-later
// A child process that speaks the bench protocol on its standard input and output: started by a command
// (which may be ssh or srun), in a process group of its own, ended as a group: first asked (end of input,
// SIGTERM), killed after three seconds.
#pragma once
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/gpu/protocol/frame.h"

namespace cubinlab {

// Words as a shell splits them: blanks separate, '...' and "..." group, a backslash takes the next character
// as it is. No variables, no globbing. Error: BadUse for an open quote or no word at all.
Result<std::vector<std::string>> split_command(std::string_view command);

// The worker beside the running program, else the one on PATH.
std::string default_worker_command();

class WorkerProcess {
  public:
    static Result<std::unique_ptr<WorkerProcess>> start(const std::vector<std::string>& words);
    ~WorkerProcess();  // ends the group, without waiting for it
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    // Error (Worker): the process is gone, or took nothing for `patience`.
    Status send(const nlohmann::json& message, std::chrono::milliseconds patience = std::chrono::seconds(30));
    // The next message, nothing after `timeout`, or an error: the stream ended or is no stream of frames.
    Result<std::optional<nlohmann::json>> receive(std::chrono::milliseconds timeout);
    // What it printed to standard error, the end of it; with how it ended if it has.
    std::string last_words();
    void log(std::string_view text) const;  // into the log of workers, as this one
    void kill();

  private:
    WorkerProcess();
    std::optional<ProcessEnd> ended() { return process_ ? process_->ended() : std::nullopt; }
    std::string said(std::size_t most) const;  // the end of what it printed to standard error
    void log_end();
    Error lost(const std::string& what);
    std::optional<Process> process_;  // none: never started
    Descriptor socket_;
    Descriptor errors_;  // memory file behind the child's standard error
    int number_ = 0;     // in this process, for the log
    bool stream_ended_ = false, end_logged_ = false;
    FrameParser parser_;
};

}  // namespace cubinlab
