// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab report`: one HTML file, nothing outside it, honest about what was not measured.

#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++n;
    return n;
}

}  // namespace

TEST_CASE(
    "a report of a run on the model: self-contained, closed tags, unmeasured, the program's own figures") {
    const TemporaryFolder folder;
    const ProgramResult tuned = run_program({"tune", kBmm, "--evaluator", "model", "--only-reschedules", "--budget", "400steps",
                                             "--session", folder / "s.db", "--json"});
    REQUIRE(tuned.code == 0);
    const ProgramResult made =
        succeeded(run_program({"report", folder / "s.db", "--out", folder / "r.html", "--json"}));
    const std::string html = bytes_of(folder / "r.html");
    CHECK(made.json()["bytes"].get<std::size_t>() == html.size());
    CHECK(html.rfind("<!DOCTYPE html>", 0) == 0);
    for (const char* outside : {"http:", "https:", "src=", "href=", "url(", "@import", "<script", "file:"})
        CHECK(html.find(outside) == std::string::npos);
    for (const char* tag : {"table", "tr", "td", "th", "svg", "p", "h2", "div", "code", "text", "title"}) {
        INFO(tag);
        CHECK(count(html, std::string("</") + tag + ">") ==
              count(html, std::string("<") + tag + ">") + count(html, std::string("<") + tag + " "));
    }
    CHECK(html.find("unmeasured") != std::string::npos);
    CHECK(html.find("in modelled cycles") != std::string::npos);
    char speedup[32];
    std::snprintf(speedup, sizeof speedup, "%.4fx", tuned.json()["summary"]["best_speedup"].get<double>());
    CHECK(html.find(speedup) != std::string::npos);
    CHECK(html.find("agent auto") != std::string::npos);
    CHECK(html.find("carry 95 %") != std::string::npos);
    CHECK(html.find("cubinlab replay s.db --run 1 --verify") != std::string::npos);
}

TEST_CASE("the heading of a report is the kernel's name in its source") {
    const TemporaryFolder folder;
    const std::string cubin = std::string(CUBINLAB_TEST_DATA) + "/cubins/guarded_depbar.80.cubin";
    REQUIRE(run_program(
                {"tune", cubin, "--evaluator", "model", "--budget", "50steps", "--session", folder / "s.db"})
                .code == 0);
    REQUIRE(run_program({"report", folder / "s.db", "--out", folder / "r.html"}).code == 0);
    const std::string html = bytes_of(folder / "r.html");
    CHECK(html.find("<h1>gd(float*, float const*, int)</h1>") != std::string::npos);
    CHECK(html.find("_Z2gdPfPKfi: ") != std::string::npos);
}

TEST_CASE("explain names the file that is not a reschedule") {
    const ProgramResult r = run_program({"explain", kBmm, "--against", kSoftmax});
    CHECK(r.code != 0);
    CHECK_THAT(r.err, contains_text(kSoftmax));
}

TEST_CASE("explain of a kernel that only exits reports no resource above 100 %") {
    const std::string empty = std::string(CUBINLAB_TEST_DATA) + "/cubins/empty.90.cubin";
    const ProgramResult text = run_program({"explain", empty});
    REQUIRE(text.code == 0);
    CHECK_THAT(text.out, contains_text("all warps (they take turns: at least 32.0)"));
    CHECK_THAT(text.out, !contains_text(">100 %"));
    const auto json = run_program({"explain", empty, "--json"}).json();
    CHECK(json["pass"]["all_warps_at_least"] == 32.0);
    CHECK(json["bounds"][0]["share"] == 1.0);
    CHECK(json["bounds"][1]["share"] == 0.25);
}

TEST_CASE("explain uses the workload next to either of the two files") {
    const TemporaryFolder folder;
    const std::string best = folder / "best.cubin";
    REQUIRE(run_program({"tune", kBmm, "--agent", "greedy", "--evaluator", "model", "--budget", "40steps",
                         "--session", folder / "s.db", "--out", best})
                .code == 0);
    const auto forth = run_program({"explain", kBmm, "--against", best, "--json"});
    const auto back = run_program({"explain", best, "--against", kBmm, "--json"});
    REQUIRE(forth.code == 0);
    REQUIRE(back.code == 0);
    CHECK(back.json()["threads_per_block"] == forth.json()["threads_per_block"]);
    CHECK(back.json()["threads_from"] == forth.json()["threads_from"]);
    CHECK(run_program({"explain", best, "--json"}).json()["threads_from"] != forth.json()["threads_from"]);
}
