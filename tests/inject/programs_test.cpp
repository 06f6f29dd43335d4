// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab run` and `cubinlab capture` on small programs and the stand-in driver: the whole way from a running program
// to a workload that the worker replays, and back into the program.
#include <unistd.h>

#include <set>

#include "core/base/file.h"
#include "core/gpu/protocol/captured_launch.h"
#include "core/gpu/protocol/captured_memory.h"
#include "tests/cli/program.h"
#include "tests/inject/edited_softmax.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

const std::string kTests = std::string(CUBINLAB_BINARY_DIR) + "/tests";
const std::string kWorker =
    "env LD_LIBRARY_PATH=" + kTests + "/fake_driver " CUBINLAB_BINARY_DIR "/bin/cubinlab-bench-worker";
const Environment kFake = {{"LD_LIBRARY_PATH", kTests + "/fake_driver"},
                           {"CUBINLAB_FAKE_ARENA", "500000000000"}};

struct Tuned {
    TemporaryFolder folder;
    std::string cubin = folder / "best.cubin";
    Tuned() { REQUIRE(write_file(cubin, edited_softmax(1, true))); }
};

std::vector<std::string> host(const std::string& way, const std::string& scenario,
                              const std::string& image = kSoftmax, const std::string& kernel = "softmax") {
    return {kTests + (way == "linked" ? "/inject_host_linked" : "/inject_host"), way, scenario, image,
            kernel};
}

ProgramResult with_program(std::vector<std::string> words, const std::vector<std::string>& program) {
    words.push_back("--");
    words.insert(words.end(), program.begin(), program.end());
    return run_program(words, kFake);
}

ProgramResult run_with(const Tuned& tuned, const std::vector<std::string>& options,
                       const std::vector<std::string>& program) {
    std::vector<std::string> words = {"run", "--with", tuned.cubin, "--original", kSoftmax};
    words.insert(words.end(), options.begin(), options.end());
    return with_program(words, program);
}

ProgramResult capture(const std::string& out, const std::vector<std::string>& options,
                      const std::vector<std::string>& program) {
    std::vector<std::string> words = {"capture", "-o", out, "--check", "--worker", kWorker, "--json"};
    words.insert(words.end(), options.begin(), options.end());
    return with_program(words, program);
}

}  // namespace

TEST_CASE("run refuses what its stored figures call slower in a shape, and warns before it takes it") {
    const Tuned tuned;
    const auto stamp = [&](const nlohmann::json& shapes, const char* verdict) {
        const nlohmann::json all = {{"format", "cubinlab-provenance 1"},
                                    {"stamp", "measured: 1.0100x UNCLEAR on Some GPU"},
                                    {"verdict", verdict},
                                    {"shapes", shapes}};
        REQUIRE(write_text(tuned.cubin + ".provenance.json", all.dump()));
    };
    const auto program = host("getproc", "many");
    stamp({{{"name", "first"}, {"verdict", "FASTER"}}, {{"name", "short"}, {"verdict", "SLOWER"}}},
          "UNCLEAR");
    const ProgramResult refused = run_with(tuned, {}, program);
    INFO(refused.err);
    CHECK(refused.code == 1);
    CHECK_THAT(refused.err,
               contains_text("softmax is SLOWER in short (1 of 2 shapes) by the figures stored"));
    CHECK_THAT(refused.err, contains_text("--accept-slower"));
    CHECK(refused.err.find("replaced") == std::string::npos);  // the program was not started
    const std::string folder = tuned.folder / "deployed";
    CHECK(run_program({"run", "--with", tuned.cubin, "--original", kSoftmax, "--deploy", folder}).code == 1);
    CHECK_FALSE(std::filesystem::exists(folder));

    const ProgramResult taken = run_with(tuned, {"--accept-slower"}, program);
    INFO(taken.err);
    CHECK(taken.code == 0);
    const auto warned =
        taken.err.find("WARNING: softmax is SLOWER in short (1 of 2 shapes) by its stored figures");
    REQUIRE(warned != std::string::npos);
    CHECK(warned < taken.err.find("replaced 1 of 1 kernels"));

    stamp(nlohmann::json::array(), "SLOWER");
    CHECK_THAT(run_with(tuned, {}, program).err, contains_text("softmax is SLOWER by the figures"));
    // A name is no verdict, and who says nothing of shapes is believed.
    stamp({{{"name", "SLOWER in short"}, {"verdict", "FASTER"}}}, "FASTER");
    CHECK(run_with(tuned, {}, program).code == 0);
    stamp("nonsense", "FASTER");
    CHECK(run_with(tuned, {}, program).code == 0);
}

