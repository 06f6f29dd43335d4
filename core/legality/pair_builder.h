// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the dependences of DependencePairs from the original order. Internal.
#pragma once
#include <vector>

#include "core/legality/dependence_pairs.h"

namespace cubinlab {

class PairBuilder {
  public:
    PairBuilder(const Kernel& kernel, DependencePairs& pairs, CheckMode mode);
    void build();

  private:
    // Limit for entries, passages and uses of exposures in all blocks: about 300 MB. Compiled kernels of
    // 40,000 instructions have less than a million.
    static constexpr std::size_t kMostInFlow = 10'000'000;

    struct Seen {  // one access, by instruction and operand
        InstrId id = 0;
        std::uint8_t operand = 0;
        std::uint32_t behind = 0;  // guarded writers of the register before it: see RegState::passed
    };
    // Accesses that later ones may conflict with. Those before kDistanceCap guarded writers are dropped: each
    // writer depends on the previous one and takes a cycle, so order and distance are guaranteed.
    class Recent {
      public:
        void push(const Seen& seen) { all_.push_back(seen); }
        void forget(std::uint32_t passed);
        void clear();
        auto begin() const { return all_.begin() + static_cast<std::ptrdiff_t>(first_); }
        auto end() const { return all_.end(); }

      private:
        std::vector<Seen> all_;
        std::size_t first_ = 0;
    };
    struct RegState {
        Recent writers;            // the last unguarded one and later guarded ones
        Recent readers;            // since the last unguarded write
        std::uint32_t passed = 0;  // later writers that take at least one cycle
    };
    struct Head {  // the first accesses of a register in a block
        std::vector<Seen> reads;
        std::vector<Seen> writes;
        int passed = 0;  // of the writes, those that take at least one cycle
        bool killed = false;
    };
    struct Touched {
        RegIndex reg = 0;
        Head head;
        RegState tail;
    };
    struct BlockSummary {
        std::vector<Touched> registers;  // ascending
        int shortest = 0;                // minimum cycles, whatever the control codes
        const Head* head(RegIndex reg) const;
    };

    std::vector<RegAccess> tracked(InstrId id) const;
    void scan_block(BlockId block);
    void scan_instruction(InstrId id);
    void note_head(Head& head, const RegAccess& access, InstrId id) const;
    Touched& touch(RegIndex reg);
    void add_local(DependenceKind kind, const Seen& first, InstrId second, const RegAccess& access);
    bool under_opposite_guards(InstrId first, InstrId second) const;
    void settle_local(std::size_t first);
    RegDependence make(DependenceKind kind, InstrId first, std::uint8_t first_operand, InstrId second,
                       std::uint8_t second_operand, RegIndex reg) const;
    void expose_block(BlockId block);
    void expose(BlockId block, const Exposure& exposure, std::uint32_t index);
    void explore(std::uint32_t exposure, const std::vector<BlockId>& start, BlockId origin, bool unknown_end);
    bool enter(BlockId block, std::uint32_t exposure, int cycles);
    void meet(BlockId block, std::uint32_t in, std::uint32_t exposure);
    void add_use(BlockId block, std::uint32_t in, const RegDependence& dependence);

    const Kernel& kernel_;
    DependencePairs& pairs_;
    CheckMode mode_;
    // Accesses of an undecoded word: every register of the kernel. Empty in absolute mode, which cannot check
    // such pairs.
    std::vector<RegAccess> anything_;
    std::size_t in_flow_ = 0;
    std::vector<BlockSummary> summaries_;
    std::vector<Touched> scratch_;   // by RegIndex: of the current block
    std::vector<RegIndex> touched_;  // entries of scratch_ in use
    std::vector<bool> in_use_;       // by RegIndex
    // By block: the last exposure that entered it, and its index in BlockFlow::in. Exposures are followed one
    // at a time.
    struct Entered {
        std::uint32_t exposure = kNone;
        std::uint32_t in = 0;
        int cycles = 0;     // shortest known path to it
        bool left = false;  // already followed from there
    };
    std::vector<Entered> entered_;
};

}  // namespace cubinlab
