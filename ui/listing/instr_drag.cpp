// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/listing/instr_drag.h"

#include <QApplication>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTimer>

#include "ui/base/job_runner.h"
#include "ui/listing/gutter.h"
#include "ui/listing/sass_view.h"

namespace cubinlab::ui {
namespace {

const auto kSlotsTag = QStringLiteral("drag-slots");
const auto kWhyTag = QStringLiteral("drag-why");
constexpr int kEdge = 26;  // pixels from the edge where the listing scrolls
constexpr int kScrollMs = 40;

}  // namespace

InstrDrag::InstrDrag(Document* document, JobRunner* jobs, SassView* view, Gutter* gutter,
                     ListingOverlay* overlay, const ListingRows* rows, QObject* parent)
    : QObject(parent),
      document_(document),
      jobs_(jobs),
      view_(view),
      gutter_(gutter),
      overlay_(overlay),
      rows_(rows) {
    scroller_ = new QTimer(this);
    scroller_->setInterval(kScrollMs);
    connect(scroller_, &QTimer::timeout, this, &InstrDrag::scroll_at_edge);
    for (QObject* watched : {static_cast<QObject*>(view), static_cast<QObject*>(view->viewport()),
                             static_cast<QObject*>(gutter)})
        watched->installEventFilter(this);
    connect(&document_->pair(), &ComparedPair::changed, this, &InstrDrag::cancel);
    connect(document_, &Document::leaving, this, &InstrDrag::cancel);
}

bool InstrDrag::eventFilter(QObject* watched, QEvent* event) {
    if (passing_) return false;
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            return press(watched, static_cast<QMouseEvent*>(event));
        case QEvent::MouseMove:
            return move(static_cast<QMouseEvent*>(event));
        case QEvent::MouseButtonRelease:
            return release(watched, static_cast<QMouseEvent*>(event));
        case QEvent::ShortcutOverride:
        case QEvent::KeyPress:
            if (!dragging() || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
            event->accept();
            if (event->type() == QEvent::KeyPress) {
                cancel();
                state_ = State::Cancelled;
            }
            return true;
        default:
            return false;
    }
}

int InstrDrag::row_of(const QPoint& global) const {
    return view_->row_at(view_->viewport()->mapFromGlobal(global));
}

// The press goes on to the listing: it selects. Shift or Ctrl held: text is selected as in any editor.
bool InstrDrag::press(QObject* watched, const QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || event->modifiers() != Qt::NoModifier || watched == view_)
        return false;
    const QPoint global = event->globalPosition().toPoint();
    const InstrId id = rows_->instr(row_of(global), Side::Right);
    if (id == kNone || !document_->hand().can_edit()) return false;
    state_ = State::Pressed;
    id_ = id;
    pressed_at_ = global;
    local_ = event->position().toPoint();
    return false;
}

bool InstrDrag::move(const QMouseEvent* event) {
    if (state_ == State::Idle) return false;
    if ((event->buttons() & Qt::LeftButton) == 0) {
        cancel();
        return false;
    }
    if (state_ == State::Cancelled) return true;  // the editor would select text up to the pointer
    const QPoint global = event->globalPosition().toPoint();
    if (state_ == State::Pressed) {
        if ((global - pressed_at_).manhattanLength() < QApplication::startDragDistance()) return true;
        start();
        if (state_ != State::Dragging) return true;
    }
    hover(global);
    return true;
}

void InstrDrag::start() {
    if (guard_ && !guard_(id_)) {
        state_ = State::Idle;
        return;
    }
    state_ = State::Dragging;
    schedule_ = document_->pair().schedule(ScheduleSlot::Hand);
    range_.reset();
    why_not_.reset();
    drop_when_known_ = false;
    const Block& block = document_->kernel()->flow().blocks[document_->kernel()->block_of(id_)];
    picture_ = {};
    picture_.origin = rows_->row_of(id_, Side::Right);
    picture_.first = rows_->row_of(schedule_->at(block.first), Side::Right);
    picture_.last = rows_->row_of(schedule_->at(block.end() - 1), Side::Right);
    picture_.legal.assign(static_cast<std::size_t>(picture_.last - picture_.first + 1), false);
    for (int row = picture_.first; row <= picture_.last; ++row)
        picture_.place.push_back(rows_->instr(row, Side::Right) != kNone);
    view_->setFocus();
    view_->viewport()->setCursor(Qt::ClosedHandCursor);
    scroller_->start();
    jobs_->run<SlotRange>(
        kSlotsTag,
        [checker = document_->checker(), schedule = schedule_, id = id_](std::stop_token) {
            return checker->slots(*schedule, id);
        },
        [this](SlotRange range) {
            if (state_ != State::Dragging) return;
            picture_.known = true;
            picture_.hint.clear();
            for (Position p = range.lowest; p <= range.highest; ++p)
                if (const int row = rows_->row_of(schedule_->at(p), Side::Right);
                    range.contains(p) && row >= picture_.first)
                    picture_.legal[static_cast<std::size_t>(row - picture_.first)] = true;
            range_ = std::move(range);
            if (drop_when_known_)
                drop();
            else
                hover(pointer_);
        });
}

