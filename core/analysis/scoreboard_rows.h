// SPDX-License-Identifier: GPL-3.0-or-later
// Which pending bits an instruction may not meet. Registers decide most of it, and are kept as one bit row a
// register; what the original's own waits add (fences, block ends) is known where something is pending. A
// row's words are stored where the original has something pending, and made on demand elsewhere: so rows take
// room for what is in flight, not for every pair of instructions. Internal to core/analysis.
#pragma once
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "core/analysis/dependence_pairs.h"
#include "core/analysis/scoreboard_producers.h"

namespace cubinlab {

class ScoreboardRows {
  public:
    // Kernels of up to this many words have all of every row stored: the quickest to ask.
    static constexpr std::size_t kStoredWhole = 12;

    ScoreboardRows(const Kernel& kernel, const ScoreboardProducers& producers, const DependencePairs& pairs,
                   CheckMode mode, std::size_t stored_whole);
    // Bits of one word that an instruction may not meet.
    struct Stored {
        std::uint32_t index = 0;
        InstrId id = 0;
        std::uint64_t bits = 0;
    };
    // These and nothing else: by instruction, then by index, each word once.
    ScoreboardRows(const Kernel& kernel, const ScoreboardProducers& producers, std::vector<Stored> only);

    // What besides registers an instruction may not meet, from the original's state before and after its own
    // waits. All instructions in order of their ids.
    struct Strict {
        bool fence = false;
        bool ordered = false;         // behind fences: what was complete of them stays complete
        bool unknown_end = false;     // what follows is not known: everything complete stays complete
        bool after_unknown = false;   // unknown code may come before the block
        std::uint64_t first_own = 0;  // bits [first_own, end_own) are the block's own,
        std::uint64_t end_own = 0;    // and endless ones of them count; none where the block is in a cycle
    };
    void add(InstrId id, const Strict& strict, ScoreboardSpan before, ScoreboardSpan after);
    void finish();

    // Bits of the word `index` that `id` may not meet. `hint` walks along with ascending indices of one id.
    std::uint64_t word(InstrId id, std::uint32_t index, std::size_t& hint) const;
    std::size_t begin(InstrId id) const { return begin_[id]; }
    // Write bits of producers that write a register by a scoreboard.
    std::uint64_t results(std::uint32_t index) const { return results_[index]; }
    bool touches(InstrId id, ScoreboardSpan pending) const;
    // Never again a conflict; it was pending in the original.
    void excuse(InstrId id, std::uint32_t index, std::uint64_t bits);

    // Pairs of a producer's write or reads and an instruction that registers connect.
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
    // What the original's waits forbid; by_register() comes on top.
    std::uint64_t made(const Strict& strict, std::uint32_t index, std::uint64_t before,
                       std::uint64_t after) const;
    std::size_t count_registers(InstrId id, std::map<std::vector<std::uint32_t>, std::size_t>& known) const;

    const Kernel& kernel_;
    const ScoreboardProducers& producers_;
    std::size_t words_;
    bool whole_;  // every word that is not zero is stored
    std::vector<Use> uses_;
    std::vector<std::size_t> uses_begin_;
    BitRow results_;
    std::vector<BitRow> writers_;       // by RegIndex, empty: none
    std::vector<BitRow> readers_;       // read after issue
    std::vector<BitRow> in_order_;      // by group: both bits of its members
    std::vector<BitRow> read_already_;  // by queue of the later instruction: operands that are read by then
    // Pairs that wait for a fixed-latency instruction with a barrier, those of CCTL.IVALL and those of awaited_rule.h:
    // (second, bit), sorted.
    std::vector<std::pair<InstrId, std::uint32_t>> others_;
    std::vector<Strict> strict_;  // by InstrId
    std::vector<std::size_t> begin_;
    std::vector<Stored> stored_;
    mutable std::once_flag counted_;
    mutable std::size_t register_pairs_ = 0;
};

}  // namespace cubinlab
