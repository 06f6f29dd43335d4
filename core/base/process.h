// SPDX-License-Identifier: GPL-3.0-or-later
// Child processes: the one place with fork and exec.
//
//   auto tool = TRY(run_child({nvdisasm, "-c", file}, {.timeout_ms = 20'000}, stop));  // to its end
//
//   auto child = TRY(Process::start(command, {.out = file.get(), .ends_with_parent = true}));
//   while (!child.ended()) ...
//   const ProcessEnd end = child.wait();
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

// Owns a file descriptor.
class Descriptor {
  public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() { close(); }
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    void close();

  private:
    int fd_;
};

struct ProcessEnd {
    bool by_signal = false;
    int status = 0;  // the exit code, or the signal
    int exit_status() const { return by_signal ? 128 + status : status; }
    std::string text() const;  // "ended with exit code 3", "ended by signal 9"
};

constexpr int kInherit = -1;   // the stream of this process
constexpr int kNoStream = -2;  // /dev/null

struct ProcessSettings {
    int in = kNoStream, out = kInherit, err = kInherit;  // descriptors, which the caller keeps
    // All of it, "NAME=value"; none: that of this process.
    std::optional<std::vector<std::string>> environment = {};
    std::filesystem::path folder = {};  // working folder; empty: that of this process
    // Signals then reach all that it starts, and a terminal's Ctrl-C does not reach it.
    bool own_group = true;
    bool ends_with_parent = false;  // it gets SIGTERM when the thread that started it ends
    // Address space that it and each process it starts may have, bytes; 0: as this process. It then leaves no core file.
    std::uint64_t memory_bytes = 0;
};

class Process {
  public:
    // `command[0]`: a path, or a name on PATH. Signals are unblocked and have their default action in the child.
    // Error: Io (it cannot be started).
    static Result<Process> start(const std::vector<std::string>& command,
                                 const ProcessSettings& settings = {});
    Process(Process&& other) noexcept;
    Process& operator=(Process&& other) noexcept;
    ~Process();  // kills what was neither waited for nor let go

    pid_t id() const { return pid_; }
    // How it ended; none while it runs. Its id and its group stay its own until wait() or let_go().
    std::optional<ProcessEnd> ended();
    ProcessEnd wait();
    void signal(int number);  // to its group where it has its own
    void kill();              // and waits for its end
    // Asks the group to end (SIGTERM) and kills it after `grace`. Returns at once.
    void let_go(std::chrono::milliseconds grace);

  private:
    Process(pid_t pid, bool own_group) : pid_(pid), own_group_(own_group) {}
    pid_t pid_;
    bool own_group_;
    std::optional<ProcessEnd> end_;
};

struct ChildOutput {
    int exit_status = 0;  // as ProcessEnd::exit_status
    std::string out;
    std::string err;  // the first 64 KiB
};

struct ChildSettings {
    int timeout_ms = 0;                  // 0: none
    std::chrono::milliseconds grace{0};  // between SIGTERM and SIGKILL on a stop request
    ProcessSettings process = {};        // `out` and `err` are not used
    // Takes both streams as they come; ChildOutput then has neither.
    std::function<void(std::string_view)> on_output = {};
};

// Runs a program to its end. A timeout or a stop request ends it and all that it started.
// Errors: Io (it cannot be started), Cancelled (stop), Worker (timeout, or more than 1 GiB of output).
Result<ChildOutput> run_child(const std::vector<std::string>& command, const ChildSettings& settings,
                              std::stop_token stop = {});

}  // namespace cubinlab
