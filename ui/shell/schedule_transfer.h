// SPDX-License-Identifier: GPL-3.0-or-later
// A tuned schedule of a kernel whose file was built anew, brought into the hand schedule of the new code. Blocks are
// found again as `cubinlab patch` finds them, and the new code's checker decides.
#pragma once
#include <QObject>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "ui/base/schedule_slot.h"

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

    // What there is to carry: what the right side shows, or the agent's best where that is as the compiler has it.
    std::optional<ScheduleSlot> what() const;
    // `open` opens the file again, once the schedule has been put down.
    void begin(ScheduleSlot what, std::function<void()> open);

  private:
    void arrive();
    void take(const Result<AppliedPatch>& applied);

    Document& document_;
    JobRunner& jobs_;
    MessageBar& messages_;
    std::filesystem::path file_;
    std::shared_ptr<const SchedulePatch> patch_;  // on its way
};

}  // namespace cubinlab::ui
