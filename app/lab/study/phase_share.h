// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of a candidate goes, microseconds each, from what a worker says of its phases before and after many.
#pragma once
#include "core/measure/bench_types.h"

namespace cubinlab {

struct PhaseShare {
    double load_us = 0, check_us = 0, timing_us = 0, unload_us = 0;
    double protocol_us = 0;  // reading the request, making the images, answering
    double rest_us = 0;      // making the request here, waiting for the pipe
};

// For the sums of several stretches.
inline void add_phases(PhaseTimes& into, const PhaseTimes& more) {
    into.load += more.load;
    into.check += more.check;
    into.timing += more.timing;
    into.unload += more.unload;
    into.protocol += more.protocol;
}

// `seconds`: what the candidates between the two took in all.
inline PhaseShare phases_between(const PhaseTimes& before, const PhaseTimes& after, double seconds,
                                 double candidates) {
    const double scale = 1e6 / candidates;
    PhaseShare out{(after.load - before.load) * scale,         (after.check - before.check) * scale,
                   (after.timing - before.timing) * scale,     (after.unload - before.unload) * scale,
                   (after.protocol - before.protocol) * scale, seconds * scale};
    out.rest_us -= out.load_us + out.check_us + out.timing_us + out.unload_us + out.protocol_us;
    return out;
}

}  // namespace cubinlab
