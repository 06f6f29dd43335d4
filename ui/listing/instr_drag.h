// SPDX-License-Identifier: GPL-3.0-or-later
// Drags an instruction of the candidate to another position, by its text or its columns. A job asks the
// checker for legal positions and highlights them; an illegal one shows its reason. Esc cancels; near an edge
// the listing scrolls.
#pragma once
#include <QObject>
#include <QPoint>
#include <functional>
#include <optional>
#include <utility>

#include "ui/document/document.h"
#include "ui/listing/listing_overlay.h"
#include "ui/listing/listing_rows.h"

class QMouseEvent;
class QTimer;

namespace cubinlab::ui {

class Gutter;
class SassView;

class InstrDrag : public QObject {
    Q_OBJECT

  public:
    InstrDrag(Document* document, JobRunner* jobs, SassView* view, Gutter* gutter, ListingOverlay* overlay,
              const ListingRows* rows, QObject* parent);
    // Called at the start of a drag: may the user move this instruction of the shown schedule?
    void set_guard(std::function<bool(InstrId)> guard) { guard_ = std::move(guard); }
    bool dragging() const { return state_ == State::Dragging; }
    void cancel();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class State { Idle, Pressed, Dragging, Cancelled };  // Cancelled: until the button is released
    bool press(QObject* watched, const QMouseEvent* event);
    bool move(const QMouseEvent* event);
    bool release(QObject* watched, const QMouseEvent* event);
    void start();
    void hover(const QPoint& global);
    void explain();
    void drop();
    void finish();
    void scroll_at_edge();
    int row_of(const QPoint& global) const;

    Document* document_;
    JobRunner* jobs_;
    SassView* view_;
    Gutter* gutter_;
    ListingOverlay* overlay_;
    const ListingRows* rows_;
    std::function<bool(InstrId)> guard_;
    QTimer* scroller_;
    State state_ = State::Idle;
    InstrId id_ = kNone;
    QPoint pressed_at_, pointer_;                           // global
    QPoint local_;                                          // of the press, in what was pressed
    SchedulePtr schedule_;                                  // its positions are shown
    std::optional<SlotRange> range_;                        // the checker's answers during the drag
    std::optional<std::pair<Position, Legality>> why_not_;  // of the last explained position
    DragPicture picture_;
    bool drop_when_known_ = false;
    bool passing_ = false;
};

}  // namespace cubinlab::ui
