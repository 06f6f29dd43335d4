// SPDX-License-Identifier: GPL-3.0-or-later
// Random walks of legal mutations of every kind, from the original. Walk number i of a seed is always the
// same, so a fuzz run can be resumed or split over processes, and a failure repeated. Half of the edits go to
// the edge of what is legal (the lowest stall, the last slot), where a hole in the rules would show.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/search/moves/rng.h"

namespace cubinlab {

struct Walk {
    std::uint64_t index = 0;
    Schedule schedule;
    std::vector<Mutation> mutations;  // each legal on the schedule before it
};

class WalkMaker {
  public:
    WalkMaker(CheckerPtr checker, std::uint64_t seed, int longest = 50);

    Walk make(std::uint64_t index) const;
    // A random cache hint on each load, store and copy that the checker allows it for, drawn from all that the field can
    // hold; some settings leave most accesses as they are.
    Walk make_hints(std::uint64_t index) const;
    // The schedule after the first `count` mutations of a walk.
    Schedule prefix(const Walk& walk, std::size_t count) const;
    // One legal mutation of a random kind; nothing where the draw found none.
    std::optional<Mutation> draw(const Schedule& schedule, Rng& rng) const;

  private:
    using Draw = std::optional<Mutation> (WalkMaker::*)(const Schedule&, Rng&) const;
    std::optional<Mutation> move(const Schedule& schedule, Rng& rng) const;
    std::optional<Mutation> move_and_pay(const Schedule& schedule, Rng& rng) const;
    std::optional<Mutation> stall(const Schedule& schedule, Rng& rng) const;
    std::optional<Mutation> yield(const Schedule& schedule, Rng& rng) const;
    std::optional<Mutation> reuse(const Schedule& schedule, Rng& rng) const;
    std::optional<Mutation> wait(const Schedule& schedule, Rng& rng) const;
    std::optional<Mutation> barrier(const Schedule& schedule, Rng& rng) const;
    std::optional<Mutation> reassign(const Schedule& schedule, Rng& rng) const;
    std::optional<Mutation> wait_elsewhere(const Schedule& schedule, Rng& rng) const;
    std::optional<Mutation> if_legal(const Schedule& schedule, std::optional<Mutation> mutation) const;
    InstrId any(Rng& rng) const;

    CheckerPtr checker_;
    std::uint64_t seed_;
    int longest_;
    std::vector<InstrId> setters_;  // carry a barrier in the original
    std::vector<InstrId> waiters_;  // wait in the original
};

// "move" -> number, over a walk's mutations.
void count_kinds(const Walk& walk, std::map<std::string, std::uint64_t>& counts);

}  // namespace cubinlab
