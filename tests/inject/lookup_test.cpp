// SPDX-License-Identifier: GPL-3.0-or-later
// Who answers a lookup, with libcubinlab-inject.so in front and without it: programs that are linked in several ways,
// with libraries between them and the driver in several places, and plugins in several modes. What a program sees must
// be the same line by line.
#include <set>
#include <sstream>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

namespace {

const std::string kFolder = std::string(CUBINLAB_BINARY_DIR) + "/tests/lookup";
const std::string kLibrary = std::string(CUBINLAB_BINARY_DIR) + "/lib/libcubinlab-inject.so";

struct Row {
    std::string program, before, after;  // preloaded in front of the library, behind it
};

std::vector<Row> rows() {
    std::vector<Row> out;
    const std::string shim = kFolder + "/liblookup_shim.so", hooking = kFolder + "/liblookup_hooking_shim.so";
    for (const char* program : {"lookup_unlinked", "lookup_lazy", "lookup_now", "lookup_shimmed", "lookup_other"}) {
        out.push_back({program, "", ""});
        for (const std::string& one : {shim, hooking}) {
            out.push_back({program, one, ""});
            out.push_back({program, "", one});
        }
    }
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
    words.push_back("LD_LIBRARY_PATH=" + kFolder + "/driver");
    words.push_back("LD_PRELOAD=" + joined({row.before, with ? kLibrary : "", row.after}));
    words.push_back(kFolder + "/" + row.program);
    for (const char* mode : {"local:", "deep:", "global:"})
        for (const char* plugin : {"plugin", "plugin_shimmed", "plugin_unlinked"})
            words.push_back(mode + kFolder + "/liblookup_" + plugin + ".so");
    return run_any("/usr/bin/env", words);
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
    std::set<std::string> combinations;
    for (const Row& row : rows()) {
        INFO(row.program << " before: " << row.before << " after: " << row.after);
        const std::vector<std::string> plain = lines_of(succeeded(run_row(row, false, {})).out);
        REQUIRE(plain.size() > 300);
        for (const std::vector<std::string>& settings :
             {std::vector<std::string>{}, {"CUBINLAB_LIST=1", "CUBINLAB_OUT=/nonexistent"},
              {"CUBINLAB_CAPTURE=*", "CUBINLAB_OUT=/nonexistent"}}) {
            INFO((settings.empty() ? "inactive" : settings.front()));
            const ProgramResult with = run_row(row, true, settings);
            REQUIRE(with.code == 0);
            const std::vector<std::string> lines = lines_of(with.out);
            REQUIRE(lines.size() == plain.size());
            for (std::size_t i = 0; i < plain.size(); ++i)
                if (lines[i] != plain[i]) CHECK(lines[i] == plain[i]);
        }
        for (const std::string& line : plain)
            combinations.insert(row.program + row.before + "|" + row.after + line.substr(0, line.find(':')));
    }
    WARN(combinations.size() << " combinations of lookups, places, names, programs and preloaded libraries are equal");
    CHECK(combinations.size() >= 300);
}

TEST_CASE("a library that passes calls on gets the driver, not itself, and the program's calls go through it") {
    const ProgramResult with =
        run_row({"lookup_shimmed", "", ""}, true, {"CUBINLAB_LIST=1", "CUBINLAB_OUT=/nonexistent"});
    CHECK_THAT(with.out, contains_text("program call cuInit: 101001\n"));
    CHECK_THAT(with.out, contains_text("program call cuLaunchKernel: 101005\n"));
    CHECK_THAT(with.out, contains_text("program next cuLaunchKernel: 101005, no error\n"));
}
