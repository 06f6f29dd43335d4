// SPDX-License-Identifier: GPL-3.0-or-later
// What the preloaded library counts, against programs that know how often they launch: on the stand-in driver, and on a
// GPU where there is one.
#include "tests/inject/preloaded.h"

using namespace cubinlab;
using namespace cubinlab::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const std::string kPtx = std::string(CUBINLAB_TEST_DATA) + "/../inject/launches.ptx";

struct Counting {
    TemporaryFolder folder;
    std::string schedules = folder / "schedules", out = folder / "out", ptx = folder / "launches.ptx";
    bool gpu = false;

    explicit Counting(bool on_gpu = false) : gpu(on_gpu) {
        fs::create_directories(schedules);
        fs::create_directories(out);
        auto swap = required(CodeSwap::between(bytes_of(kSoftmax), edited_softmax(1, true), "softmax"));
        REQUIRE(write_text(schedules + "/softmax.schedule", swap->text()));
        // The stand-in's compiler makes this cubin of it.
        const std::string text = *required(read_text(kPtx));
        REQUIRE(write_text(ptx, (gpu ? "" : "//cubin " + kSoftmax + "\n") + text));
    }
    ProgramResult run(const std::string& scenario, const std::string& image, std::vector<std::string> words) const {
        if (!gpu) words.push_back("LD_LIBRARY_PATH=" + kTests + "/fake_driver");
        words.push_back("LD_PRELOAD=" CUBINLAB_BINARY_DIR "/lib/libcubinlab-inject.so");
        words.push_back("CUBINLAB_OUT=" + out);
        words.insert(words.end(), {kTests + "/launch_program", scenario, image, "softmax"});
        return succeeded(run_any("/usr/bin/env", words));
    }
    json result() const {
        json found;
        for (const auto& entry : fs::directory_iterator(out))
            if (entry.path().extension() == ".json") {
                found = json::parse(std::ifstream(entry.path()), nullptr, false);
                fs::remove(entry.path());
            }
        return found;
    }
};

std::uint64_t said(const ProgramResult& run, const std::string& key) {
    std::istringstream in(run.out);
    for (std::string line; std::getline(in, line);)
        if (line.rfind(key + " ", 0) == 0) return std::stoull(line.substr(key.size() + 1));
    return 0;
}

// The counts of the one kernel equal what the program knows.
void check_counts(const ProgramResult& run, const json& result) {
    INFO(result.dump(1));
    REQUIRE(result["list"].size() == 1);
    const json& kernel = result["list"][0];
    CHECK(kernel["launches"] == said(run, "launches"));
    CHECK(kernel["recorded"] == said(run, "recorded"));
    CHECK(kernel["graph_runs"] == said(run, "runs"));
    CHECK(result["faults"] == 0);
}

constexpr const char* kScenarios[] = {"threads", "loads", "entries", "graphs", "library"};

}  // namespace

TEST_CASE("launches are counted exactly: many loads, unloads in any order, contexts, threads, entry points, graphs") {
    const Counting counting;
    for (const std::string scenario : kScenarios) {
        INFO(scenario);
        const ProgramResult run = counting.run(scenario, kSoftmax, {"CUBINLAB_LIST=1"});
        REQUIRE(said(run, "launches") > 5);
        const json result = counting.result();
        check_counts(run, result);
        CHECK(result["notes"].empty());
        // The same with the tuned code, and with both in turn: each in the context of its launch.
        for (const std::string extra : {"CUBINLAB_AB=0", "CUBINLAB_AB=1"}) {
            INFO(extra);
            const ProgramResult swapped =
                counting.run(scenario, kSoftmax, {"CUBINLAB_SCHEDULES=" + counting.schedules, extra});
            const json with = counting.result();
            check_counts(swapped, with);
            CHECK(with["replaced"] == 1);
            CHECK_FALSE(noted(with, "no further comparison"));
        }
    }
}

TEST_CASE("a comparison pairs launches of one context, and every load takes part") {
    const Counting counting;
    const ProgramResult run = counting.run(
        "threads", kSoftmax, {"CUBINLAB_SCHEDULES=" + counting.schedules, "CUBINLAB_AB=1", "CUBINLAB_AB_GATE=0"});
    const json kernel = counting.result()["list"][0];
    CHECK(kernel["launches"] == said(run, "launches"));
    CHECK(kernel["log_ratios"].size() > 100);
}

TEST_CASE("code that the driver makes at run time is listed, captured with its text, and replaced") {
    for (const std::string scenario : {"ptx", "link"}) {
        INFO(scenario);
        const Counting counting;
        const std::string text = *required(read_text(counting.ptx));
        const ProgramResult listed = counting.run(scenario, counting.ptx, {"CUBINLAB_LIST=1"});
        const json result = counting.result();
        check_counts(listed, result);
        const json& kernel = result["list"][0];
        CHECK(kernel["why_not"] == "");
        CHECK(bytes_of(counting.out + "/" + kernel["image"].get<std::string>()) == bytes_of(kSoftmax));
        CHECK(*required(read_text(counting.out + "/" + kernel["ptx"].get<std::string>())) == text);
        CHECK(result["links"] == (scenario == "link" ? 1 : 0));

        counting.run(scenario, counting.ptx, {"CUBINLAB_CAPTURE=softmax"});
        counting.result();
        std::size_t captured = 0;
        for (const auto& entry : fs::directory_iterator(counting.out)) {
            if (!fs::exists(entry.path() / "launch.json")) continue;
            ++captured;
            CHECK(bytes_of((entry.path() / "module.cubin").string()) == bytes_of(kSoftmax));
            CHECK(*required(read_text(entry.path() / "module.ptx")) == text);
        }
        CHECK(captured == 1);

        const ProgramResult swapped =
            counting.run(scenario, counting.ptx, {"CUBINLAB_SCHEDULES=" + counting.schedules});
        CHECK_THAT(swapped.err, contains_text("replaced 1 of 1 kernels, 5 launches"));
    }
}

TEST_CASE("on a GPU the counts are those of the program, too") {
    if (!fs::exists("/dev/nvidia0") && !fs::exists("/dev/nvidiactl")) {
        WARN("SKIPPED, there is no GPU");
        return;
    }
    const Counting counting(true);
    for (const std::string scenario : {"threads", "loads", "entries", "graphs", "library", "ptx", "link"}) {
        INFO(scenario);
        const ProgramResult run = counting.run(scenario, counting.ptx, {"CUBINLAB_LIST=1"});
        const json result = counting.result();
        check_counts(run, result);
        CHECK(result["list"][0]["why_not"] == "");
    }
}
