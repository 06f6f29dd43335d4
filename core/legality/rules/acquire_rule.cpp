// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/acquire_rule.h"

#include <algorithm>

#include "core/legality/tables/latency_classes.h"

namespace cubinlab {
namespace {

constexpr unsigned kInvalidateAll = 4;

// An atomic of shared or generic memory with an unused result has no result barrier (ptxas 13.0: 57 of 57 ATOM). It
// does not acquire, and ptxas does not wait for it.
bool may_acquire(const Instruction& i) {
    const bool dropped =
        i.control().write_barrier == kNoBarrier &&
        std::none_of(i.operands.begin(), i.operands.end(), [](const Operand& o) { return o.write; });
    const bool answers = !latency::is_named(i, "RED") && !latency::is_named(i, "REDG") && !dropped;
    return (i.unit == Unit::Lsu || i.unit == Unit::Mio) && i.memory.reads && i.memory.strong && answers;
}

// After one of these, CCTL.IVALL belongs to the fence, the cluster barrier or the wait for a bulk copy.
bool ends_search(const Instruction& i) {
    return i.unit == Unit::Fence || i.unit == Unit::Depbar || latency::is_named(i, "UCGABAR_WAIT") ||
           invalidates_cache(i);
}

// Finds the access that one CCTL.IVALL belongs to, backward along every path.
class Search {
  public:
    Search(const Kernel& kernel, InstrId invalidate, std::vector<Acquire>& found)
        : kernel_(kernel),
          invalidate_(invalidate),
          found_(found),
          seen_(kernel.flow().blocks.size(), false) {}

    void run() {
        const BlockId own = kernel_.block_of(invalidate_);
        if (ends_in(kernel_.flow().blocks[own], invalidate_)) return;
        enter_predecessors(own);
        while (!work_.empty()) {
            const BlockId b = work_.back();
            work_.pop_back();
            const Block& block = kernel_.flow().blocks[b];
            if (!ends_in(block, block.end())) enter_predecessors(b);
        }
    }

  private:
    bool ends_in(const Block& block, InstrId before) {
        for (InstrId id = before; id-- > block.first;) {
            const Instruction& i = kernel_.instruction(id);
            if (ends_search(i)) return true;
            if (!may_acquire(i)) continue;
            found_.push_back({id, invalidate_});
            return true;
        }
        return false;
    }

    void enter_predecessors(BlockId b) {
        for (const BlockId from : kernel_.flow().blocks[b].predecessors) {
            if (seen_[from]) continue;
            seen_[from] = true;
            work_.push_back(from);
        }
    }

    const Kernel& kernel_;
    InstrId invalidate_;
    std::vector<Acquire>& found_;
    std::vector<bool> seen_;
    std::vector<BlockId> work_;
};

}  // namespace

bool invalidates_cache(const Instruction& i) {
    return latency::is_named(i, "CCTL") && i.word.bits(87, 4) == kInvalidateAll;
}

bool waits_for_invalidate(const Instruction& i) {
    const MemorySpace space = i.memory.space;
    return (i.unit == Unit::Lsu || i.unit == Unit::Mio) &&
           (space == MemorySpace::Global || space == MemorySpace::Generic || space == MemorySpace::Local);
}

// Minimum of ptxas 13.0 over 6,000 random kernels and public ones (resources/docs/legality.md). ptxas 12.4 also has 1 and 3
// on sm_90.
int invalidate_to_memory_floor(const Arch& arch, CheckMode mode) {
    return arch.sm < 90 ? 5 : mode == CheckMode::Absolute ? 1 : 4;
}

int invalidate_floor(const Arch& arch) {
    return arch.sm < 90 ? 5 : 1;
}

std::vector<Acquire> acquires_of(const Kernel& kernel) {
    std::vector<Acquire> found;
    for (InstrId id = 0; id < kernel.size(); ++id)
        if (invalidates_cache(kernel.instruction(id))) Search(kernel, id, found).run();
    return found;
}

}  // namespace cubinlab
