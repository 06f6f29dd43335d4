// SPDX-License-Identifier: GPL-3.0-or-later
// `doctor --edit-test` with a scripted worker, and what edited code of sm_100 may not do without it.
#include <fstream>

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;
using nlohmann::json;

namespace {

const std::string kBlackwell = CUBINLAB_TEST_DATA "/cubins/k1.100a.cubin";

std::string worker(const TemporaryFolder& folder, const json& script) {
    std::ofstream(folder / "script.json") << script;
    return std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " + (folder / "script.json");
}

json b200(const json& trial = json::object()) {
    return {{"device", "Scripted B200"}, {"driver", "580.1"}, {"sm", 100}, {"trial", trial}};
}

}  // namespace

TEST_CASE("an edit test is one sentence, stored for this GPU and shown by doctor") {
    const TemporaryFolder folder;
    const Environment here = {{"XDG_STATE_HOME", folder / "state"}};
    const std::string good = worker(folder, b200());
    const ProgramResult before = succeeded(run_program({"doctor", "--worker", good}, here));
    CHECK_THAT(before.out, contains_text("has not run edited code in a test"));
    const ProgramResult test = succeeded(run_program({"doctor", "--edit-test", "--worker", good}, here));
    CHECK_THAT(test.out, contains_text("Scripted B200, driver 580.1: edited sm_100a code runs as edited: "));
    const ProgramResult after = succeeded(run_program({"doctor", "--worker", good}, here));
    CHECK_THAT(after.out, contains_text("runs as edited"));
    const ProgramResult document =
        succeeded(run_program({"doctor", "--edit-test", "--json", "--worker", good}, here));
    CHECK(document.json()["passed"] == true);
    CHECK(document.json()["parts"].size() == 5);
}

TEST_CASE("a GPU that runs other code does not pass, and a false answer is refused and not stored") {
    const TemporaryFolder folder;
    const Environment here = {{"XDG_STATE_HOME", folder / "state"}};
    const std::string false_answer = worker(folder, b200({{"added", 1}}));
    const ProgramResult refused = run_program({"doctor", "--edit-test", "--worker", false_answer}, here);
    CHECK(refused.code != 0);
    CHECK_THAT(refused.err, contains_text("is refused"));
    CHECK_FALSE(std::filesystem::exists(folder / "state/cubinlab/edit-tests.json"));
    const std::string other = worker(folder, b200({{"compiled_constant", true}}));
    const ProgramResult failed = run_program({"doctor", "--edit-test", "--worker", other}, here);
    CHECK(failed.code == 1);
    CHECK_THAT(failed.out, contains_text("does not run as edited"));
}

TEST_CASE("edited code of sm_100 is written after a passed test, or with a stamp that says there was none") {
    const TemporaryFolder folder;
    const Environment here = {{"XDG_STATE_HOME", folder / "state"}};
    const std::vector<std::string> write = {"reschedule", kBlackwell,         "--kernel", "k_mix",
                                            "--out",      folder / "k.cubin", "--force"};
    const ProgramResult refused = run_program(write, here);
    CHECK(refused.code != 0);
    CHECK_THAT(refused.err, contains_text("doctor --edit-test"));
    std::vector<std::string> anyhow = write;
    anyhow.push_back("--untested-architecture");
    const ProgramResult untested = succeeded(run_program(anyhow, here));
    CHECK_THAT(untested.out, contains_text("no GPU has passed the edit test for edited sm_100a code"));
    CHECK_THAT(untested.out, contains_text("the capsule describes"));
    succeeded(run_program({"check", folder / "k.cubin", "--against", kBlackwell, "--kernel", "k_mix"}, here));
    succeeded(run_program({"doctor", "--edit-test", "--worker", worker(folder, b200())}, here));
    const ProgramResult tested = succeeded(run_program(write, here));
    CHECK_THAT(tested.out,
               contains_text("edited sm_100a code passed the edit test on Scripted B200, driver 580.1"));
}

TEST_CASE("a run on a GPU without a passed test says so, and on the model it needs none") {
    const TemporaryFolder folder;
    const Environment here = {{"XDG_STATE_HOME", folder / "state"}};
    const std::string gpu = worker(folder, b200());
    const std::vector<std::string> tune = {"tune",     kBlackwell, "--kernel",  "k_mix",
                                           "--budget", "20steps",  "--session", folder / "s.db"};
    std::vector<std::string> on_gpu = tune;
    on_gpu.insert(on_gpu.end(), {"--evaluator", "gpu", "--worker", gpu});
    const ProgramResult refused = run_program(on_gpu, here);
    CHECK(refused.code != 0);
    CHECK_THAT(refused.err, contains_text("has not passed the edit test on Scripted B200"));
    std::vector<std::string> on_model = tune;
    on_model.insert(on_model.end(), {"--evaluator", "model"});
    succeeded(run_program(on_model, here));
}
