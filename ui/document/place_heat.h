// SPDX-License-Identifier: GPL-3.0-or-later
// The effect of moving one instruction to each of its legal positions, with the evaluator that found it.
// Shown as a heat strip next to the listing.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "core/result/evaluator.h"

namespace cubinlab::ui {

struct PlaceHeat {
    InstrId instr = kNone;
    std::shared_ptr<const Schedule> schedule;    // the base of all outcomes
    EvaluatorInfo evaluator;                     // of all outcomes
    Position first = 0;                          // of the block
    std::vector<std::optional<Outcome>> places;  // by position - first; empty: illegal or not evaluated yet
    std::vector<bool> legal;                     // by position - first
    std::size_t wanted = 0;                      // positions to evaluate, without the current one
    std::size_t done = 0;
    bool running = false;

    const Outcome* at(Position p) const {
        if (p < first || p - first >= places.size() || !places[p - first]) return nullptr;
        return &*places[p - first];
    }
    bool legal_at(Position p) const { return p >= first && p - first < legal.size() && legal[p - first]; }
    // Evaluated positions with a wrong result, a fault or a hang.
    std::vector<Position> failed() const {
        std::vector<Position> found;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (places[i] && !places[i]->ok()) found.push_back(first + static_cast<Position>(i));
        return found;
    }
    // Largest absolute log speed-up, for the colour scale.
    double strongest() const {
        double most = 0;
        for (const auto& outcome : places)
            if (outcome && outcome->ok()) most = std::max(most, std::abs(outcome->speedup.log));
        return most;
    }
    // The position with the highest log speed-up above 0; empty: none is better.
    std::optional<Position> best() const {
        std::optional<Position> found;
        double most = 0;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (places[i] && places[i]->ok() && places[i]->speedup.log > most) {
                most = places[i]->speedup.log;
                found = first + static_cast<Position>(i);
            }
        return found;
    }
};

using HeatPtr = std::shared_ptr<const PlaceHeat>;

}  // namespace cubinlab::ui
