// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/trip_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/model/hot_loop.h"
#include "core/model/loop_values.h"
#include "core/schedule/control_flow.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostLoops = 1000;
constexpr std::uint64_t kMostPasses = 10'000;
constexpr const char* kTooMany = "more than 10,000 iterations";

class LoopExits {
  public:
    LoopExits(const Kernel& kernel, const CodeLoop& loop) : kernel_(kernel), loop_(loop) {
        for (const BlockId b : loop.blocks)
            if (leaves(b)) exits_.push_back({b, last_of(b), in_every_pass(b)});
    }

    TripCount count(const LaunchValues& launch) const {
        TripCount out;
        out.header = loop_.header;
        LoopValues values(kernel_, loop_, launch);
        for (std::uint64_t pass = 1; pass <= kMostPasses && !exits_.empty(); ++pass) {
            for (const Exit& exit : exits_) {
                LoopValue left = values.taken(exit.branch);
                if (left.known() && !leaves_if_taken(exit.branch)) left.bits ^= 1u;
                if (left.known() && left.bits == 0) continue;
                if (left.known() && !exit.in_every_pass) left = {0, ValueSource::Paths};
                out.branch = exit.branch;
                out.why = to_string(left.from);
                out.known = left.known();
                // Left from its first block: that is no pass, unless it is all of the loop.
                if (out.known)
                    out.passes = exit.block == loop_.header && loop_.blocks.size() > 1 ? pass - 1 : pass;
                return out;
            }
            values.next_pass();
        }
        out.why = exits_.empty() ? to_string(ValueSource::Other) : kTooMany;
        return out;
    }

  private:
    struct Exit {
        BlockId block = 0;
        InstrId branch = 0;
        bool in_every_pass = true;
    };

    InstrId last_of(BlockId b) const { return kernel_.flow().blocks[b].end() - 1; }
    bool inside(BlockId b) const { return std::binary_search(loop_.blocks.begin(), loop_.blocks.end(), b); }
    bool leaves(BlockId b) const {
        const Block& block = kernel_.flow().blocks[b];
        return block.count > 0 && (flow_kind(kernel_.instruction(last_of(b))) == FlowKind::Exit ||
                                   std::any_of(block.successors.begin(), block.successors.end(),
                                               [&](BlockId to) { return !inside(to); }));
    }
    bool leaves_if_taken(InstrId branch) const {
        const Instruction& i = kernel_.instruction(branch);
        if (flow_kind(i) != FlowKind::Branch) return true;
        return !inside(kernel_.flow().block_of[static_cast<std::size_t>(i.branch_target) / kWordBytes]);
    }
    // No way around the block from the header back to the header.
    bool in_every_pass(BlockId around) const {
        if (around == loop_.header) return true;
        std::vector<BlockId> open{loop_.header}, seen{loop_.header};
        while (!open.empty()) {
            const BlockId b = open.back();
            open.pop_back();
            for (const BlockId to : kernel_.flow().blocks[b].successors) {
                if (to == loop_.header) return false;
                if (to == around || !inside(to) || std::find(seen.begin(), seen.end(), to) != seen.end())
                    continue;
                seen.push_back(to);
                open.push_back(to);
            }
        }
        return true;
    }

    const Kernel& kernel_;
    const CodeLoop& loop_;
    std::vector<Exit> exits_;
};

}  // namespace

std::vector<TripCount> trip_counts(const Kernel& kernel, const LaunchValues& launch) {
    const std::vector<CodeLoop> loops = loops_of(kernel, 16).loops;
    std::vector<TripCount> out;
    if (loops.size() > kMostLoops) return out;
    for (const CodeLoop& loop : loops)
        out.push_back(LoopExits(kernel, loop).count(launch));
    return out;
}

std::vector<int> trips_by_header(const Kernel& kernel, std::span<const TripCount> counts) {
    std::vector<int> out(kernel.flow().blocks.size(), 0);
    for (const TripCount& count : counts)
        if (count.known)
            out[count.header] = count.passes == 0 ? kNeverEntered : static_cast<int>(count.passes);
    return out;
}

std::string text_of(const Kernel& kernel, const TripCount& count, int assumed) {
    if (!count.known) {
        if (count.branch == kNone) return fmt::format("assuming {} iterations: {}", assumed, count.why);
        return fmt::format("assuming {} iterations: {} 0x{:04x} depends on {}", assumed,
                           kernel.instruction(count.branch).mnemonic, count.branch * kWordBytes, count.why);
    }
    if (count.passes == 0) return "no iteration";
    return fmt::format("{} iteration{}", count.passes, count.passes == 1 ? "" : "s");
}

}  // namespace cubinlab
