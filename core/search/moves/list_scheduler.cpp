// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/list_scheduler.h"

#include <algorithm>

namespace cubinlab {
namespace {

int expected_cycles(const Timing& timing, bool reads) {
    return std::max<int>(1, timing.service + (reads ? timing.read_release : timing.write_release));
}

}  // namespace

ListWeights ListWeights::near_original() {
    ListWeights out;
    out[ListFeature::Place] = 8;
    out[ListFeature::Waits] = -0.5;
    out[ListFeature::Stalls] = -0.5;
    return out;
}

ListWeights ListWeights::critical_path() {
    ListWeights out;
    out[ListFeature::CriticalPath] = 2;
    out[ListFeature::Place] = 1;
    out[ListFeature::Waits] = -1;
    out[ListFeature::Stalls] = -1;
    out[ListFeature::SameOperand] = 0.2;
    return out;
}

// The state after the issued instructions.
struct ListScheduler::State {
    int now = 0;
    std::vector<std::uint32_t> missing;  // by node: predecessors not issued yet
    std::vector<int> earliest;           // by node: earliest cycle by its fixed-latency distances
    std::vector<int> done;               // by node: expected cycle at which its waits end
    std::vector<bool> issued;
    std::array<int, kPipes> free{};  // by pipe: first cycle at which it is free
    std::array<std::array<std::uint32_t, 3>, kPipes> operands{};
    Pipe last = Pipe::None;
    int since_memory = 8;  // instructions
};

ListScheduler::ListScheduler(const HazardChecker& checker, const Schedule& start, BlockId block)
    : kernel_(*start.kernel()), problem_(block_problem(checker, start, block)) {
    const std::size_t count = problem_.nodes.size();
    nodes_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        Node& node = nodes_[i];
        const Instruction& instruction = kernel_.instruction(problem_.nodes[i]);
        node.timing = timing_of(kernel_.arch(), instruction);
        node.latency = expected_cycles(node.timing, false);
        node.memory = node.timing.pipe == Pipe::Memory;
        const bool writes = std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                        [](const Operand& o) { return o.write && o.file == RegFile::Gpr; });
        const bool shared = instruction.memory.space == MemorySpace::Shared;
        node.global = node.memory && ((writes && !shared) || node.timing.effect == Effect::AsyncCopy);
        node.shared = node.memory && writes && shared;
        node.store = node.memory && !writes && node.timing.effect == Effect::None;
        node.tensor = node.timing.pipe == Pipe::Mma;
        node.slow = node.timing.pipe == Pipe::Xu;
        for (std::size_t slot = 0; slot < 3; ++slot)
            if (node.timing.reads[slot] != kNoRead) node.operands[slot] = node.timing.reads[slot] + 1u;
    }
    for (std::uint32_t e = 0; e < problem_.edges.size(); ++e)
        nodes_[problem_.edges[e].first].after.push_back(e);
    for (std::size_t i = count; i-- > 0;) {
        Node& node = nodes_[i];
        node.path = std::max<double>(1, node.timing.occupancy);
        for (const std::uint32_t e : node.after) {
            const BlockEdge& edge = problem_.edges[e];
            const double cycles = edge.by_scoreboard ? expected_cycles(node.timing, edge.reads) : edge.cycles;
            node.path = std::max(node.path, cycles + nodes_[edge.second].path);
        }
        longest_ = std::max(longest_, node.path);
    }
    // The earliest issue of each node, to compute its slack.
    std::vector<double> early(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::uint32_t e : nodes_[i].after) {
            const BlockEdge& edge = problem_.edges[e];
            const double cycles =
                edge.by_scoreboard ? expected_cycles(nodes_[i].timing, edge.reads) : edge.cycles;
            early[edge.second] = std::max(early[edge.second], early[i] + cycles);
        }
    }
    for (std::size_t i = 0; i < count; ++i)
        nodes_[i].slack = std::max(0.0, longest_ - early[i] - nodes_[i].path);
}

