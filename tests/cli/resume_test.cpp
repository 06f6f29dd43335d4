// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab tune --resume`: a run resumes with its own start and locks, not from the original.
#include <cmath>

#include "core/model/sm_model.h"
#include "core/result/evaluator.h"
#include "core/store/session.h"
#include "core/tuning/evaluator_choice.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

KernelPtr bmm() {
    auto cubin = required(Cubin::open(kBmm));
    auto kernel = required(Kernel::load(*cubin, ""));
    return *kernel;
}

// The original with every stall count of 1 to 3 raised by one: legal, and slower.
Schedule slowed(const KernelPtr& kernel, std::vector<Mutation>* edits) {
    Schedule schedule(kernel);
    for (InstrId id = 0; id < schedule.size() && edits->size() < 40; ++id) {
        ControlCode control = schedule.control(id);
        if (kernel->pinned(id) || control.stall < 1 || control.stall > 3) continue;
        ++control.stall;
        const Mutation edit = Mutation::control(schedule, id, control);
        REQUIRE(edit.apply(schedule));
        edits->push_back(edit);
    }
    return schedule;
}

// A session as the window leaves it: run 1 holds hand edits, run 2 a search from where they ended that was
// killed before its first step.
Schedule make_session(const std::string& path, const std::vector<InstrId>& locked) {
    const KernelPtr kernel = bmm();
    auto workload = required(find_workload(*kernel, ""));
    const auto model = make_model_evaluator(kernel, model_settings(*kernel, *workload));
    std::vector<Mutation> edits;
    const Schedule start = slowed(kernel, &edits);
    auto session = required(SessionWriter::open(path, kernel, *workload ? (*workload)->json : "", ""));
    RunHeader hand;
    hand.agent = "hand";
    hand.agent_settings = "{}";
    hand.evaluator = model->info();
    hand.start_hash = kernel->hash();
    RunId hand_id = 0;
    auto sink = required((*session)->begin_run(hand, Schedule(kernel), &hand_id));
    Schedule now(kernel);
    StepId step = 0;
    for (const Mutation& edit : edits) {
        REQUIRE(edit.apply(now));
        StepRecord record;
        record.step = ++step;
        record.parent = step - 1;
        record.mutation = edit;
        record.schedule_hash = now.hash();
        REQUIRE((*sink)->append(record));
    }
    REQUIRE((*sink)->finish({}));
    RunHeader search = hand;
    search.agent = "greedy";
    search.seed = 3;
    search.budget = "300 steps";
    search.start_run = hand_id;
    search.start_parent = step;
    search.start_hash = start.hash();
    search.locked = locked;
    RunId id = 0;
    auto killed = required((*session)->begin_run(search, start, &id));
    REQUIRE(id == 2);
    killed->reset();
    REQUIRE((*session)->close());
    return start;
}

ProgramResult resume(const std::string& session, std::vector<std::string> more = {}) {
    std::vector<std::string> command = {"tune",     kBmm,       "--evaluator", "model", "--resume", "2",
                                        "--budget", "300steps", "--session",   session, "--json"};
    command.insert(command.end(), more.begin(), more.end());
    return run_program(command);
}

}  // namespace

TEST_CASE("a run resumes with its own agent, seed and settings, and refuses others by name") {
    const TemporaryFolder folder;
    const std::string session = folder / "s.db";
    make_session(session, {});
    const std::string before = bytes_of(session);
    for (const auto& [option, value] : {std::pair("--agent", "random"), std::pair("--seed", "77"),
                                        std::pair("--agent-settings", R"({"edits":3})")}) {
        const ProgramResult refused = resume(session, {option, value});
        INFO(option << refused.out << refused.err);
        CHECK(refused.code == 2);
        CHECK(refused.json()["error"]["what"].get<std::string>().find("leave " + std::string(option) +
                                                                      " out") != std::string::npos);
        CHECK(bytes_of(session) == before);
    }

    succeeded(resume(session, {"--agent", "greedy", "--seed", "3", "--agent-settings", "{}"}));
}

TEST_CASE("the newest run resumes even if it was killed before its first step, if no other can") {
    const TemporaryFolder folder;
    const std::string session = folder / "s.db";
    make_session(session, {});
    const ProgramResult done =
        succeeded(run_program({"tune", kBmm, "--evaluator", "model", "--resume", "0", "--budget", "20steps",
                               "--session", session, "--json"}));
    CHECK(done.json()["run"] == 2);
}

