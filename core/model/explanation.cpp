// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/explanation.h"

#include <algorithm>

#include "core/legality/dependency_graph.h"
#include "core/model/cycle_account.h"
#include "core/model/model_setup.h"
#include "core/model/wait_text.h"

namespace cubinlab {
namespace {

// Passes of the loop: some to fill its pipelines, those that are counted (an odd and an even one, of several
// warps in step), one for the last of these to run into.
constexpr int kWarmPasses = 4, kCountedPasses = 2;

struct LoopPath {
    std::vector<Pass> trace;
    std::vector<double> weights;  // by pass: 1 where it is counted
    int passes = 1;               // counted, of one warp
};

LoopPath path_through(const std::vector<BlockId>& once, bool loop) {
    LoopPath path;
    path.passes = loop ? kCountedPasses : 1;
    const int first = loop ? kWarmPasses : 0;
    const int rounds = loop ? kWarmPasses + kCountedPasses + 1 : 1;
    for (int round = 0; round < rounds; ++round) {
        const double counted = round >= first && round < first + path.passes ? 1 : 0;
        for (const BlockId b : once) {
            path.trace.push_back({b, counted});
            path.weights.push_back(counted);
        }
    }
    return path;
}

void add_reason(std::vector<ReasonCycles>& reasons, const CycleEntry& e) {
    const int slot = e.reason == WaitReason::Scoreboard ? e.slot : -1;
    for (ReasonCycles& r : reasons)
        if (r.reason == e.reason && r.slot == slot) {
            r.counted += e.cycles;
            return;
        }
    reasons.push_back({e.reason, slot, e.cycles});
}

void sort_reasons(std::vector<ReasonCycles>& reasons) {
    std::stable_sort(reasons.begin(), reasons.end(),
                     [](const ReasonCycles& a, const ReasonCycles& b) { return a.counted > b.counted; });
}

}  // namespace

struct Explainer::Impl {
    ModelSetup setup;
    CodeLoop where;
    bool loop = false;
    std::vector<BlockId> once;  // blocks of a pass, as they are gone through
    std::vector<InstrId> instrs;
    LoopPath path;
    MemoryTraffic memory;

