// SPDX-License-Identifier: GPL-3.0-or-later
// The strip between the listings: a curve from each moved instruction's position on the left to its position
// on the right, as far as either is in view.
#pragma once
#include <QWidget>

#include "ui/document/document.h"
#include "ui/listing/listing_rows.h"

namespace cubinlab::ui {

class SassView;

class Ribbons : public QWidget {
    Q_OBJECT

  public:
    explicit Ribbons(SassView* view, QWidget* parent = nullptr);  // the views scroll as one
    void set_content(const ListingRows* rows, DiffPtr diff);
    void forget();  // the kernel
    void set_selected(InstrId id);

  Q_SIGNALS:
    void instr_pressed(quint32 instr);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    struct Ends {
        double left = 0, right = 0;  // y of the middle of the rows
    };
    bool ends_of(InstrId id, Ends& ends) const;
    bool shown(InstrId id) const;

    SassView* view_;
    struct OfKernel {
        const ListingRows* rows = nullptr;
        DiffPtr diff;
        std::vector<InstrId> moved;
        InstrId selected = kNone;
    };
    OfKernel k_;
};

// The whole kernel in a strip at the right edge: moves, changes, problems, the selection. A click goes there.
class OverviewRuler : public QWidget {
    Q_OBJECT

  public:
    explicit OverviewRuler(SassView* view, QWidget* parent = nullptr);
    void set_content(const ListingRows* rows, DiffPtr diff, std::vector<InstrId> problems);
    void forget();                             // drops the kernel
    void set_found(std::vector<InstrId> ids);  // matches of a search
    void set_bookmarks(std::vector<InstrId> ids);
    void set_selected(InstrId id);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    void go_to(double y);

    SassView* view_;
    struct OfKernel {
        const ListingRows* rows = nullptr;
        DiffPtr diff;
        std::vector<InstrId> problems, found, bookmarks;
        InstrId selected = kNone;
    };
    OfKernel k_;
};

}  // namespace cubinlab::ui
