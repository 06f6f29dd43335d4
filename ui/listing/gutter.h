// SPDX-License-Identifier: GPL-3.0-or-later
// The columns left of a listing: bookmarks and locks, loop bar, change mark, offset, source line, live
// registers, issue cycle, profile, heat of positions, control code, dependency arrows. Painted next to the
// text because editor margins cannot show them. Colour marks costs: a long stall, a wait.
//
//   | 0120  46 ####   B0----:R-:W1:-:S04  -> |
#pragma once
#include <QHash>
#include <QStaticText>
#include <QString>
#include <QWidget>

#include "core/gpu/client/profile_csv.h"
#include "ui/document/document.h"
#include "ui/document/place_heat.h"
#include "ui/listing/dependency_arrows.h"
#include "ui/listing/listing_rows.h"

namespace cubinlab::ui {

inline constexpr int kLaneWidth = 7;  // pixels from one arrow to the next

class KernelNotes;
class SassView;

struct GutterColumns {
    bool offset = true;
    bool live = true;
    bool control = true;
    bool cycle = false;
    bool source = false;
    bool profile = false;
    bool arrows = false;
    friend bool operator==(const GutterColumns&, const GutterColumns&) = default;
};

// Source line of an instruction; 0: unknown.
struct SourcePlace {
    std::uint32_t line = 0;
    QString file;
};
using SourcePlaces = std::shared_ptr<const std::vector<SourcePlace>>;  // by InstrId

class Gutter : public QWidget {
    Q_OBJECT

  public:
    Gutter(SassView* view, Side side, QWidget* parent = nullptr);
    // On a block header: "block 2  .  12 folded", as much as fits.
    static QString header_text(const ListingRow& row, const QFontMetrics& font, int room);

    void forget();  // drops the kernel; shows nothing until set_content()
    void set_content(const ListingRows* rows, SchedulePtr schedule, DiffPtr diff, SchedulePtr other = {});
    void set_liveness(LivenessPtr liveness, int registers);
    // Register counts at which more warps fit an SM; each bar marks the next one below `registers`.
    void set_occupancy(std::vector<OccupancyStep> steps);
    void set_timing(TimingPtr timing);
    void set_arrows(ArrowsPtr arrows);
    void set_heat(HeatPtr heat);
    void set_profile(ProfilePtr profile);
    void set_source(SourcePlaces places);
    void set_notes(const KernelNotes* notes);
    void set_selected(InstrId id);
    void set_range(std::vector<InstrId> ids);
    void set_columns(GutterColumns columns);
    GutterColumns columns() const { return columns_; }
    // x of the left edge and name of each column, for the captions above.
    std::vector<std::pair<int, QString>> captions() const;
    int row_at(int y) const;               // -1: none
    QString tip_at(int row, int x) const;  // tooltip text
    QRect arrows_rect(int row) const;      // of the arrows' column in that row

    QSize sizeHint() const override;

  Q_SIGNALS:
    void row_pressed(int row);
    void row_activated(int row,
                       const char* field);  // a double click on an instruction; `field` as field_at()
    void row_menu(int row, const QPoint& global);
    void fold_toggled(quint32 block);
    void range_asked(int row);  // shift-click

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Layout {
        int mark = 0, loop = 0, change = 0, offset = 0, source = 0, live_number = 0, live_bar = 0, cycle = 0,
            profile = 0, heat = 0, control = 0, arrows = 0, width = 0;
        int digit = 0, offset_digits = 4;
    };
    struct Line {  // one row while it is painted
        InstrId id;
        Position position;
        int top, height;
    };
    Layout layout_columns() const;
    void take_theme();
    void relayout();
    void place_heat();
    void put_text(QPainter& painter, const QRect& box, Qt::Alignment side, const QString& text) const;
    void paint_row(QPainter& painter, const Layout& at, int row, int top, int height) const;
    void paint_header(QPainter& painter, const Layout& at, const ListingRow& row, int top, int height) const;
    void paint_loop(QPainter& painter, const Layout& at, BlockId block, int top, int height) const;
    void paint_marks(QPainter& painter, const Layout& at, const Line& line) const;
    void paint_change(QPainter& painter, const Layout& at, const Line& line, Change change) const;
    void paint_live(QPainter& painter, const Layout& at, const Line& line) const;
    void paint_numbers(QPainter& painter, const Layout& at, const Line& line) const;
    void paint_profile(QPainter& painter, const Layout& at, const Line& line) const;
    void paint_heat(QPainter& painter, const Layout& at, const Line& line) const;
    void paint_control(QPainter& painter, const Layout& at, const Line& line) const;
    void paint_arrows(QPainter& painter, const Layout& at) const;
    int next_step() const;  // registers of the next occupancy step below; 0: none
    const char* field_at(int x) const;
    QString tip_for(InstrId id) const;
    QString arrow_tip(InstrId id) const;

    SassView* view_;
    Side side_;
    struct OfKernel {
        const ListingRows* rows = nullptr;
        SchedulePtr schedule, other;
        DiffPtr diff;
        LivenessPtr liveness;
        TimingPtr timing;
        ArrowsPtr arrows;
        HeatPtr heat;
        bool heat_here = false;  // the heat matches `schedule`
        ProfilePtr profile;
        SourcePlaces source;
        std::vector<OccupancyStep> steps;
        int registers = 0;
        InstrId selected = kNone;
        std::vector<InstrId> range;
    };
    OfKernel k_;
    mutable QHash<QString, QStaticText> shaped_;
    const KernelNotes* notes_ = nullptr;
    GutterColumns columns_;
};

// The control code as text: "waits for SB0, SB3; signals SB1 when its result is written; stalls 4 cycles".
QString explain_control(const ControlCode& control);

}  // namespace cubinlab::ui
