// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/dependency_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/legality/tables/latency.h"
#include "core/legality/rules/order_edges.h"
#include "core/legality/pair_builder.h"
#include "core/base/enum_names.h"

namespace cubinlab {

namespace {

// Estimates for variable latencies without a measurement: cycles for L1 hits.
int expected_latency(const Instruction& i) {
    switch (i.unit) {
        case Unit::Lsu:
            return i.memory.space == MemorySpace::Shared ? 24 : 260;
        case Unit::Mio:
            return 26;
        case Unit::Xu:
            return 18;
        case Unit::Ldc:
            return 28;
        case Unit::Tex:
            return 300;
        case Unit::Dmma:
            return 26;
        case Unit::Gmma:
            return 64;
        default:
            return 20;
    }
}

// The analysis of one kernel from which graphs are built; cached for the last kernel of the thread, because
// views query one kernel many times.
struct KernelDependences {
    explicit KernelDependences(const KernelPtr& k)
        : kernel(k), pairs(*k, CheckMode::AgainstOriginal), order(*k, pairs, MemoryOrder(*k)) {}
    KernelPtr kernel;
    DependencePairs pairs;
    OrderEdges order;
};

const KernelDependences& dependences_for(const KernelPtr& kernel) {
    thread_local std::unique_ptr<KernelDependences> last;
    if (!last || last->kernel != kernel) last = std::make_unique<KernelDependences>(kernel);
    return *last;
}

std::int8_t protecting_scoreboard(const Schedule& schedule, const RegDependence& d) {
    if (!d.by_scoreboard) return -1;
    const ControlCode& control = schedule.control(d.first);
    if (d.kind == DependenceKind::War && control.read_barrier != kNoBarrier)
        return static_cast<std::int8_t>(control.read_barrier);
    return control.write_barrier == kNoBarrier ? std::int8_t{-1}
                                               : static_cast<std::int8_t>(control.write_barrier);
}

Dependence from_pair(const Schedule& schedule, const RegDependence& d, int distance, bool carried) {
    Dependence result;
    result.from = d.first;
    result.to = d.second;
    result.kind = d.kind;
    result.file = reg_file(d.reg);
    result.reg = static_cast<std::uint8_t>(reg_number(d.reg));
    result.scoreboard = protecting_scoreboard(schedule, d);
    result.by_waits = d.by_scoreboard;
    result.loop_carried = carried;
    const int variable =
        d.kind == DependenceKind::War ? 2 : expected_latency(schedule.kernel()->instruction(d.first));
    result.latency = d.by_scoreboard ? variable : std::max<int>(d.table != 0 ? d.table : d.need, 1);
    result.distance = distance;
    return result;
}

DependenceKind kind_of(Rule rule) {
    if (rule == Rule::MemoryOrder) return DependenceKind::Memory;
    return rule == Rule::WarpOrder ? DependenceKind::Order : DependenceKind::Fence;
}

Dependence from_order(const Kernel& kernel, const OrderEdge& edge, int distance) {
    Dependence result;
    result.from = edge.first;
    result.to = edge.second;
    result.kind = kind_of(edge.rule);
    result.latency = std::max(
        1, fence_to_memory_floor(kernel.arch(), kernel.instruction(edge.first), CheckMode::AgainstOriginal));
    result.distance = distance;
    return result;
}

// Order edges that no path of other order edges implies; for each instruction the nearest first.
void add_order_edges(const KernelDependences& all, const Block& block, const ScheduleTiming& timing,
                     std::vector<Dependence>& edges) {
    for (InstrId id = block.first; id < block.end(); ++id) {
        const std::span<const OrderEdge> before = all.order.before(id);
        for (auto edge = before.rbegin(); edge != before.rend(); ++edge)
            if (edge->rule != Rule::Dependence)
                edges.push_back(from_order(*all.kernel, *edge, timing.cycle[id] - timing.cycle[edge->first]));
    }
}

// Removes register edges whose latency a path of other edges enforces.
void reduce(DependencyGraph& graph, const std::map<InstrId, std::size_t>& index) {
    const std::size_t n = graph.nodes.size();
    std::vector<std::vector<std::size_t>> incoming(n);
    std::vector<std::size_t> from_of(graph.edges.size());  // the inner loops run thousands of times a node
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        from_of[e] = index.at(graph.edges[e].from);
        if (!graph.edges[e].loop_carried) incoming[index.at(graph.edges[e].to)].push_back(e);
    }
    std::vector<bool> drop(graph.edges.size(), false);
    std::vector<int> longest(n);
    for (std::size_t to = 0; to < n; ++to) {
        if (incoming[to].size() < 2) continue;
        // Longest latency from any node to `to` over at least two edges, backward from `to`.
        std::fill(longest.begin(), longest.end(), -1);
        std::size_t first = to;
        for (const std::size_t e : incoming[to])
            first = std::min(first, from_of[e]);
        for (const std::size_t e : incoming[to]) {
            for (const std::size_t e2 : incoming[from_of[e]]) {
                int& best = longest[from_of[e2]];
                best = std::max(best, graph.edges[e].latency + graph.edges[e2].latency);
            }
        }
        for (std::size_t node = to; node-- > first;) {
            if (longest[node] < 0) continue;
            for (const std::size_t e : incoming[node]) {
                int& best = longest[from_of[e]];
                best = std::max(best, longest[node] + graph.edges[e].latency);
            }
        }
        for (const std::size_t e : incoming[to]) {
            const Dependence& d = graph.edges[e];
            if (longest[from_of[e]] >= d.latency) drop[e] = true;
        }
    }
    std::size_t kept = 0;
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (!drop[e]) graph.edges[kept++] = graph.edges[e];
    graph.edges.resize(kept);
}

void add_cycles(DependencyGraph& graph, const std::map<InstrId, std::size_t>& index) {
    const std::size_t n = graph.nodes.size();
    graph.earliest.assign(n, 0);
    std::vector<int> tail(n, 0);          // longest latency from a node to the end
    std::vector<std::size_t> from(n, n);  // critical predecessor
    std::vector<std::vector<std::size_t>> incoming(n);
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (!graph.edges[e].loop_carried) incoming[index.at(graph.edges[e].to)].push_back(e);
    for (std::size_t i = 0; i < n; ++i) {
        for (const std::size_t e : incoming[i]) {
            const std::size_t a = index.at(graph.edges[e].from);
            const int ready = graph.earliest[a] + graph.edges[e].latency;
            if (ready <= graph.earliest[i]) continue;
            graph.earliest[i] = ready;
            from[i] = a;
        }
    }
    for (std::size_t i = n; i-- > 0;)
        for (const std::size_t e : incoming[i]) {
            int& t = tail[index.at(graph.edges[e].from)];
            t = std::max(t, tail[i] + graph.edges[e].latency);
        }
    std::size_t last = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (graph.earliest[i] > graph.earliest[last]) last = i;
    graph.length = n == 0 ? 0 : graph.earliest[last] + 1;
    graph.slack.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        graph.slack[i] = graph.length - 1 - graph.earliest[i] - tail[i];
    for (std::size_t i = last; i < n; i = from[i])
        graph.critical_path.push_back(graph.nodes[i]);
    std::reverse(graph.critical_path.begin(), graph.critical_path.end());
}

// Variable-latency results that the next iteration of a one-block loop reads, for example a load for the next
// tile. (Fixed-latency results are cross-block pairs.)
void add_carried_loads(const Schedule& schedule, const Block& range, const ScheduleTiming& timing, int total,
                       std::vector<Dependence>& edges) {
    const Kernel& kernel = *schedule.kernel();
    std::vector<std::vector<InstrId>> writers(kRegCount);
    std::vector<std::vector<InstrId>> readers(kRegCount);  // before the first unconditional write
    std::vector<bool> killed(kRegCount, false);
    for (InstrId id = range.first; id < range.end(); ++id) {
        const Instruction& i = kernel.instruction(id);
        const std::vector<RegAccess> accesses = accesses_of(i);
        for (const RegAccess& a : accesses)
            if (a.read && !killed[a.reg]) readers[a.reg].push_back(id);
        for (const RegAccess& a : accesses) {
            if (!a.write) continue;
            if (always_writes(i)) {
                killed[a.reg] = true;
                writers[a.reg].clear();
            }
            writers[a.reg].push_back(id);
        }
    }
    std::set<std::pair<InstrId, InstrId>> seen;
    for (RegIndex reg = 0; reg < kBRegBase; ++reg)
        for (const InstrId w : writers[reg])
            for (const InstrId r : readers[reg]) {
                if (!completes_by_scoreboard(kernel.arch(), kernel.instruction(w)) ||
                    !seen.insert({w, r}).second)
                    continue;
                const RegDependence d{w, r, reg, DependenceKind::Raw, true, 0, 0, 0};
                edges.push_back(from_pair(schedule, d, total - timing.cycle[w] + timing.cycle[r], true));
            }
}

}  // namespace