void InstrDrag::hover(const QPoint& global) {
    pointer_ = global;
    const int row = row_of(global);
    const InstrId other = rows_->instr(row, Side::Right);
    const int target = other == kNone ? -1 : row;
    const bool same = target == picture_.target && !picture_.hint.isEmpty() && picture_.known;
    picture_.target = target;
    if (same) {
        overlay_->set_drag(picture_);
        return;
    }
    jobs_->cancel(kWhyTag);
    const QString name = document_->name_of(id_, *schedule_);
    if (target < 0)
        picture_.hint.clear();
    else if (other == id_)
        picture_.hint = tr("%1: current position").arg(name);
    else if (!picture_.known)
        picture_.hint = tr("Finding legal positions of %1...").arg(name);
    else if (target < picture_.first || target > picture_.last)
        picture_.hint = tr("Illegal: instructions move inside their basic block only");
    else if (picture_.legal_at(target))
        picture_.hint = target < picture_.origin
                            ? tr("Before %1: legal").arg(document_->name_of(other, *schedule_))
                            : tr("After %1: legal").arg(document_->name_of(other, *schedule_));
    else
        explain();
    overlay_->set_drag(picture_);
}

// Why the position under the pointer is illegal.
void InstrDrag::explain() {
    if (document_->kernel()->pinned(id_)) {
        picture_.hint = tr("Illegal: cannot be moved, %1")
                            .arg(QString::fromStdString(document_->kernel()->pin_reason(id_)));
        return;
    }
    picture_.hint = tr("Illegal ...");
    const Position to = schedule_->position_of(rows_->instr(picture_.target, Side::Right));
    jobs_->run<Legality>(
        kWhyTag,
        [checker = document_->checker(), schedule = schedule_, id = id_, to](std::stop_token) {
            return checker->explain(*schedule, Mutation::move_to(*schedule, id, to));
        },
        [this, to](Legality hazards) {
            if (state_ != State::Dragging) return;
            QString why = hazards.empty() ? tr("the checker cannot prove that the result is the same")
                                          : document_->explanation_of(hazards.front(), *schedule_);
            if (hazards.size() > 1) why += tr("  (and %n more)", "", static_cast<int>(hazards.size()) - 1);
            picture_.hint = tr("Illegal: %1").arg(why);
            why_not_ = {to, std::move(hazards)};
            overlay_->set_drag(picture_);
        });
}

void InstrDrag::scroll_at_edge() {
    if (state_ != State::Dragging) return;
    const int y = view_->viewport()->mapFromGlobal(pointer_).y();
    const int by = y < kEdge ? -1 : y > view_->viewport()->height() - kEdge ? 1 : 0;
    if (by == 0) return;
    const int before = view_->first_visible_row();
    view_->set_first_visible_row(before + by);
    if (view_->first_visible_row() != before) hover(pointer_);
}

bool InstrDrag::release(QObject* watched, const QMouseEvent* event) {
    if (state_ == State::Idle || event->button() != Qt::LeftButton) return false;
    if (state_ == State::Pressed) {
        state_ = State::Idle;
        return false;
    }
    const bool cancelled = state_ == State::Cancelled;
    if (!cancelled) hover(event->globalPosition().toPoint());
    // The editor gets the release at the place of its press, else it would select text up to the pointer.
    passing_ = true;
    const QPointF at(local_);
    QMouseEvent quiet(QEvent::MouseButtonRelease, at, QPointF(pressed_at_), Qt::LeftButton, Qt::NoButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(watched, &quiet);
    passing_ = false;
    if (cancelled)
        state_ = State::Idle;
    else if (picture_.known)
        drop();
    else
        drop_when_known_ = true;
    return true;
}

void InstrDrag::drop() {
    const InstrId other = rows_->instr(picture_.target, Side::Right);
    const InstrId id = id_;
    const SchedulePtr schedule = schedule_;
    const Position to = other == kNone ? 0 : schedule->position_of(other);
    std::optional<EditAnswer> known;
    if (range_ && range_->contains(to))
        known = EditAnswer{true, {}};
    else if (why_not_ && why_not_->first == to)
        known = EditAnswer{false, why_not_->second};
    finish();
    if (other == kNone || other == id || schedule != document_->pair().schedule(ScheduleSlot::Hand)) return;
    // A rejection is reported and changes nothing.
    document_->hand().move_to(id, to, known ? &*known : nullptr);
}

void InstrDrag::finish() {
    state_ = State::Idle;
    drop_when_known_ = false;
    jobs_->cancel(kSlotsTag);
    jobs_->cancel(kWhyTag);
    scroller_->stop();
    view_->viewport()->unsetCursor();
    picture_ = {};
    overlay_->set_drag({});
}

void InstrDrag::cancel() {
    if (state_ == State::Idle) return;
    if (state_ == State::Dragging)
        finish();
    else
        state_ = State::Idle;
}

}  // namespace cubinlab::ui
