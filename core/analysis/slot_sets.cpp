// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/slot_sets.h"

#include <algorithm>
#include <utility>

#include "core/analysis/base_state.h"

namespace cubinlab {

SlotSets::SlotSets(CheckerPtr checker, Schedule legal)
    : checker_(std::move(checker)), schedule_(std::move(legal)), answers_(schedule_.size()) {
    take_edges(edges_);
}

void SlotSets::take_edges(std::vector<Edge>& edges) const {
    const HazardChecker::Impl& impl = checker_->internals();
    const BaseState& state = BaseState::of(impl, schedule_);
    const std::size_t blocks = impl.kernel->flow().blocks.size();
    edges.resize(blocks);
    for (BlockId b = 0; b < blocks; ++b) {
        const std::span<const int> ages = state.timing().age_in(impl.pairs.flow(b));
        edges[b].ages.assign(ages.begin(), ages.end());
        edges[b].open.clear();
        for (std::size_t which = 0; which < impl.proofs(); ++which)
            edges[b].open.push_back(state.entry(b, which));
    }
}

const SlotRange& SlotSets::slots(InstrId id) {
    Answer& answer = answers_[id];
    if (!answer.slots_known) {
        const std::uint64_t before = HazardChecker::Impl::whole_proofs();
        answer.slots = checker_->slots(schedule_, id);
        answer.needs_all = answer.needs_all || HazardChecker::Impl::whole_proofs() != before;
        answer.slots_known = true;
        ++computed_;
    }
    return answer.slots;
}

const std::vector<ControlCode>& SlotSets::control_edits(InstrId id) {
    Answer& answer = answers_[id];
    if (!answer.controls_known) {
        const std::uint64_t before = HazardChecker::Impl::whole_proofs();
        answer.controls = checker_->control_edits(schedule_, id);
        answer.needs_all = answer.needs_all || HazardChecker::Impl::whole_proofs() != before;
        answer.controls_known = true;
        ++computed_;
    }
    return answer.controls;
}

bool SlotSets::apply(const Mutation& mutation) {
    if (!checker_->allows(schedule_, mutation)) return false;
    const Schedule before = schedule_;
    if (!mutation.apply(schedule_)) return false;
    forget(before);
    return true;
}

void SlotSets::reset(const Schedule& legal) {
    const Schedule before = std::exchange(schedule_, legal);
    forget(before);
}

void SlotSets::forget(const Schedule& before) {
    const std::vector<Block>& blocks = schedule_.kernel()->flow().blocks;
    std::vector<Edge> edges;
    take_edges(edges);
    std::vector<bool> changed(blocks.size(), false);
    for (BlockId b = 0; b < blocks.size(); ++b) {
        changed[b] = edges[b].ages != edges_[b].ages || edges[b].open != edges_[b].open;
        for (Position p = blocks[b].first; p < blocks[b].end() && !changed[b]; ++p)
            changed[b] = schedule_.at(p) != before.at(p) ||
                         !(schedule_.control(schedule_.at(p)) == before.control(before.at(p)));
    }
    edges_ = std::move(edges);
    const std::vector<bool> stale = reach_of(std::move(changed));
    reached_ = 0;
    for (InstrId id = 0; id < answers_.size(); ++id) {
        Answer& answer = answers_[id];
        if (!stale[schedule_.kernel()->block_of(id)] && !answer.needs_all) continue;
        answer.slots_known = answer.controls_known = answer.needs_all = false;
        ++reached_;
    }
}

// An answer looks over its block's edges: at the tails of the blocks before and the heads of those after,
// and on through short blocks as far as a distance may still be short.
std::vector<bool> SlotSets::reach_of(std::vector<bool> changed) const {
    const HazardChecker::Impl& impl = checker_->internals();
    const std::vector<Block>& blocks = impl.kernel->flow().blocks;
    std::vector<bool> stale = changed;
    for (BlockId b = 0; b < blocks.size(); ++b) {
        if (!changed[b]) continue;
        for (const BlockId next : blocks[b].successors)
            stale[next] = true;
        // Everything from where this block's head can be met: the fewest cycles on the way decide.
        std::vector<int> left(blocks.size(), -1);
        std::vector<std::pair<BlockId, int>> work{{b, impl.pairs.longest_need()}};
        while (!work.empty()) {
            const auto [at, reach] = work.back();
            work.pop_back();
            for (const BlockId from : blocks[at].predecessors) {
                stale[from] = true;
                // One cycle an instruction at least, whatever the schedule.
                const auto cycles = static_cast<int>(blocks[from].count);
                if (reach - cycles <= left[from]) continue;
                left[from] = reach - cycles;
                if (left[from] > 0) work.push_back({from, left[from]});
            }
        }
    }
    return stale;
}

}  // namespace cubinlab
