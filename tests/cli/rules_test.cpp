// SPDX-License-Identifier: GPL-3.0-or-later
// `check --assert RULES`: what a continuous-integration job asserts of a kernel. `show --format compiler-explorer`: what
// other viewers display.
#include <algorithm>
#include <map>

#include "core/binary/cubin.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

namespace {

const std::string kCubins = std::string(CUBINLAB_TEST_DATA) + "/cubins/";

ProgramResult asserted(const std::string& file, const std::string& rules,
                       std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"check", file, "--assert", rules};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
}

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("rules that hold: exit code 0 and one line") {
    const auto kept = asserted(
        kBmm,
        "no-local,no-spills,max-registers=96,max-cycles=1000000,hot-loop=HMMA.16816,hot-loop=LDSM,legal");
    INFO(kept.out << kept.err);
    CHECK(kept.code == 0);
    CHECK(lines_in(kept.out) == 1);
    CHECK(kept.err.empty());
}

// `info` says 96 registers, `explain` has the hot loop's listing: HMMA with the shape 16816, no DMMA.
TEST_CASE("each broken rule is one line and exit code 1") {
    const auto broken =
        asserted(kBmm, "max-registers=95,max-cycles=10,hot-loop=HMMA.1688,hot-loop=DMMA,no-local");
    CHECK(broken.code == 1);
    CHECK(lines_in(broken.out) == 4);
    CHECK(broken.out.find("bmm: max-registers=95: 96 registers per thread\n") != std::string::npos);
    CHECK(broken.out.find("bmm: hot-loop=DMMA: the hot loop at 0x0d10 has no DMMA\n") != std::string::npos);
    const auto json = asserted(kBmm, "max-registers=95,no-local", {"--json"}).json();
    CHECK(json["kept"] == false);
    REQUIRE(json["kernels"][0]["broken"].size() == 1);
    CHECK(json["kernels"][0]["broken"][0]["rule"] == "max-registers=95");
    // An instruction outside of the hot loop does not count.
    REQUIRE(run_program({"show", kBmm}).out.find("STG.E") != std::string::npos);
    CHECK(asserted(kBmm, "hot-loop=STG").code == 1);
}

TEST_CASE("a kernel that saves registers on its stack breaks both rules on local memory") {
    const auto broken = asserted(kCubins + "recursion.80.cubin", "no-spills,no-local");
    CHECK(broken.code == 1);
    CHECK(lines_in(broken.out) == 2);
    CHECK(broken.out.find("first STL") != std::string::npos);
}

TEST_CASE("no-regression compares with an earlier build, also where that is no reschedule") {
    const TemporaryFolder folder;
    const std::string tuned = folder / "tuned.cubin";
    REQUIRE(run_program({"tune", kBmm, "--agent", "greedy", "--evaluator", "model", "--budget", "100steps",
                         "--session", folder / "s.db", "--out", tuned})
                .code == 0);
    CHECK(asserted(tuned, "no-regression", {"--against", kBmm}).code == 0);
    const auto worse = asserted(kBmm, "no-regression", {"--against", tuned});
    CHECK(worse.code == 1);
    CHECK(worse.out.find("modelled cycles, +") != std::string::npos);
    CHECK(asserted(kBmm, "no-regression=50%", {"--against", tuned}).code == 0);
    // Another compiler's build of the same kernel.
    const auto built =
        asserted(kSamples + "/bmm.cubin", "no-regression=1000", {"--against", kCubins + "bmm.cuda124.cubin"});
    INFO(built.out << built.err);
    CHECK(built.code == 0);
}

TEST_CASE("rules that cannot be judged are bad use") {
    for (const char* rules : {"", ",", "no-locals", "max-registers", "max-registers=many", "max-registers=-1",
                              "hot-loop=", "no-local=1", "no-regression"}) {
        INFO(rules);
        const auto refused = asserted(kBmm, rules);
        CHECK(refused.code == 2);
        CHECK(lines_in(refused.err) == 1);
    }
    CHECK(asserted(kBmm, "no-locals").err.find("did you mean no-local?") != std::string::npos);
    CHECK(asserted(kBmm, "no-local", {"--against", kBmm, "--repair", "x.cubin"}).code == 2);
}

TEST_CASE("the document for Compiler Explorer: words, labels, branches and source lines") {
    const std::string file = kCubins + "variants.90.cubin";
    const auto document =
        run_program({"show", file, "--kernel", "k_lines", "--format", "compiler-explorer"}).json();
    const auto rows = run_program({"show", file, "--kernel", "k_lines", "--json"}).json()["rows"];
    const auto cubin = cubinlab::Cubin::open(file).value();
    std::map<std::uint32_t, std::uint32_t> line_at;
    for (const auto& line : cubin->source_lines(**cubin->kernel("k_lines")))
        line_at[line.offset] = line.line;
    REQUIRE_FALSE(line_at.empty());
    CHECK(document["code"] == 0);
    const auto& lines = document["asm"];
    std::size_t row = 0;
    int branches = 0;
    for (const auto& line : lines) {
        if (!line.contains("address")) continue;
        const auto& wanted = rows[row++];
        CHECK(line["address"] == wanted["offset"]);
        std::string word;
        for (const auto& byte : line["opcodes"])
            word.insert(0, byte.get<std::string>());
        CHECK(word == wanted["word"].get<std::string>());
        const auto text = line["text"].get<std::string>();
        CHECK(text.find(wanted["control"].get<std::string>()) != std::string::npos);
        const auto after = line_at.upper_bound(line["address"].get<std::uint32_t>());
        if (after == line_at.begin())
            CHECK(line["source"].is_null());
        else
            CHECK(line["source"]["line"] == std::prev(after)->second);
        for (const auto& label : line["labels"]) {
            ++branches;
            const auto name = label["name"].get<std::string>();
            const auto start = label["range"]["startCol"].get<std::size_t>();
            CHECK(text.substr(start - 1, label["range"]["endCol"].get<std::size_t>() - start) == name);
            const auto defined = document["labelDefinitions"][name].get<std::size_t>();
            CHECK(lines[defined - 1]["text"] == name + ":");
        }
    }
    CHECK(row == rows.size());
    CHECK(branches > 3);
    const auto plain = run_program({"show", kBmm, "--format", "compiler-explorer"}).json();
    CHECK(plain["asm"][0]["text"] == "bmm:");
    CHECK(run_program({"show", kBmm, "--format", "html"}).code == 2);
}
