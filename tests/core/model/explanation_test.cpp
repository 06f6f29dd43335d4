// SPDX-License-Identifier: GPL-3.0-or-later
// Loops whose cycles are worked out by hand from resources/docs/model.md, and sums that have to add up on
// every kernel.
#include "core/model/explanation.h"

#include <fmt/format.h>

#include <cmath>

#include "core/model/explanation_change.h"
#include "tests/core/model/hand_loops.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

double cycles_of(const Explanation& e, WaitReason reason, int slot = -1) {
    for (const ReasonCycles& r : e.reasons)
        if (r.reason == reason && r.slot == slot) return e.per_pass(r);
    return 0;
}

double sum_of(const Explanation& e) {
    double sum = 0;
    for (const ReasonCycles& r : e.reasons)
        sum += r.counted;
    return sum;
}

}  // namespace

// MUFU at 0, released at 23, which is when FADD issues; BRA at 27, the next MUFU at 32.
TEST_CASE("a loop that waits for a MUFU: 32 cycles, 21 of them for its scoreboard") {
    const KernelPtr kernel = loop_of({word_of("MUFU", 2, 3), word_of("FADD", 4, -1, 1u << 3)});
    const Explanation e = Explainer(kernel, alone()).explain(Schedule(kernel));
    REQUIRE(e.loop);
    CHECK(e.instructions == 3);
    CHECK(e.cycles() == 32);
    CHECK(e.alone == 32);
    CHECK(cycles_of(e, WaitReason::None) == 3);
    CHECK(cycles_of(e, WaitReason::Stall) == 1 + 3 + 4);
    CHECK(cycles_of(e, WaitReason::Scoreboard, 3) == 21);
    REQUIRE(e.waits.size() == 3);
    CHECK(e.waits[0].instr == 1);
    CHECK(e.waits[0].causes.front().by == 0);
    CHECK(e.waits[0].causes.front().to_next == 21);
    CHECK(e.waits[0].causes.front().after == 23);
    CHECK(e.waits[0].text ==
          "waits 21 cycles for SB3, set by MUFU 0x0000, 23 cycles after its issue; issuing it 21 cycles "
          "earlier would help");
}

// A second MUFU behind the first has its unit 8 cycles later: 31. Issued earlier, FADD still waits for the
// first one's 23.
TEST_CASE("of two that set a scoreboard the later one is named, and how much of the wait is its own") {
    const KernelPtr kernel =
        loop_of({word_of("MUFU", 1, 3), word_of("MUFU", 2, 4), word_of("FADD", 4, -1, 3u << 3)});
    const Explanation e = Explainer(kernel, alone()).explain(Schedule(kernel));
    CHECK(e.cycles() == 31 + 4 + 5);
    CHECK(cycles_of(e, WaitReason::Unit) == 7);
    CHECK(cycles_of(e, WaitReason::Scoreboard, 4) == 31 - 10);
    CHECK(cycles_of(e, WaitReason::Scoreboard, 3) == 0);
    REQUIRE(!e.waits.empty());
    CHECK(e.waits[0].causes.front().by == 1);
    CHECK(e.waits[0].causes.front().to_next == 31 - 23);
    CHECK(e.waits[0].text ==
          "waits 21 cycles for SB4, set by MUFU 0x0010; issuing it 8 cycles earlier would help, then another "
          "wait dominates");
}

// BAR at 0; alone in its block it opens 20 cycles after its own arrival.
TEST_CASE("a loop with a barrier") {
    const KernelPtr kernel = loop_of({word_of("BAR", 6), word_of("FADD", 4)});
    const Explanation e = Explainer(kernel, alone()).explain(Schedule(kernel));
    CHECK(e.cycles() == 20 + 4 + 5);
    CHECK(cycles_of(e, WaitReason::Barrier) == 14);
    CHECK(cycles_of(e, WaitReason::Stall) == 5 + 3 + 4);
}

// Two MUFUs take 8 cycles of their unit each: 16 a pass, whatever the stall counts say.
TEST_CASE("a loop that its unit limits says so") {
    const KernelPtr kernel = loop_of({word_of("MUFU", 1), word_of("MUFU", 1)});
    const Explanation e = Explainer(kernel, alone()).explain(Schedule(kernel));
    CHECK(e.cycles() == 16);
    CHECK(cycles_of(e, WaitReason::Unit) == 7 + 2);
    REQUIRE(!e.bounds.empty());
    CHECK(e.bounds.front().cycles == 16);
    CHECK(e.verdict.find("limited by XU pipe") == 0);
}

