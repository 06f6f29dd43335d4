// SPDX-License-Identifier: GPL-3.0-or-later
// Programs, libraries and caches on the command line: list, choose, extract and install.
#include <filesystem>
#include <iterator>

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

namespace {

const std::string kData = CUBINLAB_TEST_DATA;
const std::string kStripped = kData + "/containers/exec_size_stripped";
const std::string kCache = kData + "/containers/triton";

}  // namespace

TEST_CASE("info lists the images and kernels of a program, and describes the one that is chosen") {
    const auto list = run_program({"info", kStripped, "--json"});
    REQUIRE(list.code == 0);
    const auto json = list.json();
    CHECK(json["what"] == "program");
    CHECK(json["kernels"] == 12);
    std::size_t stubs = 0, ptx = 0;
    for (const auto& image : json["images"]) {
        stubs += image["remark"].get<std::string>().find("no kernels") == 0 ? 1 : 0;
        ptx += image["kind"] == "PTX" ? 1 : 0;
        for (const auto& k : image["kernels"]) {
            CHECK(k["registers"].get<int>() > 0);
            CHECK(k["loops"].is_number());
            if (k["name"] == "spilly") CHECK(k["local_bytes"].get<int>() > 0);
        }
    }
    CHECK(stubs == 6);
    CHECK(ptx == 2);
    const auto text = run_program({"info", kStripped, "--kernel", "regex:saxpy", "--arch", "sm_90a"});
    CHECK(text.code == 0);
    CHECK_THAT(text.out, contains_text("void demo::saxpy<float, 4>"));
    CHECK_THAT(text.out, contains_text("2 kernels"));
    const auto one =
        run_program({"info", kStripped, "--kernel", "tile_gemm", "--arch", "sm_80", "--json"}).json();
    CHECK(one["arch"] == "sm_80");
    CHECK(one["kernels"][0]["demangled"] == "tile_gemm(float const*, float const*, float*, int)");
    CHECK(one["kernels"][0].contains("mix"));
}

TEST_CASE("a kernel is found by name, with or without the spaces of its template arguments") {
    for (const char* name : {"saxpy<float, 4>", "saxpy<float,4>", "demo::saxpy<float,4>"}) {
        const ProgramResult r =
            run_program({"info", kStripped, "--kernel", name, "--arch", "sm_80", "--json"});
        INFO(name << ": " << r.out << r.err);
        REQUIRE(r.code == 0);
        REQUIRE(r.json()["kernels"].size() == 1);
        CHECK_THAT(r.json()["kernels"][0]["demangled"].get<std::string>(), contains_text("saxpy<float, 4>"));
    }
}

TEST_CASE("a cubin and a program with several kernels give the same error") {
    const TemporaryFolder folder;
    REQUIRE(run_program({"extract", kStripped, "--kernel", "tile_gemm", "--arch", "sm_80", "--out",
                         folder / "several.cubin"})
                .code == 0);
    const ProgramResult r = run_program({"show", folder / "several.cubin"});
    INFO(r.err);
    CHECK(r.code == 2);
    CHECK_THAT(r.err, contains_text("choose one with --kernel NAME: "));
    CHECK_THAT(r.err, contains_text("tile_gemm"));
    CHECK(r.err.find("_Z") == std::string::npos);
}

TEST_CASE("info and show refuse a missing image or architecture alike") {
    for (const std::vector<std::string>& choice : {std::vector<std::string>{"--image", "99"},
                                                   {"--image", "nosuchmember"},
                                                   {"--image", "-1"},
                                                   {"--arch", "sm_70"}}) {
        std::vector<std::string> info = {"info", kStripped}, show = {"show", kStripped};
        for (auto* arguments : {&info, &show})
            arguments->insert(arguments->end(), choice.begin(), choice.end());
        const ProgramResult r = run_program(info), as = run_program(show);
        INFO(choice[1] << ": " << r.out << r.err << as.err);
        CHECK(r.code == 2);
        CHECK(r.out.empty());
        CHECK(r.err == as.err);
    }
}

TEST_CASE("a name of several kernels is bad use, and the error names the options that choose") {
    for (const char* command : {"show", "check", "tune"}) {
        const auto r = run_program({command, kStripped, "--kernel", "tile_gemm"});
        INFO(r.out << r.err);
        CHECK(r.code == 2);
        CHECK_THAT(r.err, contains_text("choose one with --arch sm_XX"));
    }
    CHECK(run_program({"show", kStripped, "--kernel", "tile_gemm", "--arch", "sm_90"}).code == 0);
    CHECK(run_program({"check", kStripped, "--kernel", "tile_gemm", "--arch", "sm_90"}).code == 0);
}

TEST_CASE("reschedule opens a kernel in a program, by any of its names") {
    const std::string wishes[] = {"tile_gemm", "tile_gemm(float const*, float const*, float*, int)",
                                  "regex:^tile_g", "_Z9tile_gemmPKfS0_Pfi"};
    for (const std::string& wish : wishes) {
        INFO(wish);
        const auto r = run_program(
            {"reschedule", kStripped, "--kernel", wish, "--arch", "sm_80", "--tighten", "--json"});
        INFO(r.out << r.err);
        REQUIRE(r.code == 0);
        CHECK(r.json()["kernel"] == "_Z9tile_gemmPKfS0_Pfi");
    }
    CHECK(run_program({"reschedule", kStripped, "--kernel", "regex:gemm", "--tighten"}).code == 2);
    CHECK(run_program({"reschedule", kStripped, "--kernel", "no_such", "--tighten"}).code == 2);
}

