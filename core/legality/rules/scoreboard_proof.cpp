// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/scoreboard_proof.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>

#include "core/legality/rules/awaited_rule.h"
#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

// Total words of entry states, about 290 MB; a compiled kernel of 40,000 instructions has 300,000.
constexpr std::size_t kMostWords = 4'000'000;
// Words of the block runs that led to them, about 30 MB; a kernel of 4,000 instructions has 20,000.
constexpr std::size_t kMostRunWords = 400'000;

}  // namespace

ScoreboardProof::ScoreboardProof(const Schedule& original, const DependencePairs& pairs,
                                 const MemoryOrder& order, const std::vector<bool>& in_cycle, CheckMode mode,
                                 std::size_t stored_whole)
    : kernel_(*original.kernel()),
      trusts_guards_(mode == CheckMode::Absolute),
      producers_(kernel_, mode),
      counted_(counted_waits(kernel_, producers_)),
      rows_(kernel_, producers_, pairs, mode, stored_whole) {
    make_strict_rows(original, order, in_cycle);
}

ScoreboardProof::ScoreboardProof(const Schedule& original, ScoreboardProof& strict)
    : kernel_(*original.kernel()),
      trusts_guards_(true),
      producers_(kernel_, CheckMode::Absolute),
      counted_(counted_waits(kernel_, producers_)),
      rows_(kernel_, producers_, handed_over(strict)) {}

// Maps the excused pairs to bits of this proof: absolute mode may have fewer producers, in this order.
std::vector<ScoreboardRows::Stored> ScoreboardProof::handed_over(ScoreboardProof& other) const {
    std::vector<ScoreboardRows::Stored> given = std::exchange(other.excused_, {});
    if (producers_.producer_of == other.producers_.producer_of) return given;
    std::vector<ScoreboardRows::Stored> own;
    for (const ScoreboardRows::Stored& word : given)
        for (std::uint64_t left = word.bits; left != 0; left &= left - 1) {
            std::size_t bit = word.index * std::size_t{64} + static_cast<std::size_t>(std::countr_zero(left));
            if (bit >= other.producers_.unknown_base) {
                bit = bit - other.producers_.unknown_base + producers_.unknown_base;
            } else {
                const InstrId producer = other.producers_.producer_of[bit / 2];
                if (!producers_.is_producer(producer)) continue;
                bit = static_cast<std::size_t>(producers_.write_bit[producer]) + bit % 2;
            }
            const auto index = static_cast<std::uint32_t>(bit / 64);
            if (own.empty() || own.back().id != word.id || own.back().index != index)
                own.push_back({index, word.id, 0});
            own.back().bits |= 1ull << (bit % 64);
        }
    return own;
}

bool ScoreboardProof::any_unknown(ScoreboardSpan state) const {
    return std::any_of(state.begin(), state.end(), [&](const ScoreboardWord& word) {
        return (word.pending() & producers_.unknown[word.index]) != 0;
    });
}

// Waits of the original at a fence, a barrier or the end of a block may protect memory, other threads or
// unknown code: these completions are required whatever the registers are. So are memory accesses that are
// complete at a fence.
void ScoreboardProof::make_strict_rows(const Schedule& original, const MemoryOrder& order,
                                       const std::vector<bool>& in_cycle) {
    std::vector<ScoreboardState> entries = entry_states(original, kMostWords);
    complete_ = !entries.empty();
    if (!complete_) return;
    producers_.note_fences(kernel_, order, trusts_guards_);
    for (BlockId b = 0; b < kernel_.flow().blocks.size(); ++b)
        strict_block(b, entries[b], order, in_cycle[b]);
    rows_.finish();
    if (!trusts_guards_) original_entries_ = std::move(entries);
}

