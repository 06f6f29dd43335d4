// SPDX-License-Identifier: GPL-3.0-or-later
// The microseconds of a candidate in each phase, from a worker's phase times before and after many.
#pragma once
#include "core/gpu/protocol/bench_types.h"

namespace cubinlab {

struct PhaseShare {
    double load_us = 0, check_us = 0, timing_us = 0, unload_us = 0;
    double protocol_us = 0;  // reading the request, making the images, answering
    double rest_us = 0;      // making the request here, waiting for the pipe
};

// What a worker did between two of its answers.
inline void add_phases(PhaseTimes& into, const PhaseTimes& before, const PhaseTimes& after) {
    into.load += after.load - before.load;
    into.check += after.check - before.check;
    into.timing += after.timing - before.timing;
    into.unload += after.unload - before.unload;
    into.protocol += after.protocol - before.protocol;
}

// `seconds`: what the candidates took in all.
inline PhaseShare share_of(const PhaseTimes& spent, double seconds, double candidates) {
    const double all = spent.load + spent.check + spent.timing + spent.unload + spent.protocol;
    const double scale = 1e6 / candidates;
    return {spent.load * scale,   spent.check * scale,    spent.timing * scale,
            spent.unload * scale, spent.protocol * scale, (seconds - all) * scale};
}

}  // namespace cubinlab