TEST_CASE("extract writes the image, packed or not, and its PTX") {
    const TemporaryFolder folder;
    const std::string out = folder / "k.cubin";
    REQUIRE(
        run_program({"extract", kStripped, "--kernel", "tile_gemm", "--arch", "sm_90a", "--out", out}).code ==
        0);
    CHECK(bytes_of(out).size() == 40432);  // as cuobjdump's file of this image
    CHECK(run_program({"info", out, "--json"}).json()["file_hash"] == "6cf97ece9f5651aad97a64ddbd93e17c");
    CHECK(
        run_program({"extract", kStripped, "--kernel", "tile_gemm", "--arch", "sm_90a", "--out", out}).code ==
        2);
    const std::string ptx = folder / "k.ptx";
    REQUIRE(run_program({"extract", kStripped, "--kernel", "spilly", "--ptx", "--out", ptx}).code == 0);
    CHECK_THAT(bytes_of(ptx), contains_text(".entry spilly"));
    // Opened by itself it is compiled, where there is a compiler.
    const auto named = run_program({"info", ptx, "--kernel", "spilly"});
    INFO(named.out << named.err);
    CHECK((named.code == 0 || named.code == 2));
    CHECK_THAT(named.out + named.err, contains_text("PTX") || contains_text("ptxas"));
}

TEST_CASE("relocatable code is shown, and not tuned") {
    const std::string program = kData + "/containers/exec_rdc";
    const auto shown = run_program({"info", program, "--kernel", "spilly"});
    CHECK(shown.code == 0);
    CHECK_THAT(shown.out, contains_text("to be linked before it runs"));
    const auto tuned = run_program({"tune", program, "--kernel", "spilly", "--evaluator", "model"});
    CHECK(tuned.code == 2);
    CHECK_THAT(tuned.err, contains_text("device linker"));
}

TEST_CASE("the template of a Triton kernel knows its launch and its parameters") {
    const TemporaryFolder folder;
    const std::string out = folder / "add.workload.json";
    REQUIRE(run_program({"workload", "init", kCache, "--out", out}).code == 0);
    const std::string text = bytes_of(out);
    CHECK_THAT(text, contains_text("\"block\": [128, 1, 1]"));
    CHECK_THAT(text, contains_text("\"dynamic_shared_bytes\": 0,      // as Triton launches it"));
    CHECK_THAT(text, contains_text("\"grid\": [1, 1, 1],              // TODO"));
    CHECK_THAT(text, contains_text("// 0: \"x\", a multiple of 16"));
    CHECK_THAT(text, contains_text("\"dtype\": \"f32\""));
    CHECK_THAT(text, contains_text("scratch memory"));
    // An unedited template is not a valid workload.
    const auto tuned = run_program({"tune", kCache, "--workload", out, "--evaluator", "model", "--budget",
                                    "1steps", "--session", folder / "s.db"});
    CHECK(tuned.code == 2);
    CHECK_THAT(tuned.err, contains_text("TODO"));
}

TEST_CASE("tune from a cache, install into it, undo, and apply a patch to a rebuild") {
    namespace fs = std::filesystem;
    const TemporaryFolder folder;
    const std::string cache = folder / "cache", best = folder / "best.cubin", patch = folder / "p.json";
    fs::copy(kCache, cache, fs::copy_options::recursive);
    const std::string file = cache + "/KAUSDGA7WTWRAVHCKWFJVCAYQB66YRZX22MY24L5BS2MEI2A7NBA/add.cubin";
    const std::string before = bytes_of(file);
    const auto tuned = run_program({"tune", cache, "--evaluator", "model", "--agent", "random", "--budget",
                                    "40steps", "--session", folder / "s.db", "--out", best, "--json"});
    INFO(tuned.out << tuned.err);
    REQUIRE(tuned.code == 0);
    REQUIRE(tuned.json()["summary"]["best_step"] != 0);
    const auto installed = run_program({"install", best, "--into", cache});
    INFO(installed.out << installed.err);
    REQUIRE(installed.code == 0);
    CHECK(bytes_of(file) == bytes_of(best));
    CHECK_THAT(installed.out, contains_text("proven against the original, which is kept in"));
    REQUIRE(run_program({"install", "--into", cache, "--undo"}).code == 0);
    CHECK(bytes_of(file) == before);
    CHECK(run_program({"install", "--into", cache, "--undo"}).code == 2);

    REQUIRE(run_program({"patch", "make", cache, best, "--out", patch}).code == 0);
    const std::string again = folder / "again.cubin";
    const auto applied = run_program({"patch", "apply", patch, cache, "--out", again});
    INFO(applied.out << applied.err);
    REQUIRE(applied.code == 0);
    CHECK(bytes_of(again) == bytes_of(best));
    CHECK_THAT(applied.out, contains_text("the code has not changed"));
}

TEST_CASE("invalid patches and installs give one line and exit code 2 or 1") {
    const TemporaryFolder folder;
    const std::string cubin = kData + "/patch/patch_original.cubin";
    CHECK(run_program({"install", cubin, "--into", kStripped}).code == 2);
    CHECK(run_program({"install", "--into", kStripped}).code == 2);
    CHECK(run_program({"patch", "apply", cubin, cubin}).code == 2);
    CHECK(run_program({"patch", "make", cubin, kData + "/patch/patch_changed.cubin"}).code == 1);
    CHECK(run_program({"extract", kStripped, "--out", folder / "k.cubin"}).code == 2);
}
