// SPDX-License-Identifier: GPL-3.0-or-later
// What the session tests share: a folder that goes away, a real kernel, and random logs over it. The edits
// are structural only (no legality): the session must rebuild whatever was logged.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/store/session.h"

namespace cubinlab::testing {

class TempFolder {
  public:
    TempFolder();
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

KernelPtr sample_kernel(const std::string& name = "bmm_mma");

// The same kernel with two unlike words of one block swapped: other code, same file otherwise.
KernelPtr other_kernel();

// Makes the next step of a log again and again. How far back a parent may lie decides the tree's shape:
// 1 = a chain, large = bushy.
class LogMaker {
  public:
    LogMaker(KernelPtr kernel, std::uint64_t seed, StepId reach);
    const Schedule& start() const { return schedules_.at(0); }
    StepRecord next();
    StepRecord next_on(StepId parent);
    // The schedule after a step, by applying every mutation in memory.
    const Schedule& schedule(StepId step) const { return schedules_.at(step); }
    void forget_before(StepId step);  // for long logs
    StepId last() const { return last_; }
    void replayed(const StepRecord& record);  // continuing a log that came from a file

  private:
    Mutation random_mutation(const Schedule& schedule);

    KernelPtr kernel_;
    std::mt19937_64 random_;
    StepId reach_;
    StepId last_ = 0;
    std::map<StepId, Schedule> schedules_;
};

RunHeader header_for_tests(const std::string& agent = "random");
std::shared_ptr<SessionWriter> open_or_fail(const std::filesystem::path& path, const KernelPtr& kernel,
                                            SessionOptions options = {});
// A session "s.db" of the sample kernel, in a folder of its own, with a run that was begun and has no step yet.
struct OpenRun {
    OpenRun(std::uint64_t seed, StepId reach);

    TempFolder folder;
    KernelPtr kernel = sample_kernel();
    LogMaker log;
    std::filesystem::path file = folder / "s.db";
    std::shared_ptr<SessionWriter> session;
    RunId run = 0;
    std::unique_ptr<RunSink> sink;
};
// A run of so many steps of `log`, on the disk when it returns.
RunId log_run(SessionWriter& session, LogMaker& log, int steps);
// A session with one such run, closed again.
RunId write_session(const std::filesystem::path& path, const KernelPtr& kernel, int steps);
// By a process that ends as by kill -9: the steps are in the -wal file, committed every so many.
void write_and_die(const std::filesystem::path& path, const KernelPtr& kernel, int steps, int each = 1 << 30);

}  // namespace cubinlab::testing
