// SPDX-License-Identifier: GPL-3.0-or-later
// The cubin whose words `cubinlab-lab probe` builds its pairs from.
#pragma once
#include "core/binary/cubin.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

inline std::shared_ptr<const Cubin> synthesis() {
    static const auto cubin = Cubin::open(CUBINLAB_SAMPLES "/../resources/probe/synthesis.sm_90a.cubin");
    REQUIRE(cubin);
    return *cubin;
}

}  // namespace cubinlab::test
