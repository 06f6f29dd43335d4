// SPDX-License-Identifier: GPL-3.0-or-later
// The commands with workers (tests/fakes/fake_bench_worker.cpp): the pool in `doctor`, a run on a GPU
// and its report.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;
using nlohmann::json;

namespace {

std::string worker(const TemporaryFolder& folder, const std::string& name, const json& script) {
    std::filesystem::create_directories(folder / (name + ".state"));
    std::ofstream(folder / (name + ".json")) << script;
    return std::string(CUBINLAB_BINARY_DIR) + "/tests/fake_bench_worker " + (folder / (name + ".json")) +
           " " + (folder / (name + ".state"));
}

json part(const json& document, const std::string& name) {
    for (const json& p : document["parts"])
        if (p["part"] == name) return p;
    return {};
}

}  // namespace

TEST_CASE("doctor lists every worker of a pool with its GPUs, and the error of a missing one") {
    const TemporaryFolder folder;
    const std::string a = worker(folder, "a", {{"device", "Scripted A"}, {"devices", 3}});
    const ProgramResult looked = succeeded(run_program(
        {"doctor", "--worker", a, "--worker", "no-such-worker --x", "--workers", "all", "--json"}));
    const json document = looked.json();
    CHECK(part(document, "GPU")["present"] == true);
    const json first = part(document, "worker 1"), second = part(document, "worker 2");
    REQUIRE(first.is_object());
    CHECK(first["present"] == true);
    const std::string found = first["found"];
    CHECK(found.find("3 of its 3 GPUs used") != std::string::npos);
    CHECK(found.find("GPU 2 Scripted A (sm_90)") != std::string::npos);
    REQUIRE(second.is_object());
    CHECK(second["present"] == false);
    CHECK(second["found"].get<std::string>().find("no-such-worker") != std::string::npos);
    CHECK_FALSE(second["remedy"].get<std::string>().empty());
}

TEST_CASE("the option --verbose prints requests and answers of workers, and an error names the log") {
    const TemporaryFolder folder;
    const std::string log = folder / "worker.log";
    const Environment here = {{"CUBINLAB_WORKER_LOG", log}};
    const std::string a = worker(folder, "a", {{"device", "Scripted A"}});
    const ProgramResult told = run_program({"doctor", "--worker", a, "--verbose"}, here);
    REQUIRE(told.code == 0);
    CHECK_THAT(told.err, contains_text("started as process "));
    CHECK_THAT(told.err, contains_text("asked: probe 1"));
    CHECK_THAT(told.err, contains_text("answered: probe 1, device Scripted A"));
    const std::string text = bytes_of(log);
    CHECK_THAT(text, contains_text("asked: probe 1"));
    const ProgramResult quiet = run_program({"doctor", "--worker", a}, here);
    CHECK(quiet.err.empty());
    CHECK(bytes_of(log).size() > text.size());
    const ProgramResult failed =
        run_program({"measure", kBmm, kBmm, "--worker", "/nonexistent/worker"}, here);
    CHECK(failed.code == 3);
    CHECK_THAT(failed.err, contains_text(log));
    const ProgramResult off = run_program({"measure", kBmm, kBmm, "--worker", "/nonexistent/worker"},
                                          {{"CUBINLAB_WORKER_LOG", "off"}});
    CHECK(off.err.find("worker.log") == std::string::npos);
    CHECK_THAT(run_program({"help", "measure"}).out, contains_text(".local/state/cubinlab/worker.log"));
}

TEST_CASE("a run whose candidates all failed does not say that nothing beat the original") {
    const TemporaryFolder folder;
    const std::string gpu =
        worker(folder, "gpu", {{"default", {{"do", "wrong"}}}, {"device", "Scripted GPU"}});
    const ProgramResult tuned =
        succeeded(run_program({"tune", kBmm, "--agent", "greedy", "--evaluator", "gpu", "--worker", gpu,
                               "--budget", "20steps", "--session", folder / "s.db"}));
    CHECK(tuned.out.find("none of these candidates ran well; `cubinlab log") != std::string::npos);
    CHECK(tuned.out.find("nothing beat") == std::string::npos);
}

