// SPDX-License-Identifier: GPL-3.0-or-later
// Document: the hand head. Every edit goes through the checker; what it refuses is explained, never done.
#include <cstdlib>

#include "ui/document.h"

namespace cubinlab::ui {
namespace {

QString plain_reason(const Legality& hazards) {
    if (hazards.empty()) return Document::tr("the checker cannot prove that the result is the same");
    return QString::fromStdString(hazards.front().explanation);
}

}  // namespace

bool Document::can_edit() const {
    return is_open() && checker_ != nullptr;
}

QString Document::why_not_editable() const {
    if (!is_open()) return tr("no kernel is open");
    if (checker_) return {};
    if (!kernel_->arch().editable())
        return tr("%1 kernels can be viewed; editing them is not supported yet")
            .arg(QString::fromStdString(kernel_->arch().name()));
    if (!checker_problem_.isEmpty()) return checker_problem_;
    return tr("the checker is still being prepared");
}

bool Document::refuse(InstrId id, const QString& attempt, const QString& reason, Legality hazards) {
    Q_EMIT edit_refused(Refusal{id, attempt, reason, std::move(hazards)});
    return false;
}

void Document::refuse_edit(InstrId id, const QString& attempt, const QString& reason, Legality hazards) {
    const QString why =
        hazards.empty() ? reason : QStringLiteral("%1: %2").arg(reason, plain_reason(hazards));
    refuse(id, attempt, why, std::move(hazards));
}

QString Document::attempt_of(InstrId id, Position to) const {
    const Position from = hand_->position_of(id);
    const Position past = to;
    return (to < from ? tr("Move %1 up past %2") : tr("Move %1 down past %2"))
        .arg(name_of(id, *hand_), name_of(hand_->at(past), *hand_));
}

// Explains why `id` cannot be at `to`, which lies in its block.
bool Document::refuse_move(InstrId id, Position to) {
    if (kernel_->pinned(id))
        return refuse(id, attempt_of(id, to),
                      tr("%1 keeps its place: %2")
                          .arg(name_of(id, *hand_), QString::fromStdString(kernel_->pin_reason(id))));
    Legality hazards = checker_->explain(*hand_, Mutation::move_to(*hand_, id, to));
    const QString reason = plain_reason(hazards);
    return refuse(id, attempt_of(id, to), reason, std::move(hazards));
}

bool Document::apply(const Mutation& mutation, const QString& label) {
    if (!can_edit()) return refuse(mutation.instr(), label, why_not_editable());
    if (!checker_->allows(*hand_, mutation)) {
        Legality hazards = checker_->explain(*hand_, mutation);
        const QString reason = plain_reason(hazards);
        return refuse(mutation.instr(), label, reason, std::move(hazards));
    }
    if (auto pushed = history_->push(mutation, label.toStdString()); !pushed)
        return refuse(mutation.instr(), label, QString::fromStdString(pushed.error().message()));
    note_edit(label);
    hand_was_edited(mutation, label);
    return true;
}

void Document::hand_was_edited(const Mutation& mutation, const QString& label) {
    hand_ = std::make_shared<const Schedule>(history_->current());
    right_head_ = Head::Hand;
    set_follow_live(false);
    refresh_pair();
    Q_EMIT hand_changed();
    Q_EMIT tree_changed();
    Q_EMIT hand_edited(mutation, hand_, label);
}

// The last entry of the history as a child of where the tree stands.
void Document::note_edit(const QString& label) {
    const EditHistory::Entry& entry = history_->entries()[history_->cursor() - 1];
    tree_->edited(entry.forward, entry.backward, label, history_->current().hash());
}

void Document::note_figure(const Hash128& schedule, const HandFigure& figure) {
    if (is_open() && tree_->set_figure(schedule, figure)) Q_EMIT tree_changed();
}

bool Document::go_to_edit(std::size_t node) {
    if (!can_edit() || node >= tree_->nodes().size() || node == tree_->current()) return false;
    // The history anew: the way to that node, and beyond it what redo will do again.
    auto history = std::make_unique<EditHistory>(*original_);
    const std::vector<std::size_t> path = tree_->path_to(node);
    const std::size_t before = tree_->current();
    tree_->go_to(node);
    for (const std::size_t step : tree_->line()) {
        const HandNode& edit = tree_->nodes()[step];
        if (auto pushed = history->push(edit.forward, edit.label.toStdString()); !pushed) {
            tree_->go_to(before);
            return refuse(kNone, edit.label, QString::fromStdString(pushed.error().message()));
        }
    }
    if (auto there = history->go_to(path.size()); !there) {
        tree_->go_to(before);
        return refuse(kNone, tr("Go to an edit"), QString::fromStdString(there.error().message()));
    }
    const Mutation mutation = difference(*hand_, history->current());
    history_ = std::move(history);
    hand_was_edited(mutation, node == 0 ? tr("Go to the start") : tr("Go to edit %1").arg(node));
    return true;
}

bool Document::move_to(InstrId id, Position to) {
    if (!can_edit()) return refuse(id, tr("Move"), why_not_editable());
    const Block& block = kernel_->flow().blocks[kernel_->block_of(id)];
    if (to < block.first || to >= block.end())
        return refuse(id, tr("Move %1").arg(name_of(id, *hand_)),
                      tr("instructions move inside their basic block only"));
    if (to == hand_->position_of(id)) return true;
    if (kernel_->pinned(id)) return refuse_move(id, to);
    return apply(Mutation::move_to(*hand_, id, to), attempt_of(id, to));
}

// Place by place, from where the answer is likely: all legal places of one instruction of a long block take
// up to half a second to list, which is for job threads.
bool Document::legal_at(InstrId id, int place) const {
    return checker_->allows(*hand_, Mutation::move_to(*hand_, id, static_cast<Position>(place)));
}

bool Document::move_by(InstrId id, int direction) {
    if (!can_edit()) return refuse(id, tr("Move"), why_not_editable());
    const Block& block = kernel_->flow().blocks[kernel_->block_of(id)];
    const int from = static_cast<int>(hand_->position_of(id));
    const int next = from + direction;
    if (next < static_cast<int>(block.first) || next >= static_cast<int>(block.end()))
        return refuse(id, tr("Move %1").arg(name_of(id, *hand_)),
                      (direction < 0 ? tr("%1 is the first of its basic block; moves stay inside a block")
                                     : tr("%1 is the last of its basic block; moves stay inside a block"))
                          .arg(name_of(id, *hand_)));
    const auto [lowest, highest] = checker_->order_range(*hand_, id);
    for (int p = next; p >= static_cast<int>(lowest) && p <= static_cast<int>(highest); p += direction)
        if (legal_at(id, p)) return move_to(id, static_cast<Position>(p));
    return refuse_move(id, static_cast<Position>(next));
}

bool Document::move_furthest(InstrId id, int direction) {
    if (!can_edit()) return refuse(id, tr("Move"), why_not_editable());
    const auto [lowest, highest] = checker_->order_range(*hand_, id);
    const int from = static_cast<int>(hand_->position_of(id));
    for (int p = static_cast<int>(direction < 0 ? lowest : highest); p != from; p -= direction)
        if (legal_at(id, p)) return move_to(id, static_cast<Position>(p));
    return move_by(id, direction);  // no place there: says why
}

bool Document::set_control(InstrId id, const ControlCode& control) {
    if (!is_open() || control == hand_->control(id)) return false;
    const QString label = tr("Set %1 from %2 to %3")
                              .arg(name_of(id, *hand_), QString::fromStdString(hand_->control(id).text()),
                                   QString::fromStdString(control.text()));
    return apply(Mutation::control(*hand_, id, control), label);
}

void Document::undo() {
    if (!is_open() || !history_->can_undo()) return;
    const std::string label = history_->entries()[history_->cursor() - 1].label;
    if (auto mutation = history_->undo()) {
        tree_->go_to(tree_->nodes()[tree_->current()].parent);
        hand_was_edited(*mutation, tr("Undo: %1").arg(QString::fromStdString(label)));
    }
}

void Document::redo() {
    if (!is_open() || !history_->can_redo()) return;
    const std::string label = history_->entries()[history_->cursor()].label;
    if (auto mutation = history_->redo()) {
        note_edit(QString::fromStdString(label));
        hand_was_edited(*mutation, tr("Redo: %1").arg(QString::fromStdString(label)));
    }
}

void Document::reset_hand_to(SchedulePtr schedule, const QString& label) {
    if (!is_open() || *schedule == *hand_) return;
    if (!can_edit()) {
        refuse(kNone, label, why_not_editable());
        return;
    }
    if (Legality hazards = checker_->check(*schedule); !hazards.empty()) {
        const QString reason = plain_reason(hazards);
        refuse(kNone, label, reason, std::move(hazards));
        return;
    }
    const Mutation mutation = difference(*hand_, *schedule);
    if (auto pushed = history_->push(mutation, label.toStdString()); !pushed) {
        refuse(kNone, label, QString::fromStdString(pushed.error().message()));
        return;
    }
    note_edit(label);
    hand_was_edited(mutation, label);
}

void Document::restore_hand(const EditHistory& history) {
    if (!can_edit() || history.current().kernel() != kernel_) return;
    history_ = std::make_unique<EditHistory>(history);
    if (history_->go_to(0)) {  // from its start on, as it was made
        tree_ = std::make_unique<HandTree>(history_->current().hash());
        while (history_->can_redo() && history_->redo())
            note_edit(QString::fromStdString(history_->entries()[history_->cursor() - 1].label));
        while (history_->cursor() > history.cursor() && history_->undo())
            tree_->go_to(tree_->nodes()[tree_->current()].parent);
    }
    hand_ = std::make_shared<const Schedule>(history_->current());
    right_head_ = Head::Hand;
    set_follow_live(false);
    refresh_pair();
    Q_EMIT hand_changed();
    Q_EMIT tree_changed();
}

}  // namespace cubinlab::ui