TEST_CASE("run proves, runs, counts, and gives the program's own exit code") {
    const Tuned tuned;
    const ProgramResult many = succeeded(run_with(tuned, {}, host("getproc", "many")));
    CHECK(many.err.find("cubinlab: replaced 1 of 1 kernels, 3,012 launches\n") != std::string::npos);
    CHECK(run_with(tuned, {"--require"}, host("dlopen", "exit")).code == 5);
    CHECK(run_with(tuned, {}, host("getproc", "spawn"))
              .err.find("replaced 2 of 2 kernels, 2 launches, in 2 processes\n") != std::string::npos);
    const auto other = host("dlopen", "module", std::string(CUBINLAB_SAMPLES) + "/rmsnorm.cubin", "rmsnorm");
    const ProgramResult loose = run_with(tuned, {}, other);
    CHECK(loose.code == 0);
    CHECK(loose.err.find("NOTHING WAS REPLACED") != std::string::npos);
    CHECK(run_with(tuned, {"--require"}, other).code == 3);
    CHECK(run_with(tuned, {"--require"}, {"/bin/true"}).code == 3);
    const ProgramResult none = run_with(tuned, {}, {"/no/such/program"});
    CHECK(none.code == 2);
    CHECK(none.err.find("cannot be started") != std::string::npos);
    CHECK(run_program({"run", "--with", tuned.cubin}).code == 2);
}

TEST_CASE("what is no proven reschedule is refused before the program starts") {
    const Tuned tuned;
    REQUIRE(write_file(tuned.cubin, edited_softmax(-1, false)));
    const std::string witness = tuned.folder / "started";
    const ProgramResult refused = run_with(tuned, {}, {"/usr/bin/touch", witness});
    INFO(refused.err);
    CHECK(refused.code == 1);
    CHECK(refused.err.find("no proven reschedule") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(witness));
    // Nor what has no original, or is the original.
    const ProgramResult orphan = run_program({"run", "--with", tuned.cubin, "--", "/usr/bin/touch", witness});
    CHECK(orphan.code == 2);
    CHECK(orphan.err.find("--original") != std::string::npos);
    REQUIRE(write_file(tuned.cubin, bytes_of(kSoftmax)));
    CHECK(run_with(tuned, {}, {"/usr/bin/touch", witness}).code == 2);
    CHECK_FALSE(std::filesystem::exists(witness));
}

TEST_CASE("run --ab tells the difference of the launches, run --deploy what a job needs") {
    const Tuned tuned;
    const ProgramResult with = succeeded(run_with(tuned, {"--ab", "--json"}, host("dlopen", "many")));
    const auto comparison = with.json()["list"][0]["comparison"];
    CHECK(comparison["pairs"] > 400);
    CHECK(with.json()["program"]["pairs"] >= 4);
    CHECK(comparison["log_speedup_interval"][0] <= comparison["log_speedup"]);
    CHECK(with.err.find("sum ") != std::string::npos);  // the program's own output
    const std::string folder = tuned.folder / "job";

    succeeded(run_program({"run", "--with", tuned.cubin, "--original", kSoftmax, "--deploy", folder}));
    std::vector<std::string> words = {"LD_LIBRARY_PATH=" + kTests + "/fake_driver",
                                      "LD_PRELOAD=" + folder + "/libcubinlab-inject.so",
                                      "CUBINLAB_SCHEDULES=" + folder};
    for (const std::string& word : host("dlopen", "many"))
        words.push_back(word);
    CHECK(run_any("/usr/bin/env", words).err == "cubinlab: replaced 1 of 1 kernels, 3,012 launches\n");
    CHECK(run_program({"run", "--with", tuned.cubin, "--original", kSoftmax, "--deploy", folder}).code == 2);
}

