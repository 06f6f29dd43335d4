// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab bounds` with a worker that is told what to answer (tests/fakes/fake_bench_worker.cpp).
#include <fstream>

#include "tests/lab/run_lab.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;
using nlohmann::json;

namespace {

std::string worker(const TemporaryFolder& folder, const json& compare) {
    std::ofstream(folder / "script.json")
        << json{{"default", {{"do", "ok"}, {"log_speedup", 0.0}}}, {"compare", compare}};
    return std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " + (folder / "script.json");
}

}  // namespace

TEST_CASE("bounds: every figure of every kernel stands in the document, and the folder holds it too") {
    const TemporaryFolder folder;
    const std::string good = worker(folder, {{"do", "ok"}, {"log_speedup", 0.02}});
    const ProgramResult run =
        run_lab({"bounds", "bmm_mma", "softmax", "--samples", CUBINLAB_SAMPLES, "--vary", "bmm_mma:5/64",
                 "--against", std::string(CUBINLAB_SAMPLES) + "/bmm_mma.cubin", "--worker", good, "--json",
                 "--out", folder / "out"});
    INFO(run.out << run.err);
    REQUIRE(run.code == 0);
    const json document = run.json();
    REQUIRE(document["kernels"].size() == 2);
    const json& bmm = document["kernels"][0];
    CHECK(bmm["kernel"] == "bmm_mma");
    CHECK(bmm["device"] == "Scripted GPU");
    REQUIRE(bmm["parts"].size() == 3);
    CHECK(bmm["parts"][0]["part"] == "launch");
    CHECK(bmm["parts"][0]["kept"] == 1);
    REQUIRE(bmm["sizes"].size() == 3);
    CHECK(bmm["sizes"][2]["size"] == 512);
    CHECK(bmm["passes"] == 32);
    CHECK(bmm["winner"]["log_speedup"].get<double>() == Approx(0.02));
    CHECK_FALSE(document["kernels"][1].contains("winner"));
    CHECK(document["markdown"].get<std::string>().find("| softmax |") != std::string::npos);
    for (const char* file : {"bounds.json", "bounds.md", "bounds.txt"})
        CHECK(std::filesystem::exists(std::filesystem::path(folder / "out") / file));
}

TEST_CASE("bounds: what makes no sense is refused in one line before anything is measured") {
    const TemporaryFolder folder;
    const std::string good = worker(folder, {{"do", "ok"}});
    struct Mistake {
        std::vector<std::string> words;
        std::string says;
    };
    for (const Mistake& mistake : std::vector<Mistake>{
             {{"--vary", "bmm_mma"}, "KERNEL:PARAMETER/STEP"},
             {{"--vary", "softmax:3/64"}, "no kernel of that name"},
             {{"--vary", "bmm_mma:0/64"}, "params[0]"},
             {{"--against", std::string(CUBINLAB_SAMPLES) + "/softmax.cubin"}, "has no kernel"},
             {{"--against", std::string(CUBINLAB_SAMPLES) + "/hillclimbed/none.cubin"}, "none.cubin"}}) {
        std::vector<std::string> words = {"bounds",         "bmm_mma",  "--samples",
                                          CUBINLAB_SAMPLES, "--worker", good};
        words.insert(words.end(), mistake.words.begin(), mistake.words.end());
        const ProgramResult run = run_lab(words);
        INFO(run.out << run.err);
        CHECK(run.code == 2);
        CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
        CHECK(run.err.find(mistake.says) != std::string::npos);
    }
}

TEST_CASE("bounds: a winner that is no legal schedule is not measured") {
    const TemporaryFolder folder;
    const std::string good = worker(folder, {{"do", "ok"}});
    const ProgramResult run =
        run_lab({"bounds", "flash_attn_mma", "--samples", CUBINLAB_SAMPLES, "--worker", good, "--against",
                 std::string(CUBINLAB_SAMPLES) + "/hillclimbed/flash_attn_mma.hillclimb.cubin"});
    INFO(run.out << run.err);
    CHECK(run.code == 1);
    CHECK(run.err.find("no legal schedule") != std::string::npos);
}
