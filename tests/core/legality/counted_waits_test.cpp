// SPDX-License-Identifier: GPL-3.0-or-later
// DEPBAR.LE SBn, N on a scoreboard that DMMAs set: all but the N latest are there. What it is too late or too
// early for, by hand:
//
//   0  DMMA R4 {SB5} ; 1  DMMA R8 {SB5} ; 2  DMMA R12 {SB5} ; 3  DEPBAR.LE SB5, N ; 4  DMMA R4 (or R8), ..., R4 (or R8)
#include "core/schedule/control_flow.h"
#include "app/lab/synthetic_kernel.h"
#include "tests/core/legality/analysis_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

constexpr std::uint8_t kBarrier = 5;

// D and C are four registers from `result` on, A is R40, B is R50: written by nothing here.
Word dmma(unsigned result, std::uint8_t barrier) {
    const std::uint64_t reg = result;
    const Word word{0x723f | reg << 16 | 40ull << 24 | 50ull << 32, reg};
    return ControlCode{11, true, barrier, kNoBarrier, 0, 0}.encode_into(word);
}

Word depbar(unsigned count, bool guarded = false) {
    const std::uint64_t guard = guarded ? 0x0000 : 0x7000;
    const Word word{0x80000000091a | guard | std::uint64_t{kBarrier} << 44 | std::uint64_t{count} << 38, 0};
    return ControlCode{11, true, kNoBarrier, kNoBarrier, 0, 0}.encode_into(word);
}

struct Row {
    KernelPtr kernel;
    bool refused = false;  // the last DMMA meets the one whose result it reads

    Row(const Word& wait, unsigned read) {
        const KernelPtr base = load_kernel("/cubins/bmm_mma.sm_80.cubin");
        std::vector<Word> words = {dmma(4, kBarrier),      dmma(8, kBarrier),
                                   dmma(12, kBarrier),     wait,
                                   dmma(read, kNoBarrier), branch_word(base->arch(), -1)};
        kernel = *kernel_with_words(*base, words);
        const auto report = required(check_kernel(kernel));
        for (const Hazard& h : report->hazards)
            refused =
                refused || (h.later == 4 && h.earlier == (read - 4) / 4 && h.rule == Rule::RawScoreboard);
    }
};

}  // namespace

TEST_CASE("a counted wait stands for all but the latest: one more is refused") {
    const Row two(depbar(2), 4);
    REQUIRE(std::string_view(two.kernel->instruction(0).mnemonic) == "DMMA");
    REQUIRE(std::string_view(two.kernel->instruction(3).mnemonic) == "DEPBAR");
    REQUIRE(two.kernel->instruction(3).named_scoreboard == kBarrier);
    REQUIRE(two.kernel->instruction(3).named_count == 2);
    CHECK_FALSE(two.refused);
    CHECK(Row(depbar(3), 4).refused);        // all three may be on their way
    CHECK(Row(depbar(2), 8).refused);        // the second is one of the two latest
    CHECK_FALSE(Row(depbar(1), 8).refused);  // now it is not
    CHECK(Row(depbar(1), 12).refused);
    CHECK_FALSE(Row(depbar(0), 12).refused);
    CHECK(Row(depbar(2, true), 4).refused);  // it may not execute
}

TEST_CASE("a search moves nothing that a counted wait rests on") {
    const Row row(depbar(2), 4);
    const auto checker = *HazardChecker::create(row.kernel);
    const Schedule original(row.kernel);
    for (InstrId id = 0; id < 3; ++id) {
        CHECK_FALSE(checker->allows(original, Mutation::move_to(original, id, id + 1)));
        ControlCode code = original.control(id);
        code.write_barrier = 4;
        CHECK_FALSE(checker->allows(original, Mutation::control(original, id, code)));
    }
}
