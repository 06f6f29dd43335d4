// SPDX-License-Identifier: GPL-3.0-or-later
// libcubinlab-inject.so in front of the stand-in driver, as a job without CubinLab uses it: small programs of every
// habit run with a tuned kernel, and what the driver was given, what the program saw and what is counted must agree.
#include <clocale>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "app/inject/json_text.h"
#include "core/base/file.h"
#include "core/binary/code_swap.h"
#include "core/start/ptxas.h"
#include "core/start/start_maker.h"
#include "tests/cli/program.h"
#include "tests/inject/edited_softmax.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const std::string kOther = std::string(CUBINLAB_SAMPLES) + "/rmsnorm.cubin";
const std::string kTests = std::string(CUBINLAB_BINARY_DIR) + "/tests";
const std::string kLibrary = std::string(CUBINLAB_BINARY_DIR) + "/lib/libcubinlab-inject.so";

struct Deployed {
    TemporaryFolder folder;
    std::string schedules = folder / "schedules", out = folder / "out";
    Deployed() {
        fs::create_directories(schedules);
        fs::create_directories(out);
        auto swap = required(CodeSwap::between(bytes_of(kSoftmax), edited_softmax(1, true), "softmax"));
        REQUIRE(write_text(schedules + "/softmax.schedule", swap->text()));
    }
    std::vector<json> results() const {
        std::vector<json> all;
        for (const auto& entry : fs::directory_iterator(out))
            if (entry.path().extension() == ".json")
                all.push_back(json::parse(std::ifstream(entry.path()), nullptr, false));
        return all;
    }
    std::vector<json> captures() const {
        std::vector<json> all;
        for (const auto& entry : fs::directory_iterator(out))
            if (fs::exists(entry.path() / "launch.json"))
                all.push_back(json::parse(std::ifstream(entry.path() / "launch.json"), nullptr, false));
        return all;
    }
};

std::vector<std::string> host(const std::string& way, const std::string& scenario,
                              const std::string& image = kSoftmax, const std::string& kernel = "softmax") {
    return {kTests + (way == "linked" ? "/inject_host_linked" : "/inject_host"), way, scenario, image,
            kernel};
}

ProgramResult run_plain(const std::vector<std::string>& program, std::vector<std::string> words = {}) {
    words.push_back("LD_LIBRARY_PATH=" + kTests + "/fake_driver");
    words.push_back("CUBINLAB_FAKE_ARENA=500000000000");
    words.insert(words.end(), program.begin(), program.end());
    return run_any("/usr/bin/env", words);
}

ProgramResult run_preloaded(const std::vector<std::string>& program, std::vector<std::string> words) {
    words.push_back("LD_PRELOAD=" + kLibrary);
    return run_plain(program, std::move(words));
}

ProgramResult run_with(const Deployed& deployed, const std::vector<std::string>& program,
                       std::vector<std::string> words = {}) {
    words.push_back("CUBINLAB_SCHEDULES=" + deployed.schedules);
    words.push_back("CUBINLAB_OUT=" + deployed.out);
    return run_preloaded(program, std::move(words));
}

ProgramResult capture(const Deployed& deployed, const std::string& kernel,
                      const std::vector<std::string>& program, std::vector<std::string> words = {}) {
    words.push_back("CUBINLAB_CAPTURE=" + kernel);
    words.push_back("CUBINLAB_OUT=" + deployed.out);
    return run_preloaded(program, std::move(words));
}

std::string line_of(const std::string& text, const std::string& key) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (line.rfind(key + " ", 0) == 0) return line.substr(key.size() + 1);
    return {};
}

// The program with the library and without it: the tuned kernel runs, whichever way the driver is reached, and the results stay.
void runs_tuned(const std::string& scenario) {
    const Deployed deployed;
    for (const std::string way : {"dlopen", "linked", "getproc", "perthread"}) {
        INFO(way << " " << scenario);
        const ProgramResult plain = run_plain(host(way, scenario));
        REQUIRE(plain.code == 0);
        const ProgramResult with = succeeded(run_with(deployed, host(way, scenario)));
        CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
        CHECK(line_of(with.out, "code") != line_of(plain.out, "code"));
        CHECK(with.err.find("replaced 1 of 1 kernels") != std::string::npos);
    }
}

}  // namespace

