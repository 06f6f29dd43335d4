// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab campaign` over kernels that were captured from small programs on the stand-in driver.
#include "core/tuning/program/campaign.h"
#include <chrono>
#include <csignal>

#include "core/base/file.h"
#include "core/evidence/step_measurement.h"
#include "core/result/work_time.h"
#include "core/store/session.h"
#include "core/store/sqlite.h"
#include "core/tuning/program/campaign_report.h"
#include "core/tuning/program/campaign_run.h"
#include "tests/cli/program.h"
#include "tests/core/evidence/claims_fixture.h"
#include "tests/support/catch.h"
#include "tests/support/wait_until.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

namespace fs = std::filesystem;

const std::string kTests = std::string(CUBINLAB_BINARY_DIR) + "/tests";
const std::string kWorker =
    "env LD_LIBRARY_PATH=" + kTests + "/fake_driver " CUBINLAB_BINARY_DIR "/bin/cubinlab-bench-worker";
const Environment kFake = {{"LD_LIBRARY_PATH", kTests + "/fake_driver"},
                           {"CUBINLAB_FAKE_ARENA", "500000000000"}};

const std::string kSoftmax = std::string(CUBINLAB_SAMPLES) + "/softmax.cubin",
                  kMma = std::string(CUBINLAB_TEST_DATA) + "/cubins/k2.90a.cubin";

void capture(const std::string& folder, const std::string& scenario, const std::string& image,
             const std::string& kernel) {
    const ProgramResult made = run_program({"capture", "-o", folder, "--force", "--kernel", kernel, "--",
                                            kTests + "/inject_host", "getproc", scenario, image, kernel},
                                           kFake);
    INFO(made.err);
    REQUIRE(made.code == 0);
}

// A folder as capture leaves it, of kernels that are never run.
void pretend(const fs::path& folder, const std::vector<CapturedTimes>& times) {
    for (const CapturedTimes& one : times) {
        REQUIRE(write_text(folder / one.file, "not read by a plan"));
        REQUIRE(write_text((folder / one.file).replace_extension(".workload.json"),
                           R"({"kernel": ")" + one.kernel + "\"}"));
    }
    REQUIRE(write_captured_times(folder, times));
}

CampaignPlan plan_of(const fs::path& folder, const std::string& budget, std::size_t gpus,
                     const std::string& only = {}) {
    auto plan =
        required(plan_campaign(folder, folder / "campaign", Budget::parse(budget).value(), gpus, only));
    return *plan;
}

// The working time of the runs in a session; 0 where none has a step.
int logged_ms(const fs::path& session) {
    if (!fs::exists(session)) return 0;
    auto reader = required(SessionReader::open(session));
    auto runs = required((*reader)->runs());
    double seconds = 0;
    for (const RunInfo& run : *runs) {
        WorkTime time;
        const auto figures = required((*reader)->figures(run.id, 0, 0));
        for (const StepFigure& step : *figures)
            time.add(step.time_us);
        seconds += time.seconds();
    }
    return static_cast<int>(seconds * 1000);
}

void change_session(const fs::path& session, const std::string& sql) {
    auto database = required(sqlite::Database::open(session, sqlite::Mode::ReadWrite));
    REQUIRE(database->exec(sql));
}

// Of its newest run's best, with a cold cache, on another GPU than the run's.
void measured_since(const fs::path& session, Comparison seen) {
    seen.machine.gpu.facts.emplace().uuid = "another";
    auto reader = required(SessionReader::open(session));
    const auto run = (*reader)->run(0);
    const auto kernel = (*reader)->kernel();
    REQUIRE(run);
    REQUIRE(kernel);
    auto writer = required(SessionWriter::open(session, *kernel, "", ""));
    REQUIRE((*writer)->add_measurement(
        measurement_record(seen, run->id, run->best_step, "measure", Cache::Cold)));
    REQUIRE((*writer)->close());
}

