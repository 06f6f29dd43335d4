// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates for studies of the measurement, as a search makes them: legal schedules in which a few stall
// counts are raised, no two alike.
#pragma once
#include <random>
#include <vector>

#include "core/analysis/hazard_checker.h"
#include "core/measure/protocol.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab {

class StudyCandidates {
  public:
    static Result<StudyCandidates> create(const KernelPtr& kernel);
    std::vector<WireImage> batch(std::size_t count);
    // Up to `edits` stall counts inside loops (anywhere, where there is no loop) raised by one.
    Schedule padded(std::size_t edits);
    std::vector<std::byte> image(const Schedule& schedule) const { return writer_.image(schedule); }

  private:
    StudyCandidates(KernelPtr kernel, CheckerPtr checker, CubinWriter writer)
        : kernel_(std::move(kernel)), checker_(std::move(checker)), writer_(std::move(writer)) {}
    bool raise(Schedule& schedule, InstrId id) const;
    WireImage wire(const Schedule& schedule) const;
    KernelPtr kernel_;
    CheckerPtr checker_;
    CubinWriter writer_;
    std::mt19937_64 random_{1};
};

}  // namespace cubinlab
