// SPDX-License-Identifier: GPL-3.0-or-later
// Original and candidate side by side: two listings over one row list, scrolling as one, with the moves drawn
// between them. Follows the window's selection and moves it with the arrow keys.
#pragma once
#include <QElapsedTimer>
#include <QWidget>

#include "ui/document.h"
#include "ui/listing/listing_rows.h"

class QSplitter;
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

    const ListingRows& rows() const { return rows_; }
    Pane* pane(Side side) const { return side == Side::Left ? left_ : right_; }
    void step_selection(int rows);                  // down is positive; blanks and headers are skipped
    bool go_to_change(int direction);               // next (+1) or previous (-1) change; false: no more
    bool find(const QString& text, int direction);  // in the text of the side in focus, from the selection on
    void set_columns(bool offset, bool live, bool control);

  Q_SIGNALS:
    void menu_requested(const QPoint& global);
    void edit_asked();  // Enter on the selected row

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void connect_pane(Pane* pane, Side side);
    void schedule_rebuild();
    void rebuild();
    void show_liveness();
    void show_problems();
    void show_selection(InstrId id);
    void show_heads();
    void balance_scrollbars();
    QStringList facts_of(Side side) const;
    Side focused_side() const;

    Document* document_;
    Selection* selection_;
    ListingRows rows_;
    Pane* left_;
    Pane* right_;
    Ribbons* ribbons_;
    OverviewRuler* ruler_;
    QTimer* rebuild_timer_;
    QElapsedTimer since_rebuild_;
    bool selecting_here_ = false;
    bool scrolling_ = false;
    bool wide_ = true;
};

}  // namespace cubinlab::ui
