// SPDX-License-Identifier: GPL-3.0-or-later
// The integer side of a kernel as far as it decides branches: what its registers and predicates hold, where that
// follows from the code and the launch alone. Everything else is not known, and of what is not known it is kept
// where it came from. Internal to core/model (core/model/trip_counts.h).
//
//   ScalarCode code(kernel, launch);
//   auto state = code.unknown(Origin::Launch);
//   code.run(block, state);
//   code.condition(block, state)        // of the branch that ends the block
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "core/model/launch_values.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

// Why a value is not known.
enum class Origin : std::uint8_t { Known, Thread, Block, Launch, Memory, Pass, Paths, Call, Other };

struct Scalar {
    std::uint32_t bits = 0;  // a predicate's: 0 or 1; 0 where it is not known
    Origin from = Origin::Known;
    bool known() const { return from == Origin::Known; }
    friend bool operator==(const Scalar&, const Scalar&) = default;
};
using ScalarState = std::vector<Scalar>;

// One thread of a launch, for code whose branches depend on which one it is.
struct ThreadPlace {
    std::array<std::uint32_t, 3> thread{}, block{};
};

class ScalarCode {
  public:
    ScalarCode(const Kernel& kernel, const LaunchValues& launch, std::optional<ThreadPlace> place = {});

    ScalarState unknown(Origin from) const { return ScalarState(slots_, {0, from}); }
    void run(BlockId block, ScalarState& state) const;
    // 1: the branch or EXIT that ends the block is taken, 0: not; known 1 where it has no condition.
    Scalar condition(BlockId block, const ScalarState& state) const;
    // After a call that ends the block: what the called code may write is not known any more.
    void clobber(BlockId block, ScalarState& state) const;
    std::size_t work_of(BlockId block) const { return blocks_[block].ops.size() + 4; }

  private:
    enum class Kind : std::uint8_t {
        Unknown,
        Copy,
        Select,
        Compare,
        Add,
        Multiply,
        MultiplyWide,
        MultiplyHigh,
        ShiftAdd,
        Logic,
        Shift,
        Permute,
        Extend,
        Least,
        Absolute,
        CountOnes,
        PredicateLogic,
    };
    struct Source {
        std::int16_t slot = -1;  // -1: the constant
        bool negate = false, complement = false;
        Scalar constant;
    };
    struct Op {
        Kind kind = Kind::Unknown;
        Origin from = Origin::Other;  // Unknown: of what it writes, where no source says more
        Source guard, a, b, c, c_high;
        std::array<Source, 3> preds{};  // inverted by `negate`
        std::int16_t dest = -1, dest_high = -1;
        std::array<std::int16_t, 2> pred_dest{-1, -1};
        std::uint8_t code = 0, code2 = 0;  // comparison, table of truth, shift
        bool is_signed = false, flag = false, extended = false, high = false, wide = false, left = false;
        std::vector<std::int16_t> writes;  // every slot that it writes
        std::vector<std::int16_t> reads;   // Unknown: what it is made of, to say where it comes from
    };
    struct BlockCode {
        std::vector<Op> ops;
        Source guard, extra;  // of what ends it: both have to hold
        bool ends_by_condition = false;
        std::vector<std::int16_t> called_writes;
    };
    class Reader;

    void find_calls(const Kernel& kernel);
    void trace_memory();
    void keep_relevant();
    template <class Visit>
    static void visit_slots(Op& op, Visit visit);
    static Scalar value_of(const Source& source, const ScalarState& state);
    static Scalar predicate_of(const Source& source, const ScalarState& state);
    static void execute(const Op& op, ScalarState& state);
    static void compute(const Op& op, ScalarState& state);

    std::size_t slots_ = 0;
    std::vector<BlockCode> blocks_;
};

const char* to_string(Origin origin);  // "threadIdx", "a value from memory"

}  // namespace cubinlab