TEST_CASE("the report of a run on a GPU says why no edit is marked, and marks them if there is a GPU") {
    const TemporaryFolder folder;
    const std::string gpu =
        worker(folder, "gpu", {{"default", {{"do", "hashed"}}}, {"device", "Scripted GPU"}});
    // Its figures have one sample each, unlike a claim of `auto`.
    const ProgramResult tuned =
        succeeded(run_program({"tune", kBmm, "--agent", "greedy", "--evaluator", "gpu", "--worker", gpu,
                               "--budget", "200steps", "--session", folder / "s.db", "--json"}));
    REQUIRE(tuned.json()["summary"]["best_step"] > 0);
    REQUIRE(run_program({"report", folder / "s.db", "--out", folder / "plain.html"}).code == 0);
    const std::string plain = bytes_of(folder / "plain.html");
    CHECK(plain.find("are not determined: a GPU judged this run") != std::string::npos);
    CHECK(plain.find("cubinlab report --minimise") != std::string::npos);
    succeeded(run_program(
        {"report", folder / "s.db", "--minimise", "--worker", gpu, "--out", folder / "minimised.html"}));
    const std::string minimised = bytes_of(folder / "minimised.html");
    CHECK(minimised.find("95 % of the measured gain") != std::string::npos);
    CHECK(minimised.find("&#9733;") != std::string::npos);
    // The report is still written without a GPU, and says so.
    REQUIRE(run_program({"report", folder / "s.db", "--minimise", "--worker", "no-such-worker", "--out",
                         folder / "absent.html"})
                .code == 0);
    CHECK(bytes_of(folder / "absent.html").find("no-such-worker") != std::string::npos);
}

TEST_CASE("a run judged as in a program names produced and cold, and loses what loses in either") {
    const TemporaryFolder folder;
    const auto tuned_with = [&](double cold_bonus) {
        const std::string gpu = worker(folder, cold_bonus < 0 ? "loses" : "gains",
                                       {{"default", {{"do", "hashed"}}},
                                        {"device", "Scripted GPU"},
                                        {"cold_bonus", cold_bonus},
                                        {"compare", {{"do", "ok"}, {"log_speedup", 0.03}}}});
        const std::string session = folder / (cold_bonus < 0 ? "loses.db" : "gains.db");
        return run_program({"tune", kBmm, "--agent", "greedy", "--evaluator", "gpu", "--worker", gpu, "--budget",
                            "30steps", "--cache", "program", "--session", session});
    };
    const ProgramResult gains = succeeded(tuned_with(0.05));
    CHECK_THAT(gains.out, contains_text("mean of produced and cold cache"));
    CHECK_THAT(gains.out, contains_text("the times are those of the produced one"));
    CHECK_THAT(tuned_with(-1).out, !contains_text("measured: 1.0305x"));
}

