// SPDX-License-Identifier: GPL-3.0-or-later
// Order between instructions that no register explains: memory, fences, asynchronous groups, warp-wide and
// convergence operations. All rules look at pairs of one block. Internal to core/analysis.
#pragma once
#include <bitset>
#include <optional>
#include <vector>

#include "core/analysis/hazard.h"
#include "core/schedule/kernel.h"

namespace cubinlab {

struct OrderReason {
    Rule rule = Rule::MemoryOrder;
    const char* resource = "order";  // "shared", "global", "fence" ...
};

bool may_alias(MemorySpace a, MemorySpace b);

class MemoryOrder {
  public:
    explicit MemoryOrder(const Kernel& kernel);

    // Why two instructions of one block (in either order) have to keep their order; nullopt: they need not.
    std::optional<OrderReason> between(InstrId a, InstrId b) const;
    // False for instructions that `between` never names (plain arithmetic): a quick filter.
    bool takes_part(InstrId id) const { return takes_part_[id]; }
    // For OrderCandidates. An access with nothing but memory that could order it: two of these, and one beside
    // a bystander, are a matter of spaces, bytes and of which of them write.
    bool only_memory(InstrId id) const;
    // Takes part because of the warp or of wgmma's registers only: two of these never have an order.
    bool bystander(InstrId id) const;
    // Its bytes are known relative to its base value, so that another access of that base may be disjoint.
    bool by_bytes(InstrId id) const;
    bool shared_word(InstrId id) const;  // LDS, STS
    bool volatile_shared() const { return volatile_shared_; }
    std::uint64_t base_value(InstrId id) const { return base_value_[id]; }
    const MemoryAccess& access(InstrId id) const { return kernel_.instruction(id).memory; }
    bool overlap(InstrId a, InstrId b) const;
    // Ends or orders groups of asynchronous work, or fences memory.
    bool fence_like(InstrId id) const;
    // Loads, stores, atomics, copies: everything that may overtake what a fence has ordered.
    bool accesses_memory(InstrId id) const;
    // A load and a store of shared memory that may change order only because their bytes differ in every
    // lane: another lane's bytes may be the same.
    bool only_apart_in_own_lane(InstrId a, InstrId b) const;

  private:
    void number_values(const Block& block);
    void find_volatile_shared(const Block& block);
    bool disjoint(InstrId a, InstrId b) const;
    bool same_base(InstrId a, InstrId b) const;
    std::optional<OrderReason> two_loads(InstrId a, InstrId b) const;
    bool arrives_before(InstrId arrive, InstrId writer) const;
    std::optional<OrderReason> memory(InstrId a, InstrId b) const;
    std::optional<OrderReason> with_gmma(InstrId gmma, InstrId other) const;

    const Kernel& kernel_;
    // For plain accesses: identity of the base value (defining instructions in the block). Two accesses of
    // one block with the same number and the same base registers have the same base address.
    std::vector<std::uint64_t> base_value_;
    std::vector<bool> takes_part_;
    std::vector<bool> touches_gmma_registers_;
    std::vector<bool> writes_gmma_operand_;  // a uniform register or predicate that some wgmma reads
    bool resizes_registers_ = false;         // the kernel has a USETMAXREG
    // Some shared access repeats an older one that a compiler may drop only if the memory is not volatile.
    bool volatile_shared_ = false;
};

}  // namespace cubinlab
