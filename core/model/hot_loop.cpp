// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/hot_loop.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/schedule/control_flow.h"
#include "core/schedule/flow_graph.h"

namespace cubinlab {
namespace {

constexpr int kTrips = 16;

class LoopFinder {
  public:
    LoopFinder(const Kernel& kernel, int trips, const std::vector<int>& trips_of)
        : kernel_(kernel), blocks_(kernel.flow().blocks), trips_(std::max(trips, 2)), trips_of_(trips_of) {
        find_predecessors();
        reached_ = reachable_blocks(kernel_.flow());
    }

    LoopNest loops() {
        find_bodies();
        for (CodeLoop& loop : loops_)
            measure(loop);
        nest();
        find_innermost();
        spread_flow();
        for (CodeLoop& loop : loops_)
            for (const BlockId b : loop.blocks)
                loop.slots += flow_[b] * passes_[b] * slots_of(b);
        LoopNest nest;
        for (BlockId b = 0; b < blocks_.size(); ++b)
            if (reached_[b] && !innermost_[b]) nest.outside += flow_[b] * blocks_[b].count;
        nest.loops = std::move(loops_);
        return nest;
    }

    const std::vector<bool>& reached() const { return reached_; }

  private:
    const Instruction& last_of(BlockId b) const { return kernel_.instruction(blocks_[b].end() - 1); }

    // An asynchronous matrix instruction stands for the cycles that it keeps the tensor core.
    double slots_of(BlockId b) const {
        constexpr int kTensorSlots = 32;
        double slots = blocks_[b].count;
        for (Position at = blocks_[b].first; at < blocks_[b].end(); ++at)
            if (kernel_.instruction(at).unit == Unit::Gmma) slots += kTensorSlots - 1;
        return slots;
    }

    // A call comes back to the word after it, which the flow graph leaves open.
    void find_predecessors() {
        predecessors_.resize(blocks_.size());
        successors_.resize(blocks_.size());
        for (BlockId b = 0; b < blocks_.size(); ++b) {
            predecessors_[b] = blocks_[b].predecessors;
            successors_[b] = blocks_[b].successors;
        }
        for (BlockId b = 0; b + 1 < blocks_.size(); ++b)
            if (blocks_[b].count > 0 && flow_kind(last_of(b)) == FlowKind::Call) {
                predecessors_[b + 1].push_back(b);
                successors_[b].push_back(b + 1);
            }
    }

    void find_bodies() {
        std::map<BlockId, std::vector<BlockId>> latches;
        for (const auto& [latch, header] : kernel_.flow().back_edges)
            if (reached_[latch] && reached_[header]) latches[header].push_back(latch);
        for (auto& [header, open] : latches) {
            CodeLoop loop;
            loop.header = header;
            std::vector<bool> in(blocks_.size(), false);
            in[header] = true;
            while (!open.empty()) {
                const BlockId b = open.back();
                open.pop_back();
                if (in[b] || !reached_[b]) continue;
                in[b] = true;
                open.insert(open.end(), predecessors_[b].begin(), predecessors_[b].end());
            }
            for (BlockId b = 0; b < blocks_.size(); ++b)
                if (in[b]) loop.blocks.push_back(b);
            loops_.push_back(std::move(loop));
        }
    }

    // A loop that waits reads a flag, a lock or an mbarrier and computes nothing; one that swaps until it
    // succeeds is as good as one that waits.
    void measure(CodeLoop& loop) {
        bool asks = false, works = false, stores = false, swaps = false;
        for (const BlockId b : loop.blocks) {
            loop.instructions += blocks_[b].count;
            for (Position at = blocks_[b].first; at < blocks_[b].end(); ++at) {
                const Instruction& i = kernel_.instruction(at);
                const std::string_view name = i.mnemonic;
                asks = asks || name == "SYNCS" || name == "NANOSLEEP" || (i.memory.atomic && returns(i)) ||
                       (i.memory.reads && i.memory.strong && !i.memory.atomic);
                swaps = swaps || is_swap(i);
                works = works || does_work(i);
                stores =
                    stores || (i.memory.writes && !i.memory.reads && !i.memory.atomic && !i.memory.strong);
            }
        }
        loop.only_waits = loop.instructions < 2 || (asks && !works && !stores);
        loop.only_fills = stores && !works && !asks;
        swaps_.push_back(swaps);
    }

