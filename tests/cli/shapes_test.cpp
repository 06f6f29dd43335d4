// SPDX-License-Identifier: GPL-3.0-or-later
// A workload of several shapes on the command line: whatever is measured in fresh processes is measured in
// each shape, and told for each and for their mean. The GPU is a scripted worker.
#include <cmath>
#include <fstream>

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;
using nlohmann::json;

namespace {

// softmax with the shapes "half" and "short", and a worker that sees each comparison as scripted.
struct Shapes {
    TemporaryFolder folder;
    std::string cubin = folder / "k.cubin", session = folder / "s.db", worker;

    explicit Shapes(const json& of_shapes) {
        std::filesystem::copy_file(kSoftmax, cubin);
        workload({{{"name", "half"}, {"grid", {2048}}}, {{"name", "short"}, {"grid", {128}}}});
        script(of_shapes);
    }
    // The default figure of a comparison is +1 %.
    void script(const json& of_shapes, const json& of_candidates = {{"do", "hashed"}}) {
        std::filesystem::create_directories(folder / "state");
        std::ofstream(folder / "script.json") << json{{"default", of_candidates},
                                                      {"device", "Scripted GPU"},
                                                      {"compare", {{"do", "ok"}, {"log_speedup", 0.01}}},
                                                      {"shapes", of_shapes}};
        worker = std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " + (folder / "script.json") +
                 " " + (folder / "state");
    }
    void workload(const json& shapes) const {
        json all = json::parse(bytes_of(kSamples + "/softmax.workload.json"));
        if (!shapes.is_null()) all["shapes"] = shapes;
        write(folder / "k.workload.json", all.dump());
    }
    ProgramResult run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--worker", worker});
        return run_program(arguments);
    }
    ProgramResult tuned(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> all = {
            "tune",     cubin,    "--agent", "greedy",    "--evaluator", "gpu",   "--budget",
            "150steps", "--seed", "1",       "--session", session,       "--out", folder / "best.cubin"};
        all.insert(all.end(), more.begin(), more.end());
        return run(all);
    }
};

// Shape "short" loses 0.5 % in fresh processes; the mean of the three is none the less a gain.
const json kShortLoses = {{"short", {{"compare", {{"do", "ok"}, {"log_speedup", -0.005}}}}}};
const char* kSlower = "SLOWER in short (1 of 3 shapes), while the mean gains";

bool near(const json& value, double expected) {
    return std::abs(value.get<double>() - expected) < 2e-4;
}

}  // namespace

TEST_CASE("a run over several shapes ends with its best measured in each, and the stamp is of their mean") {
    const Shapes scene(json{{"half", {{"bonus", 0.02}}}});
    const ProgramResult told = succeeded(scene.tuned());
    CHECK_THAT(told.out, contains_text("re-measured in 6 fresh processes for each shape: FASTER  +1.68 %"));
    CHECK_THAT(told.out, contains_text("mean of 3 shapes\n  shape first: FASTER  +1.0"));
    CHECK_THAT(told.out, contains_text("shape half: FASTER  +3.0"));
    CHECK(told.out.find("SLOWER") == std::string::npos);
    const json beside = json::parse(bytes_of(scene.folder / "best.cubin.provenance.json"));
    CHECK_THAT(beside["stamp"].get<std::string>(), contains_text("mean of 3 shapes"));
    REQUIRE(beside["shapes"].size() == 3);
    CHECK(near(beside["shapes"][1]["log_speedup"], 0.03));
    CHECK(near(beside["log_speedup"], 0.05 / 3));
    const json best = run_program({"runs", scene.session, "--json"}).json()["runs"][0]["best"];
    CHECK(near(best["measured_again"]["log_speedup"], 0.05 / 3));
    CHECK(best["measured_again"]["shapes"].size() == 3);
}

