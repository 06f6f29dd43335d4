// SPDX-License-Identifier: GPL-3.0-or-later
// An order of a kernel's instructions inside their blocks, and a control code for each: a value that can be
// copied, compared and hashed. The words themselves never change but for their control fields.
//
//   Schedule s(kernel);                                   // the original
//   s.words()                                             // == kernel words
//
// Schedule says nothing about legality: see core/analysis/hazard_checker.h.
#pragma once
#include <vector>

#include "core/base/hash.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

class Schedule {
  public:
    explicit Schedule(KernelPtr kernel);

    // Finds the schedule of `kernel` that gives these words (control fields free, order inside blocks free).
    // Words that are alike but for control bits are matched in order of appearance. Error: not a reschedule.
    static Result<Schedule> match(KernelPtr kernel, const std::vector<Word>& words);
    // The one that another cubin has of the kernel of this name. NotFound: it has none.
    static Result<Schedule> match(KernelPtr kernel, const Cubin& cubin);

    const KernelPtr& kernel() const { return kernel_; }
    std::size_t size() const { return order_.size(); }

    InstrId at(Position position) const { return order_[position]; }
    Position position_of(InstrId id) const { return position_[id]; }
    const std::vector<InstrId>& order() const { return order_; }

    const ControlCode& control(InstrId id) const { return control_[id]; }
    const std::vector<ControlCode>& controls() const { return control_; }  // by InstrId
    void set_control(InstrId id, const ControlCode& control) { control_[id] = control; }

    // Puts `id` at position `to` of the same block; what lies between shifts by one. The caller keeps `to`
    // inside the block (asserted).
    void move(InstrId id, Position to);

    Word word(Position position) const;  // with the schedule's control code
    std::vector<Word> words() const;
    Hash128 hash() const;  // of words(); equals Kernel::hash() for the original

    bool moved(InstrId id) const { return position_[id] != id; }
    bool control_changed(InstrId id) const;

    friend bool operator==(const Schedule& a, const Schedule& b) {
        return a.kernel_ == b.kernel_ && a.order_ == b.order_ && a.control_ == b.control_;
    }

  private:
    KernelPtr kernel_;
    std::vector<InstrId> order_;        // by position
    std::vector<Position> position_;    // by InstrId
    std::vector<ControlCode> control_;  // by InstrId
};

}  // namespace cubinlab
