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
#include "ui/base/run_request.h"

namespace cubinlab {
struct AppliedPatch;
struct SchedulePatch;
}  // namespace cubinlab

namespace cubinlab::ui {

class Document;
class JobRunner;
class MessageBar;

class CarryOver : public QObject {
    Q_OBJECT

  public:
    CarryOver(Document& document, JobRunner& jobs, MessageBar& messages, QObject* parent);

    // What there is to carry: what the right side shows, or the agent's best where that is as the compiler has it.
    std::optional<Head> what() const;
    // `open` opens the file again, once the schedule has been put down.
    void begin(Head what, std::function<void()> open);
    void drop() { patch_.reset(); }  // the file could not be opened

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