    static bool is_swap(const Instruction& i) {
        const unsigned base = i.opcode & 0x1ff;
        return i.memory.atomic && (base == 0x18b || base == 0x1a9 || base == 0x18d);  // ATOM ATOMG ATOMS .CAS
    }

    static bool does_work(const Instruction& i) {
        constexpr UnitSet kWork(Unit::Fp16, Unit::H2Mma, Unit::Fp64, Unit::Gmma, Unit::Xu, Unit::Tex);
        if (kWork.has(i.unit) || kMmaUnits.has(i.unit)) return true;
        switch (i.unit) {
            case Unit::Fma:
            case Unit::FmaWide:
                return std::string_view(i.mnemonic).starts_with('F');
            case Unit::AsyncGroup:
                return std::string_view(i.mnemonic).starts_with('U');  // UBLKCP, UTMALDG ...
            case Unit::Mio:
            case Unit::Lsu:
                return i.memory.atomic ? !returns(i) : i.memory.reads && !i.memory.strong;
            default:
                return false;
        }
    }

    // An atomic that gives the old value back may be a lock; one that does not counts or adds up.
    static bool returns(const Instruction& i) {
        for (const Operand& operand : i.operands)
            if (operand.write && operand.file == RegFile::Gpr) return true;
        return false;
    }

    void nest() {
        const auto holds = [](const CodeLoop& outer, const CodeLoop& inner) {
            return &outer != &inner && outer.blocks.size() > inner.blocks.size() &&
                   std::binary_search(outer.blocks.begin(), outer.blocks.end(), inner.header);
        };
        for (std::size_t i = 0; i < loops_.size(); ++i) {
            bool inner_swaps = false;
            for (std::size_t k = 0; k < loops_.size(); ++k)
                inner_swaps = inner_swaps || (swaps_[k] && holds(loops_[i], loops_[k]));
            if (swaps_[i] && !inner_swaps) loops_[i].only_waits = true;
        }
        for (CodeLoop& loop : loops_) {
            for (const CodeLoop& other : loops_) {
                if (holds(other, loop)) ++loop.depth;
                if (holds(loop, other) && other.works()) loop.innermost = false;
            }
        }
    }

    // 0 where they are not known.
    int known_trips(const CodeLoop& loop) const {
        return loop.header < trips_of_.size() ? trips_of_[loop.header] : 0;
    }
    double trips_of(const CodeLoop& loop) const {
        const int known = known_trips(loop);
        return known != 0 ? std::max(known, 0) : loop.only_waits ? 1 : trips_;
    }

    // By block: its innermost loop, and how many passes its loops make together.
    void find_innermost() {
        innermost_.assign(blocks_.size(), nullptr);
        passes_.assign(blocks_.size(), 1);
        for (const CodeLoop& loop : loops_)
            for (const BlockId b : loop.blocks) {
                passes_[b] *= trips_of(loop);
                if (!innermost_[b] || loop.blocks.size() < innermost_[b]->blocks.size())
                    innermost_[b] = &loop;
            }
    }

