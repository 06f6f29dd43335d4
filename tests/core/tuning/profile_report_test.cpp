// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of Nsight Compute beside the model and beside each other, on source pages made here.
#include "core/tuning/profile_report.h"

#include <cmath>
#include <map>

#include "core/gpu/client/nsight_compute.h"
#include "core/tuning/profile_change.h"
#include "tests/support/catch.h"
#include "tests/support/sample_kernel.h"

using namespace cubinlab;

namespace {

// A source page with the columns of ncu 2025: `wait(id)` samples of stall_wait and as many of selected.
template <class Wait>
std::string page_of(const Schedule& schedule, Wait wait) {
    const Kernel& kernel = *schedule.kernel();
    std::string text = "\"Kernel Name\",\"" + kernel.name() + "\"\n";
    text +=
        "\"#\",\"Address\",\"Source\",\"Warp Stall Sampling (All "
        "Samples)\",\"stall_wait\",\"stall_selected\","
        "\"stall_wait (Not Issued)\",\"stall_branch_resolve\"\n";
    for (Position p = 0; p < schedule.size(); ++p) {
        const int n = wait(schedule.at(p));
        text += "\"" + std::to_string(p) + "\",\"" + std::to_string(4096 + 16 * p) + "\",\"" +
                kernel.instruction(schedule.at(p)).mnemonic + " R1\",\"" + std::to_string(2 * n) + "\",\"" +
                std::to_string(n) + "\",\"" + std::to_string(n) + "\",\"" + std::to_string(n) + "\",\"0\"\n";
    }
    return text;
}

}  // namespace

TEST_CASE("the profiler's reasons stand beside the model's, and shares add up to one on both sides") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    const Schedule schedule(kernel);
    const Explanation e = Explainer(kernel, {}).explain(schedule);
    auto profile = profile_of(
        page_of(schedule, [&](InstrId id) { return static_cast<int>(std::lround(e.path_by_instr[id])); }),
        schedule);
    REQUIRE(profile);
    double samples = 0, cycles = 0;
    for (const ReasonShare& r : reasons_beside(*profile, e)) {
        samples += r.samples;
        cycles += r.cycles;
        if (r.name == "stall counts") {
            CHECK(r.measured == "wait");
            CHECK(r.samples == 0.5);
        }
        if (r.name == "issues") CHECK(r.samples == 0.5);
        if (r.name == "not modelled") CHECK(r.samples == 0);
    }
    CHECK(std::abs(samples - 1) < 1e-9);
    CHECK(std::abs(cycles - 1) < 1e-9);
    // Samples made from the model's own cycles agree with it.
    const LineAgreement agree = lines_agree(*profile, e);
    CHECK(agree.correlation > 0.999);
    CHECK(agree.common_of_ten == 10);
}

TEST_CASE(
    "two profiles are compared line by line, by instruction and not by place, with the edits of a line") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    const Schedule a(kernel);
    Schedule b(kernel);
    const Block* big = &kernel->flow().blocks.front();
    for (const Block& block : kernel->flow().blocks)
        if (block.count > big->count) big = &block;
    const InstrId moved = big->first + 20;
    b.move(moved, big->first + 10);
    const auto some = [](InstrId id) { return static_cast<int>(id % 5) + 1; };
    const auto less = [&](InstrId id) { return id == moved ? 0 : some(id); };
    // Both in one file, as a session of the profiler exports them.
    const std::string text = page_of(a, some) + page_of(b, less);
    auto of_a = required(profile_of(text, a));
    const auto of_b = required(profile_of(text, b));
    const ProfileChange change = compare_profiles(a, *of_a, b, *of_b);
    const std::vector<LineSamples>& lines = change.lines;
    REQUIRE(!lines.empty());
    CHECK(lines.front().instr == moved);
    CHECK(lines.front().a == 2.0 * some(moved));
    CHECK(lines.front().b == 0);
    CHECK(lines.front().reason_b - lines.front().reason_a == -some(moved));
    REQUIRE(lines.front().edits.size() == 1);
    CHECK(lines.front().edits.front().place == EditPlace::Line);
    for (std::size_t i = 1; i < lines.size(); ++i)
        CHECK(lines[i].a == lines[i].b);
}