// FADD first: 0, MUFU 4, the second FADD 27, BRA 31, 36 in all. Moved behind the MUFU it fills its latency: 32.
TEST_CASE("a change names the wait that shrank and the edit that shrank it") {
    const KernelPtr kernel =
        loop_of({word_of("FADD", 4), word_of("MUFU", 2, 3), word_of("FADD", 4, -1, 1u << 3)});
    const Schedule before(kernel);
    Schedule after(kernel);
    after.move(0, 1);
    const Explainer explainer(kernel, alone());
    const Explanation a = explainer.explain(before), b = explainer.explain(after);
    CHECK(a.cycles() == 36);
    CHECK(b.cycles() == 32);
    // Each names instructions by their places in its own schedule; a change does by those in the first.
    const auto text_of = [](const Explanation& e, InstrId instr) {
        for (const InstrWait& wait : e.waits)
            if (wait.instr == instr) return wait.text;
        return std::string();
    };
    CHECK_THAT(text_of(a, 1), contains_text("FADD 0x0000"));
    CHECK_THAT(text_of(b, 0), contains_text("MUFU 0x0000"));
    const ExplanationChange change = compare(before, a, after, b);
    for (const WaitChange& wait : change.waits)
        if (wait.instr == 0) CHECK_THAT(wait.text, !contains_text("MUFU 0x0000"));
    REQUIRE(change.edits.size() == 1);
    double sum = 0;
    for (const ReasonChange& r : change.reasons)
        sum += r.after - r.before;
    CHECK(sum == -4);
    REQUIRE(!change.waits.empty());
    CHECK(change.waits[0].instr == 0);  // 4 for BRA's stall count, then 1 for MUFU's
    CHECK(change.waits[0].before == 4);
    CHECK(change.waits[0].after == 1);
    bool named = false;
    for (const WaitChange& wait : change.waits) {
        if (wait.instr != 2) continue;
        CHECK(wait.before == 21 + 1);  // the scoreboard, and MUFU's stall count
        CHECK(wait.after == 17 + 3);   // and FADD's
        named = wait.edits == std::vector<std::size_t>{0};
    }
    CHECK(named);
}

TEST_CASE(
    "on every sample the reasons add up to the cycles of the pass, and the path to the model's figure") {
    for (const char* name :
         {"bmm_mma", "flash_attn", "flash_attn_d64_mma", "gemm_leaky", "softmax", "rmsnorm"}) {
        INFO(name);
        const KernelPtr kernel = checker_of_sample(name)->kernel();
        const Schedule schedule(kernel);
        for (const int threads : {32, 128, 512}) {
            SmModelSettings settings;
            settings.threads_per_block = threads;
            const Explanation e = Explainer(kernel, settings).explain(schedule);
            CHECK(sum_of(e) == e.counted);
            CHECK(e.cycles() > static_cast<double>(e.instructions));
            double lines = 0;
            for (const double cycles : e.by_instr)
                lines += cycles;
            CHECK(std::abs(lines - e.cycles()) < 1e-6 * e.cycles());
            CHECK(e.path_cycles == SmModel(kernel, settings).cycles(schedule));
            double path = 0;
            for (const ReasonCycles& r : e.path_reasons)
                path += r.counted;
            CHECK(std::abs(path - e.path_cycles) < 1e-6 * e.path_cycles);
        }
    }
}

TEST_CASE("the path of an explanation is what the model scores, whatever passes its loops make") {
    const KernelPtr kernel = checker_of_sample("gemm_leaky")->kernel();
    const Schedule schedule(kernel);
    SmModelSettings settings;
    settings.trips = trip_counts(*kernel, {});
    REQUIRE(!settings.trips.empty());
    for (TripCount& count : settings.trips) {
        count.known = true;
        count.passes = 50;
    }
    const double path = Explainer(kernel, settings).explain(schedule).path_cycles;
    CHECK(path == SmModel(kernel, settings).cycles(schedule));
    CHECK(path > SmModel(kernel, {}).cycles(schedule));
}

// Several warps that no barrier holds together may share unevenly; one warp cannot be faster than a resource.
TEST_CASE("no pass of one warp takes less than a resource alone, but for what its queue takes in advance") {
    for (const char* name : {"bmm_mma", "flash_attn", "gemm_leaky", "softmax", "rmsnorm"}) {
        INFO(name);
        const KernelPtr kernel = checker_of_sample(name)->kernel();
        const Explanation e = Explainer(kernel, alone()).explain(Schedule(kernel));
        for (const ResourceBound& bound : e.bounds)
            if (bound.certain) CHECK(bound.cycles <= e.cycles() + 5 * 32);
    }
}

