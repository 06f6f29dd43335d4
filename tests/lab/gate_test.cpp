// SPDX-License-Identifier: GPL-3.0-or-later
// What the gate says of effects that are known: additive ones are predicted, a threshold is not.
#include <map>

#include "app/lab/study/gate.h"
#include "core/search/rng.h"
#include "tests/support/catch.h"
#include "tests/support/sample_checker.h"

using namespace cubinlab;

namespace {

std::vector<GateEdit> edits_worth(const std::vector<double>& effects) {
    std::vector<GateEdit> out;
    for (const double effect : effects)
        out.push_back({"stall", {}, {true, effect, 0, {}}, false, 0, 0});
    return out;
}

template <class Value>
std::vector<GateSubset> halves_of(std::size_t edits, std::size_t count, Value value) {
    Rng rng(7);
    std::vector<GateSubset> out;
    while (out.size() < count) {
        GateSubset half;
        for (std::size_t e = 0; e < edits; ++e)
            if (rng.chance(0.5)) half.edits.push_back(static_cast<std::uint8_t>(e));
        half.together = {true, value(half.edits), 0, {}};
        out.push_back(std::move(half));
    }
    return out;
}

}  // namespace

TEST_CASE("gate: additive effects are predicted, by the fit and by the sums") {
    const std::vector<double> effects = {0.01, -0.004, 0.002, 0.0, -0.008, 0.003};
    const auto sum = [&](const std::vector<std::uint8_t>& in) {
        double total = 0;
        for (const std::uint8_t e : in)
            total += effects[e];
        return total;
    };
    const GateFit fit = predict_halves(edits_worth(effects), halves_of(6, 30, sum), 1e-6);
    CHECK(fit.subsets == 30);
    CHECK(fit.measurable > 0.99);
    CHECK(fit.held_out > 0.99);
    CHECK(fit.sums > 0.99);
}

TEST_CASE("gate: what only the parity of two edits decides is not predicted") {
    const auto parity = [](const std::vector<std::uint8_t>& in) {
        const bool first = !in.empty() && in[0] == 0;
        const bool second = std::find(in.begin(), in.end(), 1) != in.end();
        return first != second ? 0.01 : 0.0;
    };
    const GateFit fit =
        predict_halves(edits_worth(std::vector<double>(6, 0.0)), halves_of(6, 60, parity), 1e-6);
    CHECK(fit.held_out < 0.3);
    CHECK(fit.sums < 0.3);
}

TEST_CASE("gate: with noise as large as the spread nothing is measurable") {
    const auto sum = [](const std::vector<std::uint8_t>& in) {
        return 0.001 * static_cast<double>(in.size());
    };
    const GateFit fit =
        predict_halves(edits_worth(std::vector<double>(6, 0.001)), halves_of(6, 30, sum), 0.01);
    CHECK(fit.measurable <= 0);
    CHECK(fit.explained() == 0);
}

TEST_CASE("gate: a study measures legal edits alone and together, losers apart") {
    const CheckerPtr checker = test::checker_of_sample("bmm_mma");
    std::map<Hash128, double> seen;
    std::size_t illegal = 0;
    const GateMeasure measure = [&](const Schedule& schedule) -> Result<GateMeasured> {
        illegal += !checker->check(schedule).empty();
        const Mutation net = difference(Schedule(checker->kernel()), schedule);
        // Each edited instruction is worth its number's last digit.
        double value = 0;
        for (const Edit& edit : net.edits)
            value += 0.001 * (static_cast<double>(edit.instr % 10) - 5);
        return GateMeasured{true, value, 1e-5, {}};
    };
    auto study = study_gate(checker, measure, {12, 10, 3, 4}, {});
    REQUIRE(study);
    CHECK(illegal == 0);
    CHECK(study->edits.size() == 12);
    CHECK(study->repeats == std::vector<double>{0, 0, 0});
    CHECK(study->subsets.size() == 10);
    for (const GateSubset& half : study->subsets)
        CHECK(half.edits.size() <= 6);
    for (const GateSubset& half : study->kept_subsets)
        for (const std::uint8_t e : half.edits)
            CHECK_FALSE(study->edits[e].loses);
    auto again = study_gate(checker, measure, {12, 10, 3, 4}, {});
    REQUIRE(again);
    CHECK(again->edits[5].mutation == study->edits[5].mutation);
    CHECK(again->subsets[3].edits == study->subsets[3].edits);
}
