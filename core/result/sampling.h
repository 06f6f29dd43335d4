// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cubinlab {

// How a comparison samples, where its effort alone does not say it. What is decided by its figures is the
// caller's affair; 0: as the effort says.
struct Sampling {
    int pairs = 0;  // of each load
    int loads = 0;  // fresh ones, with Effort::Refine: all of them, whatever the first ones show
    // Not with Confirm, instead of `pairs`: as many, and as long, as the kernel's noise asks for on the GPU at hand.
    bool by_noise = false;
    friend bool operator==(const Sampling&, const Sampling&) = default;
};

}  // namespace cubinlab
