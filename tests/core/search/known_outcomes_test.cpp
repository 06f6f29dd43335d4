// SPDX-License-Identifier: GPL-3.0-or-later
// What a run remembers of the words it has seen is bounded: a run of millions of steps is no larger than a short one.
#include "core/search/engine/known_outcomes.h"

#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("of the words that a run has seen only the newest are kept") {
    KnownOutcomes known;
    constexpr std::uint64_t kSeen = 300'000, kBound = 1 << 16;
    for (std::uint64_t n = 1; n <= kSeen; ++n) {
        Outcome outcome;
        outcome.speedup.log = static_cast<double>(n);
        known.remember(Hash128{n, ~n}, static_cast<StepId>(n), outcome);
    }
    std::uint64_t kept = 0;
    for (std::uint64_t n = 1; n <= kSeen; ++n)
        kept += known.find(Hash128{n, ~n}, false) != nullptr ? 1 : 0;
    CHECK(kept == kBound);
    CHECK(known.find(Hash128{kSeen - kBound, ~(kSeen - kBound)}, false) == nullptr);
    const Outcome* newest = required(known.find(Hash128{kSeen, ~kSeen}, false));
    CHECK(newest->speedup.log == static_cast<double>(kSeen));
}