TEST_CASE(
    "an edit is named beside the lines that it touches: its own, the one behind it, the one that waits for "
    "it") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    const Schedule a(kernel);
    const auto even = [](InstrId) { return 2; };
    const auto places = [&](const Schedule& b) {
        auto of_a = required(profile_of(page_of(a, even), a));
        const auto of_b = required(profile_of(page_of(b, even), b));
        const ProfileChange change = compare_profiles(a, *of_a, b, *of_b);
        REQUIRE(change.edits.size() == 1);
        std::map<InstrId, EditPlace> out;
        for (const LineSamples& line : change.lines) {
            CHECK_FALSE(line.clear());
            for (const PlacedEdit& placed : line.edits)
                out[line.instr] = placed.place;
        }
        CHECK(out.size() == change.edits[0].lines.size());
        return out;
    };
    // A stall count, as the listing has it: LDSM 0x0ea0 releases SB1, for which HMMA 0x0f40 waits.
    const InstrId ldsm = 0x0ea0 / 16, hmma = 0x0f40 / 16;
    REQUIRE(a.control(ldsm).write_barrier == 1);
    REQUIRE((a.control(hmma).wait_mask >> 1 & 1) == 1);
    Schedule b(kernel);
    ControlCode control = b.control(ldsm);
    control.stall = static_cast<std::uint8_t>(control.stall + 1);
    b.set_control(ldsm, control);
    const auto of_stall = places(b);
    CHECK(of_stall.at(ldsm) == EditPlace::Line);
    CHECK(of_stall.at(ldsm + 1) == EditPlace::InFront);
    CHECK(of_stall.at(hmma) == EditPlace::Producer);
    CHECK(of_stall.count(ldsm - 1) == 0);

    Schedule c(kernel);
    c.move(c.position_of(ldsm), c.position_of(ldsm) - 1);
    const auto of_move = places(c);
    CHECK(of_move.at(ldsm) == EditPlace::Line);
    CHECK(of_move.at(hmma) == EditPlace::Producer);
    CHECK(of_move.count(ldsm - 1) == 1);  // now behind it
}

TEST_CASE("with one schedule a line's reason is the one with most samples") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    const Schedule schedule(kernel);
    Profile profile;
    profile.by_instr.resize(schedule.size());
    profile.by_instr[3] = {"", 60, {{"stall_wait", 50}, {"stall_barrier", 10}}};
    const ProfileChange change = compare_profiles(schedule, profile, schedule, profile);
    REQUIRE(change.lines.size() == 1);
    CHECK(change.lines[0].reason == "stall_wait");
    CHECK(change.lines[0].reason_a == 50);
}

TEST_CASE("a line that the profiler has no text for does not keep the others from being read") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    const Schedule schedule(kernel);
    std::string text = page_of(schedule, [](InstrId) { return 3; });
    const std::string line = "\"4112\",\"" + std::string(kernel->instruction(1).mnemonic) + " R1\"";
    REQUIRE(text.find(line) != std::string::npos);
    text.replace(text.find(line), line.size(), "\"4112\",\"N/A\"");
    const auto profile = required(profile_of(text, schedule));
    CHECK(profile->by_instr[1].samples == 6);
}

TEST_CASE("a profile of another kernel is refused, a missing profiler is said with what to do") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma"), other = test::kernel_of_sample("softmax");
    const auto one = [](InstrId) { return 1; };
    CHECK_FALSE(profile_of(page_of(Schedule(other), one), Schedule(kernel)));
    auto none = find_ncu("/nowhere/ncu");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::BadUse);
    // Where the machine has none; the window tells it by this code.
    if (auto found = find_ncu({}); !found) CHECK(found.error().code == ErrorCode::Missing);
}
