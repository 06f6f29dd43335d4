// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers a tuned schedule to the hand schedule of a rebuilt kernel. Blocks are matched as in `cubinlab
// patch`, and the checker of the new code decides.
#pragma once
#include <QObject>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "ui/base/run_request.h"

namespace cubinlab {
struct AppliedPatch;
struct SchedulePatch;
}  // namespace cubinlab

namespace cubinlab::ui {

class Document;
class JobRunner;
class MessageBar;

class ScheduleTransfer : public QObject {
    Q_OBJECT

  public:
    ScheduleTransfer(Document& document, JobRunner& jobs, MessageBar& messages, QObject* parent);

    // The schedule to transfer: the right side, or the agent's best if the right side equals the original.
    std::optional<ScheduleSlot> what() const;
    // Stores the schedule, then calls `open` to reload the file.
    void begin(ScheduleSlot what, std::function<void()> open);
    void drop() { patch_.reset(); }  // the file could not be opened

  private:
    void arrive();
    void take(const Result<AppliedPatch>& applied);

    Document& document_;
    JobRunner& jobs_;
    MessageBar& messages_;
    std::filesystem::path file_;
    std::shared_ptr<const SchedulePatch> patch_;  // pending
};

}  // namespace cubinlab::ui