std::vector<std::string> campaign(const std::string& folder, const std::string& budget,
                                  const std::vector<std::string>& more = {}) {
    std::vector<std::string> out = {"campaign", folder,    "--budget", budget,     "--evaluator",
                                    "gpu",      "--agent", "random",   "--worker", kWorker};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

// A stand-in for srun: each task in a process and a folder of its own, numbered as Slurm does it; all at once, the largest
// exit code for all.
std::string write_srun(const TemporaryFolder& folder) {
    const std::string path = folder / "srun";
    REQUIRE(write_text(path, R"(#!/bin/sh
tasks=1
while :; do
    case $1 in
    --ntasks=*) tasks=${1#--ntasks=} ;;
    --*) ;;
    *) break ;;
    esac
    shift
done
elsewhere=$(mktemp -d)
processes=
task=1
while [ $task -lt "$tasks" ]; do
    mkdir "$elsewhere/$task"
    (cd "$elsewhere/$task" && SLURM_PROCID=$task SLURM_NTASKS=$tasks exec "$@" < /dev/null) &
    processes="$processes $!"
    task=$((task + 1))
done
mkdir "$elsewhere/0"
(cd "$elsewhere/0" && SLURM_PROCID=0 SLURM_NTASKS=$tasks exec "$@")
worst=$?
for process in $processes; do
    wait "$process"
    code=$?
    [ $code -gt $worst ] && worst=$code
done
rm -rf "$elsewhere"
exit $worst
)"));
    fs::permissions(path, fs::perms::owner_all);
    return path;
}

}  // namespace

TEST_CASE("a campaign as tasks of srun, all at once on a shared folder (a stand-in for srun)") {
    const TemporaryFolder folder;
    const std::string captured = folder / "c", srun = write_srun(folder);
    capture(captured, "many", kSoftmax, "softmax");
    capture(captured, "module", kMma, "k_mma");
    const std::string program = std::string(CUBINLAB_BINARY_DIR) + "/bin/cubinlab";
    // As inject.md has it, with three tasks for two kernels: one has nothing to do.
    succeeded(
        run_any("/usr/bin/env", {"LD_LIBRARY_PATH=" + kTests + "/fake_driver", "WORKER=" + kWorker, srun,
                                 "--ntasks=3", "--gpus-per-task=1", "sh", "-c",
                                 program + " campaign " + captured +
                                     " --budget 20steps --evaluator gpu --agent random --worker \"$WORKER\""
                                     " --shard $SLURM_PROCID/3"}));
    const auto told = run_program(campaign(captured, "20steps", {"--report", "--json"})).json();
    REQUIRE(told["kernels"].size() == 2);
    for (const auto& row : told["kernels"]) {
        CHECK(row["state"] == "done");
        CHECK(row["measured"] == true);
        CHECK(run_program({"replay", row["session"], "--verify"}).code == 0);
    }
}

TEST_CASE("a campaign over workers that srun starts (a stand-in for srun)") {
    const TemporaryFolder folder;
    const std::string captured = folder / "c", srun = write_srun(folder);
    capture(captured, "many", kSoftmax, "softmax");
    capture(captured, "module", kMma, "k_mma");
    const std::string worker = srun + " --ntasks=1 --gpus=1 " + kWorker;
    const ProgramResult tuned =
        succeeded(run_program({"campaign", captured, "--budget", "20steps", "--evaluator", "gpu", "--agent",
                               "random", "--worker", worker, "--worker", worker, "--json"}));
    for (const auto& row : tuned.json()["kernels"]) {
        CHECK(row["state"] == "done");
        CHECK(row["measured"] == true);
    }
}