void ScoreboardProof::strict_block(BlockId number, ScoreboardState state, const MemoryOrder& order,
                                   bool in_cycle) {
    const Block& block = kernel_.flow().blocks[number];
    ScoreboardRows::Strict strict;
    strict.after_unknown = any_unknown(state);
    if (!in_cycle) {
        const std::vector<InstrId>& all = producers_.producer_of;
        const auto bit = [&](InstrId id) {
            return static_cast<std::uint64_t>(std::lower_bound(all.begin(), all.end(), id) - all.begin()) * 2;
        };
        strict.first_own = bit(block.first);
        strict.end_own = bit(block.end());
    }
    ScoreboardState after;
    for (InstrId id = block.first; id < block.end(); ++id) {
        const Instruction& i = kernel_.instruction(id);
        // An undecoded instruction may access anything.
        strict.unknown_end =
            (id + 1 == block.end() && block.unknown_successors) || i.has(Trait::UnknownOpcode);
        strict.fence = order.fence_like(id) || i.has(Trait::Terminator);
        // NOP accesses nothing; DEPBAR waits for copies, and ptxas emits it after a pending MEMBAR.
        const bool idle = i.unit == Unit::Nop || (trusts_guards_ && i.unit == Unit::Depbar);
        strict.ordered = producers_.any_fence && !idle && (order.fence_like(id) || order.accesses_memory(id));
        strict.with_next =
            trusts_guards_ && id + 1 < kernel_.size() && issues_with(i, kernel_.instruction(id + 1));
        after = state;
        wait(after, i.control().wait_mask);
        rows_.add(id, strict, state, after);
        advance(state, id, i.control());
    }
    if (block.unknown_successors) left_.emplace(number, std::move(state));
}

bool ScoreboardProof::leaves(ScoreboardSpan state, BlockId block,
                             std::vector<ScoreboardConflict>* found) const {
    const auto original = left_.find(block);
    if (original == left_.end()) return false;
    const InstrId last = kernel_.flow().blocks[block].end() - 1;
    bool bad = false;
    for (const ScoreboardWord& word : state) {
        std::uint64_t lost = 0, covered = 0;
        std::array<std::uint64_t, kScoreboards> by{};
        const ScoreboardWord* own = find_word(original->second, word.index);
        for (std::size_t s = 0; s < kScoreboards; ++s) {
            covered |= word.rows[s + 1];
            by[s] = own ? word.pending() & own->pending() & own->rows[s + 1] & ~word.rows[s + 1] : 0;
            lost |= by[s];
        }
        if (trusts_guards_) lost = word.pending() & rows_.results(word.index) & ~covered;
        bad = bad || lost != 0;
        for (; found && lost != 0; lost &= lost - 1) {
            const auto at = static_cast<std::size_t>(std::countr_zero(lost));
            const std::size_t bit = word.index * std::size_t{64} + at;
            if (bit >= producers_.unknown_base) break;
            ScoreboardConflict conflict{producers_.producer_of[bit / 2], last, bit % 2 == 0, -1, true, -1};
            for (std::size_t s = 0; s < kScoreboards; ++s)
                if ((by[s] >> at & 1) != 0) conflict.left_to_scoreboard = static_cast<int>(s);
            found->push_back(conflict);
        }
    }
    return bad;
}

void ScoreboardProof::wait(ScoreboardState& state, unsigned scoreboards) {
    for (unsigned left = scoreboards & ((1u << kScoreboards) - 1); left != 0; left &= left - 1) {
        const auto row = static_cast<std::size_t>(std::countr_zero(left)) + 1;
        for (ScoreboardWord& word : state)
            word.rows[0] &= ~word.rows[row];
    }
}

void ScoreboardProof::set_barrier(ScoreboardState& state, InstrId id, int scoreboard, bool write) const {
    const auto row = static_cast<std::size_t>(scoreboard) + 1;
    const auto bit = static_cast<std::size_t>(producers_.write_bit[id]);
    const int group = producers_.group[id];
    std::array<const BitRow*, kReadClasses + 2> covered{};
    std::size_t count = 0;
    if (write && group >= 0) covered[count++] = &producers_.group_writes[static_cast<std::size_t>(group)];
    for (unsigned left = producers_.reads_covered[id]; left != 0; left &= left - 1)
        covered[count++] = &producers_.class_reads[static_cast<std::size_t>(std::countr_zero(left))];
    if (write && kernel_.instruction(id).unit == Unit::Depbar &&
        latency::is_named(kernel_.instruction(id), "LDGDEPBAR"))
        covered[count++] = &producers_.async_copies;
    // The barrier of a guarded instruction covers only instructions that execute if it does.
    const BitRow* twins = producers_.guard_of[id] < 0 || trusts_guards_
                              ? nullptr
                              : &producers_.guarded_by[static_cast<std::size_t>(producers_.guard_of[id])];
    for (ScoreboardWord& word : state) {
        std::uint64_t members = 0;
        for (std::size_t c = 0; c < count; ++c)
            members |= (*covered[c])[word.index];
        if (twins) members &= (*twins)[word.index] & word.rows[kGuardRow];
        word.rows[row] |= word.pending() & members;
    }
    // A completed write implies that the operands were read.
    word_of(state, bit).rows[row] |= (write ? 3ull : 2ull) << (bit % 64);
}

