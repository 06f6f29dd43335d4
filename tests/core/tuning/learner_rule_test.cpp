// SPDX-License-Identifier: GPL-3.0-or-later
// Rewards and acceptance of the two learners follow from the outcomes in their logs, with no network asked.
#include "core/tuning/learner_rule.h"

#include <cmath>

#include "core/store/sqlite.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

struct Logged {
    StepId parent = 0;
    Outcome outcome;
    double reward = 0;
    bool accepted = false;
};

Outcome ran(double log_speedup, double radius = 0) {
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.log_speedup = log_speedup;
    out.low = log_speedup - radius;
    out.high = log_speedup + radius;
    return out;
}
Outcome failed(OutcomeKind kind) {
    Outcome out;
    out.kind = kind;
    return out;
}

struct LearnerLog {
    TempFolder folder;
    std::filesystem::path file = folder / "s.db";

    LearnerLog(const std::string& agent, const std::string& settings, const std::vector<Logged>& steps) {
        const KernelPtr kernel = sample_kernel();
        LogMaker log(kernel, 1, 1);
        auto session = open_or_fail(file, kernel);
        RunHeader header = header_for_tests(agent);
        header.agent_settings = settings;
        RunId run = 0;
        auto sink = session->begin_run(header, log.start(), &run).value();
        for (const Logged& step : steps) {
            StepRecord record = log.next_on(step.parent);
            record.outcome = step.outcome;
            record.reward = step.reward;
            record.accepted = step.accepted;
            REQUIRE(sink->append(record));
        }
        REQUIRE(sink->finish({}));
        REQUIRE(session->close());
    }
    void edit(const std::string& sql) const {
        auto database = sqlite::Database::open(file, sqlite::Mode::ReadWrite);
        REQUIRE(database);
        REQUIRE(database->exec("UPDATE mutations SET " + sql));
    }
    // As "where: what", one a line.
    std::string told(std::uint64_t steps) const {
        auto reader = SessionReader::open(file).value();
        Deviations found;
        RunInfo run = reader->run(1).value();
        CHECK(check_learner_rule(*reader, run, found, {}).value() == steps);
        std::string out;
        for (const Deviation& one : found.kept())
            out += one.where + ": " + one.what + "\n";
        return out;
    }
};

// Launches of 100 at the start, then 98, 99, a fault; a new episode's 97.
LearnerLog paper_log() {
    return {"ppo-cuasmrl",
            R"({"failure_reward": -2})",
            {{0, ran(std::log(100.0 / 98)), 2, true},
             {1, ran(std::log(100.0 / 99)), -1, true},
             {2, failed(OutcomeKind::Fault), -2, false},
             {0, ran(std::log(100.0 / 97)), 3, true}}};
}

// Percent of the logarithm; a gain within its interval is none; a loss costs up to 1 and is not taken.
LearnerLog gain_log() {
    return {"ppo",
            R"({"loss_floor": 1})",
            {{0, ran(0.02, 0.005), 2, true},
             {1, ran(0.0201, 0.005), 0, true},
             {2, ran(0.015, 0.001), -0.51, false},
             {2, ran(-0.1, 0.001), -1, false},
             {2, failed(OutcomeKind::WrongResult), -1, false},
             {1, ran(0.05, 0), 3, true}}};
}

}  // namespace

TEST_CASE("a log of the paper's agent whose rewards are the changes of run time is as it should be") {
    CHECK(paper_log().told(4) == "");
}

TEST_CASE("a forged reward and a forged acceptance of the paper's agent are each told by their row") {
    const LearnerLog log = paper_log();
    log.edit("reward = reward + 0.5 WHERE step = 2");
    CHECK(log.told(4) == "run 1, step 2: reward is -0.5, by the rule of ppo-cuasmrl it is -1\n");
    log.edit("reward = reward - 0.5 WHERE step = 2");
    log.edit("accepted = 1 WHERE step = 3");
    CHECK(log.told(4) == "run 1, step 3: accepted is 1, by the rule of ppo-cuasmrl it is 0\n");
    log.edit("accepted = 0 WHERE step IN (3, 4)");
    CHECK(log.told(4) == "run 1, step 4: accepted is 0, by the rule of ppo-cuasmrl it is 1\n");
}

TEST_CASE("an outcome that was changed shows in the rewards of its step and of those made on it") {
    const LearnerLog log = paper_log();
    log.edit("log_speedup = 0.05 WHERE step = 1");
    const std::string told = log.told(4);
    CHECK_THAT(told, contains_text("run 1, step 1: reward is 2"));
    CHECK_THAT(told, contains_text("run 1, step 2: reward is -1"));
    CHECK_THAT(told, !contains_text("step 4"));
}

TEST_CASE("a log of ppo follows by the gain over the schedule that each step was made on") {
    CHECK(gain_log().told(6) == "");
}

TEST_CASE("a forged reward and a forged acceptance of ppo are each told by their row") {
    const LearnerLog log = gain_log();
    log.edit("reward = 0.01 WHERE step = 2");
    CHECK(log.told(6) == "run 1, step 2: reward is 0.01, by the rule of ppo it is 0\n");
    log.edit("reward = 0, accepted = 1 WHERE step = 2");
    log.edit("accepted = 1 WHERE step = 4");
    CHECK(log.told(6) == "run 1, step 4: accepted is 1, by the rule of ppo it is 0\n");
    log.edit("accepted = 0 WHERE step = 4");
    log.edit("reward = 1 WHERE step = 5");
    CHECK(log.told(6) == "run 1, step 5: reward is 1, by the rule of ppo it is -1\n");
}

TEST_CASE("no learner goes on from a step that did not run well") {
    const LearnerLog log("ppo-cuasmrl", "{}",
                         {{0, failed(OutcomeKind::Hang), -1, false}, {1, ran(0.01), 0.995, true}});
    CHECK_THAT(log.told(2), contains_text("run 1, step 2: parent is 1, which did not run well"));
}

TEST_CASE("an interval without ends, which a file cannot keep, includes any gain") {
    Outcome endless = ran(0.03);
    endless.low = endless.high = 0;
    const LearnerLog log("ppo", "{}", {{0, endless, 0, true}});
    CHECK(log.told(1) == "");
}

TEST_CASE("agents without a rule of this kind are left to the agent, and settings that are none are told") {
    const LearnerLog greedy("greedy", "{}", {{0, ran(0.01), 77, true}});
    CHECK(greedy.told(0) == "");
    const LearnerLog wrong("ppo", R"({"no_such": 1})", {{0, ran(0.01), 1, true}});
    CHECK_THAT(wrong.told(0), contains_text("its settings give no rule"));
}
