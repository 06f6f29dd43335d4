// SPDX-License-Identifier: GPL-3.0-or-later
// Issue by issue what explanation_test.cpp has in sums: loops worked out by hand, and on every sample the same
// cycles as the explanation counts.
#include "core/model/issue_trace.h"

#include <map>

#include "core/model/explanation.h"
#include "tests/core/model/hand_loops.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

std::vector<Issue> issues_of_pass(const IssueLane& lane, std::uint32_t pass) {
    std::vector<Issue> out;
    for (const Issue& issue : lane.issues)
        if (issue.pass == pass) out.push_back(issue);
    return out;
}

using Sums = std::map<std::pair<WaitReason, int>, double>;

// Cycles of the counted passes of a lane: a pass lasts from its first issue to that of the next.
void add_counted(const IssueTrace& trace, std::size_t lane, Sums& sums) {
    const std::uint64_t begin = trace.begin_of(lane, trace.first_counted);
    const std::uint64_t end = trace.begin_of(lane, trace.first_counted + trace.counted);
    for (const Issue& issue : trace.lanes[lane].issues) {
        if (issue.when >= begin && issue.when < end) sums[{WaitReason::None, -1}] += 1;
        if (issue.when <= begin || issue.when > end) continue;
        for (const IssueWait& wait : trace.lanes[lane].waits_of(issue))
            sums[{wait.reason, wait.reason == WaitReason::Scoreboard ? wait.slot : -1}] += wait.cycles;
    }
}

}  // namespace

// MUFU at 0, released at 23, which is when FADD issues; BRA at 27, the next MUFU at 32.
TEST_CASE("a loop that waits for a MUFU, issue by issue") {
    const KernelPtr kernel = loop_of({word_of("MUFU", 2, 3), word_of("FADD", 4, -1, 1u << 3)});
    const IssueTrace trace = Explainer(kernel, alone()).trace(Schedule(kernel), 0);
    REQUIRE(trace.lanes.size() == 1);
    REQUIRE(trace.loop);
    CHECK(trace.stagger == 0);
    const IssueLane& lane = trace.lanes[0];
    const std::uint64_t begin = trace.begin_of(0, trace.first_counted);
    CHECK(trace.begin_of(0, trace.first_counted + trace.counted) == begin + 32 * trace.counted);
    const std::vector<Issue> pass = issues_of_pass(lane, trace.first_counted);
    REQUIRE(pass.size() == 3);
    CHECK(pass[0].instr == 0);
    CHECK(pass[0].when == begin);
    CHECK(pass[0].from == begin - 4);  // BRA's stall count of 5
    CHECK(pass[1].instr == 1);
    CHECK(pass[1].from == begin + 1);
    CHECK(pass[1].when == begin + 23);
    CHECK(pass[2].when == begin + 27);
    const auto waits = lane.waits_of(pass[1]);
    REQUIRE(waits.size() == 2);
    CHECK(waits[0].reason == WaitReason::Stall);
    CHECK(waits[0].by == 0);
    CHECK(waits[0].cycles == 1);
    CHECK(waits[1].reason == WaitReason::Scoreboard);
    CHECK(waits[1].slot == 3);
    CHECK(waits[1].by == 0);
    CHECK(waits[1].cycles == 21);
}

// FADD and BRA take one cycle of the issue port each, and ask for no more: of two warps in step the second has
// the port in every other cycle.
TEST_CASE("two warps in step share the issue port") {
    const KernelPtr kernel = loop_of({word_of("FADD", 4)});
    SmModelSettings settings;
    settings.warps_per_subcore = 2;
    const IssueTrace trace = Explainer(kernel, settings).trace(Schedule(kernel), 0);
    REQUIRE(trace.lanes.size() == 2);
    std::map<std::uint64_t, int> issued;
    for (const IssueLane& lane : trace.lanes)
        for (const Issue& issue : lane.issues)
            ++issued[issue.when];
    for (const auto& [cycle, count] : issued)
        CHECK(count == 1);
    // The place in starts() is the distance.
    const Explainer explainer(kernel, settings);
    REQUIRE(explainer.starts().size() == 3);
    const IssueTrace later = explainer.trace(Schedule(kernel), 2);
    CHECK(later.stagger == explainer.starts()[2]);
    CHECK(later.lanes[1].issues.front().when - later.lanes[0].issues.front().when >= later.stagger);
}

