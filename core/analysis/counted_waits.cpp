// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counted_waits.h"

#include <algorithm>

#include "core/analysis/latency_classes.h"

namespace cubinlab {

namespace {

// Walks back from a DEPBAR for the setters that may be among the last `count_`.
class LatestSetters {
  public:
    LatestSetters(const Kernel& kernel, int scoreboard, int count)
        : kernel_(kernel),
          scoreboard_(scoreboard),
          count_(count),
          latest_(kernel.size(), false),
          fewest_(kernel.flow().blocks.size(), count) {}

    // Code that is not known leaves results of its own, which the proof counts apart (ScoreboardProducers::unknown);
    // those of the kernel reach the wait on paths that are known.
    void walk(BlockId block, InstrId wait) {
        leave(block, block_from(block, wait, 0));
        while (!work_.empty()) {
            const BlockId b = work_.back();
            work_.pop_back();
            leave(b, block_from(b, kernel_.flow().blocks[b].end(), fewest_[b]));
        }
    }

    bool sets(InstrId id) const {
        const Instruction& i = kernel_.instruction(id);
        return i.unit == Unit::Dmma && i.control().write_barrier == scoreboard_;
    }
    bool latest(InstrId id) const { return latest_[id]; }

  private:
    // Setters from `end` up to the block's start, `seen` of them behind it already.
    int block_from(BlockId block, InstrId end, int seen) {
        for (InstrId id = end; seen < count_ && id-- > kernel_.flow().blocks[block].first;) {
            if (!sets(id)) continue;
            latest_[id] = true;
            seen += kernel_.instruction(id).guarded() ? 0 : 1;
        }
        return seen;
    }

    void leave(BlockId block, int seen) {
        if (seen >= count_) return;
        for (const BlockId from : kernel_.flow().blocks[block].predecessors) {
            if (fewest_[from] <= seen) continue;
            fewest_[from] = seen;
            work_.push_back(from);
        }
    }

    const Kernel& kernel_;
    int scoreboard_;
    int count_;
    std::vector<bool> latest_;  // by InstrId
    std::vector<int> fewest_;   // by block: setters between its end and the wait, on the path with fewest
    std::vector<BlockId> work_;
};

}  // namespace

CountedWaits counted_waits(const Kernel& kernel, const ScoreboardProducers& producers) {
    CountedWaits waits;
    for (BlockId b = 0; b < kernel.flow().blocks.size(); ++b) {
        const Block& block = kernel.flow().blocks[b];
        for (InstrId id = block.first; id < block.end(); ++id) {
            const Instruction& i = kernel.instruction(id);
            if (!latency::is_named(i, "DEPBAR") || i.named_scoreboard < 0 || i.named_count == 0) continue;
            LatestSetters setters(kernel, i.named_scoreboard, i.named_count);
            setters.walk(b, id);
            BitRow done(producers.words(), 0);
            bool any = false;
            for (const InstrId p : producers.producer_of) {
                if (!setters.sets(p)) continue;
                any = true;
                waits.parts.push_back(p);
                if (i.guarded() || setters.latest(p)) continue;
                set_bit(done, static_cast<std::size_t>(producers.write_bit[p]));
                set_bit(done, static_cast<std::size_t>(producers.write_bit[p]) + 1);
            }
            if (!any) continue;
            waits.parts.push_back(id);
            waits.done.emplace_back(id, std::move(done));
        }
    }
    std::sort(waits.parts.begin(), waits.parts.end());
    waits.parts.erase(std::unique(waits.parts.begin(), waits.parts.end()), waits.parts.end());
    return waits;
}

}  // namespace cubinlab
