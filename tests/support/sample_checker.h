// SPDX-License-Identifier: GPL-3.0-or-later
// The checker of a sample kernel, which knows the kernel: checker->kernel().
#pragma once
#include <string>

#include "core/legality/hazard_checker.h"
#include "tests/support/sample_kernel.h"

namespace cubinlab::test {

inline CheckerPtr checker_of_sample(const std::string& name) {
    auto checker = required(HazardChecker::create(kernel_of_sample(name)));
    return *checker;
}

}  // namespace cubinlab::test
