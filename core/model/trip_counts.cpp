// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/trip_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/model/hot_loop.h"
#include "core/model/scalar_code.h"
#include "core/schedule/control_flow.h"

namespace cubinlab {
namespace {

// Blocks' instructions, some ten nanoseconds each.
constexpr std::size_t kMostWork = 600'000, kMostWorkOfAnEnd = 200'000;
constexpr std::size_t kMostLoops = 1000;
constexpr int kMostRounds = 6;  // until all that may change is taken as not known
constexpr const char* kTooMany = "more passes than are looked at";

struct Tally {
    std::uint64_t entries = 0, passes = 0, least = ~0ull, most = 0;
    bool unknown = false;
    InstrId branch = kNone;
    const char* why = "";
};

// What is known on the way into a block: of several ways, what they agree on.
struct Inflow {
    bool reached = false;
    ScalarState state;

    // False: nothing new.
    bool join(const ScalarState& other, Origin where_different) {
        if (!reached) {
            reached = true;
            state = other;
            return true;
        }
        bool changed = false;
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (state[i] == other[i] || !state[i].known()) continue;
            state[i] = {0, other[i].known() ? where_different : other[i].from};
            changed = true;
        }
        return changed;
    }
};

struct Exit {
    BlockId to = 0;
    ScalarState state;
};

// A branch whose condition is not known.
struct OpenBranch {
    InstrId instr = kNone;
    Origin from = Origin::Known;
    bool leaves = false;  // one of its ways is out of the loop
};

class TripCounter {
  public:
    TripCounter(const Kernel& kernel, const std::vector<CodeLoop>& loops, const LaunchValues& launch,
                std::optional<ThreadPlace> place, std::size_t work)
        : kernel_(kernel), flow_(kernel.flow()), code_(kernel, launch, place), left_(work) {
        order_blocks();
        regions_.resize(loops.size() + 1);
        for (std::size_t i = 0; i < loops.size(); ++i)
            regions_[i].blocks = loops[i].blocks;
        for (BlockId b = 0; b < flow_.blocks.size(); ++b)
            regions_.back().blocks.push_back(b);
        for (std::size_t i = 0; i < regions_.size(); ++i)
            prepare(i, loops);
        tallies_.resize(loops.size());
    }

    std::vector<Tally> run() {
        Region& all = regions_.back();
        for (BlockId b = 0; b < flow_.blocks.size(); ++b)
            if (all.place(b) != kNone64 && (b == 0 || starts_unknown_[b]))
                all.in[all.place(b)].join(code_.unknown(Origin::Other), Origin::Paths);
        PassResult ignored;
        walk(regions_.size() - 1, ignored);
        return tallies_;
    }

  private:
    struct Region {
        BlockId header = 0;
        std::vector<BlockId> blocks;      // in the order of the walk, each behind those that lead to it
        BlockId lowest = 0;               // block
        std::vector<std::size_t> index;   // by block, from the lowest: its place in `blocks`
        std::vector<std::size_t> inner;   // by place: the loop that begins here, kNoLoop for none
        std::vector<Inflow> in;           // by place
        std::vector<std::size_t> inside;  // loops in this one

        std::size_t place(BlockId b) const {
            return b < lowest || b - lowest >= index.size() ? kNone64 : index[b - lowest];
        }
    };
    static constexpr std::size_t kNone64 = ~std::size_t{0}, kNoLoop = kNone64;
    struct PassResult {
        Inflow again;  // at the header, for the next pass
        std::vector<Exit> exits;
        std::vector<OpenBranch> open;
        bool at_header = false;  // it was left from its first block
    };

    const Instruction& last_of(BlockId b) const { return kernel_.instruction(flow_.blocks[b].end() - 1); }

