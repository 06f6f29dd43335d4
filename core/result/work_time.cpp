// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/work_time.h"

namespace cubinlab {

void WorkTime::begin_part() {
    before_us_ += part_us_;
    part_us_ = 0;
    part_steps_ = 0;
}

bool WorkTime::add(std::int64_t time_us) {
    const bool begins = time_us < part_us_;
    if (begins) begin_part();
    part_us_ = time_us;
    ++part_steps_;
    return begins;
}

}  // namespace cubinlab
