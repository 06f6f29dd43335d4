// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons in a running program: original and tuned in turn, in pairs of launches that are held back until queued.
#include <cmath>

#include "tests/inject/preloaded.h"

using namespace cubinlab;
using namespace cubinlab::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

json compared(const std::vector<std::string>& program, const std::vector<std::string>& words) {
    const Deployed deployed;
    std::vector<std::string> all = {"CUBINLAB_AB=1"};
    all.insert(all.end(), words.begin(), words.end());
    const ProgramResult plain = run_plain(program);
    const ProgramResult with = run_with(deployed, program, all);
    INFO(with.err);
    CHECK(with.code == 0);
    CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
    REQUIRE(deployed.results().size() == 1);
    return deployed.results()[0];
}

}  // namespace

TEST_CASE("a comparison runs original and tuned in turn and tells the difference of their launches") {
    const Deployed deployed;
    const ProgramResult plain = run_plain(host("dlopen", "many"));
    const ProgramResult with = run_with(deployed, host("dlopen", "many"), {"CUBINLAB_AB=1"});
    CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
    REQUIRE(deployed.results().size() == 1);
    const json kernel = deployed.results()[0]["list"][0];
    REQUIRE(kernel["log_ratios"].size() > 1000);
    // The stand-in's time follows from the code alone, but for the step of its events.
    const double expected = std::log(kernel["original_us"].get<double>() / kernel["tuned_us"].get<double>());
    double mean = 0;
    for (const json& ratio : kernel["log_ratios"])
        mean += ratio.get<double>() / static_cast<double>(kernel["log_ratios"].size());
    CHECK(mean == Approx(expected).margin(0.003));
    CHECK(with.err.find("pairs of launches") != std::string::npos);
}

TEST_CASE("a comparison of an image with variables runs both on the program's own") {
    // k_basic lies beside constants (CC), variables (G, tab) and strings, whose addresses a table holds.
    const std::string file = std::string(CUBINLAB_TEST_DATA) + "/cubins/k1.90a.cubin", kernel = "k_basic";
    const Deployed deployed;
    auto swap = required(CodeSwap::between(bytes_of(file), edited(file, kernel, 1, true), kernel));
    REQUIRE(write_text(deployed.schedules + "/k_basic.schedule", swap->text()));
    for (const std::string way : {"dlopen", "getproc", "perthread"}) {
        INFO(way);
        std::vector<std::string> program = host(way, "variables", file, kernel);
        program.insert(program.end(), {"CC", "G"});
        const ProgramResult plain = run_plain(program);
        INFO(plain.err);
        REQUIRE(plain.code == 0);
        REQUIRE(line_of(plain.out, "sum") != "0");
        const ProgramResult with = run_with(deployed, program, {"CUBINLAB_AB=1"});
        INFO(with.err);
        CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
        // 200 launches; the first pair loads code.
        CHECK(with.err.find("over 99 pairs of launches") != std::string::npos);
    }
}

TEST_CASE(
    "a comparison's times hold none of the program's own calls, where launches are held back until queued") {
    const json idle = compared(host("dlopen", "many"), {})["list"][0];
    const double original = idle["original_us"], tuned = idle["tuned_us"];
    CHECK(idle["queued"] == true);
    // The stand-in's events take 0.5 us each, and are read in steps of 0.032.
    CHECK(idle["empty_us"].get<double>() == Approx(0.5).margin(0.033));
    const json held = compared(host("dlopen", "many"), {"CUBINLAB_FAKE_CALL_US=4"})["list"][0];
    CHECK(held["queued"] == true);
    CHECK(held["original_us"].get<double>() == Approx(original).margin(0.033));
    CHECK(held["tuned_us"].get<double>() == Approx(tuned).margin(0.033));
    // Else the launch's call is in both times, alike, and nothing else is.
    const json open =
        compared(host("dlopen", "many"), {"CUBINLAB_FAKE_CALL_US=4", "CUBINLAB_AB_GATE=0"})["list"][0];
    CHECK(open["queued"] == false);
    CHECK(open["original_us"].get<double>() == Approx(original + 4).margin(0.033));
    CHECK(open["tuned_us"].get<double>() == Approx(tuned + 4).margin(0.033));
}

TEST_CASE("a stream that is held back never stops a program") {
    SECTION("a launch that waits for the GPU is let go, and after some of them none is held back") {
        const json result = compared(host("dlopen", "many"), {"CUBINLAB_FAKE_GATE=blocks"});
        CHECK(noted(result, "wait for the GPU here"));
        CHECK(result["list"][0]["queued"] == false);
        CHECK(result["list"][0]["log_ratios"].size() > 1000);
    }
    SECTION("a driver that refuses") {
        const json result = compared(host("getproc", "many"), {"CUBINLAB_FAKE_GATE=refused"});
        CHECK(noted(result, "cuStreamWaitValue32 gave 801"));
        CHECK(result["list"][0]["queued"] == false);
        CHECK(result["list"][0]["log_ratios"].size() > 1000);
    }
    SECTION("launches that are asked to block") {
        const json result = compared(host("dlopen", "many"), {"CUDA_LAUNCH_BLOCKING=1"});
        CHECK(noted(result, "CUDA_LAUNCH_BLOCKING is set"));
        CHECK(result["list"][0]["queued"] == false);
    }
    SECTION("a failure while it is held back") {
        const json result =
            compared(host("dlopen", "many"), {"CUBINLAB_FAULT=gate", "CUBINLAB_FAKE_GATE=blocks"});
        CHECK(result["launches"] == 3012);
        CHECK(result["faults"] > 0);
    }
    SECTION("several threads and streams, streams in capture") {
        for (const std::string way : {"dlopen", "perthread"}) {
            const json threads = compared(host(way, "threads"), {"CUBINLAB_FAKE_CALL_US=1"});
            CHECK(threads["launches"] == 800);
            CHECK(threads["notes"].empty());
            const json graph = compared(host(way, "graph"), {});
            CHECK(graph["recorded"] == 1);
            CHECK(graph["list"][0]["timed"] == 0);
        }
    }
}

TEST_CASE("lazy loading: a kernel whose code is loaded by its first launch") {
    const Deployed deployed;
    const ProgramResult plain = run_plain(host("getproc", "many"));
    const ProgramResult with = run_with(deployed, host("getproc", "many"), {"CUBINLAB_FAKE_LAZY=1"});
    CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
    CHECK(with.err.find("replaced 1 of 1 kernels, 3,012 launches") != std::string::npos);
    CHECK(capture(deployed, "softmax", host("getproc", "many"), {"CUBINLAB_FAKE_LAZY=1"}).out == plain.out);
    CHECK(deployed.captures().size() == 1);
    // The first of each code is not held back, so that loading waits for nothing.
    const json result = compared(host("getproc", "many"), {"CUBINLAB_FAKE_LAZY=1"});
    CHECK(result["notes"].empty());
    CHECK(result["list"][0]["queued"] == true);
    CHECK(result["list"][0]["log_ratios"].size() > 1000);
}
