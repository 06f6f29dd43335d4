// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/scoreboard_rows.h"

#include <algorithm>
#include <bit>

#include "core/legality/rules/acquire_rule.h"
#include "core/legality/rules/awaited_rule.h"
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"
#include "core/legality/register_access.h"

namespace cubinlab {

namespace {

// The predicate of ATOM says that the address has another space; it is known when the operands are read.
// ptxas waits for the read barrier only.
bool answers_when_read(const Instruction& i, RegIndex reg) {
    return reg_file(reg) == RegFile::Pred && latency::is_named(i, "ATOM");
}

void set_in(std::vector<BitRow>& rows, RegIndex reg, std::size_t bit, std::size_t words) {
    if (rows[reg].empty()) rows[reg].assign(words, 0);
    set_bit(rows[reg], bit);
}

std::uint64_t word_or_zero(const BitRow& row, std::uint32_t index) {
    return row.empty() ? 0 : row[index];
}

}  // namespace

ScoreboardRows::ScoreboardRows(const Kernel& kernel, const ScoreboardProducers& producers,
                               const DependencePairs& pairs, CheckMode mode, std::size_t stored_whole)
    : kernel_(kernel),
      producers_(producers),
      words_(producers.words()),
      whole_(words_ <= stored_whole),
      results_(words_, 0),
      writers_(kRegCount),
      readers_(kRegCount) {
    collect_uses();
    map_registers(mode);
    collect_others(pairs, mode);
    strict_.reserve(kernel.size());
    begin_.reserve(kernel.size() + 1);
}

ScoreboardRows::ScoreboardRows(const Kernel& kernel, const ScoreboardProducers& producers,
                               std::vector<Stored> only)
    : kernel_(kernel),
      producers_(producers),
      words_(producers.words()),
      whole_(true),
      results_(words_, 0),
      stored_(std::move(only)) {
    std::size_t next = 0;
    for (InstrId id = 0; id < kernel.size(); ++id) {
        begin_.push_back(next);
        while (next < stored_.size() && stored_[next].id == id)
            ++next;
    }
    finish();
}

// One entry per register of every instruction; scoreboards do not protect B registers.
void ScoreboardRows::collect_uses() {
    uses_begin_.push_back(0);
    for (InstrId id = 0; id < kernel_.size(); ++id) {
        const std::size_t first = uses_.size();
        for (const RegAccess& a : accesses_of(kernel_.instruction(id))) {
            if (reg_file(a.reg) == RegFile::BReg) continue;
            const auto same = std::find_if(uses_.begin() + static_cast<std::ptrdiff_t>(first), uses_.end(),
                                           [&](const Use& u) { return u.reg == a.reg; });
            if (same == uses_.end()) {
                uses_.push_back({a.reg, a.read, a.write});
            } else {
                same->read = same->read || a.read;
                same->write = same->write || a.write;
            }
        }
        uses_begin_.push_back(uses_.size());
    }
}

void ScoreboardRows::map_registers(CheckMode mode) {
    for (const InstrId id : producers_.producer_of) {
        const Instruction& i = kernel_.instruction(id);
        if (!completes_by_scoreboard(kernel_.arch(), i)) continue;
        const auto bit = static_cast<std::size_t>(producers_.write_bit[id]);
        for (const RegAccess& a : accesses_of(i)) {
            if (reg_file(a.reg) == RegFile::BReg) continue;
            if (a.write) set_in(writers_, a.reg, bit + (answers_when_read(i, a.reg) ? 1 : 0), words_);
            if (a.write) set_bit(results_, bit + (answers_when_read(i, a.reg) ? 1 : 0));
            if (a.read && read_after_issue(i, reg_file(a.reg))) set_in(readers_, a.reg, bit + 1, words_);
        }
    }
    in_order_.assign(kGroups, BitRow(words_, 0));
    read_already_.assign(kQueueOps, BitRow(words_, 0));
    for (const InstrId id : producers_.producer_of) {
        const auto bit = static_cast<std::size_t>(producers_.write_bit[id]);
        if (producers_.group[id] < 0) continue;
        set_bit(in_order_[static_cast<std::size_t>(producers_.group[id])], bit);
        set_bit(in_order_[static_cast<std::size_t>(producers_.group[id])], bit + 1);
    }
    for (std::size_t second = 0; second < kQueueOps; ++second)
        for (std::size_t first = 0; first < kQueueOps; ++first) {
            if (!overwrites_in_order(kernel_.arch(), static_cast<QueueOp>(first),
                                     static_cast<QueueOp>(second), mode))
                continue;
            for (std::size_t w = 0; w < words_; ++w)
                read_already_[second][w] |= producers_.op_reads[first][w];
        }
}

void ScoreboardRows::collect_others(const DependencePairs& pairs, CheckMode mode) {
    const auto add_pair = [&](const RegDependence& d) {
        if (!d.by_scoreboard || !producers_.is_producer(d.first) ||
            completes_by_scoreboard(kernel_.arch(), kernel_.instruction(d.first)))
            return;
        const int bit = producers_.write_bit[d.first] + (d.kind == DependenceKind::War ? 1 : 0);
        others_.emplace_back(d.second, static_cast<std::uint32_t>(bit));
    };
    for (const RegDependence& d : pairs.local())
        add_pair(d);
    for (BlockId b = 0; b < kernel_.flow().blocks.size(); ++b)
        for (const CrossUse& use : pairs.flow(b).uses)
            if (use.dependence.second != kNone && use.dependence.first != kNone) add_pair(use.dependence);
    for (const Acquire& a : acquires_of(kernel_))
        if (producers_.is_producer(a.access))
            others_.emplace_back(a.invalidate, static_cast<std::uint32_t>(producers_.write_bit[a.access]));
    for (const auto& [setter, waiter] : awaited_pairs(kernel_, mode))
        others_.emplace_back(waiter, static_cast<std::uint32_t>(producers_.write_bit[setter]));
    std::sort(others_.begin(), others_.end());
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
}

std::span<const std::pair<InstrId, std::uint32_t>> ScoreboardRows::others_of(InstrId id) const {
    const auto first = std::lower_bound(others_.begin(), others_.end(), std::pair(id, std::uint32_t{0}));
    auto last = first;
    while (last != others_.end() && last->first == id)
        ++last;
    return {first, last};
}

std::uint64_t ScoreboardRows::others(InstrId id, std::uint32_t index) const {
    std::uint64_t bits = 0;
    for (const auto& [second, bit] : others_of(id))
        if (bit / 64 == index) bits |= 1ull << (bit % 64);
    return bits;
}

std::uint64_t ScoreboardRows::by_register(InstrId id, std::uint32_t index) const {
    const int group = producers_.own_group[id];
    // Results of one in-order group are written in order.
    const std::uint64_t in_order = group < 0 ? 0 : in_order_[static_cast<std::size_t>(group)][index];
    std::uint64_t already = read_already_[static_cast<std::size_t>(producers_.queue_op[id])][index];
    // Its own operands are read before it writes.
    if (producers_.is_producer(id)) {
        const auto reads = static_cast<std::uint32_t>(producers_.write_bit[id]) + 1;
        if (reads / 64 == index) already |= 1ull << (reads % 64);
    }
    std::uint64_t bits = 0;
    for (const Use& use : uses_of(id)) {
        const std::uint64_t written = word_or_zero(writers_[use.reg], index);
        bits |= use.read ? written : written & ~in_order;
        if (use.write) bits |= word_or_zero(readers_[use.reg], index) & ~already;
    }
    return bits;
}

std::uint64_t ScoreboardRows::own(const Strict& strict, std::uint32_t index) const {
    const std::uint64_t first = std::uint64_t{index} * 64;
    const std::uint64_t from = std::clamp(strict.first_own, first, first + 64) - first;
    const std::uint64_t to = std::clamp(strict.end_own, first, first + 64) - first;
    if (from >= to) return 0;
    return (to == 64 ? ~0ull : (1ull << to) - 1) & ~((1ull << from) - 1);
}

std::uint64_t ScoreboardRows::made(const Strict& strict, std::uint32_t index, std::uint64_t before,
                                   std::uint64_t after) const {
    std::uint64_t bits = 0;
    if (strict.unknown_end)
        bits = ~after;
    else if (strict.fence)
        bits = (before | producers_.memory[index]) & ~after;
    if (strict.ordered) bits |= (producers_.fences[index] & ~after) | producers_.membars[index];
    bits |= producers_.undecoded[index] & ~after;
    if (strict.after_unknown) bits |= producers_.unknown[index] & ~after;
    return bits & (~producers_.endless[index] | own(strict, index));
}

void ScoreboardRows::add(InstrId id, const Strict& strict, ScoreboardSpan before, ScoreboardSpan after) {
    strict_.push_back(strict);
    begin_.push_back(stored_.size());
    if (strict.with_next) return;
    const std::size_t first = stored_.size();
    const auto store = [&](std::uint32_t index, std::uint64_t a, std::uint64_t b) {
        const std::uint64_t registers = by_register(id, index);
        const std::uint64_t bits = made(strict, index, a, b) | registers | others(id, index);
        // Values computed on demand need not be stored, except conflicts that may be excused.
        const bool needed =
            whole_ ? bits != 0 : bits != (made(strict, index, 0, 0) | registers) || (bits & a) != 0;
        if (needed) stored_.push_back({index, id, bits});
    };
    if (whole_) {
        for (std::uint32_t index = 0; index < words_; ++index) {
            const ScoreboardWord* a = find_word(before, index);
            const ScoreboardWord* b = find_word(after, index);
            store(index, a ? a->pending() : 0, b ? b->pending() : 0);
        }
        return;
    }
    for (std::size_t w = 0; w < before.size(); ++w)  // waits clear bits but remove no words
        store(before[w].index, before[w].pending(), after[w].pending());
    const std::size_t pending = stored_.size();
    for (const auto& [second, bit] : others_of(id)) {
        const std::uint32_t index = bit / 64;
        const auto same = std::find_if(stored_.begin() + static_cast<std::ptrdiff_t>(first), stored_.end(),
                                       [&](const Stored& s) { return s.index == index; });
        if (same != stored_.end()) continue;
        const ScoreboardWord* a = find_word(before, index);
        const ScoreboardWord* b = find_word(after, index);
        store(index, a ? a->pending() : 0, b ? b->pending() : 0);
    }
    if (stored_.size() != pending)
        std::sort(stored_.begin() + static_cast<std::ptrdiff_t>(first), stored_.end(),
                  [](const Stored& a, const Stored& b) { return a.index < b.index; });
}

void ScoreboardRows::finish() {
    begin_.push_back(stored_.size());
}

std::uint64_t ScoreboardRows::word(InstrId id, std::uint32_t index, std::size_t& hint) const {
    const std::size_t end = begin_[id + 1];
    while (hint < end && stored_[hint].index < index)
        ++hint;
    if (hint < end && stored_[hint].index == index) return stored_[hint].bits;
    if (whole_ || strict_[id].with_next) return 0;
    return made(strict_[id], index, 0, 0) | by_register(id, index);
}

bool ScoreboardRows::touches(InstrId id, ScoreboardSpan pending) const {
    std::size_t hint = begin(id);
    return std::any_of(pending.begin(), pending.end(),
                       [&](const ScoreboardWord& w) { return (word(id, w.index, hint) & w.pending()) != 0; });
}

void ScoreboardRows::excuse(InstrId id, std::uint32_t index, std::uint64_t bits) {
    const auto end = stored_.begin() + static_cast<std::ptrdiff_t>(begin_[id + 1]);
    const auto at = std::lower_bound(stored_.begin() + static_cast<std::ptrdiff_t>(begin_[id]), end, index,
                                     [](const Stored& s, std::uint32_t i) { return s.index < i; });
    if (at != end && at->index == index) at->bits &= ~bits;
}

// Instructions with the same register uses have the same row: counted once.
std::size_t ScoreboardRows::count_registers(InstrId id,
                                            std::map<std::vector<std::uint32_t>, std::size_t>& known) const {
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(producers_.own_group[id] + 1),
                                   static_cast<std::uint32_t>(producers_.queue_op[id])};
    for (const Use& use : uses_of(id))
        key.push_back(use.reg * 4u + (use.read ? 2u : 0u) + (use.write ? 1u : 0u));
    if (producers_.is_producer(id)) {
        // Excludes the own bit: only instructions with this bit need a separate count.
        const auto reads = static_cast<std::uint32_t>(producers_.write_bit[id]) + 1;
        const bool overwrites = std::any_of(uses_of(id).begin(), uses_of(id).end(), [&](const Use& use) {
            return use.write && (word_or_zero(readers_[use.reg], reads / 64) >> (reads % 64) & 1) != 0;
        });
        if (overwrites) key.push_back(~reads);
    }
    const auto [place, fresh] = known.try_emplace(std::move(key), 0);
    for (std::uint32_t w = 0; fresh && w < words_; ++w)
        place->second += static_cast<std::size_t>(std::popcount(by_register(id, w)));
    return place->second;
}

std::size_t ScoreboardRows::register_pairs() const {
    std::call_once(counted_, [&] {
        std::map<std::vector<std::uint32_t>, std::size_t> known;
        for (InstrId id = 0; id < kernel_.size(); ++id)
            if (uses_begin_[id + 1] != uses_begin_[id]) register_pairs_ += count_registers(id, known);
        for (const auto& [id, bit] : others_)
            if ((by_register(id, bit / 64) >> (bit % 64) & 1) == 0) ++register_pairs_;
    });
    return register_pairs_;
}

}  // namespace cubinlab
