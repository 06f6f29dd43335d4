// SPDX-License-Identifier: GPL-3.0-or-later
// Bad input and missing parts, as a user meets them: a clear message, the documented exit code, nothing lost.
#include <unistd.h>

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

namespace {

const std::string kCorpus = std::string(CUBINLAB_TEST_DATA) + "/cubins";

// Every error has a text form on standard error and a JSON form on standard output with the same code and
// sentence.
void require_error(std::vector<std::string> arguments, int code, const std::string& sentence,
                   const Environment& environment = {}) {
    const ProgramResult text = run_program(arguments, environment);
    INFO(text.out << text.err);
    CHECK(text.code == code);
    CHECK_THAT(text.err, contains_text(sentence));
    arguments.push_back("--json");
    const ProgramResult json = run_program(arguments, environment);
    CHECK(json.code == code);
    REQUIRE(json.json().is_object());
    REQUIRE(json.json().contains("error"));
    const auto error = json.json()["error"];
    CHECK_THAT(error["where"].get<std::string>() + ": " + error["what"].get<std::string>(),
               contains_text(sentence));
}

}  // namespace

TEST_CASE("a truncated cubin is refused by every command that opens one") {
    TemporaryFolder folder;
    const std::string whole = bytes_of(kBmm);
    for (std::size_t size : {std::size_t{20}, std::size_t{500}, whole.size() / 2, whole.size() - 1}) {
        const std::string file = folder / "cut.cubin";
        write(file, whole.substr(0, size));
        for (const char* command : {"info", "show", "check"}) {
            const ProgramResult r = run_program({command, file});
            INFO(command << " of " << size << " bytes: " << r.out << r.err);
            CHECK(r.code == 2);
            CHECK_THAT(r.err, contains_text("cut.cubin"));
        }
    }
}

TEST_CASE("sm_88 cubins can only be viewed") {
    const std::string viewed = kCorpus + "/k1.88.cubin";
    CHECK(run_program({"info", viewed}).code == 0);
    require_error({"check", viewed}, 2, "viewed, not checked");
    require_error({"explain", viewed, "--kernel", "k_mix"}, 2, "not explained");
    TemporaryFolder folder;
    require_error(
        {"tune", viewed, "--kernel", "k_mix", "--evaluator", "model", "--session", folder / "s.db"}, 2,
        "sm_88");
    // For any of its kernels: none can be tuned.
    require_error({"tune", viewed, "--evaluator", "model", "--session", folder / "s.db"}, 2,
                  "sm_88 cubins can be viewed, not tuned");
    require_error({"tune", viewed, "--kernel", "nobody", "--session", folder / "s.db"}, 2,
                  "viewed, not tuned");
    require_error({"tune", kCorpus + "/k1.90a.cubin", "--evaluator", "model", "--session", folder / "s.db"},
                  2, "choose one with --kernel NAME: k_ind; k_cg");
}

TEST_CASE("a kernel that is not in the file is an error that lists those that are") {
    require_error({"show", kBmm, "--kernel", "matmul"}, 2, "bmm");
}

TEST_CASE("a workload for another kernel, and a wrong block size, are caught before any launch") {
    TemporaryFolder folder;
    require_error({"tune", kBmm, "--workload", kSamples + "/softmax.workload.json", "--evaluator", "model",
                   "--session", folder / "s.db"},
                  2, "kernel");
    std::string workload = bytes_of(kSamples + "/bmm_mma.workload.json");
    const std::size_t block = workload.find("128");
    REQUIRE(block != std::string::npos);
    workload.replace(block, 3, "256");
    write(folder / "wide.workload.json", workload);
    require_error({"tune", kBmm, "--workload", folder / "wide.workload.json", "--evaluator", "model",
                   "--session", folder / "s.db"},
                  2, "block");
}

TEST_CASE("without nvdisasm a sample shows its stored listing, and another cubin the built-in text") {
    const Environment none = {{"PATH", "/nonexistent"},
                              {"CUBINLAB_NVDISASM", "/nonexistent/nvdisasm"},
                              {"CUDA_HOME", "/nonexistent"},
                              {"XDG_CACHE_HOME", "/nonexistent"}};
    const ProgramResult sample = run_program({"show", kBmm, "--json"}, none);
    CHECK(sample.code == 0);
    CHECK(sample.json()["listing"] == "stored");
    const ProgramResult other = run_program({"show", kBmm, "--json", "--built-in"}, none);
    CHECK(other.code == 0);
    CHECK(other.json()["rows"].size() == 432);
}

TEST_CASE("without a GPU, `gpu` is exit code 3 and `auto` runs on the model and says why") {
    TemporaryFolder folder;
    const Environment no_worker = {{"CUBINLAB_WORKER", "/nonexistent/worker"}};
    const std::vector<std::string> worker = {"--worker", "/nonexistent/worker"};
    require_error(
        {"tune", kBmm, "--evaluator", "gpu", "--worker", "/nonexistent/worker", "--session", folder / "g.db"},
        3, "GPU");
    require_error({"measure", kBmm, kBmm, "--worker", "/nonexistent/worker"}, 3, "GPU");
    const ProgramResult r = run_program({"tune", kBmm, "--worker", "/nonexistent/worker", "--agent", "random",
                                         "--budget", "20steps", "--session", folder / "m.db", "--json"});
    CHECK(r.code == 0);
    CHECK(r.json()["evaluator"]["kind"] == "model");
    CHECK_THAT(r.json()["note"].get<std::string>(), contains_text("SM model"));
}

TEST_CASE("without the LibTorch module the neural agents say what is missing and the others work") {
    TemporaryFolder folder;
    const Environment none = {{"CUBINLAB_AGENT_MODULE", "/nonexistent/libcubinlab-agent.so"}};
    require_error({"tune", kBmm, "--evaluator", "model", "--agent", "ppo-cuasmrl", "--budget", "10steps",
                   "--session", folder / "p.db"},
                  2, "libcubinlab-agent.so", none);
    CHECK(run_program({"tune", kBmm, "--evaluator", "model", "--agent", "random", "--budget", "10steps",
                       "--session", folder / "r.db"},
                      none)
              .code == 0);
}