const char* to_string(DependenceKind kind) {
    return enum_name<DependenceKind::Order>({"RAW", "WAR", "WAW", "memory", "fence", "scoreboard", "order"},
                                            kind, "?");
}

std::string Dependence::resource() const {
    if (kind == DependenceKind::Memory) return "memory";
    if (kind == DependenceKind::Fence) return "fence";
    if (kind == DependenceKind::Order) return "order";
    if (kind == DependenceKind::Scoreboard) return fmt::format("SB{}", scoreboard);
    return reg_name(reg_index(file, reg));
}

DependencyGraph build_dependency_graph(const Schedule& schedule, BlockId block, bool loop_carried) {
    const KernelDependences& all = dependences_for(schedule.kernel());
    const Block& range = schedule.kernel()->flow().blocks[block];
    const ScheduleTiming timing = all.pairs.timing(schedule);
    DependencyGraph graph;
    std::map<InstrId, std::size_t> index;
    for (Position p = range.first; p < range.end(); ++p) {
        index[schedule.at(p)] = graph.nodes.size();
        graph.nodes.push_back(schedule.at(p));
    }
    for (InstrId id = range.first; id < range.end(); ++id)
        for (const RegDependence& d : all.pairs.local_of(id))
            if (!is_virtual(d.reg))
                graph.edges.push_back(
                    from_pair(schedule, d, timing.cycle[d.second] - timing.cycle[d.first], false));
    add_order_edges(all, range, timing, graph.edges);
    // A schedule that violates an order has backward edges; they are shown, but not counted.
    for (Dependence& d : graph.edges)
        if (index.at(d.from) > index.at(d.to)) d.loop_carried = true;
    reduce(graph, index);
    add_cycles(graph, index);
    if (!loop_carried) return graph;
    for (const CrossUse& use : all.pairs.flow(block).uses) {
        const RegDependence& d = use.dependence;
        if (use.in == kNone || d.first == kNone || d.second == kNone || is_virtual(d.reg)) continue;
        if (schedule.kernel()->block_of(d.first) != block) continue;
        graph.edges.push_back(from_pair(
            schedule, d, timing.age_in(all.pairs.flow(block))[use.in] + timing.cycle[d.second], true));
    }
    if (std::find(range.successors.begin(), range.successors.end(), block) != range.successors.end())
        add_carried_loads(schedule, range, timing, timing.total[block], graph.edges);
    return graph;
}

