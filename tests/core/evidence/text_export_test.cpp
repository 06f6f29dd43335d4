// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/text_export.h"

#include <algorithm>

#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::testing;

namespace {

// By the name of the column.
std::string field(const std::string& header, const std::string& row, const std::string& name) {
    const auto nth = [](std::string_view line, std::ptrdiff_t n) {
        for (; n > 0; --n)
            line.remove_prefix(line.find(',') + 1);
        return std::string(line.substr(0, line.find_first_of(",\r")));
    };
    const std::size_t at = ("," + header).find("," + name + ",");
    REQUIRE(at != std::string::npos);
    return nth(row, std::count(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(at), ','));
}

}  // namespace

TEST_CASE("a row of the log as CSV says what judged the step, in what unit, and no verdict of the model") {
    const KernelPtr kernel = sample_kernel();
    StepRecord record;
    record.step = 1;
    record.outcome.kind = OutcomeKind::Ok;
    record.outcome.verdict = Verdict::Faster;
    record.outcome.cost = 12.5;
    EvaluatorInfo by;
    by.unit = "modelled cycles";
    const std::string header = mutation_csv_header();
    const std::string modelled = mutation_csv_row(*kernel, record, by);
    CHECK(field(header, modelled, "verdict") == "MODELLED");
    CHECK(field(header, modelled, "cost") == "12.5");
    CHECK(field(header, modelled, "unit") == "modelled cycles");
    CHECK(field(header, modelled, "evaluator") == "model");
    CHECK(std::count(header.begin(), header.end(), ',') == std::count(modelled.begin(), modelled.end(), ','));
    by.kind = EvaluatorKind::Gpu;
    by.unit = "us";
    CHECK(field(header, mutation_csv_row(*kernel, record, by), "verdict") == "FASTER");
    CHECK(field(header, mutation_csv_row(*kernel, record, by), "evaluator") == "gpu");
    // What the checker refused has no figure that a verdict could be of.
    by.kind = EvaluatorKind::Model;
    record.outcome.kind = OutcomeKind::Illegal;
    record.outcome.verdict = Verdict::Unclear;
    CHECK(field(header, mutation_csv_row(*kernel, record, by), "verdict") == "UNCLEAR");
}
