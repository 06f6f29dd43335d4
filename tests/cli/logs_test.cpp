// SPDX-License-Identifier: GPL-3.0-or-later
// `runs`, `log` and `compare` print what a session contains; `manual` and `completion` describe the program.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

namespace {

void tune(const std::string& cubin, const std::string& session, const std::string& agent,
          const std::string& budget) {
    const ProgramResult result = run_program(
        {"tune", cubin, "--evaluator", "model", "--agent", agent, "--budget", budget, "--session", session});
    INFO(result.err);
    REQUIRE(result.code == 0);
}

}  // namespace

TEST_CASE("runs and log of a session of two runs agree with the output of tune and --progress") {
    const TemporaryFolder folder;
    const std::string session = folder / "s.db";
    const ProgramResult tuned = run_program({"tune", kBmm, "--evaluator", "model", "--only-reschedules", "--budget", "60steps",
                                             "--session", session, "--progress", "--json"});
    REQUIRE(tuned.code == 0);
    tune(kBmm, session, "random", "25steps");

    const auto runs = run_program({"runs", session, "--json"}).json()["runs"];
    REQUIRE(runs.size() == 2);
    CHECK(runs[0]["agent"] == "auto");
    CHECK(runs[1]["agent"] == "random");
    CHECK(runs[0]["best_step"] == tuned.json()["summary"]["best_step"]);
    CHECK(runs[0]["best"]["log_speedup"] == tuned.json()["summary"]["best_log_speedup"]);

    std::vector<nlohmann::json> told;  // one line a step, as it happened
    std::istringstream lines(tuned.err);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("{\"step\"")) told.push_back(nlohmann::json::parse(line));
    const auto log = run_program({"log", session, "--run", "1", "--json"}).json()["steps"];
    REQUIRE(log.size() == told.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
        INFO(i);
        for (const char* field : {"step", "parent", "outcome", "best", "hash"})
            CHECK(log[i][field] == told[i][field]);
        // --progress rounds to nine digits.
        CHECK(log[i]["log_speedup"].get<double>() ==
              Approx(told[i]["log_speedup"].get<double>()).epsilon(1e-7));
        CHECK(log[i]["edits"].size() > 0);
    }
    const auto best = run_program({"log", session, "--run", "1", "--best", "--json"}).json()["steps"];
    REQUIRE_FALSE(best.empty());
    CHECK(best.back()["step"] == runs[0]["best_step"]);
    const auto last = run_program({"log", session, "--run", "2", "--last", "5", "--json"}).json()["steps"];
    REQUIRE(last.size() == 5);
    CHECK(last.back()["step"] == runs[1]["steps"]);
    const std::string text = run_program({"log", session, "--run", "1"}).out;
    CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == log.size() + 1);
    CHECK_THAT(text, contains_text("in modelled cycles, unmeasured"));
}

TEST_CASE("compare puts the runs of several sessions by kernel, the best first") {
    const TemporaryFolder folder;
    tune(kBmm, folder / "a.db", "random", "10steps");
    tune(kSoftmax, folder / "b.db", "greedy", "10steps");
    tune(kBmm, folder / "c.db", "greedy", "80steps");
    const auto rows =
        run_program({"compare", folder / "a.db", folder / "b.db", folder / "c.db", "--json"}).json()["runs"];
    REQUIRE(rows.size() == 3);
    CHECK(rows[0]["kernel"] == rows[1]["kernel"]);
    CHECK(rows[2]["kernel"] != rows[0]["kernel"]);
    CHECK(rows[0]["session"] == folder / "c.db");
    const ProgramResult absent = run_program({"compare", folder / "a.db", folder / "no.db"});
    CHECK(absent.code == 2);
    CHECK(absent.err.find("no.db") != std::string::npos);
}

TEST_CASE("runs and log refuse an invalid session, a missing run and an invalid outcome") {
    const TemporaryFolder folder;
    tune(kSoftmax, folder / "s.db", "greedy", "5steps");
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"runs", kBmm},
                                               {"runs", folder / "absent.db"},
                                               {"runs"},
                                               {"log", folder / "s.db", "--run", "9"},
                                               {"log", folder / "s.db", "--outcome", "wonderful"},
                                               {"log", folder / "s.db", "--last", "0"}}) {
        const ProgramResult result = run_program(words);
        INFO(words[0] << result.err);
        CHECK(result.code == 2);
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    }
    CHECK_FALSE(std::filesystem::exists(folder / "absent.db"));
}

TEST_CASE("the manual names every command and every option that help names") {
    const std::string manual = run_program({"manual"}).out;
    const std::string help = run_program({"help"}).out;
    for (const char* command : {"info", "tune", "workload init", "verify", "log"}) {
        INFO(command);
        CHECK(manual.find(std::string(".SS ") + command) != std::string::npos);
    }
    const std::string tune = run_program({"help", "tune"}).out;
    const std::regex option("--([a-z-]+)");
    std::size_t options = 0;
    for (auto at = std::sregex_iterator(tune.begin(), tune.end(), option); at != std::sregex_iterator();
         ++at) {
        const std::string name = (*at)[1];
        if (name == "help") continue;
        INFO(name);
        CHECK(manual.find("\\-\\-" + std::regex_replace(name, std::regex("-"), "\\-")) != std::string::npos);
        ++options;
    }
    CHECK(options > 10);
    CHECK(help.find("runs") != std::string::npos);
}

TEST_CASE("the completion of bash completes commands, options and inner commands in a bash") {
    if (std::system("bash -c 'type mapfile' >/dev/null 2>&1") != 0) {
        WARN("SKIPPED, there is no bash");
        return;
    }
    const TemporaryFolder folder;
    const ProgramResult script = run_program({"completion", "bash"});
    REQUIRE(script.code == 0);
    std::ofstream(folder / "c.bash") << script.out;
    const auto completed = [&](const std::string& words, int at) {
        const std::string run = "cd " + folder.path().string() + " && bash -c '. ./c.bash; COMP_WORDS=(" +
                                words + "); COMP_CWORD=" + std::to_string(at) +
                                "; _cubinlab; printf \"%s\\n\" \"${COMPREPLY[@]}\"' > out";
        REQUIRE(std::system(run.c_str()) == 0);
        std::ifstream in(folder / "out");
        return std::string{std::istreambuf_iterator<char>(in), {}};
    };
    CHECK(completed("cubinlab me", 1) == "measure\n");
    CHECK(completed("cubinlab tune x.cubin --bud", 3) == "--budget\n");
    CHECK(completed("cubinlab workload in", 2) == "init\n");
    CHECK(completed("cubinlab workload init --fo", 3) == "--force\n");
    CHECK(completed("cubinlab check c.b", 2) == "c.bash\n");
}

TEST_CASE("completion without a shell, or for an unknown shell, is bad use") {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"completion"}, {"completion", "tcsh"}, {"manual", "tune"}})
        CHECK(run_program(words).code == 2);
    for (const char* own : {"help", "manual", "completion"})
        CHECK(run_program({"help", own}).code == 0);
}
