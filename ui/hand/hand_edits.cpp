// SPDX-License-Identifier: GPL-3.0-or-later
// HandTools: edits of several fields at once. They are looked for on a job thread and applied if the hand
// schedule is still the one they were made for.
#include <QMenu>

#include "core/legality/move_along.h"
#include "core/legality/stall_repair.h"
#include "core/schedule/scoreboard_edits.h"
#include "core/search/moves/reschedule.h"
#include "core/tuning/evaluator_choice.h"
#include "ui/base/job_runner.h"
#include "ui/document/selection.h"
#include "ui/hand/hand_tools.h"

namespace cubinlab::ui {
namespace {

constexpr int kFarthestPaid = 12;  // positions evaluated per key press

struct Found {
    std::optional<Mutation> mutation;
    Legality why;  // where there is none
};

}  // namespace

void HandTools::move_and_pay(int direction, bool along) {
    InstrId id = kNone;
    if (!window_.edit_target(&id) || !window_.document->hand().can_edit()) return;
    const SchedulePtr hand = window_.document->pair().head(ScheduleSlot::Hand);
    const auto from = static_cast<long>(hand->position_of(id));
    const Block& block = window_.document->kernel()->flow().blocks[window_.document->kernel()->block_of(id)];
    const long next = from + direction;
    if (next < static_cast<long>(block.first) || next >= static_cast<long>(block.end())) {
        window_.document->hand().move_by(id, direction);  // reports that the block ends here
        return;
    }
    window_.jobs->run<Found>(
        QStringLiteral("pay"),
        [checker = window_.document->checker(), hand, id, next, direction, along,
         block](std::stop_token stop) {
            Found found;
            for (long p = next, tried = 0; tried < kFarthestPaid && p >= static_cast<long>(block.first) &&
                                           p < static_cast<long>(block.end()) && !stop.stop_requested();
                 p += direction, ++tried) {
                const auto to = static_cast<Position>(p);
                const auto moves = along ? move_along(*checker, *hand, id, to)
                                         : std::optional(Mutation::move_to(*hand, id, to));
                found.mutation = moves ? add_required_stalls(*checker, *hand, *moves) : std::nullopt;
                if (!found.mutation) continue;
                found.mutation = remove_excess_stalls(*checker, *hand, *found.mutation);
                return found;
            }
            found.why = checker->explain(*hand, Mutation::move_to(*hand, id, static_cast<Position>(next)));
            return found;
        },
        [this, hand, id, along](Found found) {
            if (hand != window_.document->pair().head(ScheduleSlot::Hand)) return;
            if (!found.mutation) {
                const QString name = window_.document->name_of(id, *hand);
                window_.document->hand().refuse_edit(
                    id,
                    along ? tr("Move with dependencies: %1").arg(name)
                          : tr("Move, adjust stalls: %1").arg(name),
                    along ? tr("no legal position in that direction, even with its dependencies")
                          : tr("no legal position in that direction, even with more stall cycles"),
                    std::move(found.why));
                return;
            }
            window_.document->hand().apply(
                *found.mutation, QString::fromStdString(found.mutation->text(*window_.document->kernel())));
        });
}

void HandTools::tighten_block() {
    InstrId id = kNone;
    if (!window_.edit_target(&id) || !window_.document->hand().can_edit()) return;
    run_rescheduling(
        id, tr("Tighten stalls"),
        [](const HazardChecker& checker, const Schedule& hand, BlockId block, const std::stop_token&) {
            return tighten_blocks(checker, hand, std::span(&block, 1));
        });
}

void HandTools::reschedule_selected_block() {
    InstrId id = kNone;
    if (!window_.edit_target(&id) || !window_.document->hand().can_edit()) return;
    // Uses the launch of the docks and the log: the best order depends on the number of warps.
    run_rescheduling(
        id, tr("Reschedule block"),
        [model = model_settings(*window_.document->kernel(), window_.document->workload())](
            const HazardChecker& checker, const Schedule& hand, BlockId block, const std::stop_token& stop) {
            return reschedule_block(checker, hand, block, model, {}, stop);
        });
}

void HandTools::run_rescheduling(InstrId id, const QString& what, Rescheduling work) {
    const SchedulePtr hand = window_.document->pair().head(ScheduleSlot::Hand);
    const BlockId block = window_.document->kernel()->block_of(id);
    window_.jobs->run<Result<Rescheduled>>(
        QStringLiteral("reschedule"),
        [checker = window_.document->checker(), hand, block, work](std::stop_token stop) {
            return work(*checker, *hand, block, stop);
        },
        [this, hand, id, what](Result<Rescheduled> made) {
            if (hand != window_.document->pair().head(ScheduleSlot::Hand)) return;
            if (!made) {
                if (made.error().code == ErrorCode::Cancelled) return;
                window_.document->hand().refuse_edit(id, what,
                                                     QString::fromStdString(made.error().message()));
                return;
            }
            window_.document->hand().apply(
                difference(*hand, made->schedule),
                tr("%1: stall cycles %3 \u2192 %2").arg(what).arg(made->stall_after).arg(made->stall_before));
        });
}

void HandTools::reassign(InstrId producer, bool write, std::uint8_t to) {
    const SchedulePtr hand = window_.document->pair().head(ScheduleSlot::Hand);
    const auto side = write ? BarrierSide::Write : BarrierSide::Read;
    const std::optional<Mutation> mutation = reassign_scoreboard(*hand, producer, side, to);
    if (!mutation) {
        window_.say(tr("Cannot reassign the scoreboard"));
        return;
    }
    window_.document->hand().apply(*mutation,
                                   QString::fromStdString(mutation->text(*window_.document->kernel())));
}

// Moves the wait to the furthest instruction of the block that can wait instead.
void HandTools::move_wait_later(InstrId from, int scoreboard) {
    const SchedulePtr hand = window_.document->pair().head(ScheduleSlot::Hand);
    window_.jobs->run<Found>(
        QStringLiteral("move-wait"),
        [checker = window_.document->checker(), hand, from, scoreboard](std::stop_token stop) {
            Found found;
            const Kernel& kernel = *hand->kernel();
            const Block& block = kernel.flow().blocks[kernel.block_of(from)];
            for (Position p = hand->position_of(from) + 1; p < block.end() && !stop.stop_requested(); ++p) {
                const auto mutation = move_wait(*hand, from, scoreboard, hand->at(p));
                if (!mutation) break;  // that instruction already waits
                if (checker->allows(*hand, *mutation)) {
                    found.mutation = mutation;
                    continue;
                }
                if (!found.mutation) found.why = checker->explain(*hand, *mutation);
                break;
            }
            return found;
        },
        [this, hand, from, scoreboard](Found found) {
            if (hand != window_.document->pair().head(ScheduleSlot::Hand)) return;
            if (found.mutation)
                window_.document->hand().apply(
                    *found.mutation,
                    QString::fromStdString(found.mutation->text(*window_.document->kernel())));
            else
                window_.document->hand().refuse_edit(
                    from,
                    tr("Move the wait for SB%1 of %2 later")
                        .arg(scoreboard)
                        .arg(window_.document->name_of(from, *hand)),
                    tr("the next instruction already waits for it or needs it"), std::move(found.why));
        });
}

// Built when the row's menu opens, without legality checks.
void HandTools::fill_scoreboard_menu() {
    scoreboards_->clear();
    const InstrId id = window_.selection->instr();
    const bool edits = window_.document->is_open() && window_.document->hand().can_edit() && id != kNone;
    scoreboards_->setEnabled(false);
    if (!edits) return;
    const SchedulePtr hand = window_.document->pair().head(ScheduleSlot::Hand);
    for (const bool write : {true, false}) {
        const auto side = write ? BarrierSide::Write : BarrierSide::Read;
        const std::uint8_t now = barrier_of(hand->control(id), side);
        if (now == kNoBarrier) continue;
        for (const std::uint8_t slot : free_scoreboards(*hand, id, side)) {
            if (slot == now) continue;
            const QString text = write ? tr("Write barrier SB%1 to SB%2, with its waits")
                                       : tr("Read barrier SB%1 to SB%2, with its waits");
            scoreboards_->addAction(text.arg(now).arg(slot), this, [this, write, slot] {
                InstrId target = kNone;
                if (window_.edit_target(&target)) reassign(target, write, slot);
            });
        }
    }
    for (int scoreboard = 0; scoreboard < kScoreboardSlots; ++scoreboard)
        if ((hand->control(id).wait_mask >> scoreboard) & 1)
            scoreboards_->addAction(tr("Move the wait for SB%1 later").arg(scoreboard), this,
                                    [this, scoreboard] {
                                        InstrId target = kNone;
                                        if (window_.edit_target(&target)) move_wait_later(target, scoreboard);
                                    });
    scoreboards_->setEnabled(!scoreboards_->isEmpty());
}

}  // namespace cubinlab::ui