double ListScheduler::priority(const ListWeights& w, const State& state, std::uint32_t index) const {
    const Node& node = nodes_[index];
    const double count = static_cast<double>(nodes_.size());
    const auto pipe = static_cast<std::size_t>(node.timing.pipe);
    const double wait = std::max(0, state.done[index] - state.now);
    const double stall = std::max(0, std::max(state.earliest[index], state.free[pipe]) - state.now);
    double same = 0;
    for (std::size_t slot = 0; slot < 3; ++slot)
        same += node.operands[slot] != 0 && node.operands[slot] == state.operands[pipe][slot];
    double sum = w[ListFeature::CriticalPath] * node.path / longest_ * 4;
    sum += w[ListFeature::Place] * (1 - index / count) * 4;
    sum += w[ListFeature::GlobalLoad] * node.global + w[ListFeature::SharedLoad] * node.shared;
    sum += w[ListFeature::Store] * node.store + w[ListFeature::Tensor] * node.tensor;
    sum += w[ListFeature::Transcendental] * node.slow;
    sum += w[ListFeature::Successors] * std::min(2.0, static_cast<double>(node.after.size()) / 4);
    sum +=
        w[ListFeature::Waits] * std::min(4.0, wait / 8) + w[ListFeature::Stalls] * std::min(4.0, stall / 4);
    sum += w[ListFeature::SamePipe] * (node.timing.pipe == state.last);
    sum += w[ListFeature::SameOperand] * same;
    sum += w[ListFeature::MemoryGap] * (node.memory ? std::min(2.0, state.since_memory / 4.0) : 0);
    sum += w[ListFeature::Slack] * std::min(2.0, node.slack / longest_ * 4);
    return sum;
}

void ListScheduler::issue(State& state, std::uint32_t index) const {
    const Node& node = nodes_[index];
    const auto pipe = static_cast<std::size_t>(node.timing.pipe);
    const int at = std::max({state.now, state.earliest[index], state.done[index], state.free[pipe]});
    state.issued[index] = true;
    state.free[pipe] = at + std::max<int>(1, node.timing.occupancy);
    state.now = at + 1;
    state.last = node.timing.pipe;
    state.operands[pipe] = node.operands;
    state.since_memory = node.memory ? 0 : state.since_memory + 1;
    for (const std::uint32_t e : node.after) {
        const BlockEdge& edge = problem_.edges[e];
        --state.missing[edge.second];
        if (edge.by_scoreboard)
            state.done[edge.second] =
                std::max(state.done[edge.second], at + expected_cycles(node.timing, edge.reads));
        else
            state.earliest[edge.second] = std::max(state.earliest[edge.second], at + edge.cycles);
    }
}

std::vector<InstrId> ListScheduler::order(const ListWeights& weights) const {
    const auto count = static_cast<std::uint32_t>(nodes_.size());
    State state;
    state.missing.assign(count, 0);
    state.earliest.assign(count, 0);
    state.done.assign(count, 0);
    state.issued.assign(count, false);
    for (const BlockEdge& edge : problem_.edges)
        ++state.missing[edge.second];
    std::vector<InstrId> out;
    // Between fixed instructions.
    for (std::uint32_t first = 0; first < count;) {
        std::uint32_t end = first;
        while (end < count && !problem_.fixed[end])
            ++end;
        for (std::uint32_t k = first; k < end; ++k) {
            std::uint32_t chosen = end;
            double highest = 0;
            for (std::uint32_t i = first; i < end; ++i) {
                if (state.issued[i] || state.missing[i] != 0) continue;
                const double value = priority(weights, state, i);
                if (chosen != end && value <= highest) continue;
                chosen = i;
                highest = value;
            }
            issue(state, chosen);
            out.push_back(problem_.nodes[chosen]);
        }
        if (end < count) {
            issue(state, end);
            out.push_back(problem_.nodes[end]);
        }
        first = end + 1;
    }
    return out;
}

}  // namespace cubinlab