    // How often a block is reached for each time that its loops are gone through: forward edges alone, from
    // the entry, in an order in which every block comes after those that lead to it.
    void spread_flow() {
        flow_.assign(blocks_.size(), 0);
        if (!blocks_.empty()) flow_[0] = 1;
        for (const BlockId b : forward_order()) {
            // What is reached from places that are not known, a function or a jump table's case.
            if (flow_[b] == 0) flow_[b] = 0.5;
            std::vector<BlockId> stay, leave;
            const CodeLoop* loop = innermost_[b];
            for (const BlockId to : successors_[b]) {
                if (is_back_edge(b, to)) continue;
                const bool inside = !loop || std::binary_search(loop->blocks.begin(), loop->blocks.end(), to);
                (inside ? stay : leave).push_back(to);
            }
            const int trips = loop && known_trips(*loop) > 0 ? std::max(known_trips(*loop), 2) : trips_;
            const double out = leave.empty() ? 0 : stay.empty() ? 1 : 1.0 / trips;
            for (const BlockId to : stay)
                flow_[to] += flow_[b] * (1 - out) / static_cast<double>(stay.size());
            for (const BlockId to : leave)
                flow_[to] += flow_[b] * out / static_cast<double>(leave.size());
        }
        for (double& flow : flow_)
            flow = std::min(flow, 1.0);
    }

    bool is_back_edge(BlockId from, BlockId to) const {
        const auto& back = kernel_.flow().back_edges;
        return std::find(back.begin(), back.end(), std::make_pair(from, to)) != back.end();
    }

    std::vector<BlockId> forward_order() const {
        std::vector<BlockId> order;
        std::vector<char> seen(blocks_.size(), 0);
        std::vector<std::pair<BlockId, std::size_t>> path;
        for (BlockId root = static_cast<BlockId>(blocks_.size()); root-- > 0;) {
            // Entries last, so that they come first once the order is turned round.
            if (!reached_[root] || seen[root] || (root != 0 && !blocks_[root].unknown_predecessors)) continue;
            seen[root] = 1;
            path.push_back({root, 0});
            while (!path.empty()) {
                const BlockId b = path.back().first;
                if (path.back().second < successors_[b].size()) {
                    const BlockId to = successors_[b][path.back().second++];
                    if (!seen[to] && !is_back_edge(b, to)) {
                        seen[to] = 1;
                        path.push_back({to, 0});
                    }
                } else {
                    order.push_back(b);
                    path.pop_back();
                }
            }
        }
        std::reverse(order.begin(), order.end());
        return order;
    }

    const Kernel& kernel_;
    const std::vector<Block>& blocks_;
    int trips_;
    const std::vector<int>& trips_of_;
    std::vector<std::vector<BlockId>> predecessors_, successors_;
    std::vector<bool> reached_;
    std::vector<CodeLoop> loops_;
    std::vector<bool> swaps_;  // by loop: holds a compare-and-swap
    std::vector<const CodeLoop*> innermost_;
    std::vector<double> passes_, flow_;
};

}  // namespace

LoopNest loops_of(const Kernel& kernel, int trips, const std::vector<int>& trips_of) {
    return LoopFinder(kernel, trips, trips_of).loops();
}

const CodeLoop* LoopNest::hot() const {
    const CodeLoop* found = nullptr;
    for (const CodeLoop& loop : loops)
        if (loop.innermost && loop.works() && loop.slots > (found ? found->slots : 0)) found = &loop;
    if (found) return found;
    for (const CodeLoop& loop : loops)
        if (loop.only_fills && loop.slots > outside && (!found || loop.slots > found->slots)) found = &loop;
    return found;
}

BlockId hot_block(const Kernel& kernel, const std::vector<int>& trips_of) {
    const std::vector<Block>& blocks = kernel.flow().blocks;
    const LoopNest nest = loops_of(kernel, kTrips, trips_of);
    std::vector<BlockId> among;
    if (const CodeLoop* loop = nest.hot()) {
        among = loop->blocks;
    } else {
        const LoopFinder finder(kernel, kTrips, trips_of);
        for (BlockId b = 0; b < blocks.size(); ++b)
            if (finder.reached()[b]) among.push_back(b);
    }
    const auto largest = std::max_element(
        among.begin(), among.end(), [&](BlockId a, BlockId b) { return blocks[a].count < blocks[b].count; });
    return largest == among.end() ? 0 : *largest;
}

}  // namespace cubinlab
