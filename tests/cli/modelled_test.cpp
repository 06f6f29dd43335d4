// SPDX-License-Identifier: GPL-3.0-or-later
// Modelled results are shown as such: with the iterations that the model assumed, without a verdict of a
// measurement.
#include <filesystem>

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPasses = "loop iterations by code and launch: 32 at 0x";  // of bmm_mma in its workload
struct Tuned {
    TemporaryFolder folder;
    std::string session = folder / "s.db", out = folder / "best.cubin";
    ProgramResult told;
    Tuned() {
        fs::copy_file(kBmm, folder / "k.cubin");
        fs::copy_file(kSamples + "/bmm_mma.workload.json", folder / "k.workload.json");
        told = run_program({"tune", folder / "k.cubin", "--evaluator", "model", "--agent", "greedy",
                            "--budget", "60steps", "--session", session, "--out", out});
        INFO(told.out << told.err);
        REQUIRE(told.code == 0);
    }
};

}  // namespace

TEST_CASE("every output of a modelled gain names the iterations that the model assumed") {
    const Tuned t;
    const auto told = run_program({"runs", t.session, "--json"}).json();
    const std::string words = told["runs"][0]["assumed"].get<std::string>();
    CHECK_THAT(words, contains_text(kPasses));
    CHECK_THAT(t.told.out, contains_text("model: " + words));
    CHECK_THAT(t.told.out, contains_text("in modelled cycles; " + words + ")"));  // the stamp
    const auto stamp = nlohmann::json::parse(bytes_of(t.out + ".provenance.json"));
    CHECK(stamp["assumed"] == words);
    CHECK_THAT(run_program({"runs", t.session}).out, contains_text("modelled in run 1: " + words));
    CHECK(run_program({"log", t.session, "--last", "1", "--json"}).json()["assumed"] == words);
    REQUIRE(run_program({"report", t.session, "--out", t.folder / "r.html"}).code == 0);
    CHECK_THAT(bytes_of(t.folder / "r.html"), contains_text(words));
    const ProgramResult explained = run_program({"explain", t.folder / "k.cubin", "--against", t.out});
    CHECK_THAT(explained.out, contains_text("whole-kernel score (basis of all modelled gains): "));
    CHECK_THAT(explained.out, contains_text("modelled cycles; " + words));
    CHECK(run_program({"explain", t.folder / "k.cubin", "--json"}).json()["scored_with"] == words);
}

TEST_CASE("a modelled step has no verdict of a measurement in what leaves the session") {
    const Tuned t;
    const auto replayed = run_program({"replay", t.session, "--json"}).json();
    CHECK(replayed["result"]["verdict"] == "MODELLED");
    CHECK(replayed["evaluator"] == "model");
    CHECK(replayed["unit"] == "modelled cycles");
    const auto minimal =
        run_program({"export", t.session, "--schedule", "minimal", "--out", t.folder / "m.cubin", "--json"})
            .json();
    CHECK(minimal["result"]["verdict"] == "MODELLED");
    CHECK(minimal["best"]["verdict"] == "MODELLED");
    for (const char* what : {"best", "minimal"}) {
        const std::string bundle = t.folder / (std::string("bundle-") + what);
        succeeded(run_program(
            {"export", t.session, "--schedule", what, "--bundle", bundle, "--worker", "/nonexistent/w"}));
        const auto evidence = nlohmann::json::parse(bytes_of(bundle + "/evidence.json"));
        CHECK(evidence["recorded"]["result"]["verdict"] == "MODELLED");
        CHECK(evidence["format"] == "cubinlab-evidence 2");
        CHECK(evidence.dump().find("FASTER") == std::string::npos);
        const auto verified = run_program({"verify", bundle, "--worker", "/nonexistent/w", "--json"}).json();
        CHECK(verified["intact_and_legal"] == true);
    }
}

TEST_CASE("an agent that finds nothing to try says so, and nothing is written") {
    const TemporaryFolder folder;
    const auto run =
        run_program({"tune", kBmm, "--evaluator", "model", "--agent", "list", "--budget", "5steps", "--lock",
                     "0x0-0x1af0", "--session", folder / "s.db", "--out", folder / "best.cubin"});
    INFO(run.out << run.err);
    CHECK(run.code == 1);
    CHECK_THAT(run.out,
               contains_text("this agent finds no legal schedule to try among the unlocked instructions"));
    CHECK_THAT(run.out, contains_text("nothing was evaluated, so nothing was written"));
    CHECK_FALSE(fs::exists(folder / "s.db"));
    CHECK_FALSE(fs::exists(folder / "best.cubin"));
}
