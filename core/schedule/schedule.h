// SPDX-License-Identifier: GPL-3.0-or-later
// An order of a kernel's instructions inside their blocks, and the fields of their words that edits may rewrite
// (core/schedule/edit_kind.h). A value: it can be copied, compared and hashed.
//
//   Schedule s(kernel);                                   // the original
//   s.words()                                             // == kernel words
//
// Schedule does not check legality: see core/legality/hazard_checker.h.
#pragma once
#include <vector>

#include "core/base/hash.h"
#include "core/schedule/edit_kind.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

class Schedule {
  public:
    explicit Schedule(KernelPtr kernel);

    // Finds the schedule of `kernel` with these words (any fields that edits rewrite, any order inside blocks).
    // Words that differ only in these fields are matched in order of appearance; other fields than the control
    // code distinguish them where each has its equal. Error: not a reschedule.
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

    FieldBits field(const FieldKind& kind, InstrId id) const;
    void set_field(const FieldKind& kind, InstrId id, FieldBits bits);
    // The instructions with another field than the control code rewritten, ascending: words with the original's
    // control code.
    const std::vector<std::pair<InstrId, Word>>& overrides() const { return overrides_; }
    // More than a reschedule: an instruction differs in more than its control code.
    bool changes_code() const { return !overrides_.empty(); }

    // Moves `id` to position `to` of the same block; instructions between shift by one. `to` must be in the
    // block (asserted).
    void move(InstrId id, Position to);

    Word word(Position position) const { return word_of(order_[position]); }
    Word word_of(InstrId id) const;  // with all fields as rewritten
    std::vector<Word> words() const;
    Hash128 hash() const;  // of words(); the hash of the original equals Kernel::hash()

    bool moved(InstrId id) const { return position_[id] != id; }
    bool fields_changed(InstrId id) const;  // against the original
    // Both have the same value of every field.
    bool same_fields(const Schedule& other, InstrId id) const { return word_of(id) == other.word_of(id); }

    friend bool operator==(const Schedule& a, const Schedule& b) {
        return a.kernel_ == b.kernel_ && a.order_ == b.order_ && a.control_ == b.control_ &&
               a.overrides_ == b.overrides_;
    }

  private:
    const Word& code_word(InstrId id) const;  // with the original's control code

    KernelPtr kernel_;
    std::vector<InstrId> order_;        // by position
    std::vector<Position> position_;    // by InstrId
    std::vector<ControlCode> control_;  // by InstrId
    std::vector<std::pair<InstrId, Word>> overrides_;
};

}  // namespace cubinlab
