// SPDX-License-Identifier: GPL-3.0-or-later
// A list scheduler for one block: in each cycle it issues the ready instruction with the highest priority, on
// the pipes and queues of the SM model. The priority is a weighted sum of features of the instruction and of
// the current state; measurements find good weights (core/search/agents/list_searcher.cpp).
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

// The features that the weights multiply, all of the order of 1.
enum class ListFeature : std::uint8_t {
    CriticalPath,  // longest path to the end of the block, in cycles / that of the block
    Place,         // how early it is in the original order
    GlobalLoad,    // a load from global memory, or a copy to shared memory
    SharedLoad,    // a load from shared memory
    Store,
    Tensor,          // a matrix instruction
    Transcendental,  // MUFU and other slow pipes that signal by scoreboard
    Successors,      // number of instructions that become ready
    Waits,           // expected remaining cycles of its scoreboard waits
    Stalls,          // remaining fixed-latency cycles before it may issue
    SamePipe,        // the pipe of the last issued instruction
    SameOperand,     // reads a register that the last one of its unit read in the same slot
    MemoryGap,       // a memory operation: instructions since the last one
    Slack,           // cycles that it may be delayed without a longer critical path
};
inline constexpr std::size_t kListFeatures = 14;

struct ListWeights {
    std::array<double, kListFeatures> weight{};
    double& operator[](ListFeature f) { return weight[static_cast<std::size_t>(f)]; }
    double operator[](ListFeature f) const { return weight[static_cast<std::size_t>(f)]; }
    static ListWeights near_original();  // the original order with small changes
    static ListWeights critical_path();  // the textbook's priority
};

class ListScheduler {
  public:
    ListScheduler(const HazardChecker& checker, const Schedule& start, BlockId block);

    BlockId block() const { return problem_.block; }
    // Keeps every dependence and the positions of fixed instructions. Deterministic.
    std::vector<InstrId> order(const ListWeights& weights) const;

  private:
    struct Node {
        Timing timing;
        int issue = 1;    // least cycles until the next issue
        int latency = 1;  // expected latency until its scoreboard signal
        double path = 0;  // expected cycles from its issue to the end of the block
        double slack = 0;
        bool global = false, shared = false, store = false, tensor = false, slow = false, memory = false;
        std::array<std::uint32_t, 3> operands{};  // by slot: register + 1; 0: none
        std::vector<std::uint32_t> after;         // successors
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
