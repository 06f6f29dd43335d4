// SPDX-License-Identifier: GPL-3.0-or-later
// Older instructions of a block to compare with MemoryOrder, so that thousands of loads, shuffles or accesses
// of one array are not compared pairwise. Internal to core/legality.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/legality/rules/memory_order.h"

namespace cubinlab {

class OrderCandidates {
  public:
    using Row = std::vector<std::uint64_t>;  // one bit per member

    // Members of one block, by increasing InstrId.
    OrderCandidates(const MemoryOrder& order, const std::vector<InstrId>& members);

    // Older members that may be ordered with `member`: all that are, and few others. Call it for every member
    // in turn.
    const Row& before(std::size_t member);

  private:
    // A list for few members, a bit row for many.
    struct Set {
        std::vector<std::uint32_t> list;
        Row row;
    };
    struct Group {  // accesses by one base value
        Set all;
        std::map<std::int64_t, Set> buckets;  // by address
    };
    using Key = std::tuple<MemorySpace, RegFile, unsigned, unsigned, unsigned, std::uint64_t>;
    static constexpr std::size_t kSpaces = 6;

    void add(Set& set, std::size_t member) const;
    static void subtract(const Set& set, Row& row);
    Group& group_of(InstrId id);
    void keep_to_memory(InstrId id);
    void keep_to_bytes(InstrId id);
    void find_overlapping(InstrId id, const Group& group);
    void note(InstrId id, std::size_t member);

    const MemoryOrder& order_;
    const std::vector<InstrId>& members_;
    std::size_t words_;
    Row result_, overlapping_;
    Row bystanders_, shared_loads_;
    std::array<Row, kSpaces> loads_, stores_;  // by space; loads without those of shared words
    std::map<Key, Group> groups_;
};

}  // namespace cubinlab
