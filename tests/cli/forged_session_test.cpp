// SPDX-License-Identifier: GPL-3.0-or-later
// A session is a file that anybody can edit: `replay --verify` tells every value that does not follow from the rest, and
// nothing is claimed of a forged one.
#include <fmt/format.h>

#include <map>
#include <set>

#include "core/base/version.h"
#include "core/store/sqlite.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/fake_driver.h"

using namespace cubinlab::test;

namespace {

using cubinlab::sqlite::Database;

// A value of one column of one row, and another in its place.
struct Forgery {
    std::string column, where, value;
};

// Of each column the value of a row in the middle, and of one that holds nothing.
std::vector<Forgery> forgeries(const std::string& session) {
    const auto database = Database::open(session, cubinlab::sqlite::Mode::ReadOnly);
    REQUIRE(database);
    const auto all = [&](const std::string& sql) {
        std::vector<std::vector<std::string>> out;
        auto rows = database->prepare(sql);
        REQUIRE(rows);
        while (rows->step().value()) {
            out.push_back({rows->text(0), rows->text(1), rows->text(2)});
        }
        return out;
    };
    std::vector<Forgery> out;
    for (const auto& table :
         all("SELECT name, '', '' FROM sqlite_master WHERE type = 'table' AND name <> 'session'"))
        for (const auto& column : all("SELECT name, type, pk FROM pragma_table_info('" + table[0] + "')")) {
            if (column[2] != "0") continue;
            const bool by_step = table[0] == "mutations" || table[0] == "keyframes" || table[0] == "metrics";
            for (const char* kind : {"IS NOT NULL", "IS NULL"}) {
                const std::string key = by_step ? "step" : table[0] == "parts" ? "run" : "id";
                const auto rows = all(fmt::format("SELECT {0}, '', '' FROM {1} WHERE {2} {3} ORDER BY {0}",
                                                  key, table[0], column[0], kind));
                if (rows.empty()) continue;
                const std::string name = column[0], none = kind[3] == 'N' && kind[4] == 'U' ? "yes" : "";
                std::string value = column[1] == "INTEGER" ? name + " + 1"
                                    : column[1] == "REAL"  ? name + " * 1.01 + 0.01"
                                    : column[1] == "BLOB"
                                        ? "substr(" + name + ", 1, 1) || x'a5' || substr(" + name + ", 3)"
                                        : "'x' || " + name;
                if (!none.empty())
                    value = column[1] == "INTEGER" ? "1"
                            : column[1] == "REAL"  ? "0.5"
                            : column[1] == "BLOB"  ? "x'0011223344556677'"
                                                   : "'x'";
                if (std::set<std::string>{"accepted", "best", "repeated", "legal", "deterministic"}.count(
                        name) != 0)
                    value = "1 - " + name;
                if (name == "outcome") value = "iif(outcome = 'ok', 'illegal', 'ok')";
                if (name == "verdict") value = "iif(verdict = 'SLOWER', 'FASTER', 'SLOWER')";
                if (name == "evaluator") value = "iif(evaluator = 'gpu', 'model', 'gpu')";
                if (column[1] == "BLOB") value = "CAST(" + value + " AS BLOB)";
                out.push_back({table[0] + "." + name, key + " = " + rows[rows.size() / 2][0],
                               "UPDATE " + table[0] + " SET " + name + " = " + value});
            }
        }
    return out;
}

void edit(const std::string& session, const std::string& sql) {
    auto database = Database::open(session, cubinlab::sqlite::Mode::ReadWrite);
    REQUIRE(database);
    const auto done = database->exec(sql);
    if (!done) FAIL(done.error().message());
}

std::int64_t count(const std::string& session, const std::string& where) {
    const auto database = Database::open(session, cubinlab::sqlite::Mode::ReadOnly);
    REQUIRE(database);
    return database->integer("SELECT count(*) FROM mutations WHERE " + where).value();
}

// What nothing in the file says again, with the reason: `session-file.md` has the list.
const std::map<std::string, const char*> kNotMadeAgain = {
    {"runs.started", "the time of day"},
    {"runs.ended", "the time of day"},
    {"runs.seconds", "a clock: only that it is not before the last step's"},
    {"mutations.time_us", "a clock"},
    {"runs.end", "what came from outside the run"},
    {"runs.version", "the program's own word; with another one the agent's decisions are told, but no error"},
    {"workloads.json", "an input: told as other settings of the model where it makes some"},
    {"machines.json", "an input: told as other settings of the model"},
};

std::string greedy_run(const TemporaryFolder& folder, const char* budget) {
    const std::string session = folder / "s.db";
    REQUIRE(run_program({"tune", kBmm, "--evaluator", "model", "--agent", "greedy", "--budget", budget,
                         "--session", session})
                .code == 0);
    return session;
}

}  // namespace

