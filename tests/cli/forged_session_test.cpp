// SPDX-License-Identifier: GPL-3.0-or-later
// A session is a file that anybody can edit: `replay --verify` and every claim refuse a figure or a schedule
// that does not follow from the log.
#include <fmt/format.h>

#include <map>

#include "core/base/version.h"
#include "core/store/sqlite.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/fake_driver.h"

using namespace cubinlab::test;

namespace {

using cubinlab::sqlite::Database;

void edit(const std::string& session, const std::string& sql) {
    auto database = required(Database::open(session, cubinlab::sqlite::Mode::ReadWrite));
    REQUIRE(database->exec(sql));
}

std::int64_t count(const std::string& session, const std::string& where) {
    const auto database = required(Database::open(session, cubinlab::sqlite::Mode::ReadOnly));
    return database->integer("SELECT count(*) FROM mutations WHERE " + where).value();
}

std::string greedy_run(const TemporaryFolder& folder, const char* budget) {
    const std::string session = folder / "s.db";
    REQUIRE(run_program({"tune", kBmm, "--evaluator", "model", "--agent", "greedy", "--budget", budget,
                         "--session", session})
                .code == 0);
    return session;
}

}  // namespace

TEST_CASE("a run that another version of the model judged is verified, and says so") {
    const TemporaryFolder folder;
    const std::string session = greedy_run(folder, "30steps");
    edit(session, "UPDATE machines SET json = json_set(json, '$.model_version', 4000)");
    const ProgramResult other = run_program({"replay", session, "--verify"});
    CHECK(other.code == 0);
    CHECK_THAT(other.out, contains_text("modelled by another version of the model (4000, this program has"));
    CHECK_THAT(run_program({"replay", session}).out,
               contains_text("modelled by another version of the model (4000"));
    REQUIRE(run_program({"report", session, "--out", folder / "r.html"}).code == 0);
    CHECK_THAT(bytes_of(folder / "r.html"), contains_text("modelled by another version of the model"));
    CHECK(run_program({"tune", kBmm, "--evaluator", "model", "--resume", "0", "--budget", "5steps",
                       "--session", session})
              .code != 0);
}

// The real worker on a stand-in driver.
TEST_CASE("a measured run is verified, and a forged figure, code or schedule is refused") {
    const TemporaryFolder folder;
    const std::string whole = folder / "whole.db", session = folder / "s.db", workload = folder / "w.json";
    const std::string buffer =
        R"({"buffer": {"dtype": "f16", "shape": [16, 16], "inout": true, "init": {"normal": {"mean": 0, "std": 1}}}}, )";
    const std::string length = R"({"scalar": {"type": "i32", "value": 512}}, )",
                      nothing = R"({"scalar": {"type": "u64", "value": 0}})";
    write(
        workload,
        R"({"kernel": "ff_swiglu", "grid": [8, 8, 1], "block": [128, 1, 1], "dynamic_shared_bytes": 49152, "check": "bitwise", "params": [)" +
            buffer + buffer + buffer + buffer + length + length + length + nothing + ", " + nothing + "]}");
    succeeded(run_program({"tune", kSamples + "/ff_swiglu_mma.cubin", "--workload", workload, "--evaluator",
                           "gpu", "--worker", fake_driver_command(), "--agent", "group", "--budget",
                           "90steps", "--session", whole}));
    const ProgramResult sound = succeeded(run_program({"replay", whole, "--verify", "--json"}));
    CHECK(sound.json()["verified_steps"] >= 90);
    CHECK(sound.json()["figures"]["unchecked"] == 0);
    CHECK(sound.json()["figures"]["follow"] == count(whole, "outcome = 'ok'"));
    CHECK(sound.json()["legal_steps"] == count(whole, "outcome = 'ok' AND repeated = 0"));
    CHECK(count(whole, "reference_step IS NULL OR reference_step >= step") == 0);
    CHECK(count(whole, "outcome = 'ok' AND repeated = 0 AND code_hash IS NOT schedule_hash") == 0);
    // All measurements of one step copied to another.
    const std::string said =
        "outcome, verdict, log_speedup, low, high, cost, pairs, samples, detail, device, set_aside, alpha, "
        "states, pair_deviation, code_hash";
    const std::string ok = "(SELECT max(step) FROM mutations WHERE outcome = 'ok' AND repeated = 0)";
    const std::map<std::string, std::string> forgeries = {
        {"SET log_speedup = log_speedup + 0.05, low = low + 0.05, high = high + 0.05 WHERE step = " + ok,
         "does not follow from the stored samples"},
        {"SET code_hash = '00000000000000000000000000000001' WHERE step = " + ok,
         "holds what was seen of code"},
        {"SET (" + said + ") = (SELECT " + said + " FROM mutations WHERE step = 1) WHERE step = " + ok,
         "holds what was seen of code"},
        {"SET schedule_hash = (SELECT schedule_hash FROM mutations WHERE step = 1) WHERE step = " + ok,
         "rebuilds to another schedule than was logged"}};
    for (const auto& [forged, why] : forgeries) {
        std::filesystem::copy_file(whole, session, std::filesystem::copy_options::overwrite_existing);
        edit(session, "UPDATE mutations " + forged);
        const ProgramResult refused = run_program({"replay", session, "--verify"});
        INFO(forged << ": " << refused.out << refused.err);
        CHECK(refused.code == 1);
        CHECK_THAT(refused.err, contains_text(why));
    }
}

