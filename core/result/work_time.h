// SPDX-License-Identifier: GPL-3.0-or-later
// How long a run has worked, from its steps alone. A run that goes on, after a stop or a kill, is a further part
// of itself whose clock (StepRecord::time_us) begins anew: the parts add up. Of a part that was killed the time
// after its last logged step is not known, and left out.
#pragma once
#include <cstdint>

namespace cubinlab {

class WorkTime {
  public:
    // The next step, in the order of the log. True: its clock fell, so a part begins with it. A part before it
    // that was shorter than what it took to its own first step is taken for one with it.
    bool add(std::int64_t time_us);
    // What follows is of a further part, whatever its clock says.
    void begin_part();

    double seconds() const { return 1e-6 * static_cast<double>(before_us_ + part_us_); }
    double part_seconds() const { return 1e-6 * static_cast<double>(part_us_); }  // of the newest part
    std::uint64_t part_steps() const { return part_steps_; }

  private:
    std::int64_t before_us_ = 0, part_us_ = 0;
    std::uint64_t part_steps_ = 0;
};

}  // namespace cubinlab
