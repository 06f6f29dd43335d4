// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hand_tools.h"

#include <QSpinBox>
#include <algorithm>

#include "ui/hand/control_editor.h"
#include "ui/listing/compare_view.h"
#include "ui/listing/pane.h"
#include "ui/listing/sass_view.h"
#include "ui/selection.h"

namespace cubinlab::ui {

HandTools::HandTools(HandParts parts, QObject* parent) : QObject(parent), p_(std::move(parts)) {
    editor_ = new ControlEditor(p_.document, p_.jobs, p_.compare);
    SassView* listing = p_.compare->pane(Side::Right)->view();
    const auto back_to_listing = [listing] { listing->setFocus(); };
    connect(editor_, &ControlEditor::committed, listing, back_to_listing);
    connect(editor_, &ControlEditor::dismissed, listing, back_to_listing);
    connect(editor_, &ControlEditor::go_to_asked, p_.selection, &Selection::select);
    connect(p_.selection, &Selection::changed, this, [this](InstrId id) {
        if (!editor_->isVisible()) return;
        if (id == kNone)
            editor_->dismiss();
        else
            editor_->edit(id);
        place_editor();
    });
    connect(listing, &SassView::scrolled, this, &HandTools::place_editor);
    connect(listing, &SassView::resized, this, &HandTools::place_editor);
    connect(p_.compare, &CompareView::edit_asked, this, &HandTools::open_control_editor);
}

void HandTools::open_control_editor() {
    InstrId id = kNone;
    if (!p_.edit_target(&id)) return;
    if (!p_.document->can_edit()) {
        p_.say(p_.document->why_not_editable());
        return;
    }
    editor_->edit(id);
    editor_->show();
    place_editor();
    editor_->raise();
    editor_->stall_box()->setFocus(Qt::ShortcutFocusReason);
    editor_->stall_box()->selectAll();
}

// Under the row of the instruction, above it where there is no room below.
void HandTools::place_editor() {
    if (!editor_->isVisible()) return;
    editor_->adjustSize();
    SassView* view = p_.compare->pane(Side::Right)->view();
    const int row = std::max(0, p_.compare->rows().row_of(editor_->instr(), Side::Right));
    const int line = view->row_height();
    const QPoint top = view->mapTo(p_.compare, QPoint(0, (row - view->first_visible_row()) * line));
    int y = top.y() + line + 2;
    if (y + editor_->height() > p_.compare->height()) y = top.y() - editor_->height() - 2;
    const int most = std::max(0, p_.compare->height() - editor_->height());
    const int x = std::min(top.x(), std::max(0, p_.compare->width() - editor_->width() - 20));
    editor_->move(x, std::clamp(y, 0, most));
}

}  // namespace cubinlab::ui
