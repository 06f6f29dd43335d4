// SPDX-License-Identifier: GPL-3.0-or-later
// Four schedules that an early prototype found fast and bitwise right in all its trials, judged by the rules.
#include <set>

#include "tests/core/analysis/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

Legality judge(const std::string& name) {
    const KernelPtr original = load_kernel(name + ".cubin");
    const auto tuned = open_cubin("hillclimbed/" + name + ".hillclimb.cubin");
    const auto schedule = Schedule::match(original, tuned->code(tuned->kernels().front()));
    INFO((schedule ? "" : schedule.error().message()));
    REQUIRE(schedule);
    const auto checker = HazardChecker::create(original);
    REQUIRE(checker);
    const Legality legality = (*checker)->check(*schedule);
    WARN(name << ": " << (legality.empty() ? "legal\n" : "illegal\n") << describe(legality));
    return legality;
}

}  // namespace

TEST_CASE("hillclimbed bmm_mma: five instructions ask for yield at stall 1") {
    const Legality legality = judge("bmm_mma");
    std::size_t yields = 0;
    for (const Hazard& h : legality)
        yields += h.rule == Rule::StallYield ? 1 : 0;
    CHECK(yields == 5);
}

TEST_CASE("hillclimbed flash_attn_mma: a stall count of 15 without yield") {
    CHECK(has_rule(judge("flash_attn_mma"), Rule::StallYield));
}

TEST_CASE("hillclimbed flash_attn and softmax ask for yield at stall 1 too") {
    CHECK(has_rule(judge("flash_attn"), Rule::StallYield));
    CHECK(has_rule(judge("softmax"), Rule::StallYield));
}

TEST_CASE("hillclimbed bmm_mma and softmax are legal once yield at stall 1 is cleared") {
    for (const std::string name : {"bmm_mma", "softmax"}) {
        const KernelPtr original = load_kernel(name + ".cubin");
        const auto tuned = open_cubin("hillclimbed/" + name + ".hillclimb.cubin");
        auto schedule = Schedule::match(original, tuned->code(tuned->kernels().front()));
        REQUIRE(schedule);
        for (InstrId id = 0; id < original->size(); ++id) {
            ControlCode code = schedule->control(id);
            if (!code.yield || code.stall != 1 || code == original->instruction(id).control()) continue;
            code.yield = false;
            schedule->set_control(id, code);
        }
        const auto checker = HazardChecker::create(original);
        REQUIRE(checker);
        const Legality legality = (*checker)->check(*schedule);
        INFO(name << "\n" << describe(legality));
        CHECK(legality.empty());
    }
}