// 4 warps, no barrier that every one of them meets in a pass: 1,229 cycles where their memory path takes 2,144.
TEST_CASE("where the model's warps run one after another the verdict says what all of them take") {
    const auto cubin = required(Cubin::open(std::string(CUBINLAB_TEST_DATA) + "/cubins/bmm_mma.sm_80.cubin"));
    const KernelPtr kernel = *Kernel::load(*cubin);
    const Explanation e = Explainer(kernel, {}).explain(Schedule(kernel));
    double largest = 0;
    for (const ResourceBound& bound : e.bounds)
        if (bound.certain) largest = std::max(largest, bound.cycles);
    REQUIRE(largest > e.cycles());
    CHECK(e.verdict.find(fmt::format("all warps together take at least {:.0f} cycles", largest)) !=
          std::string::npos);
    CHECK(e.verdict.find(fmt::format("a warp's own is shorter ({:.0f})", e.cycles())) != std::string::npos);
    CHECK(e.verdict.find("busy") == std::string::npos);
    CHECK(e.all_warps() == largest);
}

// 4 warps at the constant port, 8 cycles each, while a warp that has read its constant ends 6 cycles after it began.
TEST_CASE("of a kernel that only exits no resource takes more than all warps together") {
    const auto cubin = required(Cubin::open(std::string(CUBINLAB_TEST_DATA) + "/cubins/empty.90.cubin"));
    const KernelPtr kernel = *Kernel::load(*cubin);
    const Explanation e = Explainer(kernel, {}).explain(Schedule(kernel));
    CHECK(e.cycles() == 6);
    CHECK(e.all_warps() == 32);
    CHECK(e.take_turns());
}

TEST_CASE("where a warp's pass is longer than all that its resources do the warps' pass is as long") {
    const KernelPtr kernel = checker_of_sample("softmax")->kernel();
    const Explanation e = Explainer(kernel, {}).explain(Schedule(kernel));
    CHECK(e.all_warps() == e.cycles());
    CHECK_FALSE(e.take_turns());
}

TEST_CASE("the last instruction of a path keeps its warp, it does not wait for itself") {
    const KernelPtr kernel = path_of({word_of("FADD", 4)});
    const Explanation e = Explainer(kernel, alone()).explain(Schedule(kernel));
    REQUIRE(e.waits.size() == 1);
    CHECK(e.waits[0].instr == 1);
    CHECK(e.waits[0].cycles == 7);
    CHECK(e.waits[0].text == "stalls its warp for 4 cycles by its own stall count (5)");
    CHECK(other_causes(e.waits[0]) == "3.0");  // FADD's
}

TEST_CASE("a wait's number is written as in its sentence, with what other causes have of it") {
    const auto wait = [](double all, double largest) {
        InstrWait w;
        w.cycles = all;
        w.causes.resize(2);
        w.causes[0].cycles = largest;
        return w;
    };
    CHECK(cycles_number(21.5) == "22");
    CHECK(cycles_number(9.5) == "9.5");
    CHECK(other_causes(wait(21.5, 21.5)).empty());
    CHECK(other_causes(wait(419.7, 411)) == "9");
    CHECK(other_causes(wait(4.3, 4)) == "0.3");
    CHECK(other_causes(wait(7, 7)).empty());
}

TEST_CASE("occupancy names its tightest limit") {
    const Arch arch = donor()->arch();
    KernelInfo info;
    info.registers = 168;  // 65,536 / (168 * 128) = 3 blocks of 128 threads
    OccupancyLimits limits = occupancy_limits(arch, info, 128, 0, 0);
    CHECK(limits.by_registers == 3);
    CHECK(limits.warps == 12);
    CHECK(std::string(limits.tightest) == "registers");
    info.registers = 32;
    limits = occupancy_limits(arch, info, 128, 100 << 10, 0);  // 228 KiB hold two of 100
    CHECK(limits.by_shared == 2);
    CHECK(std::string(limits.tightest) == "shared memory");
    limits = occupancy_limits(arch, info, 128, 0, 0);
    CHECK(limits.blocks == 16);
    CHECK(std::string(limits.tightest) == "warps");
    info.registers = 16;  // a block of one warp is given the registers of four
    limits = occupancy_limits(arch, info, 32, 0, 0);
    CHECK(limits.blocks == 32);
    CHECK(std::string(limits.tightest) == "blocks");
    limits = occupancy_limits(arch, info, 128, 0, 132);
    CHECK(limits.blocks == 1);
    CHECK(std::string(limits.tightest) == "the grid");
}
