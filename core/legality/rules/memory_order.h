// SPDX-License-Identifier: GPL-3.0-or-later
// Order between instructions without a common register: memory, fences, asynchronous groups, warp-wide and
// convergence operations. The rules compare pairs inside one block. Internal to core/legality.
#pragma once
#include <optional>
#include <vector>

#include "core/legality/hazard.h"
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

    // Why two instructions of one block (in either order) must keep their order; nullopt: no reason.
    std::optional<OrderReason> between(InstrId a, InstrId b) const;
    // A quick filter: false for instructions that `between` never orders (plain arithmetic).
    bool can_be_ordered(InstrId id) const { return can_be_ordered_[id]; }
    // For OrderCandidates. An access that only other memory accesses can order: by space, bytes and writes.
    bool only_memory(InstrId id) const;
    // Ordered only as a warp-wide operation or by wgmma registers: two of these are never ordered.
    bool bystander(InstrId id) const;
    // Its bytes are known relative to a base value, so that another access of that base may be disjoint.
    bool by_bytes(InstrId id) const;
    bool shared_word(InstrId id) const;  // LDS, STS
    bool volatile_shared() const { return volatile_shared_; }
    std::uint64_t base_value(InstrId id) const { return base_value_[id]; }
    const MemoryAccess& access(InstrId id) const { return kernel_.instruction(id).memory; }
    bool overlap(InstrId a, InstrId b) const;
    // Orders groups of asynchronous work, or fences memory.
    bool fence_like(InstrId id) const;
    // Loads, stores, atomics, copies: everything that a fence orders.
    bool accesses_memory(InstrId id) const;
    // A load and a store of shared memory that may change order only because their bytes differ in each lane;
    // another lane may access the same bytes.
    bool disjoint_in_own_lane_only(InstrId a, InstrId b) const;

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
    // For plain accesses: number of the base value (defining instructions in the block). Accesses of one
    // block with equal numbers and base registers have the same base address.
    std::vector<std::uint64_t> base_value_;
    std::vector<bool> can_be_ordered_;
    std::vector<bool> touches_gmma_registers_;
    std::vector<bool> writes_gmma_operand_;  // a uniform register or predicate that a wgmma reads
    bool resizes_registers_ = false;         // the kernel has a USETMAXREG
    // A shared access repeats an older one; a compiler may not drop it only if memory is volatile.
    bool volatile_shared_ = false;
};

}  // namespace cubinlab
