// SPDX-License-Identifier: GPL-3.0-or-later
// Order constraints inside a block: a generating set of the partial order, each edge with its reason. An
// order is legal with respect to dependences if and only if it keeps all edges. Internal.
#pragma once
#include <span>
#include <vector>

#include "core/legality/dependence_pairs.h"
#include "core/legality/finding.h"
#include "core/legality/rules/memory_order.h"

namespace cubinlab {

struct OrderEdge {
    InstrId first = 0;
    InstrId second = 0;
    Rule rule = Rule::Dependence;
    RegIndex reg = kTrackedCount;
    const char* resource = nullptr;
};

class OrderEdges {
  public:
    // In blocks with more memory operations and fences than this, they are not compared but keep their order.
    static constexpr std::size_t kMostCompared = 16384;
    // The same applies to blocks that would have more edges than this.
    static constexpr std::size_t kMostEdges = 2'000'000;

    OrderEdges(const Kernel& kernel, const DependencePairs& pairs, const MemoryOrder& memory);

    std::span<const OrderEdge> before(InstrId id) const { return slice(by_second_, second_begin_, id); }
    std::span<const OrderEdge> after(InstrId id) const { return slice(by_first_, first_begin_, id); }
    const std::vector<OrderEdge>& all() const { return by_second_; }

  private:
    void add_chain(const std::vector<InstrId>& members);
    void add_memory(const Block& block, const MemoryOrder& memory);
    static std::span<const OrderEdge> slice(const std::vector<OrderEdge>& edges,
                                            const std::vector<std::uint32_t>& begin, InstrId id) {
        return {edges.data() + begin[id], begin[id + 1] - begin[id]};
    }

    std::vector<OrderEdge> by_second_;
    std::vector<OrderEdge> by_first_;
    std::vector<std::uint32_t> second_begin_;
    std::vector<std::uint32_t> first_begin_;
};

}  // namespace cubinlab