TEST_CASE("every way to the driver runs the tuned kernel, and the program's results stay") {
    for (const std::string scenario : {"module", "library", "function", "unload", "free"})
        runs_tuned(scenario);
}

TEST_CASE("stream capture and graph replay run the tuned kernel") {
    runs_tuned("graph");
}

TEST_CASE("forked children and children that start another program run the tuned kernel") {
    runs_tuned("fork");
    runs_tuned("spawn");
}

TEST_CASE("a child with a cleared environment runs as without the library") {
    const Deployed deployed;
    const ProgramResult plain = run_plain(host("linked", "cleared"));
    INFO(plain.err);
    REQUIRE(plain.code == 0);
    const ProgramResult with = succeeded(run_with(deployed, host("linked", "cleared")));
    // The child's lines come first, and are those of the original code; the parent runs the tuned kernel.
    CHECK(with.out.substr(0, with.out.find("code")) == plain.out.substr(0, plain.out.find("code")));
    CHECK(line_of(with.out, "code") == line_of(plain.out, "code"));
    CHECK(with.err.find("replaced 1 of 1 kernels, 1 launches") != std::string::npos);
}

TEST_CASE("a forked child that alone uses the driver is counted, and its parent is not") {
    const Deployed deployed;
    const ProgramResult with = succeeded(run_with(deployed, host("dlopen", "alone")));
    CHECK(with.err == "cubinlab: replaced 1 of 1 kernels, 1 launches\n");
    const std::vector<json> results = deployed.results();
    REQUIRE(results.size() == 1);
    CHECK(results[0]["forked"] == true);
    CHECK(results[0]["list"][0]["launches"] == 1);
}

TEST_CASE("every end of a program is its own: status, time and the files that it has open") {
    const Deployed deployed;
    for (const auto& [scenario, status] : {std::pair("quick", 6), std::pair("exit", 5), std::pair("locked", 5)}) {
        INFO(scenario);
        const ProgramResult plain = run_plain(host("dlopen", scenario)), with = run_with(deployed, host("dlopen", scenario));
        CHECK(plain.code == status);
        CHECK(with.code == status);
        CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
        if (status == 6) CHECK(with.err.find("replaced 1 of 1 kernels, 1 launches") != std::string::npos);
    }
    std::vector<std::string> words = host("dlopen", "errors");
    words.push_back(deployed.folder / "own");
    succeeded(run_with(deployed, words));
    CHECK(fs::file_size(deployed.folder / "own") == 0);
}

TEST_CASE("several streams and threads run the tuned kernel") {
    runs_tuned("threads");
}

TEST_CASE("an allocation of several handles does not disturb a replaced kernel") {
    runs_tuned("pieces");
}

TEST_CASE("parameters through `extra` reach the tuned kernel") {
    runs_tuned("extra");
}

TEST_CASE("a fatbin is swapped by the bare cubin in its place") {
    const Deployed deployed;
    // One entry, raw: header of 64 bytes, ELF for sm_90 (the layout of core/binary/fatbin.h).
    const std::vector<std::byte> elf = bytes_of(kSoftmax);
    std::vector<std::byte> fatbin(16 + 64);
    const auto put = [&](std::size_t at, auto value) {
        std::memcpy(fatbin.data() + at, &value, sizeof value);
    };
    const std::size_t padded = (elf.size() + 7) / 8 * 8;
    put(0, std::uint32_t{0xBA55ED50});
    put(4, std::uint16_t{1});
    put(6, std::uint16_t{16});
    put(8, std::uint64_t{64 + padded});
    put(16, std::uint16_t{2});
    put(18, std::uint16_t{0x0101});
    put(20, std::uint32_t{64});
    put(24, std::uint64_t{padded});
    put(16 + 28, std::uint32_t{90});
    put(16 + 40, std::uint64_t{0x11});
    fatbin.insert(fatbin.end(), elf.begin(), elf.end());
    fatbin.resize(16 + 64 + padded);
    const std::string path = deployed.folder / "k.fatbin";
    REQUIRE(write_file(path, fatbin));
    for (const std::string scenario : {"wrapped", "module"}) {
        const ProgramResult plain = run_plain(host("getproc", scenario, path));
        INFO(plain.err);
        REQUIRE(plain.code == 0);
        const ProgramResult with = run_with(deployed, host("getproc", scenario, path));
        CHECK(with.code == 0);
        CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
        CHECK(line_of(with.out, "code") != line_of(plain.out, "code"));
    }
}

