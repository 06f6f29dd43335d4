// SPDX-License-Identifier: GPL-3.0-or-later
// HandTools: edits of several fields at once. They are looked for on a job thread and applied if the hand
// schedule is still the one they were made for.
#include <QFileInfo>
#include <QMenu>
#include <cmath>

#include "core/base/file.h"
#include "core/legality/move_along.h"
#include "core/legality/stall_repair.h"
#include "core/schedule/scoreboard_edits.h"
#include "core/search/moves/reschedule.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/schedule_file.h"
#include "ui/base/file_dialog.h"
#include "ui/base/format.h"
#include "ui/base/job_runner.h"
#include "ui/base/message_bar.h"
#include "ui/document/selection.h"
#include "ui/hand/hand_tools.h"
#include "ui/listing/compare_view.h"

namespace cubinlab::ui {
namespace {

constexpr int kFarthestPaid = 12;  // positions evaluated per key press

struct Found {
    std::optional<Mutation> mutation;
    Legality why;  // where there is none
};

// Which of the schedules was profiled shows by the opcodes in their order; the tables of other kernels in the
// file are passed over.
Result<Profile> find_profile(std::string_view text, const std::string& kernel,
                             const std::vector<std::pair<std::string, SchedulePtr>>& candidates) {
    auto tables = TRY(parse_profile(text));
    Error last{ErrorCode::BadInput, "the file names no kernel " + kernel, {}};
    for (const ProfileTable& table : tables) {
        const bool named = table.kernel.empty() || table.kernel.find(kernel) != std::string::npos;
        if (!named && tables.size() > 1) continue;
        for (const auto& [name, schedule] : candidates) {
            auto profile = match_profile(table, *schedule);
            if (profile) {
                profile->schedule = name;
                return profile;
            }
            if (name == candidates.front().first) last = profile.error();
        }
    }
    return fail(last);
}

}  // namespace

void HandTools::move_and_pay(int direction, bool along) {
    InstrId id = kNone;
    if (!edit_target(&id) || !window_.document->hand().can_edit()) return;
    const SchedulePtr hand = window_.document->pair().schedule(ScheduleSlot::Hand);
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
            if (hand != window_.document->pair().schedule(ScheduleSlot::Hand)) return;
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
            window_.document->hand().apply_proven(
                *found.mutation, QString::fromStdString(found.mutation->text(*window_.document->kernel())));
        });
}

void HandTools::tighten_block() {
    InstrId id = kNone;
    if (!edit_target(&id) || !window_.document->hand().can_edit()) return;
    run_rescheduling(
        id, tr("Tighten stalls"),
        [](const HazardChecker& checker, const Schedule& hand, BlockId block, const std::stop_token&) {
            return tighten_blocks(checker, hand, std::span(&block, 1));
        });
}

void HandTools::reschedule_selected_block() {
    InstrId id = kNone;
    if (!edit_target(&id) || !window_.document->hand().can_edit()) return;
    // Uses the launch of the docks and the log: the best order depends on the number of warps.
    run_rescheduling(
        id, tr("Reschedule block"),
        [model = model_settings(*window_.document->kernel(), window_.document->workload())](
            const HazardChecker& checker, const Schedule& hand, BlockId block, const std::stop_token& stop) {
            return reschedule_block(checker, hand, block, model, {}, stop);
        });
}

void HandTools::run_rescheduling(InstrId id, const QString& what, Rescheduling work) {
    const SchedulePtr hand = window_.document->pair().schedule(ScheduleSlot::Hand);
    const BlockId block = window_.document->kernel()->block_of(id);
    window_.jobs->run<Result<Rescheduled>>(
        QStringLiteral("reschedule"),
        [checker = window_.document->checker(), hand, block, work](std::stop_token stop) {
            return work(*checker, *hand, block, stop);
        },
        [this, hand, what](Result<Rescheduled> made) {
            if (hand != window_.document->pair().schedule(ScheduleSlot::Hand)) return;
            if (!made) {
                if (made.error().code == ErrorCode::Cancelled) return;
                // Nothing illegal was asked for: a note, not a rejection.
                constexpr int kSeconds = 12;
                QString note = QString::fromStdString(made.error().what);
                note[0] = note[0].toUpper();
                window_.messages->post(MessageKind::Info, what, note + QLatin1Char('.'), kSeconds);
                return;
            }
            window_.document->hand().apply_proven(
                difference(*hand, made->schedule),
                tr("%1: stall cycles %3 \u2192 %2").arg(what).arg(made->stall_after).arg(made->stall_before));
        });
}

