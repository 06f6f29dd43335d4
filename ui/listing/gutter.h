// SPDX-License-Identifier: GPL-3.0-or-later
// The columns left of a listing: loop bar, change mark, offset, live registers, control code. Painted beside
// the text, because an editor's margins cannot hold them. Colour marks what costs cycles: a long stall, a
// wait.
//
//   | 0120  46 ####   B0----:R-:W1:-:S04 |
#pragma once
#include <QWidget>

#include "ui/document.h"
#include "ui/listing/listing_rows.h"

namespace cubinlab::ui {

class SassView;

struct GutterColumns {
    bool offset = true;
    bool live = true;
    bool control = true;
};

class Gutter : public QWidget {
    Q_OBJECT

  public:
    Gutter(SassView* view, Side side, QWidget* parent = nullptr);

    void set_content(const ListingRows* rows, SchedulePtr schedule, DiffPtr diff);
    void set_liveness(LivenessPtr liveness, int registers);
    void set_selected(InstrId id);
    void set_columns(GutterColumns columns);
    GutterColumns columns() const { return columns_; }
    // x of the left edge and name of each column, for the captions above.
    std::vector<std::pair<int, QString>> captions() const;

    QSize sizeHint() const override;

  Q_SIGNALS:
    void row_pressed(int row);
    void row_menu(int row, const QPoint& global);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Layout {
        int loop = 0, change = 0, offset = 0, live_number = 0, live_bar = 0, control = 0, width = 0;
        int digit = 0, offset_digits = 4;
    };
    Layout layout_columns() const;
    void take_theme();
    int row_at(int y) const;
    void paint_row(QPainter& painter, const Layout& at, int row, int top, int height) const;
    void paint_header(QPainter& painter, const Layout& at, BlockId block, int top, int height) const;
    void paint_loop(QPainter& painter, const Layout& at, BlockId block, int top, int height) const;
    void paint_live(QPainter& painter, const Layout& at, Position position, int top, int height) const;
    void paint_control(QPainter& painter, const Layout& at, const ControlCode& now, const ControlCode& other,
                       int top, int height) const;
    const char* field_at(int x) const;
    QString tip_for(InstrId id) const;
    QString tip_at(InstrId id, int x) const;

    SassView* view_;
    Side side_;
    const ListingRows* rows_ = nullptr;
    SchedulePtr schedule_;
    DiffPtr diff_;
    LivenessPtr liveness_;
    int registers_ = 0;
    InstrId selected_ = kNone;
    GutterColumns columns_;
};

// "waits for SB0 and SB3; result signals SB1; stall 4 cycles": the control code in words.
QString explain_control(const ControlCode& control);

}  // namespace cubinlab::ui
