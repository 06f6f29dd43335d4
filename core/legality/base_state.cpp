// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/base_state.h"

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

bool same(ScoreboardSpan a, ScoreboardSpan b) {
    return std::ranges::equal(a, b);
}

}  // namespace

void BaseState::Saved::add(const ScoreboardState& state) {
    for (const ScoreboardWord& word : state) {
        if (word.pending() == 0) continue;
        words.push_back(word);
        for (std::uint64_t& row : words.back().rows)
            row &= word.pending();
    }
    begin.push_back(words.size());
}

BaseState::Saved BaseState::Saved::of(const ScoreboardState& state) {
    Saved out;
    out.add(state);
    return out;
}

void BaseState::Saved::add_first(const Saved& other, std::size_t count) {
    words.assign(other.words.begin(), other.words.begin() + static_cast<std::ptrdiff_t>(other.begin[count]));
    begin.assign(other.begin.begin(), other.begin.begin() + static_cast<std::ptrdiff_t>(count + 1));
}

void BaseState::Saved::add_rest(const Saved& other, std::size_t first) {
    const std::size_t from = other.begin[first], here = words.size();
    words.insert(words.end(), other.words.begin() + static_cast<std::ptrdiff_t>(from), other.words.end());
    for (std::size_t i = first + 1; i < other.begin.size(); ++i)
        begin.push_back(other.begin[i] - from + here);
}

bool BaseState::matches(const HazardChecker::Impl& impl, const Schedule& schedule) const {
    return serial_ == impl.serial && order_.size() == schedule.size() &&
           same_bytes(order_, schedule.order(), 0, order_.size()) &&
           same_bytes(controls_, schedule.controls(), 0, controls_.size());
}

std::optional<BaseState::Window> BaseState::difference(const HazardChecker::Impl& impl,
                                                       const Schedule& schedule) const {
    if (serial_ != impl.serial || order_.size() != schedule.size()) return std::nullopt;
    std::optional<Window> found;
    const std::vector<Block>& blocks = impl.kernel->flow().blocks;
    for (BlockId b = 0; b < blocks.size(); ++b) {
        const std::size_t size = blocks[b].end() - blocks[b].first;
        if (same_bytes(order_, schedule.order(), blocks[b].first, size) &&
            same_bytes(controls_, schedule.controls(), blocks[b].first, size))
            continue;
        if (found) return std::nullopt;
        found = {b, blocks[b].end(), blocks[b].first};
        for (Position p = blocks[b].first; p < blocks[b].end(); ++p) {
            const InstrId id = schedule.at(p);
            if (order_[p] == id && controls_[id] == schedule.control(id)) continue;
            found->low = std::min(found->low, p);
            found->high = p;
        }
    }
    return found;
}

BaseState::SavedPtr BaseState::save(const ScoreboardProof& proof, const Schedule& schedule, BlockId block,
                                    ScoreboardState state) {
    auto out = std::make_shared<Saved>();
    const Block& range = schedule.kernel()->flow().blocks[block];
    for (Position p = range.first; p < range.end(); ++p) {
        if ((p - range.first) % kStride == 0) out->add(state);
        proof.advance(state, schedule.at(p), schedule.control(schedule.at(p)));
    }
    out->add(state);
    return out;
}

BaseState::SavedPtr BaseState::save_incrementally(const ScoreboardProof& proof, const Schedule& schedule,
                                                  const Window& window, const Saved& old) {
    auto out = std::make_shared<Saved>();
    out->words.reserve(old.words.size());
    out->begin.reserve(old.begin.size());
    const Block& range = schedule.kernel()->flow().blocks[window.block];
    const Position kept = (window.low - range.first) / kStride;
    out->add_first(old, kept + 1);
    const ScoreboardSpan from = old.at(kept);
    ScoreboardState state(from.begin(), from.end());
    for (Position p = range.first + kept * kStride; p < range.end(); ++p) {
        const Position at = (p - range.first) / kStride;
        if ((p - range.first) % kStride == 0 && at > kept) {
            out->add(state);
            if (p > window.high && same(out->at(at), old.at(at))) {
                out->add_rest(old, at + 1);
                return out;
            }
        }
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
    const std::size_t blocks = impl.kernel->flow().blocks.size();
    for (std::size_t which = 0; which < impl.proofs(); ++which) {
        auto fixpoint = std::make_shared<Fixpoint>();
        fixpoint->entries = impl.proof(which).entry_states(schedule, SIZE_MAX, &fixpoint->runs);
        fixpoint->last.resize(blocks);
        for (BlockId b = 0; b < blocks; ++b)
            fixpoint->last[b] = b;
        for (std::size_t run = 0; run < fixpoint->runs.size(); ++run)
            fixpoint->last[fixpoint->runs[run].block] = run;
        Open open;
        open.saved.resize(std::max(blocks, fixpoint->runs.size()));
        for (BlockId b = 0; b < blocks; ++b)
            open.saved[fixpoint->last[b]] = save(impl.proof(which), schedule, b, fixpoint->entries[b]);
        open.fixpoint = std::move(fixpoint);
        out.open_.push_back(std::move(open));
    }
    return out;
}

bool BaseState::derive(const ScoreboardProof& proof, const Schedule& schedule, const Window& window,
                       Open& open) {
    const std::vector<ScoreboardProof::BlockRun>& runs = open.fixpoint->runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].block != window.block) continue;
        const SavedPtr old = open.saved[i];
        open.saved[i] = old ? save_incrementally(proof, schedule, window, *old)
                            : save(proof, schedule, window.block, runs[i].before);
        if (!same(open.saved[i]->last(), old ? old->last() : Saved::of(runs[i].after).last())) return false;
    }
    return !runs.empty();
}

std::optional<BaseState> BaseState::derived(const HazardChecker::Impl& impl, const Schedule& schedule,
                                            const BaseState& from) {
    const std::optional<Window> window = from.difference(impl, schedule);
    if (!window) return std::nullopt;
    std::vector<Open> open = from.open_;
    for (std::size_t which = 0; which < open.size(); ++which)
        if (!derive(impl.proof(which), schedule, *window, open[which])) return std::nullopt;
    BaseState out;
    out.serial_ = from.serial_;
    out.order_ = schedule.order();
    out.controls_ = schedule.controls();
    out.timing_ = impl.pairs.timing(schedule, window->block, from.timing_);
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
