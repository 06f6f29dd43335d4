// SPDX-License-Identifier: GPL-3.0-or-later
// The starts that were measured, the best first, and how new ones are drawn from them. A key is redrawn for one to thirty
// units; a second parent may give the keys of a range of units. Figures are noisy, so a start is measured again before
// many children build on it, and starts are ranked by shrunken estimates.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/schedule/kernel.h"
#include "core/search/moves/rng.h"
#include "core/search/starts/start_estimate.h"
#include "core/search/starts/start_supply.h"

namespace cubinlab {

// A start, and where it comes from.
struct BredStart {
    Start start;
    StepId parent = 0;  // the step of the start that it was changed from; 0: of none
};

struct MeasuredStart {
    Start start;
    KernelPtr kernel;
    StepId parent = 0;  // BredStart
    StepId step = 0;
    StartEstimate figure = {};
};

class StartPopulation {
  public:
    static constexpr std::size_t kMost = 24;

    StartPopulation(StartSpace space, std::uint64_t seed) : space_(std::move(space)), rng_(seed) {}

    void add(MeasuredStart start);
    // Another measurement of the start of a step, which leaves the population if that failed. Nothing if it is not there any
    // more.
    void measured_again(StepId step, const Outcome& outcome);
    const std::vector<MeasuredStart>& best_first() const { return entries_; }

    // A random order for a random compiler, preferring compilers that did well as they are.
    Start fresh();
    // Keys: whether some keys are redrawn and another compiler may be taken. With a small population the child is fresh() or a
    // compiler without keys.
    enum class Keys : std::uint8_t { Redrawn, Kept };
    BredStart child(Keys keys = Keys::Redrawn);
    // Log speed-up of the start that it was derived from: the parent, or else its compiler without keys; 0: not known.
    double estimate_of(const BredStart& bred) const;

  private:
    const Start& compiler();
    std::size_t compiler_of(const Start& start) const;  // in the space; its size: none
    void redraw(Start& start, std::size_t count);
    void sort();

    StartSpace space_;
    Rng rng_;
    std::vector<MeasuredStart> entries_;
    std::vector<double> as_compiled_;  // best estimate of each compiler's starts without keys
};

}  // namespace cubinlab
