// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/hand_editor.h"

#include <QDeadlineTimer>
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/model/explanation.h"
#include "ui/base/job_runner.h"

namespace cubinlab::ui {
namespace {

constexpr int kSearchMs = 20;  // two frames or so

std::function<bool()> after(int milliseconds) {
    return [deadline = QDeadlineTimer(milliseconds)] { return deadline.hasExpired(); };
}

}  // namespace

HandTree::HandTree(Schedule start) : start_(std::move(start)), schedule_(start_) {
    HandNode root;
    root.hash = start_.hash();
    nodes_.push_back(std::move(root));
}

// Redo returns to the child visited last.
void HandTree::set_current(std::size_t node) {
    current_ = node;
    for (; node != 0; node = nodes_[node].parent)
        nodes_[nodes_[node].parent].next = node;
}

Status HandTree::edit(const Mutation& mutation, const QString& label) {
    auto backward = TRY(mutation.inverse(schedule_));
    TRY(mutation.apply(schedule_));
    const Hash128 hash = schedule_.hash();
    for (const std::size_t child : nodes_[current_].children)
        if (nodes_[child].hash == hash && nodes_[child].forward == mutation) {
            set_current(child);
            return {};
        }
    HandNode node;
    node.parent = current_;
    node.forward = mutation;
    node.backward = std::move(backward);
    node.label = label;
    node.hash = hash;
    for (const HandNode& other : nodes_)  // the same schedule, reached in another way
        if (other.hash == hash) {
            node.modelled = other.modelled;
            node.measured = other.measured;
        }
    nodes_.push_back(std::move(node));
    nodes_[current_].children.push_back(nodes_.size() - 1);
    set_current(nodes_.size() - 1);
    return {};
}

Result<Mutation> HandTree::undo() {
    if (!can_undo()) return fail(ErrorCode::BadUse, "there is nothing to undo");
    const HandNode& node = nodes_[current_];
    TRY(node.backward.apply(schedule_));
    current_ = node.parent;
    return node.backward;
}

Result<Mutation> HandTree::redo() {
    if (!can_redo()) return fail(ErrorCode::BadUse, "there is nothing to redo");
    const std::size_t next = nodes_[current_].next;
    TRY(nodes_[next].forward.apply(schedule_));
    current_ = next;
    return nodes_[next].forward;
}

Result<Mutation> HandTree::go_to(std::size_t node) {
    if (node >= nodes_.size()) return fail(ErrorCode::BadUse, "there is no such edit");
    Schedule there = start_;
    for (const std::size_t step : path_to(node))
        TRY(nodes_[step].forward.apply(there));
    Mutation way = difference(schedule_, there);
    schedule_ = std::move(there);
    set_current(node);
    return way;
}

std::vector<std::size_t> HandTree::path_to(std::size_t node) const {
    std::vector<std::size_t> path;
    for (; node != 0; node = nodes_[node].parent)
        path.push_back(node);
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<std::size_t> HandTree::line() const {
    std::vector<std::size_t> line = path_to(current_);
    for (std::size_t at = nodes_[current_].next; at != 0; at = nodes_[at].next)
        line.push_back(at);
    return line;
}

bool HandTree::set_figure(const Hash128& hash, const HandFigure& figure) {
    bool found = false;
    for (HandNode& node : nodes_)
        if (node.hash == hash) {
            (figure.kind == EvaluatorKind::Gpu ? node.measured : node.modelled) = figure;
            found = true;
        }
    return found;
}

HandEditor::HandEditor(ComparedPair& pair, JobRunner& jobs, QObject* parent)
    : QObject(parent), pair_(pair), jobs_(jobs) {}
HandEditor::~HandEditor() = default;

void HandEditor::begin(const OpenKernel& open) {
    s_ = {};
    s_.kernel = open.kernel;
    s_.hand = open.original;
    s_.tree = std::make_unique<HandTree>(*open.original);
}

void HandEditor::set_checker(CheckerPtr checker, const QString& problem) {
    s_.checker = std::move(checker);
    s_.checker_problem = problem;
}

QString HandEditor::name(InstrId id) const {
    return id < s_.kernel->size() ? QString::fromStdString(instr_name(*s_.hand, id)) : QString();
}

QString HandEditor::plain_reason(const Legality& hazards) const {
    if (hazards.empty()) return tr("the checker cannot prove that the result is the same");
    return QString::fromStdString(
        explanation_by(hazards.front(), [this](InstrId id) { return instr_name(*s_.hand, id); }));
}

QString HandEditor::why_not_editable() const {
    if (!s_.kernel) return tr("no kernel is open");
    if (s_.checker) return {};
    if (!s_.kernel->arch().editable())
        return tr("%1 kernels can be viewed, not edited: %2")
            .arg(QString::fromStdString(s_.kernel->arch().name()),
                 QString::fromStdString(s_.kernel->arch().why_view_only()));
    if (!s_.checker_problem.isEmpty()) return s_.checker_problem;
    return tr("the checker is still being prepared");
}

bool HandEditor::refuse(InstrId id, const QString& attempt, const QString& reason, Legality hazards) {
    const QString sentence = reason.endsWith(QLatin1Char('.')) ? reason : reason + QLatin1Char('.');
    Q_EMIT refused(Refusal{id, attempt, sentence, std::move(hazards)});
    return false;
}

void HandEditor::refuse_edit(InstrId id, const QString& attempt, const QString& reason, Legality hazards) {
    const QString why =
        hazards.empty() ? reason : QStringLiteral("%1: %2").arg(reason, plain_reason(hazards));
    refuse(id, attempt, why, std::move(hazards));
}

QString HandEditor::attempt_of(InstrId id, Position to) const {
    const Position from = s_.hand->position_of(id);
    return (to < from ? tr("Move %1 up past %2") : tr("Move %1 down past %2"))
        .arg(name(id), name(s_.hand->at(to)));
}

bool HandEditor::refuse_pinned(InstrId id, Position to) {
    return refuse(
        id, attempt_of(id, to),
        tr("%1 cannot be moved: %2").arg(name(id), QString::fromStdString(s_.kernel->pin_reason(id))));
}

bool HandEditor::apply(const Mutation& mutation, const QString& label, const EditAnswer* known) {
    if (!can_edit()) return refuse(mutation.instr(), label, why_not_editable());
    s_.questions += known == nullptr;
    EditAnswer answer = known != nullptr ? *known : s_.checker->judge(*s_.hand, mutation);
    if (answer.legal) return apply_proven(mutation, label);
    const QString reason = plain_reason(answer.hazards);
    return refuse(mutation.instr(), label, reason, std::move(answer.hazards));
}

bool HandEditor::apply_proven(const Mutation& mutation, const QString& label) {
    if (auto edit = s_.tree->edit(mutation, label); !edit)
        return refuse(mutation.instr(), label, QString::fromStdString(edit.error().message()));
    show_tree(&mutation, label);
    return true;
}

void HandEditor::show_tree(const Mutation* done, const QString& label) {
    s_.hand = std::make_shared<const Schedule>(s_.tree->schedule());
    pair_.set_hand(s_.hand);
    Q_EMIT changed();
    Q_EMIT tree_changed();
    if (done != nullptr) Q_EMIT edited(*done, s_.hand, label);
}

void HandEditor::note_figure(const Hash128& schedule, const HandFigure& figure) {
    if (s_.tree && s_.tree->set_figure(schedule, figure)) Q_EMIT tree_changed();
}

bool HandEditor::go_to_edit(std::size_t node) {
    if (!can_edit() || node >= s_.tree->nodes().size() || node == s_.tree->current()) return false;
    auto way = s_.tree->go_to(node);
    if (!way) return refuse(kNone, tr("Go to an edit"), QString::fromStdString(way.error().message()));
    show_tree(&*way, node == 0 ? tr("Go to the start") : tr("Go to edit %1").arg(node));
    return true;
}

bool HandEditor::move_to(InstrId id, Position to, const EditAnswer* known) {
    if (!can_edit()) return refuse(id, tr("Move"), why_not_editable());
    const Block& block = s_.kernel->flow().blocks[s_.kernel->block_of(id)];
    if (to < block.first || to >= block.end())
        return refuse(id, tr("Move %1").arg(name(id)), tr("instructions move inside their basic block only"));
    if (to == s_.hand->position_of(id)) return true;
    if (s_.kernel->pinned(id)) return refuse_pinned(id, to);
    return apply(Mutation::move_to(*s_.hand, id, to), attempt_of(id, to), known);
}

// The checker asks position by position, the likely one first. In a long block with few legal positions this takes up to
// half a second: after a few frames a job continues.
bool HandEditor::take_answer(PlaceSearch search, PlaceAnswer answer) {
    const InstrId id = search.instr;
    if (answer.place)
        return apply_proven(Mutation::move_to(*s_.hand, id, *answer.place), attempt_of(id, *answer.place));
    if (!answer.next) {
        const QString reason = plain_reason(answer.hazards);
        return refuse(id, attempt_of(id, search.refused), reason, std::move(answer.hazards));
    }
    search.from = *answer.next;
    jobs_.run<PlaceAnswer>(
        QStringLiteral("seek-place"),
        [checker = s_.checker, hand = s_.hand, search](std::stop_token stop) {
            return checker->find_place(*hand, search, [&stop] { return stop.stop_requested(); });
        },
        [this, hand = s_.hand, search](PlaceAnswer found) {
            if (hand == s_.hand) take_answer(search, std::move(found));  // else edited meanwhile
        });
    return true;
}

bool HandEditor::move_by(InstrId id, int direction) {
    if (!can_edit()) return refuse(id, tr("Move"), why_not_editable());
    const Block& block = s_.kernel->flow().blocks[s_.kernel->block_of(id)];
    const int next = static_cast<int>(s_.hand->position_of(id)) + direction;
    if (next < static_cast<int>(block.first) || next >= static_cast<int>(block.end()))
        return refuse(id, tr("Move %1").arg(name(id)),
                      (direction < 0 ? tr("%1 is the first of its basic block; moves stay inside a block")
                                     : tr("%1 is the last of its basic block; moves stay inside a block"))
                          .arg(name(id)));
    const auto [lowest, highest] = s_.checker->order_range(*s_.hand, id);
    const int end = direction < 0 ? std::min(next, static_cast<int>(lowest) - 1)
                                  : std::max(next, static_cast<int>(highest) + 1);
    const PlaceSearch search{id, next, end, direction, static_cast<Position>(next)};
    if (s_.kernel->pinned(id)) return refuse_pinned(id, search.refused);
    ++s_.questions;
    return take_answer(search, s_.checker->find_place(*s_.hand, search, after(kSearchMs)));
}

bool HandEditor::move_furthest(InstrId id, int direction) {
    if (!can_edit()) return refuse(id, tr("Move"), why_not_editable());
    const auto [lowest, highest] = s_.checker->order_range(*s_.hand, id);
    const int from = static_cast<int>(s_.hand->position_of(id));
    const int furthest = static_cast<int>(direction < 0 ? lowest : highest);
    if (furthest == from) return move_by(id, direction);  // reports why there is no position
    const PlaceSearch search{id, furthest, from, -direction, static_cast<Position>(from + direction)};
    ++s_.questions;
    return take_answer(search, s_.checker->find_place(*s_.hand, search, after(kSearchMs)));
}

bool HandEditor::set_control(InstrId id, const ControlCode& control, const EditAnswer* known) {
    if (!s_.tree || control == s_.hand->control(id)) return false;
    ControlCode other_stall = s_.hand->control(id);
    const int stall = std::exchange(other_stall.stall, control.stall);
    const QString label = other_stall == control
                              ? tr("%1 stall %2 \u2192 %3").arg(name(id)).arg(stall).arg(control.stall)
                              : tr("Set %1 from %2 to %3")
                                    .arg(name(id), QString::fromStdString(s_.hand->control(id).text()),
                                         QString::fromStdString(control.text()));
    return apply(Mutation::control(*s_.hand, id, control), label, known);
}

bool HandEditor::set_fields(InstrId id, const std::vector<FieldValue>& values) {
    if (!s_.tree) return false;
    Mutation mutation;
    QStringList before, after;
    for (const FieldValue& value : values) {
        const FieldKind& kind = field_of(value.kind);
        const FieldBits now = s_.hand->field(kind, id);
        if (now == value.bits) continue;
        mutation.edits.push_back(Mutation::field(*s_.hand, kind, id, value.bits).edits.front());
        before << QString::fromStdString(kind.text(now));
        after << QString::fromStdString(kind.text(value.bits));
    }
    if (mutation.empty()) return false;
    return apply(mutation,
                 tr("Set %1 from %2 to %3")
                     .arg(name(id), before.join(QStringLiteral(", ")), after.join(QStringLiteral(", "))));
}

void HandEditor::undo() {
    if (!s_.tree || !s_.tree->can_undo()) return;
    const QString label = s_.tree->nodes()[s_.tree->current()].label;
    if (auto mutation = s_.tree->undo()) show_tree(&*mutation, tr("Undo: %1").arg(label));
}

void HandEditor::redo() {
    if (!s_.tree || !s_.tree->can_redo()) return;
    if (auto mutation = s_.tree->redo())
        show_tree(&*mutation, tr("Redo: %1").arg(s_.tree->nodes()[s_.tree->current()].label));
}

void HandEditor::reset_hand_to(SchedulePtr schedule, const QString& label) {
    if (!s_.tree || schedule->kernel() != s_.kernel || *schedule == *s_.hand) return;
    if (!can_edit()) {
        refuse(kNone, label, why_not_editable());
        return;
    }
    jobs_.run<Legality>(
        QStringLiteral("take-as-hand"),
        [checker = s_.checker, schedule](std::stop_token) { return checker->check(*schedule); },
        [this, schedule, label, hand = s_.hand](Legality hazards) {
            if (hand == s_.hand) take_as_hand(schedule, label, std::move(hazards));
        });
}

void HandEditor::take_as_hand(const SchedulePtr& schedule, const QString& label, Legality hazards) {
    if (!hazards.empty()) {
        const QString reason = plain_reason(hazards);
        refuse(kNone, label, reason, std::move(hazards));
        return;
    }
    apply_proven(difference(*s_.hand, *schedule), label);
}

void HandEditor::restore_hand(const HandTree& tree) {
    if (!can_edit() || tree.schedule().kernel() != s_.kernel) return;
    s_.tree = std::make_unique<HandTree>(tree);
    show_tree();
}

}  // namespace cubinlab::ui
