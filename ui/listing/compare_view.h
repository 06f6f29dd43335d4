// SPDX-License-Identifier: GPL-3.0-or-later
// Original and candidate side by side: two listings over one row list, scrolling as one, with the moves drawn
// between them. Follows the window's selection and moves it with the arrow keys. compare_view.cpp keeps the
// rows, compare_view_columns.cpp what stands beside them, compare_view_keys.cpp is what keys and searches do.
#pragma once
#include <QElapsedTimer>
#include <QWidget>

#include "ui/document/document.h"
#include "ui/listing/gutter.h"
#include "ui/listing/listing_rows.h"
#include "ui/listing/sass_query.h"

class QTimer;

namespace cubinlab::ui {

class OverviewRuler;
class Pane;
class Ribbons;
class Selection;

class CompareView : public QWidget {
    Q_OBJECT

  public:
    CompareView(Document* document, Selection* selection, QWidget* parent = nullptr);

    const ListingRows& rows() const { return k_.rows; }
    Pane* pane(Side side) const { return side == Side::Left ? left_ : right_; }
    void step_selection(int rows);                  // down is positive; blanks and headers are skipped
    bool go_to_change(int direction);               // next (+1) or previous (-1) change; false: no more
    void extend_selection(int rows);                // the range from the selected row on
    bool find(const QString& text, int direction);  // on the side in focus, from the selection on
    // Marks what is looked for in both listings and the ruler. Returns what was found: "12 read R4, 3 write
    // it"; empty: nothing is looked for.
    QString set_query(const QString& text);
    Side focused_side() const;

    enum class Column { Live, Cycle, Source, Profile, Arrows };
    bool column(Column which) const;  // as it is shown now
    void set_column(Column which, bool on);

    bool folded(BlockId block) const { return k_.folded.contains(block); }
    void set_folded(const std::set<BlockId>& blocks, bool on);

    // Only what differs, and two rows around it; what is selected is shown, too.
    bool only_changed() const { return only_changed_; }
    void set_only_changed(bool on);
    // Place by place, with no blank rows. Where nobody chose: from kManyMoves moves on.
    bool compact() const;
    void set_compact(bool on);

    void set_notes(const KernelNotes* notes);
    void set_arrows(Side side, const ArrowsPtr& arrows);
    void set_legal_places(const SchedulePtr& schedule, const SlotRange& range, bool on);
    void set_heat(const HeatPtr& heat);
    void set_profile(const ProfilePtr& profile);
    void set_source(const SourcePlaces& places);
    void set_occupancy(const std::vector<OccupancyStep>& steps);

  Q_SIGNALS:
    void menu_requested(const QPoint& global);
    void edit_asked();  // Enter on the selected row
    void columns_changed();

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void connect_pane(Pane* pane, Side side);
    bool unfold_for(InstrId id);
    void copy_rows(Side side) const;
    void fit_columns();
    void show_columns();
    void show_found();
    void show_range();
    void show_labels();
    void show_timing();
    void choose_range(int row, Side side);
    void forget();
    void schedule_rebuild();
    void rebuild();
    void show_liveness();
    void show_problems();
    void show_selection(InstrId id);
    void show_heads();
    void balance_scrollbars();
    QStringList facts_of(Side side) const;

    Document* document_;
    Selection* selection_;
    Pane* left_;
    Pane* right_;
    Ribbons* ribbons_;
    OverviewRuler* ruler_;
    QTimer* rebuild_timer_;
    bool selecting_here_ = false;
    bool scrolling_ = false;
    bool wide_ = true;
    bool tight_ = false, narrow_ = false;
    const KernelNotes* notes_ = nullptr;
    // What is wished for; nothing: as there is room.
    std::optional<bool> live_wish_, cycle_wish_, arrows_wish_;
    bool source_on_ = false;
    std::optional<bool> compact_wish_;
    bool only_changed_ = false;
    struct OfKernel {
        ListingRows rows;
        std::set<BlockId> folded;
        SassQuery query;
        ArrowsPtr arrows[2];  // by side
        int range_end = -1;   // row
        bool profile_on = false, has_source = false;
        QElapsedTimer since_rebuild;
    };
    OfKernel k_;
};

}  // namespace cubinlab::ui
