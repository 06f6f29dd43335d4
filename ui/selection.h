// SPDX-License-Identifier: GPL-3.0-or-later
// The one selection of the window: an instruction, by its id. Every view shows it and every view may set it;
// views never talk to each other. Keeps a back/forward history of what was selected.
//
//   connect(selection, &Selection::changed, this, [this](quint32 id) { if (id != kNone) reveal(id); });
//   selection->select(id);
#pragma once
#include <QObject>
#include <vector>

#include "core/base/ids.h"

namespace cubinlab::ui {

class Selection : public QObject {
    Q_OBJECT

  public:
    explicit Selection(QObject* parent = nullptr);

    InstrId instr() const { return instr_; }  // kNone: nothing is selected
    InstrId hovered() const { return hovered_; }
    bool has() const { return instr_ != kNone; }
    bool can_go_back() const { return cursor_ > 0; }
    bool can_go_forward() const { return cursor_ + 1 < history_.size(); }

  public Q_SLOTS:
    void select(quint32 instr);  // no signal if it is selected already
    void hover(quint32 instr);   // kNone: nothing under the pointer
    void go_back();
    void go_forward();
    void clear();  // another kernel: also forgets the history

  Q_SIGNALS:
    void changed(quint32 instr);
    void hover_changed(quint32 instr);
    void history_changed();

  private:
    InstrId instr_ = kNone;
    InstrId hovered_ = kNone;
    std::vector<InstrId> history_;
    std::size_t cursor_ = 0;
};

}  // namespace cubinlab::ui