TEST_CASE("the canary counts kernels, launches, recorded launches and processes") {
    const Deployed deployed;
    const auto said = [&](const std::string& scenario) {
        return run_with(deployed, host("getproc", scenario)).err;
    };
    CHECK(said("many") == "cubinlab: replaced 1 of 1 kernels, 3,012 launches\n");
    CHECK(said("threads") == "cubinlab: replaced 1 of 1 kernels, 800 launches\n");
    CHECK(said("graph") == "cubinlab: replaced 1 of 1 kernels, 0 launches, and 1 recorded into graphs, which ran 5 times\n");
    CHECK(said("unload") == "cubinlab: replaced 1 of 1 kernels, 50 launches\n");
    CHECK(said("fork") == "cubinlab: replaced 1 of 1 kernels, 1 launches\n");
    // A child that starts another program says its own.
    CHECK(said("spawn") ==
          "cubinlab: replaced 1 of 1 kernels, 1 launches\ncubinlab: replaced 1 of 1 kernels, 1 launches\n");
    const ProgramResult ended = run_with(deployed, host("getproc", "exit"));
    CHECK(ended.code == 5);
    CHECK(ended.err == "cubinlab: replaced 1 of 1 kernels, 1 launches\n");
    CHECK(deployed.results().size() >= 7);
}

TEST_CASE("where nothing matched it is said loudly, and with CUBINLAB_REQUIRE the exit code is 3") {
    const Deployed deployed;
    const auto other = host("dlopen", "module", kOther, "rmsnorm");
    const ProgramResult loose = run_with(deployed, other);
    CHECK(loose.code == 0);
    CHECK(loose.err.find("NOTHING WAS REPLACED") != std::string::npos);
    CHECK(run_with(deployed, other, {"CUBINLAB_REQUIRE=1"}).code == 3);
    CHECK(run_with(deployed, host("dlopen", "module"), {"CUBINLAB_REQUIRE=1"}).code == 0);
    // A program without CUDA says nothing.
    const ProgramResult none = run_with(deployed, {"/bin/true"}, {"CUBINLAB_REQUIRE=1"});
    CHECK(none.code == 0);
    CHECK(none.err.empty());
}

TEST_CASE("a schedule that was damaged is left out, and the program runs as it is") {
    const Deployed deployed;
    const std::string path = deployed.schedules + "/softmax.schedule";
    auto text = required(read_text(path));
    const ProgramResult plain = run_plain(host("dlopen", "module"));
    const std::size_t word = text->find("\nword ") + 12;
    for (const std::string& damaged :
         {text->substr(0, text->size() / 2), std::string("hello"),
          std::string(*text).replace(word, 1, (*text)[word] == '0' ? "1" : "0")}) {
        REQUIRE(write_text(path, damaged));
        const ProgramResult with = run_with(deployed, host("dlopen", "module"));
        CHECK(with.code == 0);
        CHECK(with.out == plain.out);
        CHECK(with.err.find("NOTHING WAS REPLACED") != std::string::npos);
    }
}

TEST_CASE("a failure inside never takes the program down") {
    const Deployed deployed;
    const ProgramResult plain = run_plain(host("dlopen", "library"));
    for (const std::string place : {"load", "see", "launch", "load,see,launch"}) {
        INFO(place);
        const ProgramResult with = run_with(deployed, host("dlopen", "library"), {"CUBINLAB_FAULT=" + place});
        CHECK(with.code == 0);
        CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
        CHECK(with.err.find("failures inside") != std::string::npos);
    }
    const ProgramResult captured =
        capture(deployed, "*", host("dlopen", "library"), {"CUBINLAB_FAULT=capture"});
    CHECK(captured.code == 0);
    CHECK(captured.out == plain.out);
    CHECK(deployed.captures().empty());
}

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

