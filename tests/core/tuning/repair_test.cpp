// SPDX-License-Identifier: GPL-3.0-or-later
// Illegal schedules become legal ones that keep nearly all of their edits.
#include "core/tuning/repair.h"

#include "core/search/moves/rng.h"
#include "tests/support/catch.h"
#include "tests/support/sample_kernel.h"

using namespace cubinlab;

TEST_CASE("the hill-climbed schedules are repaired and keep what was legal of them") {
    for (const std::string name : {"bmm_mma", "flash_attn", "flash_attn_mma", "softmax"}) {
        const KernelPtr original = test::kernel_of_sample(name);
        const auto tuned = required(
            Cubin::open(std::string(CUBINLAB_SAMPLES) + "/hillclimbed/" + name + ".hillclimb.cubin"));
        const auto bad = required(Schedule::match(original, (*tuned)->code((*tuned)->kernels().front())));
        const auto checker = required(HazardChecker::create(original));
        const auto repaired = required(repair(**checker, *bad));
        WARN(name << ": " << repaired->hazards.size() << " findings, " << repaired->edits_kept << " of "
                  << repaired->edits_wanted << " edits kept; changed: " << repaired->changes.text(*original));
        CHECK((*checker)->check(repaired->schedule).empty());
        CHECK(*repaired->changes.applied(*bad) == repaired->schedule);
        CHECK(repaired->edits_kept * 10 >= repaired->edits_wanted * 8);
        // No more gives way than a few edits for each finding.
        CHECK(repaired->changes.edits.size() <= 4 * repaired->hazards.size() + 4);
    }
}

TEST_CASE("a legal schedule is left as it is") {
    const KernelPtr kernel = test::kernel_of_sample("softmax");
    const auto checker = required(HazardChecker::create(kernel));
    const Schedule original(kernel);
    const auto repaired = required(repair(**checker, original));
    CHECK(repaired->hazards.empty());
    CHECK(repaired->changes.empty());
    CHECK(repaired->schedule == original);
}

TEST_CASE("whatever is broken, what comes out is legal") {
    const KernelPtr kernel = test::kernel_of_sample("softmax");
    const auto checker = required(HazardChecker::create(kernel));
    Rng rng(3);
    for (int round = 0; round < 10; ++round) {
        Schedule bad(kernel);
        for (int i = 0; i < 12; ++i) {
            const InstrId id = rng.below(static_cast<std::uint32_t>(bad.size()));
            ControlCode code = bad.control(id);
            code.stall = static_cast<std::uint8_t>(rng.below(16));
            code.yield = rng.chance(0.5);
            code.wait_mask = static_cast<std::uint8_t>(rng.below(64));
            bad.set_control(id, code);
            const Block& block = kernel->flow().blocks[kernel->block_of(id)];
            if (!kernel->pinned(id)) bad.move(id, block.first + rng.below(block.count));
        }
        const auto repaired = required(repair(**checker, bad));
        CHECK_FALSE(repaired->hazards.empty());
        CHECK((*checker)->check(repaired->schedule).empty());
    }
}
