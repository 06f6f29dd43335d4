// SPDX-License-Identifier: GPL-3.0-or-later
// A climb that accepts clear gains alone (core/search/agents/climb_searcher.cpp) and works on its own schedule next to the methods
// of a race. Decides when it has a turn: the first turn lasts while it pays; later turns add up to a fixed part of all
// measurements, while its best is not far behind.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/search/agents/sub_searcher.h"

namespace cubinlab {

class IndependentClimb {
  public:
    explicit IndependentClimb(const SearchContext& context) : context_(context) {}

    bool begun() const { return climb_ != nullptr; }
    bool has_turn() const { return has_turn_; }
    SubSearcher& climb() const { return *climb_; }  // begun

    // Begins its first turn, from the run's start if `from` is null. `number` seeds it.
    void begin(std::uint64_t number, const SearchPoint* from = nullptr);
    // Begins a later turn of `least` to `most` measurements if it had less than its part of `measured` and its best is not
    // far below `best` (log speed-up). False: it has no turn.
    bool take_turn(std::size_t measured, double best, std::size_t least, std::size_t most);
    void end_turn() { has_turn_ = false; }

    void observed(std::size_t measurements);  // by climb(), in this turn; may end it

  private:
    bool first_turn_continues();

    SearchContext context_;
    std::unique_ptr<SubSearcher> climb_;
    std::uint64_t measured_ = 0, left_ = 0;  // in all its turns; left in this one
    double mark_ = 0;                        // its estimate when its first turn was last prolonged
    bool has_turn_ = false, first_ = true;
};

}  // namespace cubinlab
