// SPDX-License-Identifier: GPL-3.0-or-later
// The checker of a sample kernel, which knows the kernel: checker->kernel().
#pragma once
#include <string>

#include "core/analysis/hazard_checker.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

inline CheckerPtr checker_of_sample(const std::string& name) {
    auto cubin = Cubin::open(std::string(CUBINLAB_SAMPLES) + "/" + name + ".cubin");
    REQUIRE(cubin);
    auto kernel = Kernel::load(*cubin);
    REQUIRE(kernel);
    auto checker = HazardChecker::create(*kernel);
    REQUIRE(checker);
    return *checker;
}

}  // namespace cubinlab::test
