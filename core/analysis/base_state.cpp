// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/base_state.h"

#include <array>
#include <cstring>

namespace cubinlab {

static_assert(sizeof(ControlCode) == 6, "compared as bytes: no padding");

bool BaseState::matches(const HazardChecker::Impl& impl, const Schedule& schedule) const {
    return serial == impl.serial && order.size() == schedule.size() &&
           std::memcmp(order.data(), schedule.order().data(), order.size() * sizeof(InstrId)) == 0 &&
           std::memcmp(controls.data(), schedule.controls().data(), controls.size() * sizeof(ControlCode)) ==
               0;
}

void BaseState::save(const ScoreboardState& state) {
    words_begin.push_back(words.size());
    for (const ScoreboardWord& word : state)
        if (word.pending() != 0) words.push_back(word);
}

void BaseState::build(const HazardChecker::Impl& impl, const Schedule& schedule) {
    serial = impl.serial;
    order = schedule.order();
    controls = schedule.controls();
    timing = impl.pairs.timing(schedule);
    entries = impl.scoreboards.entry_states(schedule);
    const std::vector<Block>& blocks = impl.kernel->flow().blocks;
    words.clear();
    words_begin.clear();
    checkpoint_begin.clear();
    ScoreboardState state;
    for (BlockId b = 0; b < blocks.size(); ++b) {
        checkpoint_begin.push_back(words_begin.size());
        state = entries[b];
        for (Position p = blocks[b].first; p < blocks[b].end(); ++p) {
            if ((p - blocks[b].first) % kStride == 0) save(state);
            impl.scoreboards.advance(state, schedule.at(p), schedule.control(schedule.at(p)));
        }
        save(state);
    }
    checkpoint_begin.push_back(words_begin.size());
    words_begin.push_back(words.size());
}

const BaseState& BaseState::of(const HazardChecker::Impl& impl, const Schedule& schedule) {
    thread_local std::array<BaseState, 4> cache;
    thread_local std::uint64_t clock = 0;
    BaseState* oldest = &cache[0];
    for (BaseState& state : cache) {
        if (state.matches(impl, schedule)) {
            state.last_use = ++clock;
            return state;
        }
        if (state.last_use < oldest->last_use) oldest = &state;
    }
    oldest->build(impl, schedule);
    oldest->last_use = ++clock;
    return *oldest;
}

}  // namespace cubinlab
