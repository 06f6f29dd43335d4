// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab starts`, the PTX that `info` names, and PTX files that commands open.
#include <filesystem>
#include <set>

#include "core/base/file.h"
#include "core/start/ptxas.h"
#include "tests/cli/documented.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

struct StartFiles {
    TemporaryFolder folder;
    explicit StartFiles(bool with_ptx = true) {
        for (const std::string ending : {".cubin", ".workload.json", ".ptx"})
            if (with_ptx || ending != ".ptx")
                fs::copy_file(kSamples + "/softmax" + ending, folder / ("k" + ending));
    }
    ShellResult run(const std::string& words) const {
        return run_line("XDG_CACHE_HOME='" + (folder / "cache") + "' cubinlab " + words,
                        folder.path().string());
    }
    nlohmann::json json(const std::string& words) const {
        const ShellResult r = run(words + " --json");
        INFO(words << "\n" << r.out << r.err);
        REQUIRE(r.code == 0);
        return nlohmann::json::parse(r.out);
    }
};

bool without_ptxas() {
    if (!installed_ptxas().empty()) return false;
    WARN("SKIPPED, no ptxas is installed");
    return true;
}

}  // namespace

TEST_CASE("starts makes distinct codes, options first, the same for the same seed") {
    if (without_ptxas()) return;
    const StartFiles scene;
    const auto made = scene.json("starts k.cubin --count 9 --seed 4");
    REQUIRE(made["starts"].size() == 9);
    CHECK(made["kernel"] == "softmax");
    CHECK(made["ptx"] == "k.ptx");
    CHECK(made["order_problem"] == "");
    CHECK(made["failures"].empty());
    std::set<std::string> codes;
    int originals = 0, reordered = 0;
    for (const auto& start : made["starts"]) {
        INFO(start.dump());
        CHECK(codes.insert(start["code"]).second);
        CHECK(start["fits"] == true);
        CHECK(start["registers"].get<int>() > 0);
        CHECK(start["model"]["cycles"].get<double>() > 0);
        CHECK(start["start"]["arch"] == "sm_90a");
        if (start["is_original"] == true) {
            ++originals;
            CHECK(start["model"]["gain"] == 0);
            CHECK(start["instructions"] == 304);
            CHECK(start["registers"] == 32);
        }
        reordered += start["start"]["keys"] == "" ? 0 : 1;
    }
    CHECK(originals <= 1);
    if (installed_ptxas().front().version == "13.0.88") CHECK(made["starts"][0]["is_original"] == true);
    CHECK(made["starts"][0]["start"]["keys"] == "");
    CHECK(reordered > 0);
    CHECK(scene.json("starts k.cubin --count 9 --seed 4")["starts"] == made["starts"]);
    CHECK(scene.json("starts k.cubin --count 9 --seed 5")["starts"] != made["starts"]);
    const ShellResult text = scene.run("starts k.cubin --count 3");
    CHECK(text.code == 0);
    CHECK_THAT(text.out, contains_text("softmax (sm_90a): PTX k.ptx"));
    CHECK_THAT(text.out, contains_text("not measured"));
}

TEST_CASE("starts without PTX, or with that of another kernel, says what to do") {
    const StartFiles scene(false);
    const ShellResult none = scene.run("starts k.cubin");
    CHECK(none.code == 2);
    CHECK_THAT(none.err,
               contains_text("k.cubin: no PTX with an entry \"softmax\" is in the file or next to it"));
    CHECK_THAT(none.err, contains_text("--ptx FILE names it"));
    const ShellResult other = scene.run("starts k.cubin --ptx '" + kSamples + "/bmm.ptx'");
    CHECK(other.code == 2);
    CHECK_THAT(other.err, contains_text("has no entry \"softmax\""));
    if (without_ptxas()) return;
    CHECK(scene.run("starts k.cubin --count 1 --ptx '" + kSamples + "/softmax.ptx'").code == 0);
}

TEST_CASE("info says where the PTX of a kernel is, and what is missed without it") {
    const StartFiles with, without(false);
    CHECK(with.json("info k.cubin")["kernels"][0]["ptx"] == "k.ptx");
    CHECK_THAT(with.run("info k.cubin").out, contains_text("PTX: k.ptx"));
    CHECK(without.json("info k.cubin")["kernels"][0]["ptx"].is_null());
    const std::string text = without.run("info k.cubin").out;
    CHECK_THAT(text, contains_text("no PTX"));
    CHECK_THAT(text,
               contains_text("Without PTX only the order of the compiled instructions can be searched"));
}

TEST_CASE("a PTX file opens as the code that ptxas makes of it") {
    if (without_ptxas()) return;
    const StartFiles scene;
    const auto info = scene.json("info k.ptx");
    CHECK(info["arch"] == "sm_90a");
    CHECK(info["kernels"][0]["name"] == "softmax");
    CHECK(info["kernels"][0]["ptx"] == "k.ptx");
    if (installed_ptxas().front().version == "13.0.88")
        CHECK(info["kernels"][0]["code_hash"] == scene.json("info k.cubin")["kernels"][0]["code_hash"]);
    CHECK(scene.run("check k.ptx").code == 0);
    CHECK(scene.run("starts k.ptx --count 2").code == 0);
    fs::copy_file(kSamples + "/bmm_mma.ptx", scene.folder / "m.ptx");  // .target sm_80
    CHECK(scene.json("info m.ptx")["arch"] == "sm_80");
    CHECK(scene.json("info m.ptx --arch sm_90")["arch"] == "sm_90");
    const ShellResult older = scene.run("info m.ptx --arch sm_75");
    CHECK(older.code == 2);
    CHECK_THAT(older.err, contains_text("does not compile"));
}
