// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/base_state.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace cubinlab {

static_assert(sizeof(ControlCode) == 6, "compared as bytes: no padding");

namespace {

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b, std::size_t first, std::size_t count) {
    return std::memcmp(a.data() + first, b.data() + first, count * sizeof(T)) == 0;
}

// Whatever comes behind cannot tell the two apart.
bool same(ScoreboardSpan a, ScoreboardSpan b) {
    return at_most(a, b) && at_most(b, a);
}

}  // namespace

void BaseState::Saved::add(const ScoreboardState& state) {
    for (const ScoreboardWord& word : state)
        if (word.pending() != 0) words.push_back(word);
    begin.push_back(words.size());
}

bool BaseState::matches(const HazardChecker::Impl& impl, const Schedule& schedule) const {
    return serial_ == impl.serial && order_.size() == schedule.size() &&
           same_bytes(order_, schedule.order(), 0, order_.size()) &&
           same_bytes(controls_, schedule.controls(), 0, controls_.size());
}

std::optional<BlockId> BaseState::only_difference(const HazardChecker::Impl& impl,
                                                  const Schedule& schedule) const {
    if (serial_ != impl.serial || order_.size() != schedule.size()) return std::nullopt;
    std::optional<BlockId> found;
    const std::vector<Block>& blocks = impl.kernel->flow().blocks;
    for (BlockId b = 0; b < blocks.size(); ++b) {
        const std::size_t size = blocks[b].end() - blocks[b].first;
        if (same_bytes(order_, schedule.order(), blocks[b].first, size) &&
            same_bytes(controls_, schedule.controls(), blocks[b].first, size))
            continue;
        if (found) return std::nullopt;
        found = b;
    }
    return found;
}

std::shared_ptr<const BaseState::Saved> BaseState::save(const ScoreboardProof& proof,
                                                        const Schedule& schedule, BlockId block,
                                                        ScoreboardState state) {
    auto out = std::make_shared<Saved>();
    out->begin.push_back(0);
    const Block& range = schedule.kernel()->flow().blocks[block];
    for (Position p = range.first; p < range.end(); ++p) {
        if ((p - range.first) % kStride == 0) out->add(state);
        proof.advance(state, schedule.at(p), schedule.control(schedule.at(p)));
    }
    out->add(state);
    return out;
}

BaseState BaseState::built(const HazardChecker::Impl& impl, const Schedule& schedule) {
    BaseState out;
    out.serial_ = impl.serial;
    out.order_ = schedule.order();
    out.controls_ = schedule.controls();
    out.timing_ = impl.pairs.timing(schedule);
    for (std::size_t which = 0; which < impl.proofs(); ++which) {
        auto fixpoint = std::make_shared<Fixpoint>();
        fixpoint->entries = impl.proof(which).entry_states(schedule, SIZE_MAX, &fixpoint->runs);
        Open open;
        for (BlockId b = 0; b < impl.kernel->flow().blocks.size(); ++b)
            open.saved.push_back(save(impl.proof(which), schedule, b, fixpoint->entries[b]));
        open.fixpoint = std::move(fixpoint);
        out.open_.push_back(std::move(open));
    }
    return out;
}

bool BaseState::derive(const ScoreboardProof& proof, const Schedule& schedule, BlockId block, Open& open) {
    std::shared_ptr<const Saved> saved;
    for (const ScoreboardProof::BlockRun& run : open.fixpoint->runs) {
        if (run.block != block) continue;
        saved = save(proof, schedule, block, run.before);
        if (!same(saved->last(), run.after)) return false;
    }
    if (!saved) return false;
    open.saved[block] = std::move(saved);  // of the last run, which began with the entry
    return true;
}

std::optional<BaseState> BaseState::derived(const HazardChecker::Impl& impl, const Schedule& schedule,
                                            const BaseState& from) {
    const std::optional<BlockId> block = from.only_difference(impl, schedule);
    if (!block) return std::nullopt;
    std::vector<Open> open = from.open_;
    for (std::size_t which = 0; which < open.size(); ++which)
        if (!derive(impl.proof(which), schedule, *block, open[which])) return std::nullopt;
    BaseState out;
    out.serial_ = from.serial_;
    out.order_ = schedule.order();
    out.controls_ = schedule.controls();
    out.timing_ = impl.pairs.timing(schedule);
    out.open_ = std::move(open);
    return out;
}

const BaseState& BaseState::of(const HazardChecker::Impl& impl, const Schedule& schedule) {
    thread_local std::array<BaseState, 4> cache;
    thread_local std::uint64_t clock = 0;
    std::array<BaseState*, 4> by_use{};
    for (std::size_t i = 0; i < cache.size(); ++i) {
        if (cache[i].matches(impl, schedule)) {
            cache[i].last_use_ = ++clock;
            return cache[i];
        }
        by_use[i] = &cache[i];
    }
    std::ranges::sort(by_use, std::greater{}, &BaseState::last_use_);
    std::optional<BaseState> made;
    for (std::size_t i = 0; i < by_use.size() && !made; ++i)
        made = derived(impl, schedule, *by_use[i]);
    BaseState& oldest = *by_use.back();
    oldest = made ? std::move(*made) : built(impl, schedule);
    oldest.last_use_ = ++clock;
    return oldest;
}

}  // namespace cubinlab
