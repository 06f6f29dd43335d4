// SPDX-License-Identifier: GPL-3.0-or-later
// One session file shared by the window's threads: a writer, opened by the first call that logs, and a
// reader. Every call may access the disk, so never call it from the GUI thread.
#pragma once
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/evidence/claim.h"
#include "core/store/session.h"

namespace cubinlab::ui {

class SessionHub {
  public:
    SessionHub(std::filesystem::path path, KernelPtr kernel, std::string workload_json,
               std::string listing_text, std::shared_ptr<SessionReader> reader = nullptr)
        : path_(std::move(path)),
          kernel_(std::move(kernel)),
          workload_(std::move(workload_json)),
          listing_(std::move(listing_text)),
          reader_(std::move(reader)) {}
    ~SessionHub();

    const std::filesystem::path& path() const { return path_; }
    const KernelPtr& kernel() const { return kernel_; }

    // Reopens a writer that failed (a full disk), so that logging resumes once there is room.
    Result<std::shared_ptr<SessionWriter>> writer();
    Result<RunInfo> run(RunId id);
    Result<std::vector<StepRecord>> steps(RunId run, StepId after, std::size_t count);
    Result<std::vector<MetricPoint>> metrics(RunId run);
    Result<Schedule> schedule_at(RunId run, StepId step);  // of kernel(), or of a start
    Result<std::vector<NoteRecord>> notes(RunId run);
    Result<std::vector<MeasurementRecord>> measurements(RunId run);
    Result<std::string> workload_json(RunId run);                      // empty: none was given
    Result<Claim> claim(RunId run, StepId step);                       // core/evidence/claim.h
    Status add_note(RunId run, StepId step, const std::string& text);  // durable when it returns

    // What `what` reads from the session, all that is logged included.
    template <class What>
    auto read(const What& what) -> decltype(what(std::declval<SessionReader&>())) {
        const std::lock_guard lock(reading_);
        auto open = TRY(reader());
        return what(*open);
    }

  private:
    Result<std::shared_ptr<SessionReader>> reader();  // flushes the writer first
    void drop_failed_writer();                        // with `writing_` held

    std::filesystem::path path_;
    KernelPtr kernel_;
    std::string workload_, listing_;
    std::mutex writing_;
    std::mutex reading_;  // one connection, used by one thread at a time
    std::shared_ptr<SessionWriter> writer_;
    std::shared_ptr<SessionReader> reader_;
    std::atomic<bool> reader_stale_{false};  // the file may be another one since
};

using SessionHubPtr = std::shared_ptr<SessionHub>;

// A new file in the data folder of the user: "bmm_mma-2026-11-21T10-15-30.cubinlab.db". The folder is made.
Result<std::filesystem::path> new_session_path(const Kernel& kernel);
// A copy of a session in that folder, under its own name if that is free.
Result<std::filesystem::path> copy_to_sessions_folder(const std::filesystem::path& session);

}  // namespace cubinlab::ui