TEST_CASE("every output of a mean gain names a shape that became slower") {
    const Shapes scene(kShortLoses);
    const ProgramResult told = succeeded(scene.tuned());
    CHECK_THAT(told.out, contains_text(kSlower));
    CHECK_THAT(told.out, contains_text("; mean of 3 shapes, SLOWER in short (1 of 3 shapes)"));
    CHECK_THAT(run_program({"runs", scene.session}).out, contains_text("again, SLOWER in short"));
    const ProgramResult measured = scene.run({"measure", scene.session});
    CHECK_THAT(measured.out, contains_text("shape short: SLOWER  -0.50 %"));
    CHECK_THAT(measured.out, contains_text(kSlower));
    CHECK_THAT(measured.out, contains_text("all 2 measurements on Scripted GPU"));
    const ProgramResult pair = scene.run({"measure", scene.cubin, scene.folder / "best.cubin"});
    CHECK_THAT(pair.out, contains_text("UNCLEAR  B against A +0.5"));
    CHECK_THAT(pair.out, contains_text(kSlower));
    const ProgramResult exported =
        succeeded(scene.run({"export", scene.session, "--bundle", scene.folder / "bundle"}));
    CHECK_THAT(exported.out, contains_text(kSlower));
    const ProgramResult verified = succeeded(scene.run({"verify", scene.folder / "bundle"}));
    CHECK_THAT(verified.out, contains_text("mean of 3 shapes"));
    CHECK_THAT(verified.out, contains_text(kSlower));
}

TEST_CASE("documents of measurements contain the mean and every shape") {
    const Shapes scene(kShortLoses);
    const json tuned = scene.tuned({"--json", "--final-processes", "4"}).json();
    const json again = tuned["again"]["measured"][0];
    CHECK(again["loads"] == 4);
    REQUIRE(again["shapes"].size() == 3);
    CHECK(near(again["result"]["log_speedup"], 0.005));
    CHECK(again["shapes"][2]["result"]["verdict"] == "SLOWER");
    for (const auto& arguments : {std::vector<std::string>{"measure", scene.session, "--json"},
                                  {"measure", scene.cubin, scene.folder / "best.cubin", "--json"}}) {
        const ProgramResult result = succeeded(scene.run(arguments));
        const json document = result.json();
        CHECK(near(document["result"]["log_speedup"], 0.005));
        REQUIRE(document["shapes"].size() == 3);
        CHECK(document["shapes"][0]["name"] == "first");
        CHECK(near(document["shapes"][2]["result"]["log_speedup"], -0.005));
        CHECK(document["shapes"][2]["log_ratio_samples_by_load"].size() == 12);
    }
    REQUIRE(scene.run({"export", scene.session, "--bundle", scene.folder / "b"}).code == 0);
    const json verified = scene.run({"verify", scene.folder / "b", "--json"}).json();
    CHECK(verified["bundled"]["shapes"].size() == 3);
    CHECK(verified["shapes"].size() == 3);
    CHECK(verified["problems"].empty());
}

TEST_CASE("one shape contradicts verify, and a wrong shape is not used") {
    Shapes scene(json::object());
    REQUIRE(scene.tuned().code == 0);
    REQUIRE(scene.run({"export", scene.session, "--bundle", scene.folder / "bundle"}).code == 0);
    scene.script(kShortLoses);
    const ProgramResult other = scene.run({"verify", scene.folder / "bundle"});
    INFO(other.out << other.err);
    CHECK(other.code == 1);
    CHECK_THAT(other.out, contains_text("CONTRADICTED: "));
    scene.script(json{{"short", {{"compare", {{"do", "wrong"}}}}}});
    const ProgramResult wrong = scene.run({"measure", scene.session});
    CHECK(wrong.code == 1);
    CHECK_THAT(wrong.out, contains_text("wrong-result: no figure over all 3 shapes, none for shape short"));
    CHECK_THAT(wrong.out, contains_text("shape short: wrong-result: scripted wrong"));
    CHECK_THAT(run_program({"export", scene.session, "--out", scene.folder / "x.cubin"}).err,
               contains_text("shape 'short'"));
}

