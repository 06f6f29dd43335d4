// SPDX-License-Identifier: GPL-3.0-or-later
// One launch as the program requested it, with any of the driver's launch functions.
#pragma once
#include "app/inject/driver.h"

namespace cubinlab::inject {

struct LoadedKernel;

struct Launch {
    Handle function = nullptr;
    LaunchConfig config;                     // a copy
    const LaunchConfig* original = nullptr;  // the program's, with cuLaunchKernelEx
    void** params = nullptr;
    void** extra = nullptr;
    bool cooperative = false;
    bool per_thread = false;  // the default stream is the thread's own
    // The driver's launch, with another function instead.
    Code (*start)(const Launch&, Handle) = nullptr;
};

// A second load starts with default attributes: copies those that the program gave `function`, a handle of the kernel.
void match_attributes(const LoadedKernel& kernel, Handle function, Handle other);

}  // namespace cubinlab::inject
