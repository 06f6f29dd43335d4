// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/patterns.h"

#include <cmath>

#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

Outcome gains(double log_speedup, double half_width = 0) {
    Outcome o;
    o.kind = OutcomeKind::Ok;
    o.speedup.log = log_speedup;
    o.speedup.low = log_speedup - half_width;
    o.speedup.high = log_speedup + half_width;
    return o;
}

StepRecord step(StepId id, StepId parent, Mutation mutation, Outcome outcome) {
    StepRecord r;
    r.step = id;
    r.parent = parent;
    r.mutation = std::move(mutation);
    r.outcome = std::move(outcome);
    r.accepted = true;
    return r;
}

// First instruction of a block of at least `count` whose next ones exist; structure only, as the log allows.
const Block& block_with(const Kernel& kernel, std::size_t count) {
    for (const Block& block : kernel.flow().blocks)
        if (block.count >= count) return block;
    FAIL("no block is long enough");
    return kernel.flow().blocks.front();
}

}  // namespace

TEST_CASE("a description names what an instruction passed, in order, and where it ended",
          "[workflow][description]") {
    const KernelPtr kernel = sample_kernel();
    const Schedule start(kernel);
    const InstrId first = block_with(*kernel, 8).first;
    const auto up = required(describe(start, Mutation::move_before(first + 4, first + 1)));
    REQUIRE(up->size() == 1);
    CHECK(up->front().direction() == -1);
    CHECK(up->front().past == std::vector<InstrId>{first + 1, first + 2, first + 3});
    const auto down = required(describe(start, Mutation::move_after(first, first + 2)));
    CHECK(down->front().direction() == 1);
    CHECK(down->front().past == std::vector<InstrId>{first + 1, first + 2});
    CHECK(down->front().from == first);
    CHECK(down->front().to == first + 2);
}

TEST_CASE("each edit of a mutation is told in the schedule that the edits before it left",
          "[workflow][description]") {
    const KernelPtr kernel = sample_kernel();
    const InstrId first = block_with(*kernel, 8).first;
    Mutation both = Mutation::move_after(first, first + 2);
    both.edits.push_back(Mutation::move_before(first + 1, first).edits.front());
    const auto described = required(describe(Schedule(kernel), both));
    REQUIRE(described->size() == 2);
    // After the first edit the order is 1 2 0: the second takes 1 past 2.
    CHECK((*described)[1].past == std::vector<InstrId>{first + 2});
}

TEST_CASE("a mutation that does not apply has no description", "[workflow][description]") {
    const KernelPtr kernel = sample_kernel();
    const auto none =
        describe(Schedule(kernel), Mutation::move_before(0, static_cast<InstrId>(kernel->size() + 5)));
    CHECK_FALSE(none);
}

TEST_CASE("control changes are named by field and direction", "[workflow][description]") {
    ControlCode a, b;
    a.stall = 4;
    b.stall = 2;
    b.yield = true;
    a.wait_mask = 0b011;
    b.wait_mask = 0b001;
    const auto changes = [](const ControlCode& from, const ControlCode& to) {
        return change_labels(EditKind::Control, from.bits(), to.bits());
    };
    CHECK(changes(a, b) == std::vector<std::string>{"stall down", "yield on", "wait for less"});
    CHECK(changes(b, a) == std::vector<std::string>{"stall up", "yield off", "wait for more"});
    b.wait_mask = 0b110;
    CHECK(changes(a, b).back() == "wait for others");
    CHECK(changes(a, a).empty());
}

