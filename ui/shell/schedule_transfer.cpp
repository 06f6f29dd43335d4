// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/schedule_transfer.h"

#include <algorithm>
#include <utility>

#include "core/evidence/schedule_patch.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/document/document.h"

namespace cubinlab::ui {
namespace {

const QString kTransferTag = QStringLiteral("carry-over");

}  // namespace

ScheduleTransfer::ScheduleTransfer(Document& document, JobRunner& jobs, MessageBar& messages, QObject* parent)
    : QObject(parent), document_(document), jobs_(jobs), messages_(messages) {
    connect(&document_, &Document::checker_ready, this, &ScheduleTransfer::arrive);
}

std::optional<ScheduleSlot> ScheduleTransfer::what() const {
    if (!document_.hand().can_edit()) return std::nullopt;
    for (const ScheduleSlot head : {document_.pair().right_slot(), ScheduleSlot::Best}) {
        const SchedulePtr schedule = document_.pair().schedule(head);
        if (schedule && *schedule != *document_.pair().schedule(ScheduleSlot::Original)) return head;
    }
    return std::nullopt;
}

void ScheduleTransfer::begin(ScheduleSlot what, std::function<void()> open) {
    jobs_.run<Result<SchedulePatch>>(
        kTransferTag,
        [checker = document_.checker(), tuned = document_.pair().schedule(what)](std::stop_token) {
            return make_patch(*checker, *tuned);
        },
        [this, open = std::move(open)](Result<SchedulePatch> patch) {
            if (!patch)
                return messages_.post(MessageKind::Warning, tr("Schedule not transferred"),
                                      QString::fromStdString(patch.error().message()));
            file_ = document_.path();
            patch_ = std::make_shared<const SchedulePatch>(std::move(*patch));
            open();
        });
}

void ScheduleTransfer::arrive() {
    const auto patch = std::exchange(patch_, nullptr);
    if (!patch || !document_.hand().can_edit() || document_.path() != file_ ||
        document_.kernel()->name() != patch->kernel)
        return;
    jobs_.run<Result<AppliedPatch>>(
        kTransferTag,
        [patch, checker = document_.checker()](std::stop_token) { return apply_patch(*patch, *checker); },
        [this](const Result<AppliedPatch>& applied) { take(applied); });
}

void ScheduleTransfer::take(const Result<AppliedPatch>& applied) {
    if (!applied)
        return messages_.post(MessageKind::Warning, tr("Schedule not transferred"),
                              QString::fromStdString(applied.error().message()));
    const auto fits =
        static_cast<std::size_t>(std::ranges::count_if(applied->blocks, [](const AppliedBlock& b) {
            return b.fate == BlockFate::Applied || b.fate == BlockFate::Already;
        }));
    QString text = tr("%1 of its %2 blocks fit the new code.").arg(fits).arg(applied->blocks.size());
    for (const AppliedBlock& block : applied->blocks)
        if (!block.why.empty()) {
            text += QLatin1Char(' ') + tr("Old block %1: %2.")
                                           .arg(block.at, 4, 16, QLatin1Char('0'))
                                           .arg(QString::fromStdString(block.why));
            break;
        }
    if (applied->applied == 0)
        return messages_.post(MessageKind::Warning, tr("No block of the schedule fits the new code"), text);
    document_.hand().reset_hand_to(std::make_shared<const Schedule>(applied->schedule),
                                   tr("Transferred schedule"));
    document_.pair().show_right(ScheduleSlot::Hand);
    messages_.post(fits == applied->blocks.size() ? MessageKind::Info : MessageKind::Warning,
                   tr("Transferred to the hand schedule"),
                   text + QLatin1Char(' ') + tr("It is proven legal, not measured."));
}

}  // namespace cubinlab::ui
