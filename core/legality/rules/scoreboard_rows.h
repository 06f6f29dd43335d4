// SPDX-License-Identifier: GPL-3.0-or-later
// Pending bits that conflict with an instruction. Registers determine most of them, stored as one bit row per
// register; fences and block ends of the original add others where something is pending. Words of a row are
// stored where the original has pending bits and computed on demand elsewhere, so memory is proportional to
// the results in flight. Internal to core/legality.
#pragma once
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "core/legality/dependence_pairs.h"
#include "core/legality/rules/scoreboard_producers.h"

namespace cubinlab {

class ScoreboardRows {
  public:
    // For kernels of up to this many words, all rows are stored: the fastest lookup.
    static constexpr std::size_t kStoredWhole = 12;

    ScoreboardRows(const Kernel& kernel, const ScoreboardProducers& producers, const DependencePairs& pairs,
                   CheckMode mode, std::size_t stored_whole);
    // Bits of one word that conflict with an instruction.
    struct Stored {
        std::uint32_t index = 0;
        InstrId id = 0;
        std::uint64_t bits = 0;
    };
    // These only: sorted by instruction, then index, each word once.
    ScoreboardRows(const Kernel& kernel, const ScoreboardProducers& producers, std::vector<Stored> only);

    // Conflicts other than registers, from the original's state before and after the instruction's waits.
    // Call add() for all instructions in order of their ids.
    struct Strict {
        bool fence = false;
        bool ordered = false;         // after fences: their completed bits stay complete
        bool unknown_end = false;     // unknown code follows: all completed bits stay complete
        bool after_unknown = false;   // unknown code may precede the block
        bool with_next = false;       // the next instruction waits for both: nothing conflicts here
        std::uint64_t first_own = 0;  // bits [first_own, end_own) are the block's own,
        std::uint64_t end_own = 0;    // and only endless bits of these count; none if the block is in a cycle
    };
    void add(InstrId id, const Strict& strict, ScoreboardSpan before, ScoreboardSpan after);
    void finish();

    // Bits of word `index` that conflict with `id`. `hint`: search position for ascending indices of one id.
    std::uint64_t word(InstrId id, std::uint32_t index, std::size_t& hint) const;
    std::size_t begin(InstrId id) const { return begin_[id]; }
    // Write bits of producers with a scoreboard for a register result.
    std::uint64_t results(std::uint32_t index) const { return results_[index]; }
    bool touches(InstrId id, ScoreboardSpan pending) const;
    // Removes a conflict that is pending in the original.
    void excuse(InstrId id, std::uint32_t index, std::uint64_t bits);

    // Number of pairs of a producer bit and an instruction that registers connect.
    std::size_t register_pairs() const;

  private:
    struct Use {
        RegIndex reg = 0;
        bool read = false;
        bool write = false;
    };
    void collect_uses();
    void map_registers(CheckMode mode);
    void collect_others(const DependencePairs& pairs, CheckMode mode);
    std::span<const Use> uses_of(InstrId id) const {
        return {uses_.data() + uses_begin_[id], uses_begin_[id + 1] - uses_begin_[id]};
    }
    std::span<const std::pair<InstrId, std::uint32_t>> others_of(InstrId id) const;
    std::uint64_t by_register(InstrId id, std::uint32_t index) const;
    std::uint64_t others(InstrId id, std::uint32_t index) const;
    std::uint64_t own(const Strict& strict, std::uint32_t index) const;
    // Conflicts from the original's waits, without by_register().
    std::uint64_t made(const Strict& strict, std::uint32_t index, std::uint64_t before,
                       std::uint64_t after) const;
    std::size_t count_registers(InstrId id, std::map<std::vector<std::uint32_t>, std::size_t>& known) const;

    const Kernel& kernel_;
    const ScoreboardProducers& producers_;
    std::size_t words_;
    bool whole_;  // all nonzero words are stored
    std::vector<Use> uses_;
    std::vector<std::size_t> uses_begin_;
    BitRow results_;
    std::vector<BitRow> writers_;       // by RegIndex; empty: none
    std::vector<BitRow> readers_;       // read after issue
    std::vector<BitRow> in_order_;      // by group: both bits of its members
    std::vector<BitRow> read_already_;  // by queue of the later instruction: operands that it finds read
    // Pairs for fixed-latency instructions with a barrier, CCTL.IVALL and awaited_rule.h: (second, bit),
    // sorted.
    std::vector<std::pair<InstrId, std::uint32_t>> others_;
    std::vector<Strict> strict_;  // by InstrId
    std::vector<std::size_t> begin_;
    std::vector<Stored> stored_;
    mutable std::once_flag counted_;
    mutable std::size_t register_pairs_ = 0;
};

}  // namespace cubinlab
