// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab fuzz` with a worker that is told what to answer (tests/fakes/fake_bench_worker.cpp).
#include <fstream>

#include "tests/lab/run_lab.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;
using nlohmann::json;

namespace {

const std::string kRing = std::string(CUBINLAB_SAMPLES) + "/../tests/data/gpu/bulk_ring.cubin";

const std::string kSynthesis = std::string(CUBINLAB_SAMPLES) + "/../resources/probe/synthesis.sm_90a.cubin";

std::string worker(const TemporaryFolder& folder, const std::string& name, const json& script) {
    std::filesystem::create_directories(folder / (name + ".state"));
    std::ofstream(folder / (name + ".json")) << script;
    return std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " + (folder / (name + ".json")) +
           " " + (folder / (name + ".state"));
}

}  // namespace

TEST_CASE("directed edits run to the end, are counted apart by base, and add up in one table") {
    const TemporaryFolder folder;
    const std::string good = worker(folder, "good", {{"default", {{"do", "ok"}, {"log_speedup", 0.0}}}});
    std::vector<std::string> documents;
    std::uint64_t there = 0;
    for (const char* base : {"0", "1"}) {
        const ProgramResult run =
            succeeded(run_lab({"fuzz", kRing, "--directed", "--base", base, "--steps", "1000000",
                               "--bad-every", "0", "--worker", good, "--json"}));
        const json document = run.json();
        CHECK(document["legal"] == document["directed"]);
        CHECK(document["next_walk"] == document["directed"]);
        CHECK(document["base"] == std::stoi(base));
        CHECK(document["ended_early"] == "");
        CHECK(document["conditions"] == "directed-hot");
        there += document["directed"].get<std::uint64_t>();
        documents.push_back(folder / (std::string("base") + base + ".json"));
        std::ofstream(documents.back()) << run.out;
    }
    const ProgramResult merged =
        succeeded(run_lab({"fuzz", "--merge", documents[0], documents[1], "--json"}));
    CHECK(merged.json()["all"]["directed"] == there);
    CHECK(merged.json()["all"]["directed_tried"] == there);
    CHECK(run_lab({"fuzz", "--merge", documents[0], documents[0]}).code == 2);
}

TEST_CASE("a wrong directed edit ends in exit code 1 and leaves its cubin") {
    const TemporaryFolder folder;
    const std::string bad = worker(folder, "bad", {{"default", {{"do", "wrong"}}}});
    const ProgramResult run = run_lab({"fuzz", kRing, "--directed", "--steps", "3", "--bad-every", "0",
                                       "--worker", bad, "--failures", folder / "failures", "--json"});
    INFO(run.out << run.err);
    CHECK(run.code == 1);
    CHECK(run.json()["legal_failed"] == 3);
    CHECK(std::filesystem::exists(folder / "failures/bulk_ring.directed-hot.seed1.base0.edit0.cubin"));
}

TEST_CASE("an original that differs from itself is told") {
    const TemporaryFolder folder;
    const std::string bad = worker(folder, "bad", {{"default", {{"do", "wrong"}}}});
    const std::string good = worker(folder, "good", {{"default", {{"do", "ok"}, {"log_speedup", 0.0}}}});
    const std::vector<std::string> same{"fuzz",        kRing, "--self-check", "--steps", "20",
                                        "--bad-every", "0",   "--worker"};
    auto with = [&](const std::string& which) {
        auto words = same;
        words.push_back(which);
        return run_lab(words).code;
    };
    CHECK(with(good) == 0);
    CHECK(with(bad) == 1);
}

TEST_CASE("failures are written beside what lies there already, never over it") {
    const TemporaryFolder folder;
    const std::string bad = worker(folder, "bad", {{"default", {{"do", "wrong"}}}});
    const std::string stem = folder / "failures/bulk_ring.directed-hot.seed1.base0.edit0";
    std::filesystem::create_directories(folder / "failures");
    for (const char* ending : {".cubin", ".json"})
        std::ofstream(stem + ending) << "mine";
    std::ofstream(folder / "victim") << "mine";
    std::filesystem::create_symlink(folder / "victim", stem + "-2.minimal.cubin");
    for (int time = 0; time < 2; ++time)
        CHECK(run_lab({"fuzz", kRing, "--directed", "--steps", "1", "--bad-every", "0", "--worker", bad,
                       "--failures", folder / "failures"})
                  .code == 1);
    for (const std::string& mine : {stem + ".cubin", stem + ".json", folder / "victim"}) {
        std::string text;
        std::getline(std::ifstream(mine) >> std::ws, text);
        CHECK(text == "mine");
    }
    for (const char* number : {"-3", "-4"})
        for (const char* ending : {".cubin", ".json"})
            CHECK(std::filesystem::file_size(stem + number + ending) > 100);
}

TEST_CASE("a probe goes on with a log of its own and with no other file") {
    const TemporaryFolder folder;
    for (const std::string text : {"a line of notes", "a line of notes\n", "[1, 2]\n"}) {
        std::ofstream(folder / "log") << text;
        const ProgramResult run = run_lab({"probe", kSynthesis, "--summary", "--log", folder / "log"});
        INFO(run.out << run.err);
        CHECK(run.code == 2);
        CHECK(run.err.find("not a row of a probe log") != std::string::npos);
    }
}