TEST_CASE("a shape whose worker dies costs the figures of no other, and nothing is FASTER without it") {
    Shapes scene(json::object());
    REQUIRE(scene.tuned({"--final-processes", "0"}).code == 0);
    const std::string other = scene.folder / "other.db";
    std::filesystem::copy_file(scene.session, other);
    REQUIRE(scene.run({"export", other, "--bundle", scene.folder / "whole"}).code == 0);
    scene.script(json{{"half", {{"compare", {{"do", "exit"}}}}}});
    const std::string headline =
        "UNCLEAR: no figure over all 3 shapes, none for shape half (worker-lost)\n  shape first: "
        "FASTER  +1.0";
    for (const auto& arguments :
         {std::vector<std::string>{"measure", scene.cubin, scene.folder / "best.cubin"},
          {"measure", scene.session},
          {"verify", scene.folder / "whole"}}) {
        const ProgramResult told = scene.run(arguments);
        INFO(told.out << told.err);
        CHECK(told.code == 1);
        CHECK_THAT(told.out, contains_text(headline));
        CHECK_THAT(told.out, contains_text("\n  shape half: worker-lost: "));
        CHECK_THAT(told.out, contains_text("\n  shape short: FASTER  +1.0"));
        CHECK(told.out.find("CONTRADICTED") == std::string::npos);
    }
    const json document = scene.run({"measure", scene.session, "--json"}).json();
    CHECK(document["result"]["verdict"] == "UNCLEAR");
    CHECK(document["result"]["outcome"] == "worker-lost");
    REQUIRE(document["shapes"].size() == 3);
    CHECK(document["shapes"][1]["result"]["outcome"] == "worker-lost");
    CHECK(near(document["shapes"][2]["result"]["log_speedup"], 0.01));
    CHECK(document["shapes"][2]["log_ratio_samples_by_load"].size() == 12);

    const ProgramResult bundle = scene.run({"export", scene.session, "--bundle", scene.folder / "part"});
    INFO(bundle.out << bundle.err);
    CHECK(bundle.code == 1);
    CHECK_THAT(bundle.out, contains_text("no figure: shape half (worker-lost)"));
    CHECK(json::parse(bytes_of(scene.folder / "part/evidence.json"))["measurement"]["by_shape"].size() == 3);

    // The session's figure is UNCLEAR until a measurement runs well, not refused.
    const auto verdict = [&](const std::string& name) {
        succeeded(run_program({"export", scene.session, "--out", scene.folder / name}));
        return json::parse(bytes_of(scene.folder / (name + ".provenance.json")));
    };
    const json open = verdict("open.cubin");
    CHECK(open["verdict"] == "UNCLEAR");
    CHECK(open["without_figure"] == "shape half (worker-lost)");
    CHECK_THAT(run_program({"runs", scene.session}).out,
               contains_text("UNCLEAR: no figure of shape half (worker-lost)"));
    scene.script(json::object());
    REQUIRE(scene.run({"measure", scene.session}).code == 0);
    CHECK(verdict("closed.cubin")["verdict"] == "FASTER");
}

TEST_CASE("a report has the mean, every shape, and names the slower ones") {
    const Shapes scene(kShortLoses);
    REQUIRE(run_program({"tune", scene.cubin, "--agent", "greedy", "--evaluator", "model", "--budget",
                         "100steps", "--session", scene.session})
                .code == 0);
    REQUIRE(scene.run({"measure", scene.session}).code == 0);

    succeeded(run_program({"report", scene.session, "--out", scene.folder / "r.html"}));
    const std::string report = bytes_of(scene.folder / "r.html");
    CHECK_THAT(report, contains_text("measure, hot cache, mean of 3 shapes"));
    CHECK_THAT(report, contains_text("<td>shape short</td><td>SLOWER</td><td>0.9950x</td>"));
    CHECK_THAT(report, contains_text("SLOWER in short (1 of 3 shapes)</b>, while the mean gains"));
    CHECK(run_program({"replay", scene.session, "--verify"}).code == 0);
}

