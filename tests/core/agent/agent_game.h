// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the neural agents share: a kernel with its checker, a folder, and a visible skip. No
// torch header here: its CHECK would silently replace Catch2's.
#pragma once
#include <stdlib.h>

#include <string>

#include "core/search/agents/agent_loader.h"
#include "core/search/engine/searcher.h"
#include "tests/support/catch.h"
#include "tests/support/sample_kernel.h"

namespace cubinlab::tests {

struct Game {
    KernelPtr kernel;
    CheckerPtr checker;
};

inline const Game& game() {
    static const Game shared = [] {
        const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
        auto checker = required(HazardChecker::create(kernel));
        return Game{kernel, *checker};
    }();
    return shared;
}

inline SearchContext context_with(std::uint64_t seed, const std::string& settings = "{}") {
    return SearchContext{game().kernel, game().checker, seed, settings, {}, {}, Schedule(game().kernel)};
}

inline bool skipped() {
    const std::string problem = agent_module_problem();
    if (problem.empty()) return false;
    WARN("SKIPPED, no agent module: " << problem);
    return true;
}

}  // namespace cubinlab::tests
