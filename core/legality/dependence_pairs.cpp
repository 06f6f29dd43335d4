// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/dependence_pairs.h"

#include <algorithm>

#include "core/legality/tables/latency.h"
#include "core/legality/pair_builder.h"

namespace cubinlab {

namespace {

// The longest fixed latency (DMMA to a tensor operand: 26): unknown code may rely on it.
constexpr int kUnknownCodeNeed = 33;

}  // namespace

int effective_stall(const ControlCode& control) {
    // A stall count above 11 without yield does not stall the warp for that long.
    if (control.stall >= 12 && !control.yield) return 1;
    // Stall 0 with yield deschedules the warp for about 45 cycles. Unoptimised ptxas code relies on 24: it
    // reads tensor results after it.
    return control.stall == 0 && control.yield ? 24 : control.stall;
}

void BlockFlow::index() {
    std::stable_sort(uses.begin(), uses.end(),
                     [](const CrossUse& a, const CrossUse& b) { return a.in < b.in; });
    uses_begin.assign(in.size() + 1, 0);
    for (const CrossUse& use : uses)
        if (use.in != kNone) ++uses_begin[use.in + 1];
    for (std::size_t i = 0; i < in.size(); ++i)
        uses_begin[i + 1] += uses_begin[i];
    std::stable_sort(targets.begin(), targets.end(),
                     [](const Target& a, const Target& b) { return a.out < b.out; });
    targets_begin.assign(out.size() + 1, 0);
    for (const Target& target : targets)
        ++targets_begin[target.out + 1];
    for (std::size_t i = 0; i < out.size(); ++i)
        targets_begin[i + 1] += targets_begin[i];
    out_of_in.assign(in.size(), -1);
    for (std::size_t i = 0; i < out.size(); ++i)
        if (out[i].in >= 0) out_of_in[static_cast<std::size_t>(out[i].in)] = static_cast<std::int32_t>(i);
}

DependencePairs::DependencePairs(const Kernel& kernel, CheckMode mode) : graph_(&kernel.flow()) {
    PairBuilder(kernel, *this, mode).build();
    for (BlockFlow& flow : flows_) {
        flow.index();
        flow.ages = static_cast<std::uint32_t>(entries_);
        entries_ += flow.in.size();
    }
    index_passages();
    settle(kernel, mode);
}

void DependencePairs::block_timing(const Schedule& schedule, const Block& block, ScheduleTiming& timing,
                                   BlockId id) {
    int cycle = 0;
    for (Position p = block.first; p < block.end(); ++p) {
        const InstrId instr = schedule.at(p);
        timing.cycle[instr] = cycle;
        cycle += effective_stall(schedule.control(instr));
    }
    timing.total[id] = cycle;
}

ScheduleTiming DependencePairs::timing(const Schedule& schedule) const {
    ScheduleTiming timing;
    timing.cycle.resize(schedule.size());
    timing.total.resize(graph_->blocks.size());
    for (BlockId b = 0; b < graph_->blocks.size(); ++b)
        block_timing(schedule, graph_->blocks[b], timing, b);
    propagate(timing);
    return timing;
}

ScheduleTiming DependencePairs::timing(const Schedule& schedule, BlockId block,
                                       const ScheduleTiming& from) const {
    ScheduleTiming timing = from;
    block_timing(schedule, graph_->blocks[block], timing, block);
    const auto leaves_as_before = [&](const Passage& passage) {
        return age_of(passage, block, timing) == age_of(passage, block, from);
    };
    if (!std::ranges::all_of(passages(block), leaves_as_before)) propagate(timing);
    return timing;
}

void DependencePairs::index_passages() {
    passages_begin_ = {0};
    for (const BlockFlow& flow : flows_) {
        for (const BlockFlow::Target& target : flow.targets) {
            const BlockFlow::Out& out = flow.out[target.out];
            passages_.push_back({flows_[target.block].ages + target.in,
                                 out.in < 0 ? -1 : static_cast<std::int32_t>(flow.ages) + out.in,
                                 exposures_[out.exposure].first, target.block});
        }
        passages_begin_.push_back(passages_.size());
    }
}

int DependencePairs::age_of(const Passage& passage, BlockId from, const ScheduleTiming& timing) {
    return timing.total[from] + (passage.from < 0 ? -timing.cycle[passage.first]
                                                  : timing.ages[static_cast<std::size_t>(passage.from)]);
}

void DependencePairs::propagate(ScheduleTiming& timing) const {
    const std::size_t blocks = flows_.size();
    timing.ages.assign(entries_, kNeverMet);
    std::vector<BlockId> work(blocks);  // a queue
    std::vector<char> queued(blocks, 1);
    for (BlockId b = 0; b < blocks; ++b) {
        work[b] = b;
        if (!graph_->blocks[b].unknown_predecessors) continue;
        for (std::size_t i = 0; i < flows_[b].in.size(); ++i)
            if (exposures_[flows_[b].in[i]].first == kNone) timing.ages[flows_[b].ages + i] = 0;
    }
    for (std::size_t next = 0; next < work.size(); ++next) {
        const BlockId b = work[next];
        queued[b] = 0;
        for (const Passage& passage : passages(b)) {
            const int age = age_of(passage, b, timing);
            int& there = timing.ages[passage.to];
            if (age >= there) continue;
            there = age;
            if (queued[passage.block]) continue;
            queued[passage.block] = 1;
            work.push_back(passage.block);
        }
    }
}

void DependencePairs::need_with_wait(CheckMode mode, RegDependence& d) {
    d.need = mode == CheckMode::Absolute ? d.with_wait : std::min(d.with_wait, d.original);
    longest_need_ = std::max<int>(longest_need_, d.need);
}

void DependencePairs::settle_one(const Kernel& kernel, CheckMode mode, RegDependence& d, int original) {
    ++count_;
    d.original = static_cast<std::uint16_t>(std::clamp(original, 0, kDistanceCap));
    if (d.by_scoreboard) return need_with_wait(mode, d);
    const bool unknown = d.first == kNone || d.second == kNone;
    if (d.table == 0) ++uncovered_;
    const bool short_of_table = d.table == 0 || d.original < d.table;
    if (!unknown && short_of_table) {
        // The compiler gave a fixed-latency instruction a barrier: the wait proves the pair.
        const ControlCode control = kernel.instruction(d.first).control();
        const bool has_barrier = control.write_barrier != kNoBarrier ||
                                 (d.kind == DependenceKind::War && control.read_barrier != kNoBarrier);
        if (has_barrier) {
            d.by_scoreboard = true;
            if (d.table == 0) --uncovered_;
            return need_with_wait(mode, d);
        }
    }
    if (mode == CheckMode::Absolute)
        d.need = d.table;
    else if (d.table == 0)
        d.need = unknown ? std::min<std::uint16_t>(d.original, kUnknownCodeNeed) : d.original;
    else
        d.need = std::min(d.table, d.original);
    longest_need_ = std::max<int>(longest_need_, d.need);
}

void DependencePairs::settle(const Kernel& kernel, CheckMode mode) {
    ScheduleTiming timing;
    timing.cycle.resize(kernel.size());
    timing.total.resize(graph_->blocks.size());
    for (BlockId b = 0; b < graph_->blocks.size(); ++b) {
        int cycle = 0;
        for (InstrId id = graph_->blocks[b].first; id < graph_->blocks[b].end(); ++id) {
            timing.cycle[id] = cycle;
            cycle += effective_stall(kernel.instruction(id).control());
        }
        timing.total[b] = cycle;
    }
    propagate(timing);
    for (RegDependence& d : local_)
        settle_one(kernel, mode, d, timing.cycle[d.second] - timing.cycle[d.first]);
    for (BlockId b = 0; b < flows_.size(); ++b) {
        for (CrossUse& use : flows_[b].uses) {
            RegDependence& d = use.dependence;
            const int before = use.in == kNone ? -timing.cycle[d.first] : timing.age_in(flows_[b])[use.in];
            settle_one(kernel, mode, d,
                       before + (d.second == kNone ? timing.total[b] : timing.cycle[d.second]));
        }
    }
}

}  // namespace cubinlab
