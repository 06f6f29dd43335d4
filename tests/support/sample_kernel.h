// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel of a sample, by its name: "bmm_mma" is samples/bmm_mma.cubin.
#pragma once
#include <string>

#include "core/schedule/kernel.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

inline KernelPtr kernel_of_sample(const std::string& name) {
    auto cubin = required(Cubin::open(std::string(CUBINLAB_SAMPLES) + "/" + name + ".cubin"));
    auto kernel = required(Kernel::load(*cubin));
    return *kernel;
}

}  // namespace cubinlab::test
