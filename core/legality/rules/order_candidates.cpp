// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/order_candidates.h"

#include <algorithm>

namespace cubinlab {

namespace {

constexpr std::size_t kLongestList = 256;
constexpr std::int64_t kBucket = 64;  // bytes of addresses per bucket

void set_member(OrderCandidates::Row& row, std::size_t member) {
    row[member / 64] |= 1ull << (member % 64);
}

void subtract_row(const OrderCandidates::Row& what, OrderCandidates::Row& row) {
    for (std::size_t w = 0; w < row.size(); ++w)
        row[w] &= ~what[w];
}

std::pair<std::int64_t, std::int64_t> buckets_of(const MemoryAccess& m) {
    const auto floor = [](std::int64_t offset) {
        return offset >= 0 ? offset / kBucket : -((-offset + kBucket - 1) / kBucket);
    };
    return {floor(m.offset), floor(std::int64_t{m.offset} + m.width - 1)};
}

}  // namespace

OrderCandidates::OrderCandidates(const MemoryOrder& order, const std::vector<InstrId>& members)
    : order_(order),
      members_(members),
      words_((members.size() + 63) / 64),
      result_(words_, 0),
      overlapping_(words_, 0),
      bystanders_(words_, 0),
      shared_loads_(words_, 0) {
    loads_.fill(Row(words_, 0));
    stores_.fill(Row(words_, 0));
}

void OrderCandidates::add(Set& set, std::size_t member) const {
    if (set.row.empty() && set.list.size() < kLongestList) {
        set.list.push_back(static_cast<std::uint32_t>(member));
        return;
    }
    if (set.row.empty()) {
        set.row.assign(words_, 0);
        for (const std::uint32_t m : set.list)
            set_member(set.row, m);
        set.list.clear();
    }
    set_member(set.row, member);
}

void OrderCandidates::subtract(const Set& set, Row& row) {
    for (const std::uint32_t m : set.list)
        row[m / 64] &= ~(1ull << (m % 64));
    if (!set.row.empty()) subtract_row(set.row, row);
}

OrderCandidates::Group& OrderCandidates::group_of(InstrId id) {
    const MemoryAccess& m = order_.access(id);
    return groups_[{m.space, m.base_file, m.base, m.base_count, m.uniform_base, order_.base_value(id)}];
}

void OrderCandidates::find_overlapping(InstrId id, const Group& group) {
    std::fill(overlapping_.begin(), overlapping_.end(), 0);
    const auto [first, last] = buckets_of(order_.access(id));
    for (auto bucket = group.buckets.lower_bound(first);
         bucket != group.buckets.end() && bucket->first <= last; ++bucket) {
        for (const std::uint32_t m : bucket->second.list)
            if (order_.overlap(members_[m], id)) set_member(overlapping_, m);
        for (std::size_t w = 0; w < bucket->second.row.size(); ++w)
            overlapping_[w] |= bucket->second.row[w];
    }
}

// Of the accesses with the same base value, only overlapping ones matter.
void OrderCandidates::keep_to_bytes(InstrId id) {
    const Group& group = group_of(id);
    find_overlapping(id, group);
    Row apart = result_;
    subtract_row(overlapping_, apart);  // members of the group to remove
    Row without = result_;
    subtract(group.all, without);
    for (std::size_t w = 0; w < words_; ++w)
        result_[w] &= ~apart[w] | without[w];
}

// For accesses that only memory orders: see MemoryOrder::memory().
void OrderCandidates::keep_to_memory(InstrId id) {
    const MemoryAccess& m = order_.access(id);
    for (std::size_t space = 0; space < kSpaces; ++space) {
        const bool apart = !may_alias(m.space, static_cast<MemorySpace>(space));
        if (apart || !m.writes) subtract_row(loads_[space], result_);
        if (apart) subtract_row(stores_[space], result_);
    }
    const bool shared_load = order_.shared_word(id) && !m.writes;
    if ((!m.writes && !shared_load) || !may_alias(m.space, MemorySpace::Shared))
        subtract_row(shared_loads_, result_);
    const bool grouped = order_.by_bytes(id);
    if (!shared_load || order_.volatile_shared()) {
        if (grouped && !(order_.volatile_shared() && order_.shared_word(id))) keep_to_bytes(id);
        return;
    }
    // Loads of shared words: overlapping bytes only.
    Row loads(words_, 0);
    if (grouped) {
        keep_to_bytes(id);
        loads = overlapping_;
    }
    for (std::size_t w = 0; w < words_; ++w)
        result_[w] &= ~shared_loads_[w] | loads[w];
}

void OrderCandidates::note(InstrId id, std::size_t member) {
    if (order_.bystander(id)) return set_member(bystanders_, member);
    if (!order_.only_memory(id)) return;
    const MemoryAccess& m = order_.access(id);
    const auto space = static_cast<std::size_t>(m.space);
    if (!m.writes && order_.shared_word(id))
        set_member(shared_loads_, member);
    else
        set_member((m.writes ? stores_ : loads_)[space], member);
    if (!order_.by_bytes(id)) return;
    Group& group = group_of(id);
    add(group.all, member);
    const auto [first, last] = buckets_of(m);
    for (std::int64_t bucket = first; bucket <= last; ++bucket)
        add(group.buckets[bucket], member);
}

const OrderCandidates::Row& OrderCandidates::before(std::size_t member) {
    const InstrId id = members_[member];
    for (std::size_t w = 0; w < words_; ++w)
        result_[w] = w < member / 64 ? ~0ull : w == member / 64 ? (1ull << (member % 64)) - 1 : 0;
    const bool only_memory = order_.only_memory(id);
    if (only_memory || order_.bystander(id)) subtract_row(bystanders_, result_);
    if (only_memory) {
        keep_to_memory(id);
    } else if (order_.bystander(id)) {
        for (std::size_t space = 0; space < kSpaces; ++space) {
            subtract_row(loads_[space], result_);
            subtract_row(stores_[space], result_);
        }
        subtract_row(shared_loads_, result_);
    }
    note(id, member);
    return result_;
}

}  // namespace cubinlab
