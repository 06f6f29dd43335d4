// SPDX-License-Identifier: GPL-3.0-or-later
// Working time of a run, computed from its steps. A run has one part for each time it was started or resumed;
// the clock (StepRecord::time_us) restarts at 0 in each part, and the times of the parts are added. In a part
// that was killed the time after the last logged step is unknown and not counted.
#pragma once
#include <cstdint>

namespace cubinlab {

class WorkTime {
  public:
    // Adds the next step in the order of the log. True: its clock is lower than the one before, so a new part begins.
    // A part that is shorter than the time to the first step of the next part is counted as one part with it.
    bool add(std::int64_t time_us) {
        const bool begins = time_us < part_us_;
        if (begins) begin_part();
        part_us_ = time_us;
        ++part_steps_;
        return begins;
    }
    // The next step begins a new part, whatever its clock says.
    void begin_part() {
        before_us_ += part_us_;
        part_us_ = 0;
        part_steps_ = 0;
    }

    double seconds() const { return 1e-6 * static_cast<double>(before_us_ + part_us_); }
    double part_seconds() const { return 1e-6 * static_cast<double>(part_us_); }  // of the newest part
    std::uint64_t part_steps() const { return part_steps_; }

  private:
    std::int64_t before_us_ = 0, part_us_ = 0;
    std::uint64_t part_steps_ = 0;
};

}  // namespace cubinlab
