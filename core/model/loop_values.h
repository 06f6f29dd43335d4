// SPDX-License-Identifier: GPL-3.0-or-later
// Values of registers and predicates in a loop, pass by pass, as far as they follow from integer code, constants and the
// launch: start values, bounds and induction variables. A register has a value where every definition that reaches
// it gives the same one. Internal to core/model.
//
//   LoopValues values(kernel, loop, launch);
//   values.taken(branch);     // in the first pass
//   values.next_pass();
#pragma once
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "core/model/hot_loop.h"
#include "core/model/launch_values.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

// Why a value is not known.
enum class ValueSource : std::uint8_t { Known, Thread, Block, Launch, Memory, Paths, Other };
const char* to_string(ValueSource source);  // "threadIdx", "a value from memory"

struct LoopValue {
    std::uint32_t bits = 0;  // of a predicate 0 or 1
    ValueSource from = ValueSource::Known;
    bool known() const { return from == ValueSource::Known; }
    friend bool operator==(const LoopValue&, const LoopValue&) = default;
};

class LoopValues {
  public:
    LoopValues(const Kernel& kernel, const CodeLoop& loop, const LaunchValues& launch);

    // Of a BRA: whether it is taken; of an EXIT: whether the thread ends.
    LoopValue taken(InstrId branch);
    void next_pass();

  private:
    struct Register {
        RegFile file = RegFile::Gpr;
        unsigned number = 0;
        auto operator<=>(const Register&) const = default;
    };
    // What may have written a register last.
    struct Definitions {
        std::vector<InstrId> sites;
        bool header = false;   // none in this pass: the value that the header sees
        bool unknown = false;  // a call, the kernel's entry
    };
    using Memo = std::map<std::pair<InstrId, Register>, LoopValue>;

    void collect(BlockId block, Position end, bool inside, const Register& reg, std::vector<char>& seen,
                 Definitions& out) const;
    LoopValue value_of(const Definitions& definitions, const Register& reg);
    LoopValue value_before(InstrId id, const Register& reg);
    LoopValue value_behind(const std::vector<BlockId>& blocks, bool inside, const Register& reg);
    LoopValue header_value(const Register& reg);
    LoopValue defined(InstrId site, const Register& reg);
    LoopValue computed(InstrId id, const Register& reg);
    LoopValue not_evaluated(InstrId id);

    // Fields of the instruction at hand. Where they are: the rows of core/sass/ops_*.cpp.
    LoopValue predicate(InstrId id, RegFile file, unsigned number, bool negated);
    LoopValue predicate_at(InstrId id, unsigned at, RegFile file);
    LoopValue register_at(InstrId id, unsigned at, bool uniform);
    LoopValue bank_value(const Instruction& i, unsigned offset, unsigned bytes) const;
    LoopValue low_source(InstrId id);  // register, immediate, constant or uniform register at bit 32
    LoopValue source_b(InstrId id);
    LoopValue source_c(InstrId id);
    LoopValue special(const Instruction& i) const;
    LoopValue compared(InstrId id, const Register& reg);
    LoopValue predicate_logic(InstrId id);  // the first result of PLOP3

    const Kernel& kernel_;
    const LaunchValues& launch_;
    BlockId header_;
    std::vector<char> inside_;              // by block
    std::vector<BlockId> latches_, doors_;  // predecessors of the header in the loop, outside
    std::map<Register, LoopValue> at_header_;
    Memo in_pass_, outside_;
    std::map<std::tuple<BlockId, Position, bool, Register>, Definitions> definitions_;
};

}  // namespace cubinlab