TEST_CASE("run --ab tells the time of all kernels by stretches of launches with either form") {
    const Tuned tuned;
    const ProgramResult with = succeeded(run_with(tuned, {"--ab", "--json"}, host("dlopen", "steps")));
    const auto document = with.json();
    const auto all = document["program"], one = document["list"][0]["comparison"];
    INFO(document.dump(1));
    // There is one kernel, so its own difference is that of all.
    CHECK(all["log_speedup"].get<double>() == Approx(one["log_speedup"].get<double>()).margin(0.002));
    CHECK(all["log_speedup_interval"][0] <= all["log_speedup"]);
    CHECK(all["log_speedup_interval"][1] >= all["log_speedup"]);
    CHECK(all["pairs"] >= 4);
    // Stretches of whole steps: 9 of 15 launches.
    const double launches = all["counted"].get<double>() / 2 / all["pairs"].get<double>();
    CHECK(launches == Approx(135).margin(15));
    CHECK(all["original_us"].get<double>() / launches == Approx(21).margin(1.5));
    // A program learns nothing of it, and without --ab nothing is timed.
    const ProgramResult without = succeeded(run_with(tuned, {"--json"}, host("dlopen", "steps")));
    CHECK(without.json()["program"].is_null());
    CHECK(without.err == with.err);
}

TEST_CASE("launches of several sizes are captured as shapes of one workload") {
    const TemporaryFolder folder;
    const auto made = succeeded(capture(folder / "c", {}, host("dlopen", "steps"))).json()["captured"];
    REQUIRE(made.size() == 1);
    CHECK(made[0]["shapes"] == 3);
    CHECK(made[0]["sets"] == 1);
    CHECK(made[0]["replay"]["equal"] == true);
    const auto workload = required(Workload::load(folder / "c/softmax.workload.json"));
    REQUIRE(workload->shapes.size() == 2);
    CHECK(workload->name == "1x1x1");
    CHECK(workload->shapes[0].name == "2x1x1");
    CHECK(workload->shapes[1].grid[0] == 3);
    // Each has its own memory.
    std::set<std::filesystem::path> files;
    for (const Workload* one : {&*workload, &workload->shapes[0], &workload->shapes[1]})
        for (const auto launch = required(CapturedLaunch::of(*one)); const CapturedSet& set : launch->sets)
            files.insert(set.memory);
    CHECK(files.size() == 3);
    for (const std::filesystem::path& file : files)
        CHECK(std::filesystem::exists(folder.path() / "c" / file.filename()));
}

TEST_CASE("a captured launch is a workload like any other, and its replay gives what the program got") {
    for (const std::string scenario : {"module", "library", "extra", "pieces", "threads"}) {
        INFO(scenario);
        const TemporaryFolder folder;
        const ProgramResult made =
            succeeded(capture(folder / "c", {"--kernel", "softmax"}, host("getproc", scenario)));
        const auto row = made.json()["captured"][0];
        CHECK(row["kernel"] == "softmax");
        CHECK(row["replay"]["equal"] == true);
        CHECK(row["regions"] == 2);
        CHECK(row["bytes"] == (scenario == "pieces" ? 5000 + (4 << 20) : 10000));
        CHECK_FALSE(std::filesystem::exists(folder / "c/.raw"));
        if (scenario != "module") continue;
        const ProgramResult tuned =
            succeeded(run_program({"tune", folder / "c/softmax.cubin", "--evaluator", "gpu", "--worker",
                                   kWorker, "--budget", "30steps", "--session", folder / "s.db", "--json"}));
        CHECK(tuned.json()["summary"]["end"] == "budget");
        // The claims at the end come after the budget; they measure schedules of the first 30 steps again.
        const auto log = succeeded(run_program({"log", folder / "s.db", "--json"})).json();
        std::set<std::string> tried;
        int searched = 0;
        for (const auto& step : log["steps"]) {
            const std::string hash = step["hash"];
            INFO(step.dump());
            if (step["step"] <= 30) {
                tried.insert(hash);
                ++searched;
            } else {
                CHECK(tried.contains(hash));
            }
        }
        CHECK(searched == 30);
    }
}

