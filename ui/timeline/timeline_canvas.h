// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a timeline: one lane per warp, the two schedules one below the other over one axis of cycles. From
// one pixel per cycle, each issue is a bar with its waits before it; at smaller scales each pixel column
// shows how its cycles were spent. Only the visible part is processed.
//
// Wheel zooms, drag pans, hover reads, click selects. Left and Right step along the issues of a warp, with
// Ctrl to the next long wait; Up and Down change the warp; Home and End go to the first and last counted
// issue; + and - zoom, F fits, Enter selects again.
#pragma once
#include <QAbstractScrollArea>
#include <optional>

#include "ui/timeline/timeline.h"

namespace cubinlab::ui {

class TimelineCanvas : public QAbstractScrollArea {
    Q_OBJECT

  public:
    explicit TimelineCanvas(QWidget* parent = nullptr);
    int least_height() const;  // for two visible warps

    void set_timeline(TimelinePtr timeline);  // null: shows the message; keeps the view for the same kernel
    const TimelinePtr& timeline() const { return timeline_; }
    void set_message(const QString& message);
    // An instruction selected elsewhere: marks its issues and scrolls one of them into view.
    void set_selected(InstrId instr);

    const std::optional<IssuePlace>& cursor() const { return cursor_; }
    std::optional<IssuePlace> place_at(QPointF at) const;  // viewport pixels
    QRectF rect_of(const IssuePlace& place) const;         // its waits and its issue
    QRect lane_rect(std::size_t side, std::size_t lane) const;
    double scale() const { return scale_; }               // pixels per cycle
    std::size_t looked_at() const { return looked_at_; }  // issues processed for the last picture
    QString told() const { return told_; }
    QString head_text(std::size_t side, int room) const;  // the cycles of the side, at most `room` pixels wide

    QSize sizeHint() const override { return {760, 260}; }

  public Q_SLOTS:
    void fit();  // shows the counted iterations
    void zoom_in() { zoom(1.4, middle()); }
    void zoom_out() { zoom(1 / 1.4, middle()); }

  Q_SIGNALS:
    void instr_chosen(quint32 instr);
    void told_changed(const QString& text);  // of the issue under the pointer, else at the cursor

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    struct Visible {  // issues of a lane, [begin, end)
        std::size_t begin = 0, end = 0;
    };
    void measure_texts();
    int gutter() const { return gutter_; }  // called for every issue
    int ruler() const;
    int head() const;
    int lane_height() const;
    int side_top(std::size_t side) const;
    std::size_t lanes() const;
    double x_of(double time) const;
    double time_at(double x) const;
    double middle() const;
    Visible visible(std::size_t side, std::size_t lane) const;
    void update_bars();
    void zoom(double factor, double x);
    void pan_to(double time_at_left);
    void reveal(const IssuePlace& place);
    void choose(const IssuePlace& place);
    void tell(const std::optional<IssuePlace>& place);
    std::optional<IssuePlace> home(bool end) const;
    std::optional<IssuePlace> walked(int direction, bool long_waits) const;
    std::optional<IssuePlace> other_lane(int direction) const;
    std::optional<IssuePlace> issue_of(InstrId instr) const;
    bool walk(QKeyEvent* event);

    void paint_ruler(QPainter& painter) const;
    void paint_head(QPainter& painter, std::size_t side) const;
    void paint_lane(QPainter& painter, std::size_t side, std::size_t lane);
    void paint_near(QPainter& painter, const TimelineSide& side, const IssueLane& lane, QRect area,
                    Visible range) const;
    void paint_far(QPainter& painter, const TimelineSide& side, const IssueLane& lane, QRect area,
                   Visible range) const;
    void paint_labels(QPainter& painter, const TimelineSide& side, const IssueLane& lane, QRect area,
                      Visible range) const;
    void paint_uncounted(QPainter& painter, const TimelineSide& side, std::size_t lane, QRect area) const;
    void paint_marks(QPainter& painter, std::size_t side, std::size_t lane, QRect area, Visible range) const;
    void paint_cursor(QPainter& painter) const;

    TimelinePtr timeline_;
    QString message_;
    int gutter_ = 0;
    double scale_ = 1;
    bool fitted_ = true;  // stays fitted when the widget is resized
    InstrId selected_ = kNone;
    std::optional<IssuePlace> cursor_, hovered_;
    QString told_;
    std::optional<QPointF> press_at_;
    double press_time_ = 0;
    bool dragged_ = false;
    std::size_t looked_at_ = 0;
};

// The colours of an issue and of each wait reason.
QColor timeline_color(WaitReason reason);

}  // namespace cubinlab::ui
