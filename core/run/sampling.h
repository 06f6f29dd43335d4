// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cubinlab {

// How a comparison samples, where its effort alone does not say it. What is decided by its figures is the
// caller's affair; 0: as the effort says.
struct Sampling {
    int pairs = 0;  // of each load
    int loads = 0;  // fresh ones, with Effort::Promote: all of them, whatever the first ones show
    // Not with Confirm, instead of `pairs`: as many, and as long, as the kernel's noise asks for on the GPU at hand.
    bool by_noise = false;
    // With Screen: no more pairs than `by_noise` would take, where its samples are of a screening's own length. A kernel of
    // a millisecond whose launches hardly differ is screened in half the time.
    bool sparing = false;
    friend bool operator==(const Sampling&, const Sampling&) = default;
};

}  // namespace cubinlab