TEST_CASE("first:K launches become input sets, what is not captured is said") {
    const TemporaryFolder folder;
    const ProgramResult sets =
        capture(folder / "s", {"--kernel", "regex:^soft", "--launch", "first:3"}, host("dlopen", "many"));
    INFO(sets.out << sets.err);
    CHECK(sets.json()["captured"][0]["sets"] == 3);
    const ProgramResult graph = capture(folder / "a", {}, host("dlopen", "graph"));
    CHECK(graph.code == 1);
    CHECK(graph.out.find("captured into a graph") != std::string::npos);
    const ProgramResult large = capture(folder / "b", {"--limit", "1"}, host("dlopen", "pieces"));
    CHECK(large.code == 1);
    CHECK(large.out.find("more than the limit") != std::string::npos);
    const ProgramResult none =
        capture(folder / "c", {"--kernel", "no_such_kernel"}, host("dlopen", "module"));
    CHECK(none.code == 1);
    CHECK(none.json()["captured"].empty());
    CHECK(capture(folder / "c", {"--launch", "0"}, host("dlopen", "module")).code == 2);
}

TEST_CASE("damaged captured memory is refused, and so is a replay that gives something else") {
    const TemporaryFolder folder;
    REQUIRE(capture(folder / "c", {}, host("dlopen", "module")).code == 0);
    const std::string cubin = folder / "c/softmax.cubin", memory = folder / "c/softmax.memory";
    const std::vector<std::byte> bytes = bytes_of(memory);
    const auto measure = [&] {
        return run_program({"measure", cubin, cubin, "--worker", kWorker, "--loads", "2", "--no-energy"});
    };
    for (std::size_t cut : {std::size_t{0}, std::size_t{10}, bytes.size() / 2, bytes.size() - 1})
        CHECK_FALSE(CapturedMemory::parse(std::span(bytes).first(cut)));
    auto parsed = required(CapturedMemory::parse(bytes));
    CHECK(parsed->serialise() == bytes);
    // Not what the kernel makes of it.
    for (std::byte& byte : parsed->pages)
        byte ^= std::byte{1};
    REQUIRE(write_file(memory, parsed->serialise()));
    const ProgramResult other = measure();
    INFO(other.err);
    CHECK(other.code == 2);
    CHECK(other.err.find("does not leave in memory what the program's own did") != std::string::npos);
}

TEST_CASE("capture --list tells kernels, launches and what can be edited") {
    const ProgramResult listed =
        succeeded(with_program({"capture", "--list", "--json"}, host("dlopen", "many")));
    const auto row = listed.json()["kernels"][0];
    CHECK(row["kernel"] == "softmax");
    CHECK(row["launches"] == 3012);
    CHECK(row["share"] == Approx(1));
    CHECK(row["why_not"] == "");
}

TEST_CASE("a program that the library cannot be loaded into runs as alone, and run and capture say why") {
    const TemporaryFolder folder;
    const std::string source = folder / "m.c", made = folder / "m";
    REQUIRE(write_text(source, "int main(void) { return 3; }\n"));
    const Tuned tuned;
    const auto says = [&](const std::vector<std::string>& program, int code, const std::string& why) {
        INFO(why);
        const ProgramResult listed = with_program({"capture", "--list"}, program);
        CHECK(listed.code == code);
        CHECK_THAT(listed.err, contains_text("no kernel was seen: "));
        CHECK_THAT(listed.err, contains_text(why));
        const ProgramResult ran = run_with(tuned, {}, program);
        CHECK(ran.code == code);
        CHECK_THAT(ran.err, contains_text("NOTHING WAS REPLACED"));
        CHECK_THAT(ran.err, contains_text(why));
    };
    for (const std::string kind : {"-static", "-static-pie"}) {
        if (run_any("/usr/bin/env", {"cc", kind, source, "-o", made}).code != 0) {
            WARN("SKIPPED, cc makes no program with " << kind);
            continue;
        }
        says({made}, 3, "is linked statically");
    }
    if (run_any("/usr/bin/env", {"cc", source, "-o", made}).code != 0) return;
    says({made}, 3, "did the program use CUDA");
    if (::getuid() == 0 && ::chown(made.c_str(), 65534, 65534) == 0) {
        std::filesystem::permissions(made, std::filesystem::perms::set_uid, std::filesystem::perm_options::add);
        says({made}, 3, "is setuid");
    }
    // A cleared environment: the program finds the driver by its path in the command line.
    std::vector<std::string> cleared = host("linked", "module");
    cleared.insert(cleared.begin(), {"env", "-i", "LD_LIBRARY_PATH=" + kTests + "/fake_driver"});
    const ProgramResult listed = with_program({"capture", "--list"}, cleared);
    CHECK(listed.code == 1);
    CHECK_THAT(listed.err, contains_text("does it keep its environment"));
}
