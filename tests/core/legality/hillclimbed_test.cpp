// SPDX-License-Identifier: GPL-3.0-or-later
// Four schedules that an early prototype found fast and bitwise right in all its trials, judged by the rules.

#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

Legality judge(const std::string& name) {
    const KernelPtr original = load_kernel(name + ".cubin");
    const auto tuned = open_cubin("hillclimbed/" + name + ".hillclimb.cubin");
    const auto schedule = Schedule::match(original, tuned->code(tuned->kernels().front()));
    INFO((schedule ? "" : schedule.error().message()));
    REQUIRE(schedule);
    const auto checker = required(HazardChecker::create(original));
    const Legality legality = (*checker)->check(*schedule);
    WARN(name << ": " << (legality.empty() ? "legal\n" : "illegal\n") << describe(legality));
    return legality;
}

}  // namespace

TEST_CASE("hillclimbed flash_attn_mma: a stall count of 15 without yield") {
    CHECK(has_rule(judge("flash_attn_mma"), Rule::StallYield));
}

TEST_CASE("hillclimbed flash_attn: one reuse flag whose entry another register replaces") {
    const Legality legality = judge("flash_attn");
    REQUIRE(legality.size() == 1);
    CHECK(legality.front().rule == Rule::Reuse);
}

// Both have yields at stall 1, which the compiler never emits: measured harmless on sm_90.
TEST_CASE("hillclimbed bmm_mma and softmax are legal") {
    CHECK(judge("bmm_mma").empty());
    CHECK(judge("softmax").empty());
}

// By itself the file shows the same short distances (the words' own places): HMMA to HMMA 24, an operand of F2FP 2 cycles before
// LDSM overwrites it, one of HMMA 7 before FADD does, an HMMA's result 23 before LDSM does.
TEST_CASE("hillclimbed flash_attn_mma by itself: distances that no compiler makes") {
    const auto cubin = open_cubin("hillclimbed/flash_attn_mma.hillclimb.cubin");
    const auto kernel = required(Kernel::load(cubin, cubin->kernels().front().name));
    const Legality findings = check_kernel(*kernel)->hazards;
    INFO(describe(findings));
    const auto short_of = [&](Rule rule, int need) {
        return std::any_of(findings.begin(), findings.end(), [&](const Hazard& h) {
            return h.rule == rule && h.need == need && h.have < need;
        });
    };
    CHECK(short_of(Rule::RawDistance, 24));
    CHECK(short_of(Rule::WarDistance, 2));
    CHECK(short_of(Rule::WarDistance, 7));
    CHECK(short_of(Rule::WawDistance, 23));
}