// Hot and cold are two objectives: a kernel may gain in one and lose in the other.
TEST_CASE("every output of a GPU figure names its cache, and hot is ranked only against hot") {
    const TemporaryFolder folder;
    const std::string gpu = worker(folder, "gpu",
                                   {{"default", {{"do", "hashed"}}},
                                    {"device", "Scripted GPU"},
                                    {"cold_bonus", 0.05},
                                    {"compare", {{"do", "ok"}, {"log_speedup", 0.03}}}});
    std::vector<std::string> sessions;
    for (const std::string cache : {"hot", "cold", "both"}) {
        const std::string words = cache == "both" ? "mean of hot and cold cache" : cache + " cache";
        const std::string session = sessions.emplace_back(folder / (cache + ".db"));
        const ProgramResult tuned = succeeded(run_program(
            {"tune", kBmm, "--agent", "greedy", "--evaluator", "gpu", "--worker", gpu, "--budget", "30steps",
             "--cache", cache, "--session", session, "--out", folder / (cache + ".cubin")}));
        CHECK_THAT(tuned.out, contains_text("FASTER on Scripted GPU, driver , " + words));
        CHECK_THAT(tuned.out,
                   contains_text("measured: 1.0305x"));  // in fresh processes, as the run was judged
        CHECK((tuned.out.find("the times are those of the hot one") != std::string::npos) ==
              (cache == "both"));
        CHECK(json::parse(bytes_of(folder / (cache + ".cubin.provenance.json")))["cache"] == cache);
        CHECK_THAT(run_program({"runs", session}).out, contains_text(words));
        CHECK_THAT(run_program({"log", session, "--best"}).out, contains_text(words));
        CHECK(run_program({"log", session, "--json"}).json()["cache"] == cache);
        REQUIRE(run_program({"report", session, "--out", folder / (cache + ".html")}).code == 0);
        const std::string report = bytes_of(folder / (cache + ".html"));
        CHECK_THAT(report, contains_text(words));
        // A hot time and a mean gain do not determine the time of the start.
        CHECK((report.find("a launch of the start") == std::string::npos) == (cache == "both"));
    }
    const auto rows =
        run_program({"compare", sessions[2], sessions[1], sessions[0], "--json"}).json()["runs"];
    REQUIRE(rows.size() == 3);
    CHECK(rows[0]["cache"] == "hot");
    CHECK(rows[1]["cache"] == "cold");
    CHECK(rows[2]["cache"] == "both");
}

namespace {

ProgramResult tuned_with(const TemporaryFolder& folder, const json& compare, std::vector<std::string> more) {
    const std::string gpu = worker(
        folder, "gpu", {{"default", {{"do", "hashed"}}}, {"device", "Scripted GPU"}, {"compare", compare}});
    std::vector<std::string> all = {
        "tune", kBmm,       "--agent",  "greedy",    "--evaluator",   "gpu",   "--worker",
        gpu,    "--budget", "200steps", "--session", folder / "s.db", "--out", folder / "best.cubin"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all);
}

}  // namespace

TEST_CASE("a run on a GPU ends with a final measurement in fresh processes, which the export states") {
    const TemporaryFolder folder;
    // The searching process saw more: the scripted figures reach several per cent.
    const json compare = {{"do", "ok"}, {"log_speedup", 0.001}};
    const ProgramResult told = succeeded(tuned_with(folder, compare, {}));
    CHECK_THAT(told.out, contains_text("re-measured in 6 fresh processes: "));
    CHECK_THAT(told.out, contains_text("comes from the one process that searched: use this one"));
    const ProgramResult document =
        succeeded(tuned_with(folder, compare, {"--final-processes", "4", "--json"}));
    const json answer = document.json();
    REQUIRE(answer["again"]["measured"].size() == 1);
    const json again = answer["again"]["measured"][0];
    CHECK(again["loads"] == 4);
    CHECK(again["cache"] == "hot");
    CHECK(again["outputs_equal"] == true);
    CHECK(std::abs(again["result"]["log_speedup"].get<double>() - 0.001) < 1e-4);
    CHECK(answer["summary"]["best_low"] > again["result"]["high"]);
    // Lists of runs use it, next to the run's own figure.
    const std::string session = folder / "s.db";
    const json best = run_program({"runs", session, "--json"}).json()["runs"][1]["best"];
    CHECK(std::abs(best["measured_again"]["log_speedup"].get<double>() - 0.001) < 1e-4);
    CHECK(best["measured_again"]["loads"] == 4);
    CHECK(best["log_speedup"] == answer["summary"]["best_log_speedup"]);
    CHECK_THAT(run_program({"compare", session}).out, contains_text("] again "));
    CHECK_THAT(answer["stamp"].get<std::string>(), contains_text("1.0010x"));
}