TEST_CASE("steps that did alike make one pattern whose gain is the sum over their parents",
          "[workflow][patterns]") {
    const KernelPtr kernel = sample_kernel();
    const Schedule start(kernel);
    PatternInput input;
    input.kernel = kernel;
    ControlCode less = start.control(10), more = start.control(10);
    less.stall = static_cast<std::uint8_t>(start.control(10).stall == 0 ? 1 : start.control(10).stall);
    more.stall = static_cast<std::uint8_t>(less.stall + 1);
    const Mutation up = Mutation::control(start, 10, more);
    Schedule after = start;
    REQUIRE(up.apply(after));
    ControlCode yet_more = more;
    ++yet_more.stall;
    const Mutation up_again = Mutation::control(after, 10, yet_more);
    input.accepted = {step(1, 0, up, gains(0.01, 0.003)), step(2, 1, up_again, gains(0.03, 0.004))};
    input.schedule_at = [&](StepId) -> Result<Schedule> { return start; };
    std::map<StepId, Outcome> outcomes{{1, gains(0.01, 0.003)}};
    input.outcome_of = [&](StepId id) { return &outcomes[id]; };
    PatternCounts counts;
    REQUIRE(counts.add(input));
    const auto patterns = counts.patterns();
    REQUIRE(patterns.size() == 1);
    const Pattern& p = patterns.front();
    CHECK(p.key.opcode == kernel->instruction(10).mnemonic);
    CHECK(p.key.direction == 0);
    CHECK(p.key.control == "stall up");
    CHECK(p.key.text() == p.key.opcode + " stall up");
    CHECK(p.steps == std::vector<StepId>{1, 2});
    CHECK(p.total_gain == Approx(0.03));  // 0.01 against the start, 0.02 against step 1
    CHECK(p.mean_gain() == Approx(0.015));
    CHECK(p.best_gain == Approx(0.02));
    CHECK(p.half_width == Approx(std::sqrt(0.003 * 0.003 + 0.004 * 0.004 + 0.003 * 0.003)));
    CHECK(p.carrying == 0);
}

TEST_CASE("a step counts as carrying when the minimised winner kept its edit", "[workflow][patterns]") {
    const Mutation step_edit = Mutation::move_before(7, 3);
    CHECK(touches(step_edit, Mutation::move_after(7, 1)));  // moved too, wherever to
    CHECK_FALSE(touches(step_edit, Mutation::move_before(8, 3)));
    Mutation control;
    control.edits.push_back({EditKind::Control, 7, kNone, {}, {}});
    CHECK_FALSE(touches(step_edit, control));
    CHECK_FALSE(touches(step_edit, {}));
}

namespace {

// A session of one run in which every third step is accepted, with the gains of the accepted steps in all.
struct Logged {
    std::size_t accepted = 0;
    double gain = 0;

    Logged(const std::filesystem::path& session, const KernelPtr& kernel, std::uint64_t seed,
           const RunHeader& header = header_for_tests()) {
        LogMaker log(kernel, seed, 3);
        auto writer = open_or_fail(session, kernel);
        RunId run = 0;
        auto sink = required(writer->begin_run(header, log.start(), &run));
        std::map<StepId, double> gain_of{{0, 0.0}};
        for (int i = 0; i < 300; ++i) {
            StepRecord r = log.next();
            r.outcome = gains(0.001 * (i % 7));
            r.accepted = i % 3 == 0;
            gain_of[r.step] = r.outcome.speedup.log;
            if (r.accepted) {
                ++accepted;
                gain += r.outcome.speedup.log - gain_of.at(r.parent);
            }
            REQUIRE((*sink)->append(r));
        }
        REQUIRE((*sink)->flush());
    }
};

std::size_t steps_of(const std::vector<Pattern>& patterns) {
    std::size_t sum = 0;
    for (const Pattern& p : patterns)
        sum += p.steps.size();
    return sum;
}

double gain_of(const std::vector<Pattern>& patterns) {
    double sum = 0;
    for (const Pattern& p : patterns)
        sum += p.total_gain;
    return sum;
}

}  // namespace

TEST_CASE("patterns of a session file: every accepted step is in exactly one", "[workflow][patterns]") {
    const TempFolder folder;
    const Logged log(folder / "s.db", sample_kernel(), 5);
    PatternRequest request;
    request.session = folder / "s.db";
    const auto report = required(count_patterns(request));
    CHECK(report->runs == 1);
    std::set<StepId> seen;
    for (const Pattern& p : report->patterns) {
        for (const StepId s : p.steps)
            CHECK(seen.insert(s).second);
        CHECK_FALSE(p.key.opcode.empty());
    }
    CHECK(seen.size() == log.accepted);
    CHECK(gain_of(report->patterns) == Approx(log.gain).margin(1e-5));
    for (std::size_t i = 1; i < report->patterns.size(); ++i)
        CHECK(report->patterns[i - 1].total_gain >= report->patterns[i].total_gain);
}