bool noted(const json& result, const std::string& what) {
    for (const json& note : result["notes"])
        if (note.get<std::string>().find(what) != std::string::npos) return true;
    return false;
}

}  // namespace

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

TEST_CASE("a captured launch names what it reached, before and after, and leaves the program's results") {
    for (const std::string scenario :
         {"module", "library", "function", "extra", "pieces", "threads", "many"}) {
        INFO(scenario);
        const Deployed deployed;
        const ProgramResult plain = run_plain(host("getproc", scenario));
        const ProgramResult with = capture(deployed, "regex:^soft", host("getproc", scenario));
        CHECK(with.code == 0);
        CHECK(with.out == plain.out);
        REQUIRE(deployed.captures().size() == 1);
        const json launch = deployed.captures()[0];
        CHECK(launch["kernel"] == "softmax");
        CHECK(launch["launch"] == 1);
        CHECK(launch["block"] == json({256, 1, 1}));
        CHECK(launch["params"] == json({{0, 8}, {8, 8}, {16, 4}, {24, 8}, {32, 8}}));
        REQUIRE(launch["regions"].size() == 2);
        CHECK(launch["regions"][0]["size"] == 5000);
        CHECK(launch["regions"][0]["changed"] == json({{0, 1}}));
        // A pointer into the first of two handles that lie behind one another reaches both.
        CHECK(launch["regions"][1]["size"] == (scenario == "pieces" ? 4 << 20 : 5000));
        CHECK(launch["regions"][1]["changed"].empty());
        CHECK(launch["left_out"].empty());
    }
}

TEST_CASE(
    "an array of numbers that look like addresses is captured, and the one among them that is one is "
    "followed") {
    const Deployed deployed;
    const ProgramResult plain = run_plain(host("getproc", "numbers"));
    CHECK(capture(deployed, "softmax", host("getproc", "numbers")).out == plain.out);
    REQUIRE(deployed.captures().size() == 1);
    const json launch = deployed.captures()[0];
    CHECK(launch["left_out"].empty());
    REQUIRE(launch["regions"].size() == 3);
    CHECK(launch["regions"][1]["size"] == 16 << 20);
    CHECK(launch["regions"][2]["size"] == 3000);
    CHECK(deployed.results()[0]["notes"].empty());
}

TEST_CASE("a launch whose program had failed before is not taken for one in a graph") {
    const Deployed deployed;
    const ProgramResult plain = run_plain(host("getproc", "failed"), {"CUBINLAB_FAKE_FAULT=1"});
    REQUIRE(plain.code == 0);
    CHECK(capture(deployed, "softmax", host("getproc", "failed"),
                  {"CUBINLAB_FAKE_FAULT=1", "CUBINLAB_CAPTURE_LAUNCH=first:2"})
              .code == 0);
    CHECK(deployed.captures().empty());
    REQUIRE(deployed.results().size() == 1);
    CHECK(noted(deployed.results()[0], "the kernel failed (CUDA error 700, an illegal address)"));
    CHECK(noted(deployed.results()[0], "an earlier call of the program failed (CUDA error 700"));
}

