// SPDX-License-Identifier: GPL-3.0-or-later
// One side of the comparison: a choice of slot with its facts, captions, gutter and listing.
#pragma once
#include <QWidget>

#include "ui/document/document.h"
#include "ui/listing/listing_rows.h"

class QComboBox;

namespace cubinlab::ui {

class Captions;
class FittingLabel;
class Gutter;
class ListingOverlay;
class SassView;

class Pane : public QWidget {
    Q_OBJECT

  public:
    Pane(Side side, QWidget* parent = nullptr);

    SassView* view() const { return view_; }
    Gutter* gutter() const { return gutter_; }
    ListingOverlay* overlay() const { return overlay_; }
    QComboBox* slot_choice() const { return slot_; }
    void set_heads(ScheduleSlot current, const Document& document);
    void set_facts(
        const QStringList& facts);  // most important first; the last are dropped if there is no room
    void captions_changed();

  Q_SIGNALS:
    void slot_chosen(cubinlab::ui::ScheduleSlot slot);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void take_theme();
    void fit_head();

    Side side_;
    QWidget* bar_;
    QComboBox* slot_;
    FittingLabel* facts_;
    int least_facts_ = 0;  // width of the first one
    Captions* captions_;
    SassView* view_;
    Gutter* gutter_;
    ListingOverlay* overlay_;
};

}  // namespace cubinlab::ui