TEST_CASE("a session of the model that names a GPU is never shown as a measurement") {
    const TemporaryFolder folder;
    const std::string session = greedy_run(folder, "60steps");
    edit(session, "UPDATE machines SET device = 'NVIDIA H200, driver 580.159.04', unit = 'us'");
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"runs", session},
                                                      {"log", session},
                                                      {"compare", session},
                                                      {"replay", session}})
        for (const bool as_document : {false, true}) {
            auto words = arguments;
            if (as_document) words.push_back("--json");
            const ProgramResult shown = run_program(words);
            INFO(arguments[0] << ": " << shown.out << shown.err);
            CHECK(shown.out.find("H200") == std::string::npos);
            CHECK(shown.out.find("measured on") == std::string::npos);
        }
    const ProgramResult verified = run_program({"replay", session, "--verify"});
    CHECK(verified.code == 1);
    for (const std::vector<std::string>& claim :
         {std::vector<std::string>{"replay", session, "--out", folder / "a.cubin"},
          {"export", session, "--out", folder / "b.cubin"},
          {"export", session, "--bundle", folder / "bundle"},
          {"report", session, "--out", folder / "c.html"}}) {
        const ProgramResult refused = run_program(claim);
        INFO(claim[0] << ": " << refused.out << refused.err);
        CHECK(refused.code == 1);
        CHECK_FALSE(std::filesystem::exists(claim.back()));
    }
}

TEST_CASE("an edited log gives no stamp, no verified run, no bundle and no report") {
    const TemporaryFolder folder;
    const std::string session = folder / "s.db";
    const auto tuned = run_program(
        {"tune", kBmm, "--evaluator", "model", "--only-reschedules", "--budget", "150steps", "--session", session, "--json"});
    REQUIRE(tuned.code == 0);
    const std::vector<std::vector<std::string>> claims = {{"replay", session, "--verify"},
                                                          {"replay", session, "--out", folder / "a.cubin"},
                                                          {"export", session, "--out", folder / "b.cubin"},
                                                          {"export", session, "--bundle", folder / "bundle"},
                                                          {"report", session, "--out", folder / "c.html"}};
    for (const auto& claim : claims)
        CHECK(run_program(claim).code == 0);
    for (const char* made : {"a.cubin", "b.cubin", "bundle", "c.html"})
        REQUIRE(std::filesystem::remove_all(folder / made) > 0);
    {
        auto database =
            required(cubinlab::sqlite::Database::open(session, cubinlab::sqlite::Mode::ReadWrite));
        REQUIRE(database->exec("UPDATE mutations SET log_speedup = 0.5 WHERE best = 1"));
    }
    for (const auto& claim : claims) {
        const auto refused = run_program(claim);
        INFO(claim[0] << " " << claim[2] << ": " << refused.out << refused.err);
        CHECK(refused.code == 1);
        CHECK(refused.err.find("1.6487x") != std::string::npos);
    }
    for (const char* made : {"a.cubin", "b.cubin", "bundle", "c.html"})
        CHECK_FALSE(std::filesystem::exists(folder / made));
}

TEST_CASE(
    "a run that lost steps or has a forged best is claimed by nobody, and a forged step that a chart shows "
    "gives no report") {
    const TemporaryFolder folder;
    const std::string whole = folder / "whole.db", session = folder / "s.db";
    REQUIRE(run_program(
                {"tune", kBmm, "--evaluator", "model", "--only-reschedules", "--budget", "150steps", "--session", whole, "--json"})
                .code == 0);
    const std::vector<std::vector<std::string>> claims = {{"report", session, "--out", folder / "c.html"},
                                                          {"replay", session, "--verify"},
                                                          {"replay", session, "--out", folder / "a.cubin"},
                                                          {"export", session, "--out", folder / "b.cubin"},
                                                          {"export", session, "--bundle", folder / "bundle"}};
    const auto edited = [&](const std::string& sql) {
        std::filesystem::copy_file(whole, session, std::filesystem::copy_options::overwrite_existing);
        auto database =
            required(cubinlab::sqlite::Database::open(session, cubinlab::sqlite::Mode::ReadWrite));
        REQUIRE(database->exec(sql));
    };
    for (const char* sql :
         {"DELETE FROM mutations WHERE step > 149", "DELETE FROM mutations WHERE step = 70",
          "UPDATE mutations SET best = 1, log_speedup = 0.5, low = 0.5, high = 0.5 WHERE step = 150"}) {
        edited(sql);
        for (const auto& claim : claims) {
            const auto refused = run_program(claim);
            INFO(sql << ": " << claim[0] << " " << claim[2] << ": " << refused.out << refused.err);
            CHECK(refused.code == 1);
        }
        for (const char* made : {"a.cubin", "b.cubin", "bundle", "c.html"})
            CHECK_FALSE(std::filesystem::exists(folder / made));
    }
    // The best is correct, but the chart would be wrong.
    edited(
        "UPDATE mutations SET log_speedup = 0.5, low = 0.5, high = 0.5, verdict = 'FASTER' "
        "WHERE best = 0 AND outcome = 'ok' AND step IN (SELECT max(step) FROM mutations WHERE best = 0)");
    for (const std::size_t which : {0u, 1u}) {
        const auto refused = run_program(claims[which]);
        INFO(claims[which][0] << ": " << refused.out << refused.err);
        CHECK(refused.code == 1);
    }
    CHECK(run_program(claims[3]).code == 0);
}
