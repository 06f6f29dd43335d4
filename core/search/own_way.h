// SPDX-License-Identifier: GPL-3.0-or-later
// A climb by clear gains alone (core/search/climb_searcher.cpp) that goes its own way beside the methods of a race, and when
// it has a turn: first one that goes on while it pays, later ones of a part of all that is measured, for as long as it is not
// far behind.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/search/arm.h"

namespace cubinlab {

class OwnWay {
  public:
    explicit OwnWay(const SearchContext& context) : context_(context) {}

    bool begun() const { return climb_ != nullptr; }
    bool has_turn() const { return has_turn_; }
    const Standing& here() const { return climb_->here(); }  // begun

    // Its first turn. `number` seeds it.
    void begin(std::uint64_t number);
    // A later one, of `least` to `most` measurements, where less than its part of `measured` was its and its best is not far
    // below `best` (log speed-up). False: it has none.
    bool take_turn(std::size_t measured, double best, std::size_t least, std::size_t most);
    void end_turn() { has_turn_ = false; }

    std::vector<Proposal> propose(std::size_t n) { return climb_->propose(n); }
    void look_ahead(std::size_t n) { climb_->look_ahead(n); }
    ObserveResult observe(const std::vector<Observation>& observations);  // may end the turn
    void believe(StepId step, double log_speedup) {
        if (climb_) climb_->believe(step, log_speedup);
    }

  private:
    bool first_goes_on();

    SearchContext context_;
    std::unique_ptr<Arm> climb_;
    std::uint64_t measured_ = 0, left_ = 0;  // of all its turns; of this one
    double mark_ = 0;                        // where it stood when its first turn last went on
    bool has_turn_ = false, first_ = true;
};

}  // namespace cubinlab
