// SPDX-License-Identifier: GPL-3.0-or-later
// Original and candidate next to each other: two listings over one row list that scroll together, with moves
// drawn between them. Follows the selection and moves it with the arrow keys. compare_view.cpp has the rows,
// compare_view_columns.cpp the columns, compare_view_keys.cpp keys and search.
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
    void step_selection(int rows);                  // positive: down; skips blanks and headers
    bool go_to_change(int direction);               // next (+1) or previous (-1) change; false: no more
    void begin_at(BlockId block);                   // scrolls its first row to the top
    void extend_selection(int rows);                // the range from the selected row
    bool find(const QString& text, int direction);  // on the focused side, from the selection
    // Marks matches in both listings and the ruler. Returns the count: "R4: 12 reads, 3 writes"; empty: no search.
    QString set_query(const QString& text);
    // Place of the instruction among the matches in the order of the focused side, from 1 (0: it is none), and their
    // number.
    std::pair<int, int> found_at(InstrId id) const;
    Side focused_side() const;

    enum class Column { Live, Cycle, Source, Profile, Arrows };
    bool column(Column which) const;  // whether it is shown
    void set_column(Column which, bool on);

    bool folded(BlockId block) const { return k_.folded.contains(block); }
    void set_folded(const std::set<BlockId>& blocks, bool on);

    // Shows only differing rows with two rows around them, and the selected row.
    bool only_changed() const { return only_changed_; }
    void set_only_changed(bool on);
    // Position by position, without blank rows. Default: from kManyMoves moves.
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
    // Enter on the selected row, or a double click. `field`: of the control code ("stall", "yield", "wait", "read",
    // "write"), or null.
    void edit_asked(const char* field);
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
    // The user's choice; empty: depends on the room.
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
