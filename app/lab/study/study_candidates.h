// SPDX-License-Identifier: GPL-3.0-or-later
// Makes candidates for studies of the measurement, like those of a search: legal schedules with a few raised
// stall counts, all different.
#pragma once
#include <random>
#include <span>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "core/gpu/protocol/protocol.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab {

class StudyCandidates {
  public:
    static Result<StudyCandidates> create(const KernelPtr& kernel);
    std::vector<WireImage> batch(std::size_t count);
    // Instructions to raise by one cycle each, one after the other, every step legal: over the blocks of the
    // innermost loops (of the whole kernel, where there is no loop), spread evenly, again and again until
    // nothing can be raised. Each prefix makes a kernel no faster than the one before.
    std::vector<InstrId> padding(std::size_t most = 4000) const;
    Schedule padded(std::span<const InstrId> raised) const;
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