TEST_CASE("a report of a run on a GPU has no modelled cycles, with one shape or several") {
    for (const bool several : {true, false}) {
        Shapes scene(json::object());
        scene.script(json::object(), {{"do", "ok"}, {"log_speedup", 0.02}});
        if (!several) scene.workload(nullptr);
        const ProgramResult tuned = scene.run({"tune", scene.cubin, "--agent", "random", "--evaluator", "gpu",
                                               "--budget", "20steps", "--session", scene.session});
        REQUIRE(tuned.code == 0);

        succeeded(run_program({"report", scene.session, "--out", scene.folder / "r.html"}));
        const std::string report = bytes_of(scene.folder / "r.html");
        CHECK_THAT(report, contains_text("FASTER 1.0202x ["));
        CHECK((report.find("The figure is the mean of 3 shapes: ") != std::string::npos) == several);
        CHECK(report.find("modelled cycles") == std::string::npos);
    }
}

TEST_CASE("of both caches, too, a schedule that is SLOWER in a shape is not called FASTER") {
    const Shapes scene(kShortLoses);
    const ProgramResult tuned = succeeded(scene.tuned({"--cache", "both"}));
    const ProgramResult made = run_program({"export", scene.session, "--out", scene.folder / "x.cubin"});
    CHECK_THAT(made.out, contains_text("UNCLEAR on Scripted GPU"));
    CHECK_THAT(made.out, contains_text("mean of hot and cold cache; mean of 3 shapes, SLOWER in short"));
    // Hot and cold share the error probability, as the shapes do.
    const Shapes other(json::object());
    const json again = other.tuned({"--cache", "both", "--json"}).json()["again"]["measured"];
    REQUIRE(again.size() == 2);
    for (const json& one : again)
        CHECK(one["shapes"][0]["result"]["alpha"].get<double>() == Approx(0.01 / 6));
}

TEST_CASE("a run keeps its workload when the file next to the cubin changes") {
    Shapes scene(json::object());
    REQUIRE(scene.tuned().code == 0);
    scene.workload({{{"name", "half"}, {"grid", {2048}}}, {{"name", "tiny"}, {"grid", {2}}}});
    const ProgramResult resumed = scene.run({"tune", scene.cubin, "--evaluator", "gpu", "--resume", "1",
                                             "--budget", "10steps", "--session", scene.session});
    CHECK(resumed.code == 2);
    CHECK_THAT(resumed.err, contains_text("short 128x1x1 of"));
    CHECK_THAT(resumed.err, contains_text("continue it with the workload that it was started with"));
    // Another run of the session may be of another workload; each is measured with its own.
    REQUIRE(scene.tuned({"--force"}).code == 0);
    for (const auto& [run, shape] : {std::pair("1", "short"), std::pair("2", "tiny")}) {
        const ProgramResult measured = succeeded(scene.run({"measure", scene.session, "--run", run}));
        CHECK_THAT(measured.out, contains_text(std::string("shape ") + shape));
        const ProgramResult bundled =
            succeeded(scene.run({"export", scene.session, "--run", run, "--bundle", scene.folder / run}));
        CHECK_THAT(bundled.out, contains_text(std::string("shape ") + shape));
        CHECK(run_program({"export", scene.session, "--run", run, "--out",
                           scene.folder / (std::string(run) + ".cubin")})
                  .code == 0);
    }
}

TEST_CASE("measure --cache both measures hot, then cold, and starts no worker besides those that measure") {
    const Shapes scene(json::object());
    scene.workload(nullptr);
    const ProgramResult result = succeeded(
        scene.run({"measure", scene.cubin, scene.cubin, "--loads", "4", "--cache", "both", "--json"}));
    const json measured = result.json()["measured"];
    REQUIRE(measured.size() == 2);
    CHECK(measured[0]["cache"] == "hot");
    CHECK(measured[1]["cache"] == "cold");
    for (const json& one : measured) {
        CHECK(one["alpha"] == 0.005);
        CHECK(one["loads"] == 4);
        CHECK(one["cost_original_us"] == 20);
    }
    CHECK(bytes_of(scene.folder / "state/starts").size() == 8);  // a process for each load
    const ProgramResult refused = scene.run({"measure", scene.cubin, scene.cubin, "--cold"});
    CHECK(refused.code == 2);
}
