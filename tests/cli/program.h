// SPDX-License-Identifier: GPL-3.0-or-later
// Runs build/bin/cubinlab as a user would: arguments, environment, standard output and error, exit code.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace cubinlab::test {

struct ProgramResult {
    int code = -1;  // exit code; -signal where a signal ended it
    std::string out, err;
    nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
};

using Environment = std::vector<std::pair<std::string, std::string>>;

ProgramResult run_program(const std::vector<std::string>& arguments, const Environment& environment = {});
// `run`, or the end of the case with its output where its exit code is not 0.
inline ProgramResult succeeded(ProgramResult run) {
    INFO(run.out << run.err);
    REQUIRE(run.code == 0);
    return run;
}
// Any program.
ProgramResult run_any(const std::string& program, const std::vector<std::string>& arguments);
// build/bin/NAME
ProgramResult run_built(const std::string& name, const std::vector<std::string>& arguments);

// Starts it, waits until `lines` lines came on standard error, calls `meanwhile` with the program running, waits
// `extra_ms` more, kills it with SIGKILL, and returns the lines together with the time (milliseconds before the
// kill) at which each was read.
struct KilledRun {
    std::vector<std::pair<std::string, double>> lines;
    bool was_running = false;
};
KilledRun run_and_kill(const std::vector<std::string>& arguments, std::size_t lines, int extra_ms,
                       const std::function<void()>& meanwhile = {});

// Starts it, waits for `lines` lines on standard error, and sends the signal; SIGPIPE stands for closing the
// pipe of its standard error. Collects the rest.
ProgramResult run_and_signal(const std::vector<std::string>& arguments, std::size_t lines, int signal);
// With standard output on /dev/full.
ProgramResult run_to_full_disk(const std::vector<std::string>& arguments);

// A folder that is removed at the end of the scope.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace cubinlab::test