TEST_CASE(
    "every value of a modelled run that follows from something is told when it is changed, by its row") {
    const TemporaryFolder folder;
    const std::string whole = folder / "whole.db", session = folder / "s.db";
    // Two parts, so that there is a row of each table that a run of the model has; a move, a stall and a refused gain among
    // the steps.
    REQUIRE(run_program({"tune", kBmm, "--evaluator", "model", "--agent", "anneal", "--seed", "3", "--budget",
                         "40steps", "--session", whole})
                .code == 0);
    REQUIRE(run_program({"tune", kBmm, "--evaluator", "model", "--resume", "0", "--budget", "20steps",
                         "--session", whole})
                .code == 0);
    const ProgramResult sound = run_program({"replay", whole, "--verify", "--json"});
    INFO(sound.out << sound.err);
    REQUIRE(sound.code == 0);
    CHECK(sound.json()["deviations"].empty());
    CHECK(sound.json()["not_made_again"].empty());
    CHECK(sound.json()["decided_again"] == 60);
    CHECK(sound.json()["figures"]["follow"] == 60);
    std::set<std::string> silent;
    for (const Forgery& forged : forgeries(whole)) {
        std::filesystem::copy_file(whole, session, std::filesystem::copy_options::overwrite_existing);
        edit(session, forged.value + " WHERE " + forged.where);
        const ProgramResult told = run_program({"replay", session, "--verify", "--json"});
        INFO(forged.value << " WHERE " << forged.where << ": " << told.out << told.err);
        if (told.code == 0) {
            CHECK(kNotMadeAgain.count(forged.column) == 1);
            silent.insert(forged.column);
        } else if (forged.column.starts_with("mutations.") && told.json().contains("deviations")) {
            const std::string row = "run 1, " + ("step" + forged.where.substr(6));
            CHECK_THAT(told.json()["deviations"].dump(), contains_text(row));
        }
    }
    CHECK(silent.count("runs.started") == 1);
    CHECK(silent.count("mutations.accepted") == 0);
}

