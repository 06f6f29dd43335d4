// SPDX-License-Identifier: GPL-3.0-or-later
// Rehearses an agent without a GPU: a whole run on a simulated one (simulated_gpu.h), in virtual time that
// includes the agent's own time, during which a GPU waits. It reports the true gain of the claimed schedule,
// by the model without noise, and the time that the GPU would wait. The order of agents is as reliable as the
// model; the waiting time is that of this machine.
#pragma once
#include <cstdint>
#include <stop_token>
#include <string>

#include "core/search/engine/tune_run.h"

namespace cubinlab {

struct RehearsalSettings {
    double seconds = 30;     // virtual
    std::size_t batch = 16;  // proposals in flight: those of one GPU (batch_for)
};

struct Rehearsal {
    std::uint64_t tested = 0;   // candidates, repeats included
    double truth = 0;           // of the claimed schedule against the start: exact log speed-up on the model
    double claimed = 0;         // what the run says of it, log speed-up
    double measured_s = 0;      // virtual seconds of measuring
    double waited_s = 0;        // seconds of this core between one batch and the next
    double longest_wait_s = 0;  // of one batch
    double ahead_s = 0;         // seconds of this core beside the measuring: nobody waits for them
    std::string end;            // of the run (RunSummary::end_text)
};

// `searcher` was made with `context`, whose seed is the noise's too. Errors: those of a run.
Result<Rehearsal> rehearse(const SearchContext& context, std::unique_ptr<Searcher> searcher,
                           const RehearsalSettings& settings, const std::stop_token& stop);

}  // namespace cubinlab