TEST_CASE("patterns of two runs add up by what was done", "[workflow][patterns]") {
    const KernelPtr kernel = sample_kernel();
    const Schedule start(kernel);
    ControlCode more = start.control(10);
    more.stall = static_cast<std::uint8_t>(more.stall + 1);
    PatternInput input;
    input.kernel = kernel;
    input.evaluator = EvaluatorKind::Gpu;
    input.cache = Cache::Hot;
    input.schedule_at = [&](StepId) -> Result<Schedule> { return start; };
    input.outcome_of = [](StepId) -> const Outcome* { return nullptr; };
    PatternCounts counts;
    input.accepted = {step(4, 0, Mutation::control(start, 10, more), gains(0.01, 0.003))};
    REQUIRE(counts.add(input));
    input.accepted = {step(9, 0, Mutation::control(start, 10, more), gains(0.03, 0.004))};
    REQUIRE(counts.add(input));
    auto patterns = counts.patterns();
    REQUIRE(patterns.size() == 1);
    CHECK(patterns[0].steps == std::vector<StepId>{4, 9});
    CHECK(patterns[0].runs == 2);
    CHECK(patterns[0].kernels == 1);
    CHECK(patterns[0].total_gain == Approx(0.04));
    CHECK(patterns[0].best_gain == Approx(0.03));
    CHECK(patterns[0].half_width == Approx(0.005));
    CHECK(counts.runs() == 2);

    // Cold gains, and gains of the model, are patterns of their own.
    input.cache = Cache::Cold;
    REQUIRE(counts.add(input));
    input.evaluator = EvaluatorKind::Model;
    input.cache.reset();
    REQUIRE(counts.add(input));
    patterns = counts.patterns();
    REQUIRE(patterns.size() == 3);
    CHECK(patterns[0].cache == Cache::Hot);
    CHECK(patterns[0].total_gain == Approx(0.04));
    CHECK(patterns[1].cache == Cache::Cold);
    CHECK(patterns[2].evaluator == EvaluatorKind::Model);
    CHECK(patterns[2].total_gain == Approx(0.03));

    // A run that cannot be read adds nothing.
    input.accepted.push_back(step(10, 9, Mutation::control(start, 10, more), gains(0.05)));
    input.accepted.push_back(step(11, 2, Mutation::control(start, 10, more), gains(0.05)));
    const Outcome known = gains(0.0);
    input.outcome_of = [&](StepId) { return &known; };
    input.schedule_at = [&](StepId id) -> Result<Schedule> {
        if (id == 2) return fail(ErrorCode::Corrupt, "no such step");
        return start;
    };
    CHECK_FALSE(counts.add(input));
    CHECK(counts.runs() == 4);
    CHECK(counts.patterns()[2].total_gain == Approx(0.03));
}

TEST_CASE("patterns of two sessions: a kernel's own, or all of the folder", "[workflow][patterns]") {
    const TempFolder folder;
    const KernelPtr one = sample_kernel(), two = sample_kernel("softmax");
    RunHeader header = header_for_tests();
    const Logged first(folder / "one.db", one, 5, header);
    header.seed += 1;
    const Logged second(folder / "two.db", two, 6, header);
    std::filesystem::copy_file(folder / "one.db", folder / "copy.db");
    PatternRequest request;
    request.folder = folder.path();
    request.scope = PatternScope::All;
    auto all = required(count_patterns(request));
    CHECK(all->runs == 2);
    CHECK(all->sessions == 2);
    CHECK(all->copies == 1);
    CHECK(steps_of(all->patterns) == first.accepted + second.accepted);
    CHECK(gain_of(all->patterns) == Approx(first.gain + second.gain).margin(1e-5));

    request.scope = PatternScope::Kernel;
    request.kernel = two->hash();
    const auto own = required(count_patterns(request));
    CHECK(own->runs == 1);
    CHECK(steps_of(own->patterns) == second.accepted);

    // The open session is counted wherever it is, a folder that does not exist has none.
    request.folder = folder / "nowhere";
    request.session = folder / "two.db";
    CHECK(count_patterns(request)->runs == 1);
    request.session.clear();
    CHECK(count_patterns(request)->runs == 0);
}