TEST_CASE("capture: a tensor map leads to its memory, and the variables of the image are taken along") {
    {
        const Deployed deployed;
        const std::string file = std::string(CUBINLAB_TEST_DATA) + "/cubins/tensor_map.90a.cubin",
                          kernel = "_Z5tiles14CUtensorMap_stPfii";
        const ProgramResult plain = run_plain(host("getproc", "tensor_map", file, kernel));
        INFO(plain.err);
        REQUIRE(plain.code == 0);
        const ProgramResult with =
            capture(deployed, "regex:^tiles", host("getproc", "tensor_map", file, kernel));
        CHECK(with.out == plain.out);
        REQUIRE(deployed.captures().size() == 1);
        const json launch = deployed.captures()[0];
        CHECK(launch["params"][0][1] == 128);
        REQUIRE(launch["regions"].size() == 2);
        // The map's address lies inside an allocation of 5000 bytes, which is kept as a whole.
        CHECK(launch["regions"][0]["size"] == 5000);
        std::uint64_t address = 0;
        const auto at = launch["params"][0][0].get<std::size_t>();
        const std::string bytes = launch["param_bytes"].get<std::string>();
        for (int i = 7; i >= 0; --i)
            address = address << 8 |
                      std::stoul(bytes.substr(2 * (at + static_cast<std::size_t>(i)), 2), nullptr, 16);
        CHECK(launch["regions"][0]["address"] == address - 1024);
        CHECK(launch["left_out"].empty());
    }
    const Deployed deployed;
    const std::string file = std::string(CUBINLAB_TEST_DATA) + "/cubins/k1.90a.cubin";
    std::vector<std::string> program = host("getproc", "variables", file, "k_basic");
    program.insert(program.end(), {"CC", "G"});
    const ProgramResult plain = run_plain(program);
    CHECK(capture(deployed, "k_basic", program).out == plain.out);
    REQUIRE(deployed.captures().size() == 1);
    std::set<std::string> symbols;
    const json captured = deployed.captures()[0];
    for (const json& region : captured["regions"])
        symbols.insert(region["symbol"].get<std::string>());
    CHECK(symbols.count("CC") == 1);  // __constant__
    CHECK(symbols.count("G") == 1);   // __device__
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

TEST_CASE("a launch that changes nothing is not kept, the next that does is") {
    for (const std::string scenario : {"settled", "never"}) {
        INFO(scenario);
        const Deployed deployed;
        const ProgramResult plain = run_plain(host("getproc", scenario));
        const ProgramResult with = capture(deployed, "softmax", host("getproc", scenario));
        CHECK(with.out == plain.out);
        REQUIRE(deployed.results().size() == 1);
        CHECK(noted(deployed.results()[0], "launch 1 not captured, since it changed nothing in memory"));
        CHECK(deployed.captures().size() == (scenario == "settled" ? 1 : 0));
        if (scenario == "settled") CHECK(deployed.captures()[0]["launch"] == 3);
    }
    // 3,012 launches on the same inputs: it is not tried with each.
    const Deployed deployed;
    CHECK(capture(deployed, "softmax", host("getproc", "many"), {"CUBINLAB_CAPTURE_LAUNCH=2"}).code == 0);
    CHECK(deployed.captures().empty());
    CHECK(noted(deployed.results()[0], "launch 17 not captured"));
    CHECK(noted(deployed.results()[0], "as 15 others"));
    CHECK(deployed.results()[0]["list"][0]["launches"] == 3012);
}

TEST_CASE("what is not captured is said: a stream in capture, the limit") {
    const Deployed deployed;
    const ProgramResult plain = run_plain(host("dlopen", "graph"));
    const ProgramResult graph = capture(deployed, "*", host("dlopen", "graph"));
    CHECK(graph.out == plain.out);
    CHECK(deployed.captures().empty());
    REQUIRE(deployed.results().size() == 1);
    CHECK(deployed.results()[0]["notes"][0].get<std::string>().find("captured into a graph") !=
          std::string::npos);
    CHECK(deployed.results()[0]["graph_launches"] == 5);
    const Deployed small;
    CHECK(capture(small, "*", host("dlopen", "pieces"), {"CUBINLAB_CAPTURE_LIMIT=1000000"}).code == 0);
    CHECK(small.captures().empty());
    CHECK(small.results()[0]["notes"][0].get<std::string>().find("more than the limit") != std::string::npos);
}

TEST_CASE("a list counts and times every kernel and keeps its cubin") {
    const Deployed deployed;
    run_preloaded(host("getproc", "many"), {"CUBINLAB_LIST=1", "CUBINLAB_OUT=" + deployed.out});
    REQUIRE(deployed.results().size() == 1);
    const json kernel = deployed.results()[0]["list"][0];
    CHECK(kernel["launches"] == 3012);
    CHECK(kernel["timed"] == 3012);
    CHECK(bytes_of(deployed.out + "/" + kernel["image"].get<std::string>()) == bytes_of(kSoftmax));
}

namespace {

// The softmax of the samples, compiled again with -O1, and the folder that names it. Empty: there is no ptxas.
struct DeployedRecompiled : Deployed {
    std::vector<std::byte> cubin;

    DeployedRecompiled() {
        fs::remove(schedules + "/softmax.schedule");
        if (installed_ptxas().empty()) {
            WARN("SKIPPED, no ptxas is installed");
            return;
        }
        const auto original = required(Cubin::open(kSoftmax));
        const std::string ptx = std::string(CUBINLAB_SAMPLES) + "/softmax.ptx";
        const auto maker =
            required(StartMaker::create({{*required(read_text(ptx)), ptx}, *original, "softmax", {}}));
        Compiler compiler(CompilerSettings{});
        const std::vector<Start> wanted = {maker->option_starts()[1]};
        const auto made = maker->make(wanted, compiler);
        required(made.front());
        const Bytes bytes = made.front()->cubin->bytes();
        cubin.assign(bytes.begin(), bytes.end());
        auto swap = required(CodeSwap::with_cubin(bytes_of(kSoftmax), "softmax", cubin, "softmax"));
        swap->cubin = "softmax.cubin";
        REQUIRE(write_file(schedules + "/softmax.cubin", cubin));
        REQUIRE(write_text(schedules + "/softmax.schedule", swap->text()));
    }
    bool none() const { return cubin.empty(); }
    // As tests/fakes computes it.
    double microseconds(const std::vector<std::byte>& image) const {
        auto parsed = required(Cubin::parse(image, "image"));
        const KernelInfo& info = (*parsed)->kernels().front();
        const Bytes code = part_of((*parsed)->bytes(), info.code_offset, info.code_size);
        return 20 + static_cast<double>(hash_bytes(code).lo % 1000) / 500;
    }
};

}  // namespace

TEST_CASE(
    "a recompiled kernel is launched in the place of the original, whichever way the driver is reached") {
    const DeployedRecompiled deployed;
    if (deployed.none()) return;
    for (const std::string scenario :
         {"module", "library", "function", "unload", "free", "graph", "threads", "extra", "numbers"})
        for (const std::string way : {"dlopen", "linked", "getproc", "perthread"}) {
            INFO(way << " " << scenario);
            const ProgramResult plain = run_plain(host(way, scenario));
            REQUIRE(plain.code == 0);
            const ProgramResult with = succeeded(run_with(deployed, host(way, scenario)));
            INFO(with.err);
            CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
            CHECK(with.err.find("replaced 1 of 1 kernels") != std::string::npos);
        }
}

TEST_CASE("a comparison with a recompiled kernel times both codes") {
    const DeployedRecompiled deployed;
    if (deployed.none()) return;
    const ProgramResult plain = run_plain(host("dlopen", "many"));
    const ProgramResult with = run_with(deployed, host("dlopen", "many"), {"CUBINLAB_AB=1"});
    INFO(with.err);
    CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
    REQUIRE(deployed.results().size() == 1);
    const json kernel = deployed.results()[0]["list"][0];
    REQUIRE(kernel["log_ratios"].size() > 1000);
    CHECK(kernel["original_us"].get<double>() ==
          Approx(deployed.microseconds(bytes_of(kSoftmax))).margin(0.1));
    CHECK(kernel["tuned_us"].get<double>() == Approx(deployed.microseconds(deployed.cubin)).margin(0.1));
    CHECK(kernel["launches"] == 3012);
}

TEST_CASE("a cubin that is not the one that the schedule names is left out, and the program runs as it is") {
    const DeployedRecompiled deployed;
    if (deployed.none()) return;
    REQUIRE(write_file(deployed.schedules + "/softmax.cubin", bytes_of(kOther)));
    const ProgramResult plain = run_plain(host("dlopen", "module"));
    const ProgramResult with = succeeded(run_with(deployed, host("dlopen", "module")));
    CHECK(line_of(with.out, "sum") == line_of(plain.out, "sum"));
    CHECK(with.err.find("replaced 1") == std::string::npos);
    REQUIRE(deployed.results().size() == 1);
    CHECK(deployed.results()[0]["notes"].dump().find("is not the cubin that the schedule names") !=
          std::string::npos);
}

TEST_CASE("what is written down of a schedule is read back, and applies to its own kernel alone") {
    const std::vector<std::byte> original = bytes_of(kSoftmax), tuned = edited_softmax(1, true);
    auto swap = required(CodeSwap::between(original, tuned, "softmax"));
    auto again = required(CodeSwap::parse(swap->text(), "t"));
    CHECK(again->text() == swap->text());
    std::vector<std::byte> made = original;
    auto elf = required(ElfImage::read(made, "t"));
    const std::size_t section = kernels_in(*elf).front().section;
    REQUIRE(again->apply(made, *elf, section));
    CHECK(made == tuned);
    CHECK_FALSE(again->apply(made, *elf, section));  // no longer the original
    CHECK(made == tuned);
    again->words.front().bytes[0] ^= std::byte{1};
    std::vector<std::byte> untouched = original;
    auto fresh = ElfImage::read(untouched, "t");
    CHECK_FALSE(again->apply(untouched, *fresh, section));
    CHECK(untouched == original);
    CHECK_FALSE(CodeSwap::parse("cubinlab-schedule 1\nsize 16\n", "t"));
    CHECK_FALSE(CodeSwap::between(original, bytes_of(kOther), "softmax"));
}

TEST_CASE("the library asks for nothing that glibc 2.17 lacks, and exports no name of the driver") {
    const ProgramResult shown = run_any("/usr/bin/env", {"objdump", "-T", kLibrary});
    if (shown.code != 0) {
        WARN("SKIPPED, there is no objdump");
        return;
    }
    std::set<std::string> exported;
    std::istringstream in(shown.out);
    for (std::string line; std::getline(in, line);) {
        INFO(line);
        const auto at = line.find("GLIBC_2.");
        if (at != std::string::npos) CHECK(std::atoi(line.c_str() + at + 8) <= 17);
        if (line.find("*UND*") != std::string::npos || line.find(" g ") == std::string::npos) continue;
        const std::string name = line.substr(line.rfind(' ') + 1);
        exported.insert(name);
    }
    CHECK(exported == std::set<std::string>{"dlsym", "dlvsym", "dladdr", "dladdr1", "_exit", "_Exit"});
    // Names of glibc alone, for which a program with another C library would not start.
    for (const char* own : {"__tls_get_addr", "__strftime_l", "__register_atfork", "__cxa_at_quick_exit", "gnu_get_libc_version"})
        CHECK(shown.out.find(" " + std::string(own) + "\n") == std::string::npos);
    const ProgramResult needed = run_any("/usr/bin/env", {"objdump", "-p", kLibrary});
    for (const char* other : {"libstdc++", "libgcc_s", "libfmt", "libzstd", "liblz4", "ld-linux"})
        CHECK(needed.out.find(other) == std::string::npos);
    // Before glibc 2.34 these have what the library calls; a program that is started with it may not load them itself.
    for (const char* own : {"libdl.so.2", "libpthread.so.0"})
        CHECK(needed.out.find(own) != std::string::npos);
}

TEST_CASE("a program of another C library starts with it in the environment") {
    const TemporaryFolder folder;
    REQUIRE(write_text(folder / "m.c", "int main(void) { return 3; }\n"));
    if (run_any("/usr/bin/env", {"musl-gcc", folder / "m.c", "-o", folder / "m"}).code != 0) {
        WARN("SKIPPED, there is no musl-gcc");
        return;
    }
    CHECK(run_preloaded({folder / "m"}, {}).code == 3);
    CHECK(run_preloaded({folder / "m"}, {"CUBINLAB_LIST=1", "CUBINLAB_OUT=" + folder.path().string()}).code == 3);
}

TEST_CASE("figures are written with a point, whatever locale the program around the library has set") {
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    bool found = false;
    for (const char* name :
         {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "da_DK.UTF-8", "pl_PL.UTF-8"})
        if (!found) found = std::setlocale(LC_NUMERIC, name) != nullptr;
    if (!found) WARN("SKIPPED, no locale with a decimal comma: written in the locale C");
    inject::JsonText out;
    out.field("one", 2.5);
    out.field("many", std::vector<float>{0.25F, -1.5F});
    out.field("small", 1.25e-7);
    std::setlocale(LC_NUMERIC, before.c_str());
    const json read = json::parse(out.text());
    CHECK(read["one"] == 2.5);
    CHECK(read["many"] == json({0.25, -1.5}));
    CHECK(read["small"] == 1.25e-7);
}
