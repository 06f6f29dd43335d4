// SPDX-License-Identifier: GPL-3.0-or-later
// The one selection of the window: an instruction id. Every view shows it and can set it; views do not talk
// to each other. It has a back/forward history, which includes scroll positions. Next to the instruction
// there can be a range, for commands on several instructions.
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

    // Starts with a new kernel of `instructions` instructions: nothing is selected or remembered.
    void begin(std::size_t instructions);
    InstrId instr() const { return s_.instr; }  // kNone: nothing is selected
    bool has() const { return s_.instr != kNone; }
    // The target of a command on several instructions: the range, else the selected instruction.
    std::vector<InstrId> targets() const;
    const std::vector<InstrId>& range() const { return s_.range; }  // empty: only the selected one
    void set_range(std::vector<InstrId> ids);                       // keeps the selected instruction
    // Rows between the top of the listing and the selected one, stored in the history. A view sets it on leaving();
    // while back or forward emits changed(), restored_top() returns the stored value.
    void note_top(int rows);
    std::optional<int> restored_top() const { return s_.restored_top; }
    bool can_go_back() const { return s_.cursor > 0; }
    bool can_go_forward() const { return s_.cursor + 1 < s_.history.size(); }

  public Q_SLOTS:
    void select(quint32 instr);  // no signal if already selected; ignores ids outside the kernel
    void go_back();
    void go_forward();

  Q_SIGNALS:
    void leaving();  // the selection is about to change
    void changed(quint32 instr);
    void range_changed();
    void history_changed();

  private:
    struct Place {
        InstrId instr = kNone;
        std::optional<int> top;
    };
    struct State {  // of one kernel
        std::size_t size = kNone;
        InstrId instr = kNone;
        std::vector<InstrId> range;
        std::vector<Place> history;
        std::optional<int> restored_top;
        std::size_t cursor = 0;
    };
    void go_to(std::size_t place);
    bool knows(InstrId id) const { return id == kNone || id < s_.size; }

    State s_;
};

}  // namespace cubinlab::ui
