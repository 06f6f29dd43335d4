// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/base_state.h"

#include <algorithm>
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

void BaseState::build(const HazardChecker::Impl& impl, const Schedule& schedule) {
    serial = impl.serial;
    order = schedule.order();
    controls = schedule.controls();
    timing = impl.pairs.timing(schedule);
    entries = impl.scoreboards.entry_states(schedule);
    state_words = impl.scoreboards.state_words();
    const std::vector<Block>& blocks = impl.kernel->flow().blocks;
    checkpoints.clear();
    checkpoint_begin.clear();
    exits.resize(blocks.size() * state_words);
    ScoreboardState state;
    for (BlockId b = 0; b < blocks.size(); ++b) {
        checkpoint_begin.push_back(checkpoints.size() / state_words);
        state = entries[b];
        for (Position p = blocks[b].first; p < blocks[b].end(); ++p) {
            if ((p - blocks[b].first) % kStride == 0)
                checkpoints.insert(checkpoints.end(), state.begin(), state.end());
            impl.scoreboards.step(state.data(), schedule.at(p), schedule.control(schedule.at(p)));
        }
        std::copy(state.begin(), state.end(), exits.begin() + static_cast<std::ptrdiff_t>(b * state_words));
    }
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