    // Reverse postorder over everything but back edges, a call going on behind itself.
    void order_blocks() {
        const auto count = flow_.blocks.size();
        next_.resize(count);
        place_.assign(count, 0);
        starts_unknown_.assign(count, false);
        for (BlockId b = 0; b < count; ++b) {
            const bool call = flow_.blocks[b].count > 0 && flow_kind(last_of(b)) == FlowKind::Call;
            next_[b] = flow_.blocks[b].successors;
            if (call) next_[b].clear();
            if (call && b + 1 < count) next_[b].push_back(b + 1);
        }
        for (BlockId b = 0; b < count; ++b) {
            const bool behind_call =
                b > 0 && flow_.blocks[b - 1].count > 0 && flow_kind(last_of(b - 1)) == FlowKind::Call;
            starts_unknown_[b] = flow_.blocks[b].unknown_predecessors && !behind_call && b != 0;
        }
        std::vector<BlockId> post;
        std::vector<char> seen(count, 0);
        std::vector<std::pair<BlockId, std::size_t>> path;
        for (BlockId root = static_cast<BlockId>(count); root-- > 0;) {
            if (seen[root] || (root != 0 && !starts_unknown_[root])) continue;
            seen[root] = 1;
            path.push_back({root, 0});
            while (!path.empty()) {
                const BlockId b = path.back().first;
                if (path.back().second == next_[b].size()) {
                    post.push_back(b);
                    path.pop_back();
                    continue;
                }
                const BlockId to = next_[b][path.back().second++];
                if (seen[to]) continue;
                seen[to] = 1;
                path.push_back({to, 0});
            }
        }
        for (std::size_t i = 0; i < post.size(); ++i)
            place_[post[i]] = post.size() - i;
        // An edge against the order that closes no natural loop: what comes over it is not known when its target is looked at.
        for (BlockId b = 0; b < count; ++b)
            for (const BlockId to : next_[b])
                if (place_[b] != 0 && place_[to] <= place_[b] && !is_back_edge(b, to))
                    starts_unknown_[to] = true;
    }

    bool is_back_edge(BlockId from, BlockId to) const {
        return std::find(flow_.back_edges.begin(), flow_.back_edges.end(), std::make_pair(from, to)) !=
               flow_.back_edges.end();
    }

    void prepare(std::size_t of, const std::vector<CodeLoop>& loops) {
        Region& region = regions_[of];
        const bool loop = of < loops.size();
        region.header = loop ? loops[of].header : 0;
        std::erase_if(region.blocks, [&](BlockId b) { return place_[b] == 0; });
        std::sort(region.blocks.begin(), region.blocks.end(), [&](BlockId a, BlockId b) {
            // The header first, also where the flow graph has several ways in.
            return loop && (a == region.header || b == region.header)
                       ? a == region.header && b != region.header
                       : place_[a] < place_[b];
        });
        if (!region.blocks.empty()) {
            const auto [low, high] = std::minmax_element(region.blocks.begin(), region.blocks.end());
            region.lowest = *low;
            region.index.assign(*high - *low + 1, kNone64);
        }
        for (std::size_t i = 0; i < region.blocks.size(); ++i)
            region.index[region.blocks[i] - region.lowest] = i;
        region.in.resize(region.blocks.size());
        region.inner.assign(region.blocks.size(), kNoLoop);
        for (std::size_t k = 0; k < loops.size(); ++k) {
            if (k == of || region.place(loops[k].header) == kNone64) continue;
            if (loop &&
                (loops[k].header == region.header || loops[k].blocks.size() >= loops[of].blocks.size()))
                continue;
            region.inside.push_back(k);
            std::size_t& here = region.inner[region.place(loops[k].header)];
            if (here == kNoLoop || loops[k].blocks.size() > loops[here].blocks.size()) here = k;
        }
    }

    // Once through a region from what its blocks have flowing in; leaves nothing flowing in.
    void walk(std::size_t of, PassResult& out) {
        for (std::size_t i = 0; i < regions_[of].blocks.size(); ++i) {
            Inflow& in = regions_[of].in[i];
            if (!in.reached) continue;
            in.reached = false;
            const BlockId b = regions_[of].blocks[i];
            if (const std::size_t inner = regions_[of].inner[i]; inner != kNoLoop) {
                for (Exit& exit : run_loop(inner, in.state))
                    flow_to(of, exit.to, exit.state, b, out);
                continue;
            }
            ScalarState& state = in.state;
            code_.run(b, state);
            left_ -= std::min(left_, code_.work_of(b));
            leave(of, b, state, out);
        }
    }

    void flow_to(std::size_t of, BlockId to, const ScalarState& state, BlockId from, PassResult& out) {
        Region& region = regions_[of];
        const bool loop = of + 1 < regions_.size();
        if (loop && to == region.header) {
            out.again.join(state, Origin::Paths);
            return;
        }
        const std::size_t at = region.place(to);
        if (at == kNone64) {
            out.at_header = out.at_header || (loop && from == region.header && region.blocks.size() > 1);
            out.exits.push_back({to, state});
        } else if (at > region.place(from)) {
            region.in[at].join(state, Origin::Paths);
        } else {  // against the order, and not to the header: nobody knows when it ends
            out.open.push_back({flow_.blocks[from].end() - 1, Origin::Paths, true});
        }
    }

