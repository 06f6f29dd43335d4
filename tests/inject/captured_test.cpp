// SPDX-License-Identifier: GPL-3.0-or-later
// Captured launches and lists of kernels of programs on the stand-in driver.
#include <set>

#include "tests/inject/preloaded.h"

using namespace cubinlab;
using namespace cubinlab::test;
using nlohmann::json;
namespace fs = std::filesystem;

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
    // The first 512, and one of 512 of the others.
    CHECK(kernel["timed"] > 512);
    CHECK(kernel["timed"] < 512 + 20);
    CHECK(bytes_of(deployed.out + "/" + kernel["image"].get<std::string>()) == bytes_of(kSoftmax));
}
