// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the dependences of DependencePairs from the original order. Internal.
#pragma once
#include <map>
#include <vector>

#include "core/analysis/dependence_pairs.h"

namespace cubinlab {

class PairBuilder {
  public:
    PairBuilder(const Kernel& kernel, DependencePairs& pairs, CheckMode mode);
    void build();

  private:
    struct Seen {  // one access, by instruction and operand
        InstrId id = 0;
        std::uint8_t operand = 0;
    };
    struct RegState {
        std::vector<Seen> writers;  // the last unguarded one and guarded ones since
        std::vector<Seen> readers;  // since the last unguarded write
    };
    struct Head {  // how a block meets a register first
        std::vector<Seen> reads;
        std::vector<Seen> writes;
        bool killed = false;
    };
    struct BlockSummary {
        std::map<RegIndex, Head> heads;
        std::map<RegIndex, RegState> tails;
        int shortest = 0;  // cycles it takes at least, whatever the control codes
    };

    std::vector<RegAccess> tracked(InstrId id) const;
    void scan_block(BlockId block);
    void note_head(Head& head, const RegAccess& access, InstrId id);
    void add_local(DependenceKind kind, const Seen& first, InstrId second, const RegAccess& access);
    RegDependence make(DependenceKind kind, InstrId first, std::uint8_t first_operand, InstrId second,
                       std::uint8_t second_operand, RegIndex reg) const;
    void expose_block(BlockId block);
    void expose(BlockId block, const Exposure& exposure, std::uint32_t index);
    void explore(std::uint32_t exposure, const std::vector<BlockId>& start, BlockId origin, bool unknown_end);
    bool enter(BlockId block, std::uint32_t exposure);
    void meet(BlockId block, std::uint32_t in, std::uint32_t exposure);
    void add_use(BlockId block, std::uint32_t in, const RegDependence& dependence);
    void sort_local();

    const Kernel& kernel_;
    DependencePairs& pairs_;
    CheckMode mode_;
    // What a word that is not decoded may read and write: every register of the kernel. Empty in absolute
    // mode, where nothing could be said about such pairs.
    std::vector<RegAccess> anything_;
    std::vector<BlockSummary> summaries_;
    // By block: the exposure that entered it last, and where it is in BlockFlow::in. One exposure is followed
    // at a time.
    struct Entered {
        std::uint32_t exposure = kNone;
        std::uint32_t in = 0;
    };
    std::vector<Entered> entered_;
};

}  // namespace cubinlab
