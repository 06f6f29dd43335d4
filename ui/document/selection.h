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

    // Of another kernel: nothing is selected, hovered or remembered, and only its `instructions` can be.
    void begin(std::size_t instructions);
    InstrId instr() const { return s_.instr; }  // kNone: nothing is selected
    InstrId hovered() const { return s_.hovered; }
    bool has() const { return s_.instr != kNone; }
    // What a command for several is about: the range, else the one instruction.
    std::vector<InstrId> targets() const;
    const std::vector<InstrId>& range() const { return s_.range; }  // empty: only the one
    void set_range(std::vector<InstrId> ids);                       // the selected instruction stays
    // The rows between the top of the listing and the selected one, kept with the history. A view sets it on
    // leaving(); while changed() is sent by back or forward, restored_top() is what it was then.
    void note_top(int rows);
    std::optional<int> restored_top() const { return s_.restored_top; }
    bool can_go_back() const { return s_.cursor > 0; }
    bool can_go_forward() const { return s_.cursor + 1 < s_.history.size(); }

  public Q_SLOTS:
    void select(quint32 instr);  // no signal if it is selected already; ignored if the kernel has no such one
    void hover(quint32 instr);   // kNone: nothing under the pointer
    void go_back();
    void go_forward();

  Q_SIGNALS:
    void leaving();  // what is selected is about to change
    void changed(quint32 instr);
    void range_changed();
    void hover_changed(quint32 instr);
    void history_changed();

  private:
    struct Place {
        InstrId instr = kNone;
        std::optional<int> top;
    };
    struct State {  // of one kernel
        std::size_t size = kNone;
        InstrId instr = kNone;
        InstrId hovered = kNone;
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
