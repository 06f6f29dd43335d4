// SPDX-License-Identifier: GPL-3.0-or-later
// Who answers a lookup, with libcubinlab-inject.so in front and without it: programs that are linked in several ways,
// with libraries between them and the driver in several places, and plugins in several modes. What a program sees must
// be the same line by line.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <unordered_set>

#include "core/base/file.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

const std::string kFolder = std::string(CUBINLAB_BINARY_DIR) + "/tests/lookup";
const std::string kLibrary = std::string(CUBINLAB_BINARY_DIR) + "/lib/libcubinlab-inject.so";

struct Row {
    std::string program, before, after;  // preloaded in front of the library, behind it
    std::string driver = "driver";
    std::vector<std::string> words = {};  // of the environment
};

const std::string kShim = kFolder + "/liblookup_shim.so", kHooking = kFolder + "/liblookup_hooking_shim.so";

std::vector<Row> rows() {
    std::vector<Row> out;
    for (const char* program : {"lookup_unlinked", "lookup_lazy", "lookup_now", "lookup_shimmed",
                                "lookup_other", "lookup_nopie", "lookup_noplt", "lookup_own"}) {
        out.push_back({program, "", ""});
        for (const std::string& one : {kShim, kHooking}) {
            out.push_back({program, one, ""});
            out.push_back({program, "", one});
        }
        out.push_back({program, kShim, kHooking});
    }
    for (const char* program : {"lookup_unlinked", "lookup_versioned"})
        for (const std::string& one : {std::string(), kShim, kHooking})
            out.push_back({program, "", one, "versioned"});
    for (const char* program : {"lookup_unlinked", "lookup_lazy", "lookup_shimmed"})
        for (const std::string& word : {std::string("LD_BIND_NOW=1"), std::string("LD_DYNAMIC_WEAK=1"),
                                        "LD_AUDIT=" + kFolder + "/liblookup_audit.so"})
            out.push_back({program, "", "", "driver", {word}});
    return out;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts)
        if (!part.empty()) out += (out.empty() ? "" : ":") + part;
    return out;
}

ProgramResult run_row(const Row& row, bool with, const std::vector<std::string>& settings) {
    std::vector<std::string> words = settings;
    words.insert(words.end(), row.words.begin(), row.words.end());
    words.push_back("LD_LIBRARY_PATH=" + kFolder + "/" + row.driver);
    words.push_back("LD_PRELOAD=" + joined({row.before, with ? kLibrary : "", row.after}));
    words.push_back(kFolder + "/" + row.program);
    // A library opened in one way cannot be opened in another: these come in the order of their scopes.
    for (const char* plugin : {"plugin", "plugin_shimmed", "plugin_unlinked"})
        for (const char* mode : {"apart:", "local:", "again:", "deep:", "promoted:", "global:"})
            words.push_back(mode + kFolder + "/liblookup_" + plugin + ".so");
    words.push_back("shim:" + kShim);
    words.push_back("shim:" + kHooking);
    return run_any("/usr/bin/env", words);
}

std::string result_in(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".json") return *required(read_text(entry.path().string()));
    return {};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        out.push_back(line);
    return out;
}

}  // namespace

TEST_CASE("every lookup from everywhere gives the same with the library and without it") {
    std::unordered_set<std::size_t> combinations;  // hashes: the lines are 100 MB, which each fork copies
    const std::vector<std::string> list = {"CUBINLAB_LIST=1", "CUBINLAB_OUT=/nonexistent"},
                                   capture = {"CUBINLAB_CAPTURE=*", "CUBINLAB_OUT=/nonexistent"};
    for (const Row& row : rows()) {
        INFO(row.program << " before: " << row.before << " after: " << row.after << " driver: " << row.driver
                         << (row.words.empty() ? std::string() : " " + row.words.front()));
        const std::string plain = succeeded(run_row(row, false, {})).out;
        const std::vector<std::string> plain_lines = lines_of(plain);
        REQUIRE(plain_lines.size() > 300);
        std::vector<std::vector<std::string>> all = {list};
        if (row.before.empty() && row.after.empty()) all.insert(all.end(), {{}, capture});
        for (const std::vector<std::string>& settings : all) {
            INFO((settings.empty() ? "inactive" : settings.front()));
            const ProgramResult with = run_row(row, true, settings);
            INFO(with.err);
            REQUIRE(with.code == 0);
            if (with.out == plain) continue;
            const std::vector<std::string> lines = lines_of(with.out);
            REQUIRE(lines.size() == plain_lines.size());
            for (std::size_t i = 0; i < lines.size(); ++i)
                if (lines[i] != plain_lines[i]) CHECK(lines[i] == plain_lines[i]);
            CHECK(with.out == plain);
        }
        const std::string where = row.program + row.before + "|" + row.after + row.driver;
        for (const std::string& line : plain_lines)
            combinations.insert(std::hash<std::string>()(where + line.substr(0, line.find(':'))));
    }
    WARN(combinations.size()
         << " combinations of lookups, places, names, programs and preloaded libraries are equal");
    CHECK(combinations.size() >= 100000);
}