TEST_CASE("a resumed run begins at its recorded start, and its figures and stamp are against that") {
    const TemporaryFolder folder;
    const std::string session = folder / "s.db";
    const Schedule start = make_session(session, {});
    const ProgramResult done = succeeded(resume(session, {"--out", folder / "best.cubin"}));
    CHECK(done.json()["run"] == 2);
    CHECK(done.json()["against"] == "the start of the run");
    CHECK(done.json()["stamp"].get<std::string>().find("not the original") != std::string::npos);
    auto reader = required(SessionReader::open(session));
    const auto run = required((*reader)->run(2));
    CHECK(run->start_hash == start.hash());
    CHECK(run->steps == 300);
    const KernelPtr kernel = bmm();
    CHECK((*reader)->verify(kernel, 2).value() == 300);
    // The first step is one mutation away from the start, and 40 edits from the original.
    const auto first = required((*reader)->schedule_at(kernel, 2, 1));
    const auto steps = required((*reader)->steps(2, 0, 1));
    Schedule expected(kernel);
    REQUIRE(difference(Schedule(kernel), start).apply(expected));
    REQUIRE(steps->front().mutation.apply(expected));
    CHECK(expected.hash() == first->hash());
    const ProgramResult told = run_program({"replay", session, "--run", "2", "--json"});
    CHECK(told.json()["start"]["run"] == 1);
    CHECK(told.json()["start"]["step"] == 40);
    // A gain over the start is not a gain over the original.
    const auto workload = find_workload(*kernel, "");
    const auto model = make_model_evaluator(kernel, model_settings(*kernel, *workload));
    const auto begin = required((*reader)->schedule_at(kernel, 2, 0));
    const auto own = required(model->evaluate(std::span(&*begin, 1), Schedule(kernel), Effort::Confirm, {}));
    REQUIRE(own->front().cost != model->info().original_cost);
    const auto summary = done.json()["summary"];
    CHECK(summary["best_cost"].get<double>() * std::exp(summary["best_log_speedup"].get<double>()) ==
          Approx(own->front().cost));
}

TEST_CASE("tune --lock pins instructions, is logged, and refuses an invalid offset") {
    const TemporaryFolder folder;
    const auto tune = [&](const std::string& lock) {
        return run_program({"tune", kBmm, "--evaluator", "model", "--budget", "100steps", "--session",
                            folder / "s.db", "--lock", lock, "--json"});
    };
    for (const char* wrong : {"0x8", "12-", "0x20-0x10", "0x900000", "banana", "0x10-0x900000"}) {
        INFO(wrong);
        const ProgramResult refused = tune(wrong);
        CHECK(refused.code == 2);
        CHECK(refused.json()["error"]["where"] == "--lock");
    }
    succeeded(tune("0x0-0x7f0,0x900"));
    auto reader = required(SessionReader::open(folder / "s.db"));
    const auto run = required((*reader)->run(0));
    CHECK(run->locked.size() == 129);
    const auto steps = required((*reader)->steps(run->id));
    for (const StepRecord& step : *steps)
        for (const Edit& edit : step.mutation.edits) {
            CHECK(edit.instr >= 0x80);
            CHECK(edit.instr != 0x90);
        }
}

TEST_CASE("hand edits alone are nothing to resume") {
    const TemporaryFolder folder;
    make_session(folder / "s.db", {});
    const ProgramResult hand = run_program({"tune", kBmm, "--evaluator", "model", "--resume", "1", "--budget",
                                            "10steps", "--session", folder / "s.db", "--json"});
    CHECK(hand.code == 2);
    CHECK(hand.json()["error"]["what"].get<std::string>().find("hand edits") != std::string::npos);
}

TEST_CASE("tune --from-schedules starts from earlier schedules, and a resumed run keeps its starts") {
    const TemporaryFolder folder;
    const auto tune = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"tune", kBmm, "--evaluator", "model", "--only-reschedules", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return run_program(words);
    };
    const auto first =
        tune({"--budget", "400steps", "--session", folder / "a.db", "--out", folder / "a.cubin"});
    REQUIRE(first.code == 0);
    const double found = first.json()["summary"]["best_log_speedup"];

    const auto second = tune({"--budget", "60steps", "--seed", "9", "--session", folder / "b.db",
                              "--from-schedules", folder / "a.cubin"});
    REQUIRE(second.code == 0);
    CHECK(second.json()["from_schedules"] == 1);
    CHECK(second.json()["summary"]["best_log_speedup"] >= found);
    CHECK(second.json()["against"] == "the original");

    const auto whole = tune({"--budget", "160steps", "--seed", "9", "--session", folder / "whole.db",
                             "--from-schedules", folder / "a.cubin"});
    const auto resumed = tune({"--budget", "100steps", "--session", folder / "b.db", "--resume", "0"});
    REQUIRE(resumed.code == 0);
    CHECK(resumed.json()["summary"]["best_log_speedup"] == whole.json()["summary"]["best_log_speedup"]);
    CHECK(run_program({"replay", folder / "b.db", "--verify"}).code == 0);

    // A folder that contains a session of another kernel, which is skipped; naming that session is an error.
    REQUIRE(run_program({"tune", kSoftmax, "--evaluator", "model", "--budget", "5steps", "--session",
                         folder / "softmax.db"})
                .code == 0);
    REQUIRE(
        tune({"--agent", "greedy", "--seed", "3", "--budget", "90steps", "--session", folder / "other.db"})
            .code == 0);
    const auto from_folder =
        tune({"--budget", "20steps", "--session", folder / "c.db", "--from-schedules", folder.path().string()});
    REQUIRE(from_folder.code == 0);
    CHECK(from_folder.json()["from_schedules"].get<int>() >= 2);
    const auto wrong =
        tune({"--budget", "20steps", "--session", folder / "d.db", "--from-schedules", folder / "softmax.db"});
    CHECK(wrong.code == 2);
    CHECK_FALSE(std::filesystem::exists(folder / "d.db"));
    CHECK(tune({"--budget", "9steps", "--session", folder / "b.db", "--resume", "0", "--from-schedules",
                folder / "a.db"})
              .code == 2);
    // A start cannot be the output.
    CHECK(tune({"--budget", "9steps", "--session", folder / "e.db", "--from-schedules", folder / "a.cubin",
                "--out", folder / "a.cubin"})
              .code == 2);
}