TEST_CASE("a campaign's budget goes by share of time, with a least for each and one GPU's time at most") {
    const TemporaryFolder folder;
    pretend(folder.path(),
            {{"a.cubin", "a", 70, 10, {}}, {"b.cubin", "b", 100, 2, {}}, {"c.cubin", "c", 10, 10, {}}});
    const CampaignPlan one = plan_of(folder.path(), "100s", 1);
    REQUIRE(one.kernels.size() == 3);
    CHECK(one.kernels[0].name == "a");
    CHECK(one.kernels[0].share == Approx(0.7));
    // Ten seconds each, and 70 s by share.
    CHECK(one.kernels[0].allotted == 59'000);
    CHECK(one.kernels[1].allotted == 24'000);
    CHECK(one.kernels[2].allotted == 17'000);
    // Two GPUs have 200 s; `a` runs on one of them, what it cannot take goes to the others by their shares, 2 to 1.
    const CampaignPlan two = plan_of(folder.path(), "100s", 2);
    CHECK(two.kernels[0].allotted == 100'000);
    CHECK(two.kernels[1].allotted == 63'333);
    CHECK(two.kernels[2].allotted == 36'667);
    CHECK(part_of_plan(two, 0, 2) == std::vector<std::size_t>{0});
    CHECK(part_of_plan(two, 1, 2) == std::vector<std::size_t>{1, 2});
    // Less than ten seconds each: evenly.
    for (const CampaignKernel& kernel : plan_of(folder.path(), "9s", 1).kernels)
        CHECK(kernel.allotted == 3'000);
    CHECK(plan_of(folder.path(), "100s", 1, "regex:^[bc]$").kernels.size() == 2);
    CHECK_FALSE(
        plan_campaign(folder.path(), folder.path(), Budget::parse("9s").value(), 1, "no_such_kernel"));
}

TEST_CASE("after the fast pass the rest of a budget goes by share and promise") {
    CHECK(fast_pass_ms(300'000, 20) == 3'750);
    CHECK(fast_pass_ms(9'000, 3) == 1'000);
    CHECK(fast_pass_ms(1'200'000, 20) == 10'000);
    // Equal shares; a gain of 1 % doubles the promise, a failure ends it.
    const std::vector<RestOfKernel> kernels = {
        {0.25, 0.01, 4'000, false}, {0.25, 0, 4'000, false}, {0.25, 0, 2'000, true}, {0.25, -0.5, 4'000, false}};
    const std::vector<std::uint64_t> targets = targets_by_promise(kernels, 54'000, 54'000, 1'000);
    CHECK(targets[0] == 4'000 + 20'000);
    CHECK(targets[1] == 4'000 + 10'000);
    CHECK(targets[2] == 2'000);
    CHECK(targets[3] == 4'000 + 10'000);
    // No kernel gets more than one GPU has; a kernel that gains gets its final measurement.
    const std::vector<RestOfKernel> two = {{0.999, 0.02, 3'000, false}, {0.001, 0.02, 3'000, false}};
    CHECK(targets_by_promise(two, 30'000, 20'000, 1'000) == std::vector<std::uint64_t>{20'000, 10'000});
    CHECK(targets_by_promise(two, 6'500, 20'000, 1'000) == std::vector<std::uint64_t>{4'000, 4'000});
    // Each further process costs 3 s: of 12 s two kernels can use as much again, and 6 s are left for them.
    const std::vector<RestOfKernel> three = {
        {0.2, 0.01, 0, false}, {0.4, 0.01, 0, false}, {0.4, 0.01, 0, false}};
    CHECK(targets_by_promise(three, 12'000, 20'000, 1'000, 3'000) ==
          std::vector<std::uint64_t>{0, 3'000, 3'000});
    CHECK(targets_by_promise(three, 5'000, 20'000, 1'000, 3'000) == std::vector<std::uint64_t>{0, 0, 0});
}

TEST_CASE(
    "a campaign ends when its time does, with starts and final measurements, and says where the time went") {
    const TemporaryFolder folder;
    for (const char* name : {"bmm_mma", "softmax", "rmsnorm", "gemm_leaky_mma"})
        for (const char* end : {".cubin", ".workload.json"})
            fs::copy_file(std::string(CUBINLAB_SAMPLES) + "/" + name + end,
                          folder / (std::string(name) + end));
    // A worker that takes two thirds of a second to start, and finds one candidate in five faster.
    REQUIRE(write_text(folder / "script.json", R"({"start_ms": 650, "default": {"do": "hashed", "ms": 5}})"));
    const std::string worker =
        kTests + "/fake_bench_worker " + (folder / "script.json") + " " + (folder / "state");
    fs::create_directories(folder / "state");
    const auto begun = std::chrono::steady_clock::now();
    const auto document =
        succeeded(run_program({"campaign", folder.path().string(), "--budget", "16s", "--evaluator", "gpu",
                               "--agent", "random", "--cache", "program", "--worker", worker, "--json"}))
            .json();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    CHECK(wall < 24);
    double reported = 0;
    for (const auto& row : document["kernels"]) {
        INFO(row.dump(1));
        CHECK(row["state"] == "done");
        CHECK(row["spent_ms"] > 0);
        CHECK(row["seconds"]["starting"] >= 0.6);
        for (const auto& [phase, time] : row["seconds"].items())
            reported += time.get<double>();
    }
    CHECK(reported > 0.5 * wall);
    CHECK(reported <= wall);
    // One worker for both states and the probe: no more than two starts for each kernel, besides those of the final measurements.
    const auto starts = static_cast<double>(fs::file_size(folder / "state/starts"));
    CHECK(starts <= 2 * 4 + 4 * 4);
}

TEST_CASE("a campaign of time tries every kernel, goes on with the rest, and ends with the program") {
    const TemporaryFolder folder;
    const std::string captured = folder / "c";
    capture(captured, "steps", kSoftmax, "softmax");
    capture(captured, "module", kMma, "k_mma");
    const auto words = [&](const std::vector<std::string>& more) {
        std::vector<std::string> out = campaign(captured, "8s", {"--cache", "hot", "--json"});
        out.insert(out.end(), more.begin(), more.end());
        return out;
    };
    const ProgramResult tuned =
        run_program(words({"--verify", "--", kTests + "/inject_host", "getproc", "steps", kSoftmax, "softmax"}), kFake);
    INFO(tuned.err);
    const auto document = succeeded(tuned).json();
    bool gain = false;
    for (const auto& row : document["kernels"]) {
        CHECK(row["state"] == "done");
        CHECK(row["spent_ms"] > 0);
        // One run: the second pass resumed the first.
        CHECK(run_program({"runs", row["session"], "--json"}).json()["runs"].size() == 1);
        gain = gain || (row["name"] == "softmax" && row["gain"] == true);
        const std::string dropped = row["dropped"];
        if (!dropped.empty()) CHECK_THAT(dropped, contains_text("slower"));
    }
    if (gain) {
        CHECK(document["program"]["pairs"] >= 4);
        CHECK(document["program"]["log_speedup"] > 0);
        CHECK_THAT(read_text(captured + "/campaign/report.html", 1 << 20).value(),
                   contains_text("on the GPU time of all kernels of the program"));
    }
    // Nothing is left to do.
    CHECK(run_program(words({})).err.empty());
    CHECK(run_program(words({"--verify"})).code == 2);
}

TEST_CASE("a schedule that was dropped in the program is in no result until its cubin changes") {
    const TemporaryFolder folder;
    const std::string captured = folder / "c";
    capture(captured, "many", kSoftmax, "softmax");
    succeeded(run_program(campaign(captured, "60steps", {"--json"})));
    const CampaignPlan plan = plan_of(captured, "60steps", 1);
    const CampaignRow row = report_campaign(plan).rows.at(0);
    REQUIRE(row.gain);
    CampaignInProgram seen;
    seen.dropped["softmax"] = {row.best_hash, "slower in the program: -2.00 % [-2.10, -1.90]"};
    REQUIRE(write_in_program(plan.out, seen));
    const CampaignReport report = report_campaign(plan);
    CHECK_FALSE(report.rows.at(0).gain);
    CHECK(report.rows[0].dropped == seen.dropped["softmax"].why);
    CHECK_FALSE(report.log_speedup_of_captured);
    CHECK_THAT(campaign_html(report, "1"), contains_text("dropped: slower in the program"));
    CHECK(campaign_json(report)["with"].empty());
    // Another schedule is judged anew.
    seen.dropped["softmax"].hash = "another";
    REQUIRE(write_in_program(plan.out, seen));
    CHECK(report_campaign(plan).rows.at(0).gain);
}

TEST_CASE("kernels without a time count as the others' mean launch, what cannot be replayed is skipped") {
    const TemporaryFolder folder;
    pretend(folder.path(), {{"once.cubin", "once", 1, 0, {}},
                            {"often.cubin", "often", 99, 5, {}},
                            {"prints.cubin", "prints", 1000, 9, {"printf"}}});
    const CampaignPlan plan = plan_of(folder.path(), "1000steps", 1);
    CHECK(plan.kernels[0].name == "often");
    CHECK(plan.kernels[0].share == Approx(99 * 5. / (99 * 5 + 7)));  // (5 + 9) / 2 us a launch
    CHECK(plan.kernels[2].name == "prints");
    CHECK(plan.kernels[2].allotted == 0);
    CHECK(plan.kernels[2].skipped == "cannot be replayed: it uses printf");
}

TEST_CASE("a campaign tells what its sessions bear out, with the cache, whatever is written beside them") {
    const TemporaryFolder folder;
    const std::string captured = folder / "c";
    capture(captured, "many", kSoftmax, "softmax");
    succeeded(run_program(campaign(captured, "60steps", {"--cache", "cold", "--json"})));
    const CampaignPlan plan = plan_of(captured, "60steps", 1);
    const CampaignReport report = report_campaign(plan);
    REQUIRE(report.rows.at(0).gain);
    CHECK(gain_text(report.rows[0]).ends_with("], cold cache"));
    CHECK(campaign_json(report)["kernels"][0]["cache"] == "cold");
    CHECK_THAT(campaign_html(report, "1"), contains_text("], cold cache"));

    SeenSessions seen;
    CampaignState state = read_campaign_state(plan, plan.kernels[0]);
    state.result["summary"]["best_log_speedup"] = 0.9;
    state.result["evaluator"]["kind"] = "model";
    REQUIRE(write_campaign_state(plan, plan.kernels[0], state));
    CHECK(campaign_json(report_campaign(plan, &seen)) == campaign_json(report));

    // What was measured since of the best takes the place of what the run had said.
    const fs::path session = campaign_file(plan, plan.kernels[0], ".cubinlab.db");
    measured_since(session, measured_faster());  // +2.02 %
    CHECK_THAT(gain_text(report_campaign(plan, &seen).rows.at(0)), contains_text("+2.02 % ["));

    change_session(session, "UPDATE mutations SET log_speedup = log_speedup + 0.5 WHERE best = 1");
    const CampaignReport forged = report_campaign(plan, &seen);
    CHECK_FALSE(forged.rows.at(0).gain);
    CHECK(gain_text(forged.rows[0]).empty());
    CHECK_THAT(forged.rows[0].state.error, contains_text("does not follow from the stored samples"));
    CHECK_FALSE(forged.log_speedup_of_captured);
    fs::remove(session);
    CHECK_FALSE(report_campaign(plan, &seen).rows.at(0).gain);
    REQUIRE(run_program({"campaign", captured, "--report"}).code >= 0);
    const ProgramResult with = run_program({"run", "--with", captured + "/campaign", "--", "/bin/true"});
    CHECK(with.code == 2);
    CHECK_THAT(with.err, contains_text("no kernel of this campaign was measured faster"));
}

TEST_CASE("a report of a campaign that has not begun writes nothing, and one can begin there afterwards") {
    const TemporaryFolder folder;
    pretend(folder.path(), {{"a.cubin", "kernel_a", 10, 5.0, {}}});
    fs::create_directories(folder / "mine");
    REQUIRE(write_text(folder / "mine/report.html", "mine"));
    const ProgramResult foreign = succeeded(
        run_program(campaign(folder.path().string(), "60steps", {"--report", "--out", folder / "mine"})));
    CHECK(foreign.out.find("no campaign has begun in ") != std::string::npos);
    CHECK(read_text(folder / "mine/report.html", 100).value() == "mine");
    CHECK_FALSE(fs::exists(folder / "mine/report.json"));
    CHECK(run_program(campaign(folder.path().string(), "60steps", {"--report"})).code == 0);
    CHECK_FALSE(fs::exists(folder / "campaign"));
}

TEST_CASE("a campaign tunes every captured kernel, leaves what is done, and goes on with more") {
    const TemporaryFolder folder;
    const std::string captured = folder / "c";
    capture(captured, "many", kSoftmax, "softmax");
    capture(captured, "module", kMma, "k_mma");
    const ProgramResult first = succeeded(run_program(campaign(captured, "60steps", {"--json"})));
    const auto rows = first.json()["kernels"];
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["name"] == "softmax");
    CHECK(rows[0]["launches"] == 3012);
    for (const auto& row : rows) {
        CHECK(row["state"] == "done");
        CHECK(row["measured"] == true);
        const ProgramResult runs = run_program({"runs", row["session"], "--json"});
        CHECK(runs.json()["runs"][0]["steps"] == row["allotted_steps"]);
        CHECK(run_program({"replay", row["session"], "--verify"}).code == 0);
    }
    CHECK(fs::exists(folder / "c/campaign/report.html"));
    CHECK(fs::exists(folder / "c/campaign/softmax.html"));
    // What it gained runs in the unchanged program.
    std::size_t gains = 0;
    for (const auto& row : rows)
        gains += row["gain"] == true ? 1 : 0;
    CHECK(campaign_results(captured + "/campaign").size() == gains);
    REQUIRE(rows[0]["gain"] == true);
    const ProgramResult with = run_program({"run", "--with", captured + "/campaign", "--require", "--",
                                            kTests + "/inject_host", "getproc", "many", kSoftmax, "softmax"},
                                           kFake);
    INFO(with.err);
    CHECK(with.code == 0);
    CHECK(with.err.find("replaced 1 of 1 kernels, 3,012 launches") != std::string::npos);
    // Nothing is left to do; more is done where it was.
    CHECK(run_program(campaign(captured, "60steps")).err.empty());
    const ProgramResult more = run_program(campaign(captured, "80steps", {"--json"}));
    CHECK(more.code == 0);
    const ProgramResult runs = run_program({"runs", rows[0]["session"], "--json"});
    CHECK(runs.json()["runs"].size() == 1);
    CHECK(runs.json()["runs"][0]["steps"] == more.json()["kernels"][0]["allotted_steps"]);
    // Other settings are another campaign.
    CHECK(run_program(campaign(captured, "60steps", {"--seed", "7"})).code == 2);
    CHECK(run_program(campaign(captured, "60steps,5s")).code == 2);
    CHECK(run_program(campaign(captured, "60steps", {"--shard", "2/2"})).code == 2);
    CHECK(run_program(campaign(folder / "none", "60steps")).code == 2);
    const ProgramResult told = run_program(campaign(captured, "80steps", {"--report", "--json"}));
    CHECK(told.json()["kernels"] == more.json()["kernels"]);
}

TEST_CASE("a campaign keeps its budget, and tells it before every kernel has begun") {
    const TemporaryFolder folder;
    pretend(folder.path(), {{"a.cubin", "a", 70, 10, {}}, {"b.cubin", "a", 100, 2, {}}});
    const std::string out = folder / "campaign";
    fs::create_directories(out);
    const auto settings = [](const std::string& budget) {
        return R"({"format": "cubinlab-campaign 1", "unit": "time", "agent": "auto", "evaluator": "auto",)"
               R"( "seed": 1, "cold": false)" +
               budget + "}";
    };
    // One of an older version tells what its kernels were given.
    REQUIRE(write_text(out + "/campaign.json", settings("")));
    const CampaignPlan plan = plan_of(folder.path(), "10m", 1);
    CHECK_FALSE(budget_of_begun(plan, *begun_campaign(out), 1));
    CampaignState state;
    state.allotted = 8000;
    REQUIRE(write_campaign_state(plan, plan.kernels[0], state));
    CHECK(budget_of_begun(plan, *begun_campaign(out), 1)->text() == "8s");
    REQUIRE(write_text(out + "/campaign.json", settings(R"(, "budget": "20s")")));
    CHECK(budget_of_begun(plan, *begun_campaign(out), 1)->text() == "20s");
    const ProgramResult told = succeeded(run_program({"campaign", folder.path().string(), "--report"}));
    CHECK_THAT(read_text(out + "/report.html", 1 << 20).value(), contains_text("budget 20s"));
    // Two files with a kernel of one name.
    CHECK_THAT(told.out, contains_text("  a (a)\n"));
    CHECK_THAT(told.out, contains_text("  a (b)\n"));
    CHECK_THAT(read_text(out + "/report.html", 1 << 20).value(), contains_text("<td>a (b)</td>"));
}

TEST_CASE("two campaigns over the same kernels: the second is refused at once, and changes nothing") {
    const TemporaryFolder folder;
    for (const char* name : {"bmm_mma", "bmm"})
        for (const char* end : {".cubin", ".workload.json"})
            fs::copy_file(std::string(CUBINLAB_SAMPLES) + "/" + name + end,
                          folder / (std::string(name) + end));
    const std::string here = folder.path().string();
    const std::vector<std::string> model = {"campaign", here, "--evaluator", "model", "--agent", "random"};
    const auto with = [&](const std::vector<std::string>& more) {
        std::vector<std::string> out = model;
        out.insert(out.end(), more.begin(), more.end());
        return out;
    };
    const auto begun = [&] {
        return fs::exists(folder / "campaign/bmm.cubinlab.db") ||
               fs::exists(folder / "campaign/bmm_mma.cubinlab.db");
    };
    ProgramResult second;
    (void)run_and_kill(with({"--budget", "60s"}), 1, 0, [&] {
        wait_until(begun);
        second = run_program(with({"--budget", "50s", "--json"}));
    });
    INFO(second.out);
    CHECK(second.code == 2);
    CHECK_THAT(second.json()["error"]["what"].get<std::string>(),
               contains_text("another campaign (process "));
    CHECK(begun_campaign(folder / "campaign")->budget->text() == "60s");
    // It was killed: nothing of it runs any more, and what it had found is told.
    const auto begun_of = [&] { return run_program(with({"--report", "--json"})).json(); };
    nlohmann::json killed;
    CHECK(wait_until(
        [&] { return (killed = begun_of())["interrupted"] == true; }));  // its children end by themselves
    for (const auto& row : killed["kernels"])
        CHECK(row["state"] != "running");
    CHECK_THAT(run_program(with({"--report"})).out,
               contains_text("interrupted: the same command without --report resumes it"));
    // The lock went with the process; without a budget it goes on with its own.
    const ProgramResult third = run_and_signal(model, 2, SIGINT);
    CHECK_THAT(third.err, contains_text("at most 60s on each GPU"));
    CHECK_THAT(third.out, contains_text("interrupted: the same command resumes it"));
    // What it spent is what its session has.
    const auto told = run_program(with({"--report", "--json"})).json();
    for (const auto& row : told["kernels"]) {
        if (row["state"] == "waiting") continue;
        CHECK(row["state"] == "interrupted");
        const int spent = row["spent_ms"].get<int>();
        CHECK(spent == logged_ms(folder / ("campaign/" + row["name"].get<std::string>() + ".cubinlab.db")));
        CHECK(spent < 20'000);
    }
}

TEST_CASE("parts of a campaign make the whole, a kernel that fails does not stop the others") {
    const TemporaryFolder folder;
    const std::string captured = folder / "c";
    capture(captured, "many", kSoftmax, "softmax");
    capture(captured, "module", kMma, "k_mma");
    REQUIRE(write_text(captured + "/broken.cubin", "no cubin"));
    REQUIRE(write_text(captured + "/broken.workload.json", R"({"kernel": "broken"})"));
    int failed = 0;
    for (const char* part : {"0/3", "1/3", "2/3"})
        failed += run_program(campaign(captured, "20steps", {"--shard", part})).code;
    CHECK(failed == 1);
    const auto report = run_program(campaign(captured, "20steps", {"--report", "--json"})).json();
    for (const auto& row : report["kernels"])
        CHECK(row["state"] == (row["name"] == "broken" ? "failed" : "done"));
}

TEST_CASE("a kernel whose launches change nothing is told by capture, and the campaign tunes the others") {
    const TemporaryFolder folder;
    const std::string captured = folder / "c";
    capture(captured, "settled", kSoftmax, "softmax");
    const ProgramResult none = run_program({"capture", "-o", captured, "--force", "--kernel", "k_mma", "--",
                                            kTests + "/inject_host", "getproc", "never", kMma, "k_mma"},
                                           kFake);
    CHECK(none.code == 1);
    CHECK(none.err.find("k_mma: launch 1 not captured, since it changed nothing in memory") !=
          std::string::npos);
    const ProgramResult tuned = run_program(campaign(captured, "20steps", {"--shard", "0/1", "--json"}));
    INFO(tuned.err);
    CHECK(tuned.code == 0);
    REQUIRE(tuned.json()["kernels"].size() == 1);
    CHECK(tuned.json()["kernels"][0]["state"] == "done");
}

TEST_CASE("a campaign that was killed goes on where it was") {
    const TemporaryFolder folder;
    const std::string captured = folder / "c", session = captured + "/campaign/softmax.cubinlab.db";
    capture(captured, "many", kSoftmax, "softmax");
    // Until the session has steps: on a busy machine that takes longer.
    const auto begun = [&] {
        const auto runs = run_program({"runs", session, "--json"});
        return runs.code == 0 && !runs.json()["runs"].empty() && runs.json()["runs"][0]["steps"] > 0;
    };
    for (int wait_ms = 1500; wait_ms < 30'000 && !begun(); wait_ms *= 2)
        CHECK(run_and_kill(campaign(captured, "200000steps"), 1, wait_ms).was_running);
    REQUIRE(begun());
    // What it began ends by itself, with its log whole.
    const ProgramResult stopped = succeeded(run_and_signal(campaign(captured, "200000steps"), 1, SIGTERM));
    CHECK(stopped.out.find("interrupted") != std::string::npos);
    const auto steps = run_program({"runs", session, "--json"}).json()["runs"][0]["steps"].get<int>();
    CHECK(steps > 0);

    succeeded(run_program(campaign(captured, std::to_string(steps + 10) + "steps", {"--json"})));
    const auto runs = run_program({"runs", session, "--json"}).json()["runs"];
    CHECK(runs.size() == 1);
    CHECK(runs[0]["steps"] == steps + 10);
    CHECK(run_program({"replay", session, "--verify"}).code == 0);
}
