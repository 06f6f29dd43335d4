// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/rules/counted_waits.h"

#include <algorithm>

#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

constexpr ScoreboardGroup kCounted[] = {kTensor, kTex};

// Walks backward from a DEPBAR to find the group members that may be incomplete after it: the last `count_`
// setters, and those without a barrier after the setter before these.
class LatestSetters {
  public:
    LatestSetters(const Kernel& kernel, const ScoreboardProducers& producers, ScoreboardGroup group,
                  int scoreboard, int count)
        : kernel_(kernel),
          producers_(producers),
          group_(group),
          scoreboard_(scoreboard),
          count_(count),
          latest_(kernel.size(), false),
          fewest_(kernel.flow().blocks.size(), count + 1) {}

    // Results of unknown code are not tracked here but by ScoreboardProducers::unknown; results of the kernel
    // reach the wait on known paths.
    void walk(BlockId block, InstrId wait) {
        leave(block, block_from(block, wait, 0));
        while (!work_.empty()) {
            const BlockId b = work_.back();
            work_.pop_back();
            leave(b, block_from(b, kernel_.flow().blocks[b].end(), fewest_[b]));
        }
    }

    bool sets(InstrId id) const {
        return in_group(id) && kernel_.instruction(id).control().write_barrier == scoreboard_;
    }
    // Has no barrier of its own: complete when a later setter is.
    bool follows(InstrId id) const {
        return in_group(id) && kernel_.instruction(id).control().write_barrier == kNoBarrier;
    }
    bool latest(InstrId id) const { return latest_[id]; }

  private:
    bool in_group(InstrId id) const { return producers_.own_group[id] == group_; }

    // ptxas counts a guarded fetch whether or not it executes; guarded DMMAs were not observed before a wait.
    bool counts(InstrId id) const { return group_ == kTex || !kernel_.instruction(id).guarded(); }

    // Marks members from `end` back to the block's start; `seen`: setters already found after it.
    int block_from(BlockId block, InstrId end, int seen) {
        for (InstrId id = end; seen <= count_ && id-- > kernel_.flow().blocks[block].first;) {
            if (follows(id)) latest_[id] = true;
            if (!sets(id)) continue;
            if (seen < count_) latest_[id] = true;
            seen += counts(id) ? 1 : 0;
        }
        return seen;
    }

    void leave(BlockId block, int seen) {
        if (seen > count_) return;
        for (const BlockId from : kernel_.flow().blocks[block].predecessors) {
            if (fewest_[from] <= seen) continue;
            fewest_[from] = seen;
            work_.push_back(from);
        }
    }

    const Kernel& kernel_;
    const ScoreboardProducers& producers_;
    ScoreboardGroup group_;
    int scoreboard_;
    int count_;
    std::vector<bool> latest_;  // by InstrId
    std::vector<int> fewest_;   // by block: setters between its end and the wait, minimum over paths
    std::vector<BlockId> work_;
};

void count(const Kernel& kernel, const ScoreboardProducers& producers, BlockId block, InstrId wait,
           CountedWaits& waits) {
    const Instruction& depbar = kernel.instruction(wait);
    BitRow done(producers.words(), 0);
    bool any = false;
    for (const ScoreboardGroup group : kCounted) {
        LatestSetters setters(kernel, producers, group, depbar.named_scoreboard, depbar.named_count);
        const auto sets = [&](InstrId p) { return setters.sets(p); };
        if (std::none_of(producers.producer_of.begin(), producers.producer_of.end(), sets)) continue;
        any = true;
        setters.walk(block, wait);
        for (const InstrId p : producers.producer_of) {
            if (!setters.sets(p) && !setters.follows(p)) continue;
            waits.parts.push_back(p);
            if (depbar.guarded() || setters.latest(p)) continue;
            set_bit(done, static_cast<std::size_t>(producers.write_bit[p]));
            set_bit(done, static_cast<std::size_t>(producers.write_bit[p]) + 1);
        }
    }
    if (!any) return;
    waits.parts.push_back(wait);
    waits.done.emplace_back(wait, std::move(done));
}

}  // namespace

CountedWaits counted_waits(const Kernel& kernel, const ScoreboardProducers& producers) {
    CountedWaits waits;
    for (BlockId b = 0; b < kernel.flow().blocks.size(); ++b) {
        const Block& block = kernel.flow().blocks[b];
        for (InstrId id = block.first; id < block.end(); ++id) {
            const Instruction& i = kernel.instruction(id);
            if (latency::is_named(i, "DEPBAR") && i.named_scoreboard >= 0 && i.named_count != 0)
                count(kernel, producers, b, id, waits);
        }
    }
    std::sort(waits.parts.begin(), waits.parts.end());
    waits.parts.erase(std::unique(waits.parts.begin(), waits.parts.end()), waits.parts.end());
    return waits;
}

}  // namespace cubinlab