TEST_CASE("a run that another version decided is verified, and what this one would decide is told") {
    const TemporaryFolder folder;
    const std::string session = greedy_run(folder, "30steps");
    edit(session,
         "UPDATE runs SET version = '0.0.1'; UPDATE mutations SET accepted = 1 - accepted WHERE step = 12");
    const ProgramResult told = run_program({"replay", session, "--verify", "--json"});
    INFO(told.out << told.err);
    CHECK(told.code == 0);
    REQUIRE(told.json()["not_made_again"].size() == 1);
    const std::string why = told.json()["not_made_again"][0];
    CHECK_THAT(why, contains_text("another version made the run (0.0.1)"));
    CHECK_THAT(why, contains_text("run 1, step 12: accepted is"));
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
TEST_CASE(
    "a measured run is decided again by its agent, and what its rows repeat is told when it is changed") {
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
    const ProgramResult tuned = run_program(
        {"tune", kSamples + "/ff_swiglu_mma.cubin", "--workload", workload, "--evaluator", "gpu", "--worker",
         fake_driver_command(), "--agent", "group", "--budget", "90steps", "--session", whole});
    INFO(tuned.out << tuned.err);
    REQUIRE(tuned.code == 0);
    const ProgramResult sound = run_program({"replay", whole, "--verify", "--json"});
    INFO(sound.out << sound.err);
    REQUIRE(sound.code == 0);
    CHECK(sound.json()["decided_again"] > 70);
    CHECK(count(whole, "outcome = 'ok' AND repeated = 0 AND code_hash IS NOT schedule_hash") == 0);
    CHECK(count(whole, "outcome = 'ok' AND code_hash = schedule_hash") > 40);
    // Everything that the GPU said of one step put beside another.
    const std::string said =
        "outcome, verdict, log_speedup, low, high, cost, pairs, samples, detail, device, set_aside, alpha, "
        "states, "
        "pair_deviation, code_hash";
    for (const char* forged :
         {"mutations SET accepted = 1 - accepted WHERE step = 20",
          "mutations SET reward = reward + 1 WHERE step = 20", "mutations SET best = 1 WHERE step = 20",
          "mutations SET repeated = 1 WHERE step = 20", "mutations SET device = 3 WHERE step = 20",
          "mutations SET kind = kind || 'x' WHERE step = 20",
          "mutations SET code_hash = '00000000000000000000000000000001' WHERE step = 20",
          "mutations SET code_hash = NULL WHERE step = 20", "mutations SET shape_count = 3 WHERE step = 20",
          "mutations SET slower_shapes = 1 WHERE step = 20",
          "mutations SET outcome = 'illegal', legal = 0 WHERE step = 20",
          "machines SET device = 'NVIDIA H200, driver 580.1'",
          "machines SET original_cost = original_cost * 2", "machines SET aa_spread = 1",
          "runs SET failed = 2", "runs SET seed = seed + 1", "runs SET agent = 'random'"}) {
        std::filesystem::copy_file(whole, session, std::filesystem::copy_options::overwrite_existing);
        edit(session, std::string("UPDATE ") + forged);
        const ProgramResult told = run_program({"replay", session, "--verify"});
        INFO(forged << ": " << told.out << told.err);
        CHECK(told.code == 1);
    }
    std::filesystem::copy_file(whole, session, std::filesystem::copy_options::overwrite_existing);
    edit(session, "UPDATE mutations SET (" + said + ") = (SELECT " + said +
                      " FROM mutations WHERE step = 21) WHERE step = 20");
    const ProgramResult moved = run_program({"replay", session, "--verify", "--json"});
    CHECK(moved.code == 1);
    CHECK_THAT(moved.json()["deviations"].dump(),
               contains_text("run 1, step 20 holds what was seen of code"));
    // As a version before wrote it: told, and no error.
    std::filesystem::copy_file(whole, session, std::filesystem::copy_options::overwrite_existing);
    edit(session, "UPDATE mutations SET code_hash = NULL");
    const ProgramResult before = run_program({"replay", session, "--verify", "--json"});
    INFO(before.out << before.err);
    CHECK(before.code == 0);
    CHECK_THAT(before.json()["not_made_again"].dump(), contains_text("of which code the figures of"));
}

TEST_CASE("a forged reward and a forged acceptance of a learner are errors, each named by its row") {
    for (const char* agent : {"ppo-cuasmrl", "ppo"}) {
        const TemporaryFolder folder;
        const std::string whole = folder / "whole.db", session = folder / "s.db";
        const ProgramResult tuned = run_program({"tune", kBmm, "--evaluator", "model", "--agent", agent,
                                                 "--budget", "40steps", "--session", whole});
        INFO(agent << ": " << tuned.out << tuned.err);
        if (tuned.err.find("libcubinlab-agent.so") != std::string::npos) return;  // a build without LibTorch
        REQUIRE(tuned.code == 0);
        const ProgramResult sound = run_program({"replay", whole, "--verify", "--json"});
        INFO(sound.out << sound.err);
        REQUIRE(sound.code == 0);
        CHECK(sound.json()["by_rule"] == 40);
        for (const char* forged : {"reward = reward + 0.5", "accepted = 1 - accepted"}) {
            std::filesystem::copy_file(whole, session, std::filesystem::copy_options::overwrite_existing);
            edit(session, std::string("UPDATE mutations SET ") + forged + " WHERE step = 20");
            const ProgramResult told = run_program({"replay", session, "--verify", "--json"});
            INFO(forged << ": " << told.out << told.err);
            CHECK(told.code == 1);
            REQUIRE(told.json()["deviations"].size() == 1);
            CHECK(told.json()["deviations"][0]["where"] == "run 1, step 20");
            CHECK_THAT(told.json()["deviations"][0]["what"].get<std::string>(),
                       contains_text(std::string("by the rule of ") + agent));
        }
    }
}

TEST_CASE("a session of the model that names a GPU is shown as no measurement anywhere") {
    const TemporaryFolder folder;
    const std::string session = greedy_run(folder, "60steps");
    edit(session, "UPDATE machines SET device = 'NVIDIA H200, driver 580.159.04', unit = 'us'");
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"runs", session},
                                                      {"log", session},
                                                      {"compare", session},
                                                      {"replay", session}})
        for (const bool json : {false, true}) {
            auto words = arguments;
            if (json) words.push_back("--json");
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
        {"tune", kBmm, "--evaluator", "model", "--budget", "150steps", "--session", session, "--json"});
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
        auto database = cubinlab::sqlite::Database::open(session, cubinlab::sqlite::Mode::ReadWrite);
        REQUIRE(database);
        REQUIRE(
            database->exec("UPDATE mutations SET log_speedup = 0.5 WHERE best = 1;"
                           "UPDATE runs SET best_log_speedup = 0.5"));
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
    "a run whose row and log contradict each other gives no best, and a forged step that a chart shows no "
    "report") {
    const TemporaryFolder folder;
    const std::string whole = folder / "whole.db", session = folder / "s.db";
    REQUIRE(run_program(
                {"tune", kBmm, "--evaluator", "model", "--budget", "150steps", "--session", whole, "--json"})
                .code == 0);
    const std::vector<std::vector<std::string>> claims = {{"report", session, "--out", folder / "c.html"},
                                                          {"replay", session, "--verify"},
                                                          {"replay", session, "--out", folder / "a.cubin"},
                                                          {"export", session, "--out", folder / "b.cubin"},
                                                          {"export", session, "--bundle", folder / "bundle"}};
    const auto edited = [&](const std::string& sql) {
        std::filesystem::copy_file(whole, session, std::filesystem::copy_options::overwrite_existing);
        auto database = cubinlab::sqlite::Database::open(session, cubinlab::sqlite::Mode::ReadWrite);
        REQUIRE(database);
        REQUIRE(database->exec(sql));
    };
    for (const char* sql :
         {"UPDATE runs SET best_log_speedup = 0.5", "UPDATE runs SET best_low = 0.5",
          "UPDATE runs SET best_high = 0.5", "UPDATE runs SET best_cost = 1",
          "UPDATE runs SET best_step = 0, best_log_speedup = 0", "DELETE FROM mutations WHERE step > 149",
          "UPDATE mutations SET best = 1 WHERE step = 150"}) {
        edited(sql);
        for (const auto& claim : claims) {
            const auto refused = run_program(claim);
            INFO(sql << ": " << claim[0] << " " << claim[2] << ": " << refused.out << refused.err);
            CHECK(refused.code == 1);
        }
        for (const char* made : {"a.cubin", "b.cubin", "bundle", "c.html"})
            CHECK_FALSE(std::filesystem::exists(folder / made));
    }
    // The best is what it says; the chart would not be.
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