    void leave(std::size_t of, BlockId b, ScalarState& state, PassResult& out) {
        if (flow_.blocks[b].count == 0) return;
        const InstrId last = flow_.blocks[b].end() - 1;
        const FlowKind kind = flow_kind(kernel_.instruction(last));
        if (kind == FlowKind::Call) code_.clobber(b, state);
        const Scalar taken = code_.condition(b, state);
        const bool decides = kind == FlowKind::Branch || kind == FlowKind::Exit;
        if (decides && !taken.known()) {
            OpenBranch open{last, taken.from, kind == FlowKind::Exit};
            for (const BlockId to : next_[b])
                open.leaves = open.leaves || regions_[of].place(to) == kNone64;
            out.open.push_back(open);
        }
        for (const BlockId to : next_[b]) {
            if (decides && taken.known() && next_[b].size() > 1) {
                const auto target =
                    static_cast<std::size_t>(kernel_.instruction(last).branch_target) / kWordBytes;
                const bool is_target = kind == FlowKind::Branch && flow_.block_of[target] == to;
                if (kind == FlowKind::Branch && is_target != (taken.bits != 0)) continue;
            }
            if (kind == FlowKind::Exit && taken.known() && taken.bits != 0) continue;
            flow_to(of, to, state, b, out);
        }
    }

    // All passes of a loop from what is known at its door, or, where that does not tell how many there are, what holds in any
    // pass. What flows out of it.
    std::vector<Exit> run_loop(std::size_t loop, ScalarState state) {
        Region& region = regions_[loop];
        const std::vector<Tally> before = tallies_of(region.inside);
        std::uint64_t passes = 0;
        const ScalarState entered = state;
        OpenBranch cause;
        while (left_ > 0) {
            PassResult pass;
            region.in[0].reached = true;
            region.in[0].state = state;
            walk(loop, pass);
            ++passes;
            if (pass.again.reached && (!pass.exits.empty() || leaves_open(pass))) {
                cause = cause_of(pass);
                break;
            }
            if (!pass.again.reached) {
                count(loop, pass.at_header && !pass.exits.empty() ? passes - 1 : passes);
                return std::move(pass.exits);
            }
            if (pass.again.state == state) {  // and so on for ever
                cause = pass.open.empty() ? OpenBranch{kNone, Origin::Other, true} : pass.open.front();
                break;
            }
            std::swap(state, pass.again.state);
        }
        restore(region.inside, before);
        Tally& tally = tallies_[loop];
        tally.unknown = true;
        tally.branch = cause.instr;
        tally.why = left_ == 0 && cause.from == Origin::Known ? kTooMany : to_string(cause.from);
        return any_pass(loop, entered);
    }

    // A thread that may end in the loop makes its count unknown as well.
    static bool leaves_open(const PassResult& pass) {
        return std::any_of(pass.open.begin(), pass.open.end(), [](const OpenBranch& b) { return b.leaves; });
    }
    static OpenBranch cause_of(const PassResult& pass) {
        for (const OpenBranch& b : pass.open)
            if (b.leaves) return b;
        return pass.open.empty() ? OpenBranch{kNone, Origin::Other, true} : pass.open.front();
    }

    std::vector<Exit> any_pass(std::size_t loop, const ScalarState& entered) {
        Region& region = regions_[loop];
        const std::vector<Tally> before = tallies_of(region.inside);
        Inflow door;
        door.join(entered, Origin::Pass);
        for (int round = 0;; ++round) {
            if (round == kMostRounds) door.join(code_.unknown(Origin::Pass), Origin::Pass);
            restore(region.inside, before);
            PassResult pass;
            region.in[0].reached = true;
            region.in[0].state = door.state;
            walk(loop, pass);
            if (!pass.again.reached || !door.join(pass.again.state, Origin::Pass))
                return std::move(pass.exits);
        }
    }

    std::vector<Tally> tallies_of(const std::vector<std::size_t>& loops) const {
        std::vector<Tally> out;
        for (const std::size_t loop : loops)
            out.push_back(tallies_[loop]);
        return out;
    }
    void restore(const std::vector<std::size_t>& loops, const std::vector<Tally>& tallies) {
        for (std::size_t i = 0; i < loops.size(); ++i)
            tallies_[loops[i]] = tallies[i];
    }
    void count(std::size_t loop, std::uint64_t passes) {
        Tally& tally = tallies_[loop];
        ++tally.entries;
        tally.passes += passes;
        tally.least = std::min(tally.least, passes);
        tally.most = std::max(tally.most, passes);
    }