void ScoreboardProof::wait_for(ScoreboardState& state, InstrId id, const ControlCode& control) const {
    wait(state, control.wait_mask | producers_.named_waits[id]);
    for (unsigned left = producers_.reads_drained[id]; left != 0; left &= left - 1) {
        const BitRow& reads = producers_.class_reads[static_cast<std::size_t>(std::countr_zero(left))];
        for (ScoreboardWord& word : state)
            word.rows[0] &= ~reads[word.index];
    }
    if (!trusts_guards_ || counted_.done.empty()) return;
    const auto counted =
        std::lower_bound(counted_.done.begin(), counted_.done.end(), id,
                         [](const std::pair<InstrId, BitRow>& done, InstrId at) { return done.first < at; });
    if (counted == counted_.done.end() || counted->first != id) return;
    for (ScoreboardWord& word : state)
        word.rows[0] &= ~counted->second[word.index];
}

bool ScoreboardProof::meets(ScoreboardSpan state, InstrId id, std::vector<ScoreboardConflict>* found) const {
    // Opposite guards select disjoint lanes while the predicate is unchanged.
    const BitRow* other = trusts_guards_ && producers_.guard_of[id] >= 0
                              ? &producers_.guarded_by[static_cast<std::size_t>(producers_.guard_of[id]) ^ 1]
                              : nullptr;
    std::uint64_t hit = 0;
    std::size_t hint = rows_.begin(id);
    for (const ScoreboardWord& word : state) {
        if (word.pending() == 0) continue;
        const std::uint64_t lanes = other ? ~((*other)[word.index] & word.rows[kGuardRow]) : ~0ull;
        hit |= word.pending() & rows_.word(id, word.index, hint) & lanes;
    }
    if (hit == 0) return false;
    hint = rows_.begin(id);
    for (std::size_t w = 0; found && w < state.size(); ++w)
        collect(state[w], rows_.word(id, state[w].index, hint), id, *found);
    return true;
}

void ScoreboardProof::issue(ScoreboardState& state, InstrId id, const ControlCode& control) const {
    if (producers_.is_producer(id)) {
        const auto bit = static_cast<std::size_t>(producers_.write_bit[id]);
        const std::uint64_t both = 3ull << (bit % 64);
        ScoreboardWord& word = word_of(state, bit);
        for (std::uint64_t& row : word.rows)  // a new instance: no older barrier covers it
            row &= ~both;
        word.rows[0] |= both;
        word.rows[kGuardRow] |= both;
        if (control.read_barrier < kScoreboards) set_barrier(state, id, control.read_barrier, false);
        if (control.write_barrier < kScoreboards) set_barrier(state, id, control.write_barrier, true);
    }
    forget_guards(state, producers_.preds_written[id]);
}

bool ScoreboardProof::step(ScoreboardState& state, InstrId id, const ControlCode& control,
                           std::vector<ScoreboardConflict>* found) const {
    wait_for(state, id, control);
    const bool bad = meets(state, id, found);
    issue(state, id, control);
    if (state.size() > kFewWords) compact(state);
    return bad;
}

void ScoreboardProof::advance(ScoreboardState& state, InstrId id, const ControlCode& control) const {
    wait_for(state, id, control);
    issue(state, id, control);
    if (state.size() > kFewWords) compact(state);
}

void ScoreboardProof::forget_guards(ScoreboardState& state,
                                    const std::array<std::uint8_t, 2>& written) const {
    for (std::size_t file = 0; file < 2; ++file)
        for (unsigned left = written[file]; left != 0; left &= left - 1) {
            const auto first = guard_index(file, static_cast<unsigned>(std::countr_zero(left)), false);
            for (ScoreboardWord& word : state)
                word.rows[kGuardRow] &= ~(producers_.guarded_by[first][word.index] |
                                          producers_.guarded_by[first + 1][word.index]);
        }
}

