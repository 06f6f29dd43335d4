// SPDX-License-Identifier: GPL-3.0-or-later
// The incremental answer is the full check's answer, on random mutations along random legal walks.
#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

struct Tally {
    std::size_t legal = 0;
    std::size_t refused = 0;
    std::size_t disagreements = 0;
    std::string first;
};

void walk(const NamedKernel& named, std::size_t proposals, std::uint32_t seed, CheckMode mode, Tally& tally) {
    const auto checker = required(HazardChecker::create(named.kernel, mode));
    std::mt19937 random(seed);
    Schedule schedule(named.kernel);
    for (std::size_t i = 0; i < proposals; ++i) {
        const Mutation mutation = random_mutation(schedule, random);
        const bool quick = (*checker)->allows(schedule, mutation);
        const auto mutated = mutation.applied(schedule);
        const Legality full = mutated ? (*checker)->check(*mutated) : Legality{Hazard{}};
        (full.empty() ? tally.legal : tally.refused) += 1;
        if (quick != full.empty()) {
            ++tally.disagreements;
            if (tally.first.empty())
                tally.first = named.file + " " + named.kernel->name() + " step " + std::to_string(i) + ": " +
                              mutation.text(*named.kernel) + " [" + mutation.encode() + "] incremental " +
                              (quick ? "allows" : "refuses") + ", full: " + describe(full);
        }
        // Walk on now and then, so that later proposals start from schedules far from the original.
        if (full.empty() && random() % 3 == 0) schedule = *mutated;
    }
}

void expect_agreement(std::size_t proposals_per_kernel, std::uint32_t seed) {
    Tally tally;
    for (const NamedKernel& named : all_kernels()) {
        walk(named, proposals_per_kernel, seed, CheckMode::AgainstOriginal, tally);
        walk(named, proposals_per_kernel / 4, seed + 1, CheckMode::Absolute, tally);
    }
    WARN("agreement: " << tally.legal + tally.refused << " mutations, " << tally.legal << " legal, "
                       << tally.disagreements << " disagreements");
    INFO(tally.first);
    CHECK(tally.disagreements == 0);
    CHECK(tally.legal > 0);
    CHECK(tally.refused > 0);
}

}  // namespace

TEST_CASE("incremental and full check agree on random mutations of every kernel") {
    expect_agreement(220, 1);
}

TEST_CASE("incremental and full check agree on a million random mutations", "[.long]") {
    expect_agreement(10500, 20261121);
}
