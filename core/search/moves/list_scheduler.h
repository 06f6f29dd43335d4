// SPDX-License-Identifier: GPL-3.0-or-later
// A list scheduler for one block: issues, cycle by cycle, the ready instruction of the highest priority, on the
// pipes and queues of the SM model. The priority is a weighted sum of features of the instruction and of the
// moment; which weights are good is found by measuring (core/search/agents/list_searcher.cpp).
//
//   ListScheduler scheduler(checker, start, block);
//   std::vector<InstrId> order = scheduler.order(ListWeights::near_original());
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/legality/reorder.h"
#include "core/model/timing.h"

namespace cubinlab {

// What a weight is multiplied with. All features are of the order of 1.
enum class ListFeature : std::uint8_t {
    CriticalPath,  // cycles from its issue to the block's end, longest path / the block's longest
    Place,         // how early it stands in the schedule that is reordered
    GlobalLoad,    // it starts a load from global memory, or a copy to shared
    SharedLoad,    // it starts a load from shared memory
    Store,
    Tensor,          // a matrix instruction
    Transcendental,  // MUFU and other slow pipes that signal by scoreboard
    Successors,      // how many instructions it makes ready
    Waits,           // it would have to wait: expected cycles of what it waits for that are still to go
    Stalls,          // fixed-latency cycles to go before it may issue
    SamePipe,        // as the last one issued
    SameOperand,     // reads a register that the last one of its unit read in the same slot
    MemoryGap,       // a memory operation: instructions since the last one
    Slack,           // as late as its successors allow without growing the critical path
};
inline constexpr std::size_t kListFeatures = 14;

struct ListWeights {
    std::array<double, kListFeatures> weight{};
    double& operator[](ListFeature f) { return weight[static_cast<std::size_t>(f)]; }
    double operator[](ListFeature f) const { return weight[static_cast<std::size_t>(f)]; }
    static ListWeights near_original();  // the order as it is, but for small things
    static ListWeights critical_path();  // the textbook's
};

class ListScheduler {
  public:
    ListScheduler(const HazardChecker& checker, const Schedule& start, BlockId block);

    BlockId block() const { return problem_.block; }
    // Every dependence kept; fixed instructions stay where they are. The same weights give the same order.
    std::vector<InstrId> order(const ListWeights& weights) const;

  private:
    struct Node {
        Timing timing;
        int issue = 1;    // cycles until the next may issue, at least
        int latency = 1;  // expected, of what it signals by scoreboard
        double path = 0;  // expected cycles from its issue to the block's end
        double slack = 0;
        bool global = false, shared = false, store = false, tensor = false, slow = false, memory = false;
        std::array<std::uint32_t, 3> operands{};  // by slot: register + 1; 0: none
        std::vector<std::uint32_t> after;         // edges out
    };
    struct State;
    double priority(const ListWeights& weights, const State& state, std::uint32_t node) const;
    void issue(State& state, std::uint32_t node) const;

    const Kernel& kernel_;
    BlockProblem problem_;
    std::vector<Node> nodes_;
    double longest_ = 1;
};

}  // namespace cubinlab
