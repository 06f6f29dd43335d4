// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/trace.h"

#include <algorithm>

#include "core/schedule/flow_graph.h"

namespace cubinlab {
namespace {

class TraceBuilder {
  public:
    TraceBuilder(const FlowGraph& flow, int loop_trips, const std::vector<int>& trips_of)
        : flow_(flow),
          loop_trips_(loop_trips),
          trips_of_(trips_of),
          reachable_(reachable_blocks(flow)),
          latch_(flow.blocks.size(), kNone) {
        for (const auto& [latch, header] : flow.back_edges)
            if (latch >= header && (latch_[header] == kNone || latch > latch_[header]))
                latch_[header] = latch;
    }

    std::vector<Pass> build() {
        if (!flow_.blocks.empty()) walk(0, static_cast<BlockId>(flow_.blocks.size() - 1), kNone, 1.0);
        return std::move(passes_);
    }

  private:
    bool has_inner_loop(BlockId first, BlockId last, BlockId header) const {
        for (BlockId b = first; b <= last; ++b)
            if (b != header && latch_[b] != kNone && latch_[b] <= last) return true;
        return false;
    }

    int trips_of(BlockId header) const {
        const int known = header < trips_of_.size() ? trips_of_[header] : 0;
        return known != 0 ? std::max(known, 0) : std::max(loop_trips_, 1);
    }

    void walk(BlockId first, BlockId last, BlockId inside, double weight) {
        for (BlockId b = first; b <= last; ++b) {
            const bool loop = latch_[b] != kNone && b != inside && latch_[b] <= last && reachable_[b];
            if (!loop) {
                if (reachable_[b]) passes_.push_back({b, weight});
                continue;
            }
            // Two passes to warm up, two to average over (an odd and an even one of several warps in step);
            // one of each around an inner loop, which is warm by itself.
            const bool outer = has_inner_loop(b, latch_[b], b);
            const int trips = trips_of(b);
            const int warm = std::min(outer ? 1 : 2, trips);
            const int steady = std::min(outer ? 1 : 2, trips - warm);
            for (int i = 0; i < warm; ++i)
                walk(b, latch_[b], b, weight);
            for (int i = 0; i < steady; ++i)
                walk(b, latch_[b], b, weight * (trips - warm) / steady);
            b = latch_[b];
        }
    }

    const FlowGraph& flow_;
    int loop_trips_;
    const std::vector<int>& trips_of_;
    std::vector<bool> reachable_;
    std::vector<BlockId> latch_;  // by header: last block of its loop
    std::vector<Pass> passes_;
};

}  // namespace

std::vector<Pass> make_trace(const FlowGraph& flow, int loop_trips, const std::vector<int>& trips_of) {
    return TraceBuilder(flow, loop_trips, trips_of).build();
}

}  // namespace cubinlab