    void find_pass();
    void count_pass(const Schedule& schedule, Explanation& out) const;
    void count_path(const Schedule& schedule, Explanation& out) const;
    std::vector<InstrWait> waits_of(const Schedule& schedule, const CycleAccount& account,
                                    double passes) const;
};

void Explainer::Impl::find_pass() {
    const std::vector<int> known = trips_by_header(*setup.kernel, setup.settings.trips);
    const LoopNest nest = loops_of(*setup.kernel, setup.settings.loop_trips, known);
    if (const CodeLoop* hot = nest.hot()) {
        loop = true;
        where = *hot;
        once = hot->blocks;
        std::rotate(once.begin(), std::find(once.begin(), once.end(), hot->header), once.end());
    } else {
        for (const Pass& pass : setup.trace)
            if (std::find(once.begin(), once.end(), pass.block) == once.end()) once.push_back(pass.block);
        where.blocks = once;
        where.header = once.empty() ? 0 : once.front();
        where.depth = 0;
    }
    for (const BlockId b : once) {
        const Block& block = setup.kernel->flow().blocks[b];
        for (Position at = block.first; at < block.end(); ++at)
            instrs.push_back(at);
    }
    where.instructions = static_cast<std::uint32_t>(instrs.size());
    path = path_through(once, loop);
}

std::vector<InstrWait> Explainer::Impl::waits_of(const Schedule& schedule, const CycleAccount& account,
                                                 double passes) const {
    std::vector<InstrWait> waits;
    for (Position at = 0; at < schedule.size(); ++at) {
        InstrWait wait;
        wait.instr = schedule.at(at);
        for (const CycleEntry& e : account.by_position()[at]) {
            if (e.reason == WaitReason::None) continue;
            wait.causes.push_back({e.reason, e.slot, e.by == kNone ? kNone : schedule.at(e.by),
                                   e.cycles / passes, e.to_next / passes,
                                   e.times > 0 ? e.after / e.times : 0});
            wait.cycles += e.cycles / passes;
        }
        if (wait.causes.empty()) continue;
        std::stable_sort(wait.causes.begin(), wait.causes.end(),
                         [](const WaitCause& a, const WaitCause& b) { return a.cycles > b.cycles; });
        wait.text = wait_text(schedule, wait.instr, wait.causes.front(), schedule);
        waits.push_back(std::move(wait));
    }
    std::stable_sort(waits.begin(), waits.end(),
                     [](const InstrWait& a, const InstrWait& b) { return a.cycles > b.cycles; });
    return waits;
}

void Explainer::Impl::count_pass(const Schedule& schedule, Explanation& out) const {
    ModelProgram program = setup.program(schedule, &path.trace);
    CycleAccount account(program, path.weights);
    SubCore core(program);
    for (const std::uint64_t stagger : setup.staggers()) {
        core.run(stagger, account);
        account.close(core);
    }
    out.passes = static_cast<double>(setup.staggers().size()) * program.warps * path.passes;
    out.counted = account.booked();
    out.by_instr.assign(schedule.size(), 0);
    for (Position at = 0; at < schedule.size(); ++at)
        for (const CycleEntry& e : account.by_position()[at]) {
            add_reason(out.reasons, e);
            out.by_instr[schedule.at(at)] += e.cycles / out.passes;
        }
    sort_reasons(out.reasons);
    out.waits = waits_of(schedule, account, out.passes);
    program.warps = program.warps_per_block = 1;
    out.alone = SubCore(program).run(0) / path.passes;
}

void Explainer::Impl::count_path(const Schedule& schedule, Explanation& out) const {
    const ModelProgram program = setup.program(schedule);
    std::vector<double> weights;
    for (const Pass& pass : setup.trace)
        weights.push_back(pass.weight);
    CycleAccount account(program, std::move(weights));
    SubCore core(program);
    double cycles = 0;
    for (const std::uint64_t stagger : setup.staggers()) {
        cycles += core.run(stagger, account);
        account.close(core);
    }
    const auto runs = static_cast<double>(setup.staggers().size());
    out.path_cycles = cycles / runs;
    out.path_by_instr.assign(schedule.size(), 0);
    for (Position at = 0; at < schedule.size(); ++at)
        for (CycleEntry e : account.by_position()[at]) {
            e.cycles /= runs * program.warps;
            add_reason(out.path_reasons, e);
            out.path_by_instr[schedule.at(at)] += e.cycles;
        }
    sort_reasons(out.path_reasons);
}

const ResourceBound* Explanation::busiest() const {
    const ResourceBound* out = nullptr;
    for (const ResourceBound& bound : bounds)
        if (bound.certain && (!out || bound.cycles > out->cycles)) out = &bound;
    return out;
}

double Explanation::all_warps() const {
    const ResourceBound* most = busiest();
    return most ? std::max(cycles(), most->cycles) : cycles();
}

double Explanation::share(const ResourceBound& bound) const {
    return bound.cycles / std::max(all_warps(), 1e-9);
}

const TripCount* Explanation::hot_trips() const {
    for (const TripCount& count : trips)
        if (loop && count.header == where.header) return &count;
    return nullptr;
}

Explainer::Explainer(KernelPtr kernel, SmModelSettings settings)
    : impl_(new Impl{ModelSetup(std::move(kernel), std::move(settings)), {}, false, {}, {}, {}, {}}) {
    impl_->find_pass();
    impl_->memory = memory_traffic(*impl_->setup.kernel, impl_->setup.settings);
}

Explainer::~Explainer() = default;

std::span<const std::uint64_t> Explainer::starts() const {
    return impl_->setup.staggers();
}

IssueTrace Explainer::trace(const Schedule& schedule, std::size_t start) const {
    const ModelProgram program = impl_->setup.program(schedule, &impl_->path.trace);
    IssueTrace out;
    out.loop = impl_->loop;
    out.first_counted = impl_->loop ? kWarmPasses : 0;
    out.counted = static_cast<std::uint32_t>(impl_->path.passes);
    out.stagger = starts()[std::min(start, starts().size() - 1)];
    IssueRecorder recorder(out, static_cast<std::size_t>(program.warps), impl_->once.size());
    CycleAccount account(program, std::vector<double>(impl_->path.trace.size(), 1), &recorder);
    SubCore core(program);
    core.run(out.stagger, account);
    account.close(core);
    for (IssueLane& lane : out.lanes) {
        for (Issue& issue : lane.issues)
            issue.instr = schedule.at(issue.instr);
        for (IssueWait& wait : lane.waits)
            if (wait.by != kNone) wait.by = schedule.at(wait.by);
    }
    return out;
}

Explanation Explainer::explain(const Schedule& schedule) const {
    const ModelSetup& setup = impl_->setup;
    Explanation out;
    out.loop = impl_->loop;
    out.where = impl_->where;
    out.trips = setup.settings.trips;
    out.assumed_trips = setup.settings.loop_trips;
    out.instructions = impl_->instrs.size();
    if (!impl_->instrs.empty()) {
        const auto [first, last] = std::minmax_element(impl_->instrs.begin(), impl_->instrs.end());
        out.first = *first;
        out.last = *last;
    }
    out.warps = setup.simulated.warps;
    impl_->count_pass(schedule, out);
    impl_->count_path(schedule, out);
    out.bounds = loop_bounds(setup, impl_->instrs);
    if (out.loop)
        for (const BlockId b : impl_->once)
            out.chain += build_dependency_graph(schedule, b, false).length;
    out.occupancy =
        occupancy_limits(setup.kernel->arch(), setup.kernel->info(), setup.settings.threads_per_block,
                         setup.settings.dynamic_shared_bytes, setup.settings.blocks_in_grid);
    out.memory = impl_->memory;
    judge(out.memory, *setup.kernel, setup.settings, out.path_cycles);
    out.verdict = bottleneck_sentence(out);
    return out;
}

}  // namespace cubinlab