std::vector<Dependence> dependences_of(const Schedule& schedule, InstrId id) {
    const KernelDependences& all = dependences_for(schedule.kernel());
    const ScheduleTiming timing = all.pairs.timing(schedule);
    std::vector<Dependence> result;
    for (const RegDependence& d : all.pairs.local())
        if ((d.first == id || d.second == id) && !is_virtual(d.reg))
            result.push_back(from_pair(schedule, d, timing.cycle[d.second] - timing.cycle[d.first], false));
    const FlowGraph& flow = schedule.kernel()->flow();
    for (BlockId b = 0; b < flow.blocks.size(); ++b)
        for (const CrossUse& use : all.pairs.flow(b).uses) {
            const RegDependence& d = use.dependence;
            if (use.in == kNone || d.first == kNone || d.second == kNone || is_virtual(d.reg)) continue;
            if (d.first != id && d.second != id) continue;
            const bool carried = schedule.kernel()->block_of(d.first) == b;
            result.push_back(from_pair(
                schedule, d, timing.age_in(all.pairs.flow(b))[use.in] + timing.cycle[d.second], carried));
        }
    const Block& block = flow.blocks[schedule.kernel()->block_of(id)];
    std::vector<Dependence> order;
    add_order_edges(all, block, timing, order);
    for (const Dependence& d : order)
        if (d.from == id || d.to == id) result.push_back(d);
    return result;
}

std::vector<Dependence> dependences_across_blocks(const Schedule& schedule) {
    const KernelDependences& all = dependences_for(schedule.kernel());
    const ScheduleTiming timing = all.pairs.timing(schedule);
    std::vector<Dependence> result;
    const Kernel& kernel = *schedule.kernel();
    for (BlockId b = 0; b < kernel.flow().blocks.size(); ++b)
        for (const CrossUse& use : all.pairs.flow(b).uses) {
            const RegDependence& d = use.dependence;
            if (use.in == kNone || d.first == kNone || d.second == kNone || is_virtual(d.reg)) continue;
            if (kernel.block_of(d.first) == kernel.block_of(d.second)) continue;
            result.push_back(from_pair(
                schedule, d, timing.age_in(all.pairs.flow(b))[use.in] + timing.cycle[d.second], false));
        }
    return result;
}

}  // namespace cubinlab
