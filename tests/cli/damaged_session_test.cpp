// SPDX-License-Identifier: GPL-3.0-or-later
// Every command that reads a run reports a step that is missing from its log, and what can still be exported.
#include "core/store/sqlite.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

namespace {

// A session of 60 steps from which one was removed.
struct Damaged {
    TemporaryFolder folder;
    std::string session = folder / "s.db";
    explicit Damaged(const std::string& step) {
        succeeded(run_program({"tune", kBmm, "--evaluator", "model", "--agent", "random", "--budget",
                               "60steps", "--session", session, "--json"}));
        auto database =
            required(cubinlab::sqlite::Database::open(session, cubinlab::sqlite::Mode::ReadWrite));
        REQUIRE(database->exec("DELETE FROM mutations WHERE step = " + step));
    }
};

}  // namespace

TEST_CASE("every command that reads a run reports a missing step, and writes nothing") {
    for (const char* step : {"1", "30"}) {
        const Damaged d(step);
        const std::string words =
            std::string("run 1: step ") + step + " is missing from its log, which has 59 of 60";
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"report", d.session, "--out", d.folder / "r.html"},
              {"export", d.session, "--out", d.folder / "b.cubin"},
              {"export", d.session, "--schedule", "minimal", "--out", d.folder / "m.cubin"},
              {"export", d.session, "--bundle", d.folder / "bundle"},
              {"replay", d.session},
              {"replay", d.session, "--patterns"},
              {"tune", kBmm, "--evaluator", "model", "--session", d.session, "--resume", "0", "--budget",
               "5steps"}}) {
            auto with_json = arguments;
            with_json.push_back("--json");
            const ProgramResult r = run_program(with_json);
            INFO(arguments[0] << ": " << r.out << r.err);
            CHECK(r.code == 1);
            REQUIRE(r.json().contains("error"));
            CHECK_THAT(r.json()["error"]["what"].get<std::string>(), contains_text(words));
            CHECK_THAT(r.json()["error"]["what"].get<std::string>(), contains_text("--schedule step:N"));
            CHECK_THAT(r.json()["error"]["where"].get<std::string>(), contains_text(d.session));
        }
        for (const char* list : {"runs", "log"}) {
            const ProgramResult r = run_program({list, d.session});
            CHECK(r.code == 1);
            CHECK_THAT(r.out, contains_text("DAMAGED: " + words));
            CHECK(run_program({list, d.session, "--json"}).code == 1);
        }
        CHECK_FALSE(std::filesystem::exists(d.folder / "b.cubin"));
        CHECK_FALSE(std::filesystem::exists(d.folder / "r.html"));
    }
    // Steps that do not build on it still exist.
    const Damaged last("59");
    const ProgramResult other =
        run_program({"export", last.session, "--schedule", "step:2", "--out", last.folder / "two.cubin"});
    INFO(other.out << other.err);
    CHECK(other.code != 2);
    CHECK(other.err.find("missing from its log") == std::string::npos);
}
