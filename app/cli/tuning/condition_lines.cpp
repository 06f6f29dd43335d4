// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/condition_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace cubinlab::cli {

std::vector<std::string> condition_lines(const Comparison& c) {
    std::vector<std::string> out;
    double clock_low = 1e9, clock_high = -1, heat = -1, power = -1;
    for (const GpuReading& reading : c.outcome.states) {
        if (reading.sm_clock_mhz < 0) continue;
        clock_low = std::min<double>(clock_low, reading.sm_clock_mhz);
        clock_high = std::max<double>(clock_high, reading.sm_clock_mhz);
        heat = std::max<double>(heat, reading.temperature_c);
        power = std::max<double>(power, reading.power_w);
    }
    if (clock_high >= 0)
        out.push_back(fmt::format("SM clock {:.0f} to {:.0f} MHz, at most {:.0f} C and {:.0f} W", clock_low,
                                  clock_high, heat, power));
    if (c.outcome.throttled_blocks > 0)
        out.push_back(fmt::format("{} loads discarded because the GPU was throttled, and repeated",
                                  c.outcome.throttled_blocks));
    const EnergyComparison& e = c.energy;
    if (e.windows > 0)
        out.push_back(fmt::format(
            "energy A {:.3f} mJ, B {:.3f} mJ a launch: B needs {}, "
            "{:.0f} and {:.0f} W",
            e.a_mj, e.b_mj, percent_text(-Speedup{e.log_ratio, e.low, e.high}), e.a_watts, e.b_watts));
    if (std::string warning = machine_warning(c.machine); !warning.empty())
        out.push_back("WARNING: " + warning);
    return out;
}

}  // namespace cubinlab::cli
