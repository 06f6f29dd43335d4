// SPDX-License-Identifier: GPL-3.0-or-later
// An order of a kernel's instructions inside their blocks and a control code for each. A value: it can be
// copied, compared and hashed. Only the control fields of the words change.
//
//   Schedule s(kernel);                                   // the original
//   s.words()                                             // == kernel words
//
// Schedule does not check legality: see core/legality/hazard_checker.h.
#pragma once
#include <vector>

#include "core/base/hash.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

class Schedule {
  public:
    explicit Schedule(KernelPtr kernel);

    // Finds the schedule of `kernel` with these words (any control fields, any order inside blocks). Words
    // that differ only in control bits are matched in order of appearance. Error: not a reschedule.
    static Result<Schedule> match(KernelPtr kernel, const std::vector<Word>& words);
    // The schedule of the kernel with this name in another cubin. NotFound: no such kernel.
    static Result<Schedule> match(KernelPtr kernel, const Cubin& cubin);

    const KernelPtr& kernel() const { return kernel_; }
    std::size_t size() const { return order_.size(); }

    InstrId at(Position position) const { return order_[position]; }
    Position position_of(InstrId id) const { return position_[id]; }
    const std::vector<InstrId>& order() const { return order_; }

    const ControlCode& control(InstrId id) const { return control_[id]; }
    const std::vector<ControlCode>& controls() const { return control_; }  // by InstrId
    void set_control(InstrId id, const ControlCode& control) { control_[id] = control; }

    // Moves `id` to position `to` of the same block; instructions between shift by one. `to` must be in the
    // block (asserted).
    void move(InstrId id, Position to);

    Word word(Position position) const;  // with the schedule's control code
    std::vector<Word> words() const;
    Hash128 hash() const;  // of words(); the hash of the original equals Kernel::hash()

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