void HandTools::reassign(InstrId producer, bool write, std::uint8_t to) {
    const SchedulePtr hand = window_.document->pair().schedule(ScheduleSlot::Hand);
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
    const SchedulePtr hand = window_.document->pair().schedule(ScheduleSlot::Hand);
    window_.jobs->run<Found>(
        QStringLiteral("move-wait"),
        [checker = window_.document->checker(), hand, from, scoreboard](std::stop_token stop) {
            Found found;
            const Kernel& kernel = *hand->kernel();
            const Block& block = kernel.flow().blocks[kernel.block_of(from)];
            for (Position p = hand->position_of(from) + 1; p < block.end() && !stop.stop_requested(); ++p) {
                const auto mutation = move_wait(*hand, from, scoreboard, hand->at(p));
                if (!mutation) break;  // that instruction already waits
                EditAnswer answer = checker->judge(*hand, *mutation);
                if (!answer.legal) {
                    if (!found.mutation) found.why = std::move(answer.hazards);
                    break;
                }
                found.mutation = mutation;
            }
            return found;
        },
        [this, hand, from, scoreboard](Found found) {
            if (hand != window_.document->pair().schedule(ScheduleSlot::Hand)) return;
            if (found.mutation)
                window_.document->hand().apply_proven(
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
    const SchedulePtr hand = window_.document->pair().schedule(ScheduleSlot::Hand);
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
                if (edit_target(&target)) reassign(target, write, slot);
            });
        }
    }
    for (int scoreboard = 0; scoreboard < kScoreboardSlots; ++scoreboard)
        if ((hand->control(id).wait_mask >> scoreboard) & 1)
            scoreboards_->addAction(tr("Move the wait for SB%1 later").arg(scoreboard), this,
                                    [this, scoreboard] {
                                        InstrId target = kNone;
                                        if (edit_target(&target)) move_wait_later(target, scoreboard);
                                    });
    scoreboards_->setEnabled(!scoreboards_->isEmpty());
}

void HandTools::ask_and_import_profile() {
    if (!window_.document->is_open()) return;
    ask_for_file(compare_->window(),
                 {.title = tr("Import a profile of this kernel"),
                  .filters = tr("Nsight Compute source pages (*.csv);;All files (*)")},
                 [this](const QString& path) { import_profile(path); });
}

void HandTools::import_profile(const QString& path) {
    if (!window_.document->is_open()) return;
    std::vector<std::pair<std::string, SchedulePtr>> candidates;
    for (const ScheduleSlot slot :
         {ScheduleSlot::Original, ScheduleSlot::Hand, ScheduleSlot::Best, ScheduleSlot::Viewed})
        if (const SchedulePtr schedule = window_.document->pair().schedule(slot))
            candidates.emplace_back(title_of(slot).toStdString(), schedule);
    window_.jobs->run<Result<Profile>>(
        QStringLiteral("profile"),
        [path = path.toStdString(), kernel = window_.document->kernel()->name(),
         candidates](std::stop_token) -> Result<Profile> {
            auto text = TRY(read_text(path));
            return find_profile(text, kernel, candidates);
        },
        [this, path](Result<Profile> profile) {
            if (!profile) {
                window_.messages->post(MessageKind::Error,
                                       tr("Cannot import %1").arg(QFileInfo(path).fileName()),
                                       QString::fromStdString(profile.error().message()), 0,
                                       {{tr("Choose another..."), [this] { ask_and_import_profile(); }}});
                return;
            }
            const auto shared = std::make_shared<const Profile>(std::move(*profile));
            compare_->set_profile(shared);
            window_.messages->post(
                MessageKind::Done, tr("Profile of %1 imported").arg(QString::fromStdString(shared->schedule)),
                tr("%1 samples from the column \"%2\". They stay with their instructions when these move.")
                    .arg(grouped(std::llround(shared->total)))
                    .arg(QString::fromStdString(shared->column)),
                15);
        });
}

void HandTools::ask_and_compare_with() {
    if (!window_.document->is_open()) return;
    ask_for_file(compare_->window(),
                 {.title = tr("Compare with the same kernel in another file"),
                  .filters = tr("All files (*);;Cubins (*.cubin)")},
                 [this](const QString& path) { compare_with(path); });
}

void HandTools::compare_with(const QString& path) {
    if (!window_.document->is_open()) return;
    window_.jobs->run<Result<SchedulePtr>>(
        QStringLiteral("compare-file"),
        [path = path.toStdString(),
         kernel = window_.document->kernel()](std::stop_token) -> Result<SchedulePtr> {
            auto schedule = TRY(read_schedule(path, kernel));
            return std::make_shared<const Schedule>(std::move(schedule));
        },
        [this, path](Result<SchedulePtr> schedule) {
            if (!window_.document->is_open()) return;
            const QString of_comparison = QStringLiteral("comparison");
            window_.messages->clear_about(of_comparison);
            if (schedule) {
                window_.document->pair().set_other(*schedule, path.toStdString());
                return;
            }
            window_.messages->post({MessageKind::Error,
                                    tr("Cannot compare with %1").arg(QFileInfo(path).fileName()),
                                    QString::fromStdString(schedule.error().message()),
                                    {{tr("Choose another..."), [this] { ask_and_compare_with(); }}},
                                    0,
                                    of_comparison});
        });
}

}  // namespace cubinlab::ui
