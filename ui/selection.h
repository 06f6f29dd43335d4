// SPDX-License-Identifier: GPL-3.0-or-later
// The one selection of the window: an instruction, by its id. Every view shows it and every view may set it;
// views never talk to each other. Keeps a back/forward history of what was selected and of where on the
// screen it was. Beside the one instruction there may be a range, for what is done to several at once.
//
//   connect(selection, &Selection::changed, this, [this](quint32 id) { if (id != kNone) reveal(id); });
//   selection->select(id);
#pragma once
#include <QObject>
#include <optional>
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
    // What a command for several is about: the range, else the one instruction.
    std::vector<InstrId> targets() const;
    const std::vector<InstrId>& range() const { return range_; }  // empty: only the one
    void set_range(std::vector<InstrId> ids);                     // the selected instruction stays
    // The rows between the top of the listing and the selected one, kept with the history. A view sets it on
    // leaving(); while changed() is sent by back or forward, restored_top() is what it was then.
    void note_top(int rows);
    std::optional<int> restored_top() const { return restored_top_; }
    bool can_go_back() const { return cursor_ > 0; }
    bool can_go_forward() const { return cursor_ + 1 < history_.size(); }

  public Q_SLOTS:
    void select(quint32 instr);  // no signal if it is selected already
    void hover(quint32 instr);   // kNone: nothing under the pointer
    void go_back();
    void go_forward();
    void clear();  // another kernel: also forgets the history

  Q_SIGNALS:
    void leaving();  // what is selected is about to change
    void changed(quint32 instr);
    void range_changed();
    void hover_changed(quint32 instr);
    void history_changed();

  private:
    InstrId instr_ = kNone;
    InstrId hovered_ = kNone;
    struct Place {
        InstrId instr = kNone;
        std::optional<int> top;
    };
    void go_to(std::size_t place);

    std::vector<InstrId> range_;
    std::vector<Place> history_;
    std::optional<int> restored_top_;
    std::size_t cursor_ = 0;
};

}  // namespace cubinlab::ui