TEST_CASE("a best that fails in a fresh process is not written, and the log of the run is kept") {
    const TemporaryFolder folder;
    const ProgramResult told = tuned_with(folder, {{"do", "wrong"}}, {});
    INFO(told.out << told.err);
    CHECK(told.code != 0);
    CHECK_THAT(told.out, contains_text("wrong-result"));
    CHECK_THAT(told.err, contains_text("nothing is lost"));
    CHECK_FALSE(std::filesystem::exists(folder / "best.cubin"));
    CHECK(run_program({"replay", folder / "s.db"}).code == 0);
}

TEST_CASE("0 final processes measure nothing, and 1 is refused") {
    const TemporaryFolder folder;
    const ProgramResult none =
        succeeded(tuned_with(folder, {{"do", "wrong"}}, {"--final-processes", "0", "--json"}));
    CHECK(none.json()["again"]["measured"].empty());
    CHECK(none.json()["again"]["problem"] == "");
    const ProgramResult one = tuned_with(folder, {{"do", "ok"}}, {"--final-processes", "1"});
    CHECK(one.code == 2);
    CHECK_THAT(one.err, contains_text("use 0 or at least 2"));
}

TEST_CASE("the report of a run on the model names a later measurement of its result on a GPU") {
    const TemporaryFolder folder;
    const std::string gpu = worker(folder, "gpu", {{"device", "Scripted GPU"}}), session = folder / "s.db";
    REQUIRE(run_program({"tune", kBmm, "--agent", "greedy", "--evaluator", "model", "--budget", "100steps",
                         "--session", session})
                .code == 0);
    const auto report = [&] {
        REQUIRE(run_program({"report", session, "--out", folder / "r.html"}).code == 0);
        return bytes_of(folder / "r.html");
    };
    const std::string unmeasured = "No GPU has run this schedule";
    CHECK_THAT(report(), contains_text(unmeasured));
    REQUIRE(run_program({"measure", session, "--step", "best", "--worker", gpu}).code == 0);
    const std::string measured = report();
    CHECK(measured.find(unmeasured) == std::string::npos);
    CHECK(measured.find("&middot; unmeasured") == std::string::npos);
    CHECK_THAT(measured, contains_text("Measurements of the result"));
}

TEST_CASE("the worker needs only glibc 2.17, and no library besides the C library") {
    const std::string worker_program = std::string(CUBINLAB_BINARY_DIR) + "/bin/cubinlab-bench-worker";
    const ProgramResult symbols = run_any("/usr/bin/env", {"objdump", "-T", worker_program});
    const ProgramResult heads = run_any("/usr/bin/env", {"objdump", "-p", worker_program});
    if (symbols.code != 0 || symbols.out.find("__asan_") != std::string::npos)
        return;  // no binutils, or a sanitizer build
    int versions = 0;
    std::istringstream in(symbols.out);
    for (std::string line; std::getline(in, line);) {
        const auto at = line.find("GLIBC_2.");
        if (at == std::string::npos) continue;
        INFO(line);
        CHECK(std::atoi(line.c_str() + at + 8) <= 17);
        ++versions;
    }
    CHECK(versions > 50);
    std::istringstream needed(heads.out);
    for (std::string line; std::getline(needed, line);) {
        const auto at = line.find("NEEDED");
        if (at == std::string::npos) continue;
        const std::string library = line.substr(line.rfind(' ') + 1);
        INFO(library);
        CHECK((library.starts_with("libc.") || library.starts_with("libm.") ||
               library.starts_with("libdl.") || library.starts_with("libpthread.") ||
               library.starts_with("ld-linux")));
    }
}

