// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/order_edges.h"

#include <algorithm>
#include <bit>

#include "core/legality/rules/order_candidates.h"

namespace cubinlab {

namespace {

std::vector<std::uint32_t> offsets(const std::vector<OrderEdge>& edges, std::size_t size,
                                   InstrId OrderEdge::*key) {
    std::vector<std::uint32_t> begin(size + 1, 0);
    for (const OrderEdge& e : edges)
        ++begin[e.*key + 1];
    for (std::size_t i = 0; i < size; ++i)
        begin[i + 1] += begin[i];
    return begin;
}

}  // namespace

OrderEdges::OrderEdges(const Kernel& kernel, const DependencePairs& pairs, const MemoryOrder& memory) {
    for (const RegDependence& d : pairs.local())
        by_second_.push_back({d.first, d.second, Rule::Dependence, d.reg, virtual_name(d.reg)});
    for (const Block& block : kernel.flow().blocks)
        add_memory(block, memory);
    std::stable_sort(by_second_.begin(), by_second_.end(), [](const OrderEdge& a, const OrderEdge& b) {
        return a.second != b.second ? a.second < b.second : a.first < b.first;
    });
    by_first_ = by_second_;
    std::stable_sort(by_first_.begin(), by_first_.end(),
                     [](const OrderEdge& a, const OrderEdge& b) { return a.first < b.first; });
    second_begin_ = offsets(by_second_, kernel.size(), &OrderEdge::second);
    first_begin_ = offsets(by_first_, kernel.size(), &OrderEdge::first);
}

void OrderEdges::add_chain(const std::vector<InstrId>& members) {
    for (std::size_t i = 1; i < members.size(); ++i)
        by_second_.push_back(
            {members[i - 1], members[i], Rule::MemoryOrder, kTrackedCount, "order in a very large block"});
}

// Skips pairs that existing edges imply (a bit row per member has its predecessors).
void OrderEdges::add_memory(const Block& block, const MemoryOrder& memory) {
    std::vector<InstrId> members;
    for (InstrId id = block.first; id < block.end(); ++id)
        if (memory.can_be_ordered(id)) members.push_back(id);
    if (members.size() > kMostCompared) return add_chain(members);
    const std::size_t before = by_second_.size();
    const std::size_t words = (members.size() + 63) / 64;
    OrderCandidates candidates(memory, members);
    std::vector<std::uint64_t> reach(members.size() * words, 0);
    for (std::size_t c = 0; c < members.size(); ++c) {
        std::uint64_t* row = reach.data() + c * words;
        const OrderCandidates::Row& asked_for = candidates.before(c);
        for (std::size_t w = c / 64 + 1; w-- > 0;) {
            std::uint64_t asked = 0;
            // `row` grows: pairs that a new edge implies are not compared.
            while (const std::uint64_t left = asked_for[w] & ~asked & ~row[w]) {
                const std::size_t a = w * 64 + static_cast<std::size_t>(63 - std::countl_zero(left));
                asked |= 1ull << (a % 64);
                const auto reason = memory.between(members[a], members[c]);
                if (!reason) continue;
                by_second_.push_back({members[a], members[c], reason->rule, kTrackedCount, reason->resource});
                row[w] |= 1ull << (a % 64);
                for (std::size_t k = 0; k <= w; ++k)
                    row[k] |= reach[a * words + k];
            }
        }
        if (by_second_.size() - before <= kMostEdges) continue;
        by_second_.resize(before);
        return add_chain(members);
    }
}

}  // namespace cubinlab
