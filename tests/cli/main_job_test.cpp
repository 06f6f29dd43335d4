// SPDX-License-Identifier: GPL-3.0-or-later
// The main job, end to end, by the commands that the README names.
#include <fstream>
#include <sstream>

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/wait_until.h"

using namespace cubinlab::test;

namespace {

std::vector<std::string> tune(const TemporaryFolder& folder, const std::string& name,
                              const std::string& budget, const std::string& agent = "greedy") {
    return {"tune",        kBmm,
            "--evaluator", "model",
            "--agent",     agent,
            "--budget",    budget,
            "--seed",      "1",
            "--session",   folder / (name + ".db"),
            "--out",       folder / (name + ".cubin"),
            "--json"};
}

// Step lines of a progress stream, oldest first.
std::vector<std::pair<nlohmann::json, double>> steps_of(const KilledRun& run) {
    std::vector<std::pair<nlohmann::json, double>> out;
    for (const auto& [line, age] : run.lines) {
        auto parsed = nlohmann::json::parse(line, nullptr, false);
        if (parsed.is_object() && parsed.contains("step")) out.emplace_back(std::move(parsed), age);
    }
    return out;
}

}  // namespace

TEST_CASE(
    "greedy improves the modelled cycles, the result checks, replays to the same bytes, and repeats with the "
    "seed") {
    TemporaryFolder folder;
    const ProgramResult first = succeeded(run_program(tune(folder, "a", "2000steps")));
    const auto summary = first.json()["summary"];
    CHECK(summary["best_cost"].get<double>() < summary["original_cost"].get<double>());
    CHECK(summary["steps"] == 2000);

    const ProgramResult check = run_program({"check", folder / "a.cubin", "--against", kBmm, "--json"});
    CHECK(check.code == 0);
    CHECK(check.json()["kernels"][0]["hazards"].empty());

    CHECK(run_program({"replay", folder / "a.db", "--out", folder / "again.cubin", "--verify"}).code == 0);
    CHECK(bytes_of(folder / "again.cubin") == bytes_of(folder / "a.cubin"));
    CHECK(bytes_of(folder / "a.cubin") != bytes_of(kBmm));

    const ProgramResult second = run_program(tune(folder, "b", "2000steps"));
    CHECK(second.json()["summary"]["best_step"] == summary["best_step"]);
    CHECK(bytes_of(folder / "b.cubin") == bytes_of(folder / "a.cubin"));
}

TEST_CASE("a new best is one readable line, however many edits it has") {
    TemporaryFolder folder;
    const ProgramResult run = run_program(
        {"tune", kBmm, "--evaluator", "model", "--budget", "6000steps", "--session", folder / "s.db"});
    REQUIRE(run.code == 0);
    std::istringstream lines(run.out);
    int shortened = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("step ")) continue;
        INFO(line);
        CHECK(line.size() <= 220);
        shortened += line.ends_with(" more");
    }
    CHECK(shortened > 0);
}

TEST_CASE("kill -9 in mid-run, five times on one session: no printed step is lost, and the run resumes") {
    TemporaryFolder folder;
    const std::string session = folder / "s.db";
    std::vector<std::string> start = {"tune",      kBmm,       "--evaluator",    "model",  "--agent",
                                      "greedy",    "--budget", "100000000steps", "--seed", "3",
                                      "--session", session,    "--progress",     "--json"};
    std::int64_t logged = 0;
    for (int round = 0; round < 5; ++round) {
        const KilledRun run = run_and_kill(start, 200, 150 + 70 * round);
        REQUIRE(run.was_running);
        const auto steps = steps_of(run);
        REQUIRE(steps.size() >= 150);
        std::int64_t must_be_there = 0;
        std::string hash;
        for (const auto& [step, age] : steps) {
            must_be_there = step["step"].get<std::int64_t>();
            hash = step["hash"].get<std::string>();
        }
        REQUIRE(must_be_there > 0);
        const ProgramResult replay = succeeded(
            run_program({"replay", session, "--step", std::to_string(must_be_there), "--verify", "--json"}));
        CHECK(replay.json()["code_hash"] == hash);
        logged = replay.json()["verified_steps"].get<std::int64_t>();
        CHECK(logged >= must_be_there);
        if (round == 0) start.insert(start.end(), {"--resume", "0"});
    }
    std::vector<std::string> finish = start;
    for (std::string& argument : finish)
        if (argument == "100000000steps") argument = "200steps";  // from here on
    const ProgramResult last = run_program(finish);
    INFO(last.err.substr(0, 2000));
    CHECK(last.code == 0);
    CHECK(last.json()["summary"]["steps"] == 200);
    CHECK(last.json()["run"] == 1);
}

TEST_CASE("a run that was killed is interrupted, also while another one is added to its session") {
    TemporaryFolder folder;
    const std::string session = folder / "s.db";
    const std::vector<std::string> tune = {"tune",      kBmm,     "--evaluator", "model",
                                           "--agent",   "random", "--budget",    "100000000steps",
                                           "--session", session,  "--progress"};
    REQUIRE(run_and_kill(tune, 10, 0).was_running);
    nlohmann::json runs;
    const KilledRun second = run_and_kill(tune, 10, 0, [&] {
        wait_until([&] {
            const nlohmann::json told = run_program({"runs", session, "--json"}).json();
            runs = told.is_object() ? told.value("runs", nlohmann::json()) : nlohmann::json();
            return runs.size() == 2;
        });
    });
    REQUIRE(second.was_running);
    REQUIRE(runs.size() == 2);
    CHECK(runs[0]["end"] == "interrupted");
    CHECK(runs[1]["end"] == "running");
}

TEST_CASE("an evidence bundle of an unmeasured run verifies without a GPU, and not after it was touched") {
    TemporaryFolder folder;
    REQUIRE(run_program(tune(folder, "a", "300steps")).code == 0);
    const std::string bundle = folder / "bundle";
    const ProgramResult written = succeeded(run_program(
        {"export", folder / "a.db", "--bundle", bundle, "--worker", "/nonexistent/worker", "--json"}));
    CHECK_THAT(written.json()["stamp"].get<std::string>(), contains_text("unmeasured"));
    CHECK(bytes_of(bundle + "/candidate.cubin") == bytes_of(folder / "a.cubin"));
    CHECK(bytes_of(bundle + "/original.cubin") == bytes_of(kBmm));

    const ProgramResult intact = run_program({"verify", bundle, "--worker", "/nonexistent/worker", "--json"});
    INFO(intact.out << intact.err);
    CHECK(intact.code == 3);  // nothing wrong with it, but no GPU to repeat it on
    CHECK(intact.json()["intact_and_legal"] == true);
    CHECK(intact.json()["bundled"].is_null());

    CHECK(run_program({"export", folder / "a.db", "--bundle", bundle}).code == 2);  // never overwritten
    CHECK(run_program({"export", folder / "a.db"}).code == 2);
    CHECK(run_program({"verify", folder / "nowhere"}).code == 2);

    std::string candidate = bytes_of(bundle + "/candidate.cubin");
    candidate[candidate.size() / 2] ^= 1;
    std::ofstream(bundle + "/candidate.cubin", std::ios::binary) << candidate;
    const ProgramResult touched =
        run_program({"verify", bundle, "--worker", "/nonexistent/worker", "--json"});
    CHECK(touched.code == 1);
    CHECK(touched.json()["intact_and_legal"] == false);
}