TEST_CASE("a minimal schedule is confirmed in fresh processes with the whole one, or the whole one is kept") {
    const TemporaryFolder folder;
    std::filesystem::copy_file(kSoftmax, folder / "k.cubin");
    std::filesystem::copy_file(kSamples + "/softmax.workload.json", folder / "k.workload.json");
    const std::string session = folder / "s.db";
    json script = {{"default", {{"do", "ok"}, {"log_speedup", 0.02}}},
                   {"device", "Scripted GPU"},
                   {"compare", {{"do", "ok"}, {"log_speedup", 0.02}}}};
    const std::string gpu = worker(folder, "gpu", script);
    REQUIRE(run_program({"tune", folder / "k.cubin", "--agent", "random", "--evaluator", "gpu", "--budget",
                         "60steps", "--seed", "1", "--session", session, "--worker", gpu})
                .code == 0);
    const auto minimal = [&](const std::string& name, const std::vector<std::string>& more) {
        std::vector<std::string> words = {"export", session,       "--schedule", "minimal",
                                          "--out",  folder / name, "--worker",   gpu};
        words.insert(words.end(), more.begin(), more.end());
        const ProgramResult out = succeeded(run_program(words));
        return out;
    };
    std::filesystem::remove(folder / "gpu.state/log");
    const json sure = minimal("a.cubin", {"--json"}).json();
    CHECK(sure["kept"] == "minimal");
    CHECK(sure["fresh"]["confirmed"] == true);
    CHECK(sure["fresh"]["minimal"]["loads"] == 12);
    CHECK(sure["fresh"]["whole"]["result"]["verdict"] == "FASTER");
    CHECK(sure["stamp"].get<std::string>().starts_with("measured: 1.02"));
    CHECK_THAT(minimal("t.cubin", {}).out, contains_text("in 12 fresh processes: FASTER  +2.0"));

    // The first comparison is of the minimal schedule: it shows less than in the process that searched.
    std::istringstream log(bytes_of(folder / "gpu.state/log"));
    std::string word, first;
    while (first.empty() && log >> word)
        if (word == "compare") log >> first;
    script["compared"] = {{first, {{"do", "ok"}, {"log_speedup", 0.005}}}};
    worker(folder, "gpu", script);
    const json less = minimal("b.cubin", {"--json"}).json();
    if (sure["edits_before"] == sure["edits"].size()) return;  // there was nothing to remove
    CHECK(less["kept"] == "whole");
    CHECK_THAT(less["fresh"]["why_not"].get<std::string>(), contains_text("the minimal schedule gains +0.5"));
    CHECK(run_program({"diff", folder / "a.cubin", folder / "b.cubin"}).code != 0);
    const ProgramResult told = minimal("c.cubin", {});
    CHECK_THAT(told.out, contains_text("NOT CONFIRMED: the minimal schedule gains +0.5"));
    CHECK_THAT(told.out, contains_text("measured: 1.02"));
    const ProgramResult bundle = succeeded(run_program(
        {"export", session, "--schedule", "minimal", "--bundle", folder / "bundle", "--worker", gpu}));
    CHECK_THAT(bundle.out, contains_text("NOT CONFIRMED"));
    CHECK(run_program({"verify", folder / "bundle", "--worker", gpu}).code == 0);
}

TEST_CASE("a kernel whose outputs vary from run to run is not tuned, and the reason is said") {
    const TemporaryFolder folder;
    const std::string why = "the original gives different outputs from run to run";
    const std::string gpu = worker(folder, "varies", {{"device", "Scripted GPU"}, {"refuse", why}});
    const ProgramResult run =
        run_program({"tune", kBmm, "--evaluator", "gpu", "--worker", gpu, "--budget", "20steps", "--only-reschedules",
                     "--session", folder / "s.db", "--out", folder / "best.cubin"});
    INFO(run.out << run.err);
    CHECK(run.code == 2);
    CHECK_THAT(run.err, contains_text(why));
    CHECK_FALSE(std::filesystem::exists(folder / "best.cubin"));
    const ProgramResult measured = run_program({"measure", kBmm, kBmm, "--worker", gpu, "--no-energy"});
    CHECK(measured.code == 2);
    CHECK_THAT(measured.err, contains_text(why));
}