std::size_t ScoreboardProof::excuse_original(const Schedule& original, std::vector<bool>& held) {
    std::vector<ScoreboardState> entries = std::exchange(original_entries_, {});
    if (entries.empty() && complete_) entries = entry_states(original);
    std::size_t pairs = 0;
    for (BlockId b = 0; b < entries.size(); ++b) {
        ScoreboardState state = std::move(entries[b]);
        const Block& block = kernel_.flow().blocks[b];
        for (InstrId id = block.first; id < block.end(); ++id) {
            wait_for(state, id, original.control(id));
            pairs += excuse(state, id, held);
            issue(state, id, original.control(id));
            if (state.size() > kFewWords) compact(state);
        }
    }
    return pairs;
}

std::size_t ScoreboardProof::excuse(ScoreboardSpan state, InstrId id, std::vector<bool>& held) {
    std::size_t pairs = 0;
    std::size_t hint = rows_.begin(id);
    for (const ScoreboardWord& word : state) {
        const std::uint64_t hit = word.pending() & rows_.word(id, word.index, hint);
        if (hit == 0) continue;
        rows_.excuse(id, word.index, hit);
        if (!trusts_guards_) excused_.push_back({word.index, id, hit});
        held[id] = true;
        pairs += static_cast<std::size_t>(std::popcount(hit));
        for (std::uint64_t left = hit; left != 0; left &= left - 1) {
            const std::size_t bit =
                word.index * std::size_t{64} + static_cast<std::size_t>(std::countr_zero(left));
            if (bit < producers_.unknown_base) held[producers_.producer_of[bit / 2]] = true;
        }
    }
    return pairs;
}

void ScoreboardProof::collect(const ScoreboardWord& word, std::uint64_t row, InstrId id,
                              std::vector<ScoreboardConflict>& found) const {
    for (std::uint64_t hit = word.pending() & row; hit != 0; hit &= hit - 1) {
        const std::size_t bit =
            word.index * std::size_t{64} + static_cast<std::size_t>(std::countr_zero(hit));
        if (bit < producers_.unknown_base)
            found.push_back({producers_.producer_of[bit / 2], id, bit % 2 == 0, -1});
        else if (bit < producers_.unknown_base + kScoreboards)
            found.push_back({kNone, id, true, static_cast<int>(bit - producers_.unknown_base)});
    }
}

std::vector<ScoreboardState> ScoreboardProof::entry_states(const Schedule& schedule, std::size_t most_words,
                                                           std::vector<BlockRun>* runs) const {
    const std::vector<Block>& blocks = kernel_.flow().blocks;
    std::vector<ScoreboardState> entries(blocks.size());
    std::deque<BlockId> work;
    std::vector<bool> queued(blocks.size(), true);
    for (BlockId b = 0; b < blocks.size(); ++b) {
        work.push_back(b);
        if (b == 0 || !blocks[b].unknown_predecessors) continue;
        for (std::size_t s = 0; s < kScoreboards; ++s) {
            const std::size_t bit = producers_.unknown_base + s;
            ScoreboardWord& word = word_of(entries[b], bit);
            word.rows[0] |= 1ull << (bit % 64);
            word.rows[s + 1] |= 1ull << (bit % 64);
        }
    }
    ScoreboardState state;
    std::size_t words = 0, run_words = 0;
    while (!work.empty()) {
        const BlockId b = work.front();
        work.pop_front();
        queued[b] = false;
        state = entries[b];
        for (Position p = blocks[b].first; p < blocks[b].end(); ++p) {
            const InstrId id = schedule.at(p);
            advance(state, id, schedule.control(id));
        }
        if (runs) {
            run_words += entries[b].size() + state.size();
            if (run_words <= kMostRunWords)
                runs->push_back({b, entries[b], state});
            else
                runs->clear();
        }
        for (const BlockId to : blocks[b].successors) {
            const std::size_t before = entries[to].size();
            const bool changed = merge(entries[to], state, producers_.endless);
            words += entries[to].size() - before;
            if (words > most_words) return {};
            if (!changed || queued[to]) continue;
            queued[to] = true;
            work.push_back(to);
        }
    }
    return entries;
}

}  // namespace cubinlab
