// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cubinlab {

// How many samples a comparison takes. 0: the number that the effort prescribes.
struct Sampling {
    int pairs = 0;  // per load
    int loads = 0;  // fresh module loads, for Effort::Refine; no early stop
    // Instead of `pairs`, not for Effort::Confirm: use the sample plan that was calibrated to the kernel's
    // noise.
    bool by_noise = false;
    friend bool operator==(const Sampling&, const Sampling&) = default;
};

}  // namespace cubinlab