TEST_CASE(
    "a library that passes calls on gets the driver, not itself, and the program's calls go through it") {
    const ProgramResult with =
        run_row({"lookup_shimmed", "", ""}, true, {"CUBINLAB_LIST=1", "CUBINLAB_OUT=/nonexistent"});
    CHECK_THAT(with.out, contains_text("program call cuInit: 101001\n"));
    CHECK_THAT(with.out, contains_text("program call cuLaunchKernel: 101005\n"));
    CHECK_THAT(with.out, contains_text("program next cuLaunchKernel: 101005, no error"));
}

TEST_CASE(
    "launches through a library in between are seen, wherever it is and however it looks the driver up") {
    for (const Row& row : std::vector<Row>{{"lookup_lazy", "", ""},
                                           {"lookup_lazy", kShim, ""},
                                           {"lookup_lazy", "", kShim},
                                           {"lookup_lazy", kHooking, ""},
                                           {"lookup_lazy", "", kHooking},
                                           {"lookup_own", "", ""},
                                           {"lookup_shimmed", "", ""}}) {
        INFO(row.program << " before: " << row.before << " after: " << row.after);
        const TemporaryFolder out;
        const std::vector<std::string> words = {"CUBINLAB_LIST=1", "CUBINLAB_OUT=" + out.path().string(),
                                                "LD_LIBRARY_PATH=" + kFolder + "/driver",
                                                "LD_PRELOAD=" + joined({row.before, kLibrary, row.after}),
                                                kFolder + "/" + row.program};
        succeeded(run_any("/usr/bin/env", words));
        CHECK_THAT(result_in(out.path()), contains_text("launches of functions whose lookup was not seen"));
    }
}

TEST_CASE("no launch of a library that a thread loads is missed while other threads load theirs") {
    const TemporaryFolder out;
    std::vector<std::string> words = {"CUBINLAB_LIST=1", "CUBINLAB_OUT=" + out.path().string(),
                                      "LD_LIBRARY_PATH=" + kFolder + "/driver", "LD_PRELOAD=" + kLibrary,
                                      kFolder + "/lookup_threads"};
    for (int i = 0; i < 16; ++i) {
        words.push_back(out / ("plugin" + std::to_string(i) + ".so"));
        std::filesystem::copy_file(kFolder + "/liblookup_caller.so", words.back());
    }
    const ProgramResult with = succeeded(run_any("/usr/bin/env", words));
    CHECK(with.out == "launches 16000\n");
    CHECK_THAT(result_in(out.path()),
               contains_text("\"16,000 launches of functions whose lookup was not seen"));
}

TEST_CASE("a program with the rights of another user runs as without the library") {
    // As lookup_other finds its driver by its own path.
    const TemporaryFolder folder;
    const std::string copy = folder / "program";
    std::filesystem::copy_file(kFolder + "/lookup_other", copy);
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    if (::geteuid() != 0 || ::chown(copy.c_str(), 65534, 65534) != 0 || ::chmod(copy.c_str(), 04755) != 0) {
        WARN("SKIPPED, this needs root");
        return;
    }
    const ProgramResult plain = succeeded(run_any("/usr/bin/env", {copy}));
    const ProgramResult with = succeeded(run_any(
        "/usr/bin/env", {"CUBINLAB_LIST=1", "CUBINLAB_OUT=/nonexistent", "LD_PRELOAD=" + kLibrary, copy}));
    CHECK(with.out == plain.out);
}