// FADD 0, EXIT 4, and its stall count of 5: 9.
TEST_CASE("a path is over when the stall count of its last instruction is, as the explanation counts it") {
    const KernelPtr kernel = path_of({word_of("FADD", 4)});
    const Explainer one(kernel, alone());
    const IssueTrace trace = one.trace(Schedule(kernel), 0);
    REQUIRE_FALSE(trace.loop);
    REQUIRE(trace.lanes.size() == 1);
    CHECK(trace.begin_of(0, 1) - trace.begin_of(0, 0) == 9);
    CHECK(trace.end() == trace.lanes[0].issues.back().when + 5);
    CHECK(one.explain(Schedule(kernel)).cycles() == 9);
    SmModelSettings settings;
    settings.warps_per_subcore = 4;
    const Explainer four(kernel, settings);
    double all = 0;
    for (std::size_t start = 0; start < four.starts().size(); ++start) {
        const IssueTrace t = four.trace(Schedule(kernel), start);
        for (std::size_t lane = 0; lane < t.lanes.size(); ++lane)
            all += static_cast<double>(t.begin_of(lane, 1) - t.begin_of(lane, 0));
    }
    CHECK(all == four.explain(Schedule(kernel)).counted);
}

TEST_CASE("a moved instruction is named by what it is, not by where it was") {
    const KernelPtr kernel =
        loop_of({word_of("FADD", 4), word_of("MUFU", 2, 3), word_of("FADD", 4, -1, 1u << 3)});
    Schedule after(kernel);
    after.move(0, 1);
    const IssueTrace trace = Explainer(kernel, alone()).trace(after, 0);
    const std::vector<Issue> pass = issues_of_pass(trace.lanes[0], trace.first_counted);
    REQUIRE(pass.size() == 4);
    CHECK(pass[0].instr == 1);
    CHECK(pass[1].instr == 0);
    const auto waits = trace.lanes[0].waits_of(pass[2]);
    REQUIRE(!waits.empty());
    CHECK(waits.back().by == 1);  // the MUFU
}

TEST_CASE("on every sample a trace has no gap, and its counted passes add up to the explanation's reasons") {
    for (const char* name :
         {"bmm_mma", "flash_attn", "flash_attn_d64_mma", "gemm_leaky", "softmax", "rmsnorm"}) {
        const KernelPtr kernel = checker_of_sample(name)->kernel();
        const Schedule schedule(kernel);
        for (const int threads : {32, 256}) {
            INFO(name << ", " << threads << " threads");
            SmModelSettings settings;
            settings.threads_per_block = threads;
            const Explainer explainer(kernel, settings);
            const Explanation e = explainer.explain(schedule);
            Sums sums;
            for (std::size_t start = 0; start < explainer.starts().size(); ++start) {
                const IssueTrace trace = explainer.trace(schedule, start);
                REQUIRE(trace.lanes.size() == static_cast<std::size_t>(e.warps));
                for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) {
                    std::size_t gaps = 0, wrong = 0;
                    std::uint64_t next = trace.lanes[lane].issues.front().when;
                    for (const Issue& issue : trace.lanes[lane].issues) {
                        gaps += issue.from != next;
                        std::uint64_t waited = 0;
                        for (const IssueWait& wait : trace.lanes[lane].waits_of(issue))
                            waited += wait.cycles;
                        wrong += waited != issue.when - issue.from;
                        next = issue.when + 1;
                    }
                    CHECK(gaps == 0);
                    CHECK(wrong == 0);
                    if (trace.loop) add_counted(trace, lane, sums);
                }
            }
            if (!e.loop) continue;  // its last stall count follows no issue
            for (const ReasonCycles& r : e.reasons)
                CHECK(sums[{r.reason, r.slot}] == r.counted);
        }
    }
}