    const Kernel& kernel_;
    const FlowGraph& flow_;
    ScalarCode code_;
    std::size_t left_;
    std::vector<std::vector<BlockId>> next_;
    std::vector<std::size_t> place_;  // in the order, from 1; 0: never reached
    std::vector<bool> starts_unknown_;
    std::vector<Region> regions_;  // of each loop, and of the whole kernel
    std::vector<Tally> tallies_;   // by loop
};

TripCount count_of(const CodeLoop& loop, const Tally& tally) {
    TripCount out;
    out.header = loop.header;
    out.known = !tally.unknown;
    out.branch = tally.branch;
    out.why = tally.why;
    if (!out.known || tally.entries == 0) return out;
    out.least = tally.least;
    out.most = tally.most;
    out.trips = static_cast<double>(tally.passes) / static_cast<double>(tally.entries);
    return out;
}

bool depends_on_place(const TripCount& count) {
    return !count.known && count.why != kTooMany && count.why != to_string(Origin::Memory) &&
           count.why != to_string(Origin::Launch);
}

// The first and the last thread, of the first and the last block.
std::vector<ThreadPlace> ends_of(const LaunchValues& launch) {
    const auto last = [](const std::array<std::uint32_t, 3>& size) {
        return std::array<std::uint32_t, 3>{size[0] - 1, size[1] - 1, size[2] - 1};
    };
    std::vector<ThreadPlace> out;
    for (const std::uint32_t axis :
         {launch.block[0], launch.block[1], launch.block[2], launch.grid[0], launch.grid[1], launch.grid[2]})
        if (axis == 0) return out;
    const std::array<std::uint32_t, 3> first{};
    for (const auto& block : {first, last(launch.grid)})
        for (const auto& thread : {first, last(launch.block)})
            out.push_back({thread, block});
    return out;
}

void agree_at_the_ends(const Kernel& kernel, const LaunchValues& launch, const std::vector<CodeLoop>& loops,
                       std::vector<TripCount>& counts) {
    std::vector<std::vector<Tally>> seen;
    for (const ThreadPlace& place : ends_of(launch))
        seen.push_back(TripCounter(kernel, loops, launch, place, kMostWorkOfAnEnd).run());
    if (seen.empty()) return;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (counts[i].known) continue;
        const TripCount first = count_of(loops[i], seen.front()[i]);
        const bool same = std::all_of(seen.begin(), seen.end(), [&](const std::vector<Tally>& tallies) {
            const TripCount other = count_of(loops[i], tallies[i]);
            return other.known && other.trips == first.trips && other.least == first.least &&
                   other.most == first.most;
        });
        if (!same) continue;
        counts[i] = first;
        counts[i].of_ends = true;
    }
}

}  // namespace

std::vector<TripCount> trip_counts(const Kernel& kernel, const LaunchValues& launch) {
    const std::vector<CodeLoop> loops = loops_of(kernel, 16).loops;
    std::vector<TripCount> out;
    if (loops.empty() || loops.size() > kMostLoops) return out;
    const std::vector<Tally> tallies = TripCounter(kernel, loops, launch, {}, kMostWork).run();
    for (std::size_t i = 0; i < loops.size(); ++i)
        out.push_back(count_of(loops[i], tallies[i]));
    if (std::any_of(out.begin(), out.end(), depends_on_place)) agree_at_the_ends(kernel, launch, loops, out);
    return out;
}

std::vector<int> trips_by_header(const Kernel& kernel, std::span<const TripCount> counts) {
    std::vector<int> out(kernel.flow().blocks.size(), 0);
    for (const TripCount& count : counts)
        if (count.known)
            out[count.header] =
                count.trips < 0.5 ? kNeverEntered : static_cast<int>(std::lround(std::min(count.trips, 1e9)));
    return out;
}

std::string text_of(const Kernel& kernel, const TripCount& count, int assumed) {
    if (!count.known) {
        const std::string branch = count.branch == kNone
                                       ? "its end"
                                       : fmt::format("{} 0x{:04x}", kernel.instruction(count.branch).mnemonic,
                                                     count.branch * kWordBytes);
        return count.why == kTooMany
                   ? fmt::format("{} passes assumed: {}", assumed, count.why)
                   : fmt::format("{} passes assumed: {} depends on {}", assumed, branch, count.why);
    }
    if (count.most == 0) return "makes no pass";
    const std::string ends = count.of_ends ? " (first and last thread of the first and last block)" : "";
    if (count.least == count.most)
        return fmt::format("{} pass{}{}", count.most, count.most == 1 ? "" : "es", ends);
    return fmt::format("{} to {} passes, {:.1f} on average{}", count.least, count.most, count.trips, ends);
}

}  // namespace cubinlab
