// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/catch.h"
#include "ui/base/format.h"
#include "ui/run/mutation_model.h"
#include "ui/run/run_curves.h"

using namespace cubinlab;
using namespace cubinlab::ui;

namespace {

// The definition, computed from the start: weights w^k of the values, normalised.
double smoothed_by_definition(const std::vector<float>& values, std::size_t last, double w) {
    double sum = 0, weights = 0, weight = 1;
    for (std::size_t i = last + 1; i-- > 0;) {
        if (std::isnan(values[i])) continue;
        sum += weight * static_cast<double>(values[i]);
        weights += weight;
        weight *= w;
    }
    return weights > 0 ? sum / weights : std::nan("");
}

StepRecord step(StepId id, double log_speedup, bool best = false) {
    StepRecord r;
    r.step = id;
    r.outcome.kind = OutcomeKind::Ok;
    r.outcome.speedup.log = log_speedup;
    r.reward = log_speedup;
    r.best = r.accepted = best;
    return r;
}

}  // namespace

TEST_CASE("smoothing is the normalised exponential mean of all values", "[curves]") {
    std::mt19937 random(3);
    std::vector<float> values;
    CurveStore curve;
    for (const double w : {0.0, 0.6, 0.95}) {
        curve.clear();
        values.clear();
        curve.set_smoothing(w);
        for (int i = 0; i < 500; ++i) {
            const float v = i % 17 == 3 ? NAN : static_cast<float>(random() % 1000) / 10.0F;
            values.push_back(v);
            curve.append(i + 1, v);
        }
        for (const std::size_t i : {0U, 1U, 63U, 64U, 65U, 200U, 499U})
            CHECK(curve.smoothed_at(i) == Approx(smoothed_by_definition(values, i, w)).epsilon(1e-5));
    }
}

TEST_CASE("changing the smoothing later gives what it would have given from the start", "[curves]") {
    CurveStore late, early;
    early.set_smoothing(0.7);
    late.set_smoothing(0.1);
    for (int i = 1; i <= 777; ++i) {
        late.append(i, static_cast<float>(i % 13));
        early.append(i, static_cast<float>(i % 13));
    }
    late.set_smoothing(0.7);
    CHECK(late.smoothed(1, 777, 0) == early.smoothed(1, 777, 0));
}

TEST_CASE("decimation keeps every extreme of a column and no more than two points of it", "[curves]") {
    std::mt19937 random(5);
    CurveStore curve;
    std::vector<float> values;
    for (int i = 1; i <= 100000; ++i) {
        values.push_back(static_cast<float>(random() % 100000));
        curve.append(i, values.back());
    }
    for (const auto& [from, to] : {std::pair{1, 100000}, std::pair{777, 54321}, std::pair{99000, 100000}}) {
        const auto points = curve.extremes(from, to, 300);
        CHECK(points.size() <= 600);
        double low = 1e9, high = -1e9;
        for (const CurvePoint& p : points) {
            low = std::min(low, p.y);
            high = std::max(high, p.y);
            CHECK((p.x >= from && p.x <= to));
        }
        CHECK(low == *std::min_element(values.begin() + from - 1, values.begin() + to));
        CHECK(high == *std::max_element(values.begin() + from - 1, values.begin() + to));
        CHECK(curve.highest(from, to) - from ==
              std::max_element(values.begin() + from - 1, values.begin() + to) - (values.begin() + from - 1));
    }
    CHECK(curve.extremes(10, 20, 300).size() == 11);  // few: the values themselves
}

TEST_CASE("of the improvements in one column of the picture the best is drawn", "[curves]") {
    std::vector<BestPoint> best;
    for (StepId s = 3; s <= 1000; s += 3)
        best.push_back({s, 1e-4 * static_cast<double>(s), s % 2 == 0});
    const auto tens = [](StepId s) { return static_cast<int>(s / 10); };
    const auto drawn = thinned(best, 100, 500, tens);
    REQUIRE(drawn.size() == 41);  // 99, from where the line comes, and one of the 100s, 110s ... 490s
    CHECK(drawn.front().step == 99);
    for (std::size_t i = 1; i < drawn.size(); ++i) {
        const StepId ten = 100 + 10 * (static_cast<StepId>(i) - 1);
        StepId highest = 0;
        for (const BestPoint& p : best)
            if (p.step >= ten && p.step < ten + 10 && p.step <= 500) highest = p.step;
        CHECK(drawn[i].step == highest);
    }
    CHECK(thinned(best, 1, 1000, [](StepId s) { return static_cast<int>(s); }).size() == best.size());
    CHECK(thinned({}, 1, 1000, tens).empty());
}

TEST_CASE("steps may be missing, and those that go back are ignored", "[curves]") {
    CurveStore curve;
    for (const int s : {5, 6, 7, 20, 19, 20, 90})
        curve.append(s, static_cast<float>(s));
    CHECK(curve.size() == 5);
    CHECK(curve.step_at(3) == 20);
    CHECK(curve.index_of(8) == 3);
    CHECK(curve.index_of(91) == 5);
    CHECK(curve.index_of(1) == 0);
    CHECK(curve.extremes(6, 20, 0) == std::vector<CurvePoint>{{6, 6}, {7, 7}, {20, 20}});
}

TEST_CASE("values that failed leave no point", "[curves]") {
    CurveStore curve;
    for (int i = 1; i <= 1000; ++i)
        curve.append(i, NAN);
    CHECK(curve.extremes(1, 1000, 10).empty());
    CHECK(curve.smoothed(1, 1000, 10).empty());
    CHECK(curve.highest(1, 1000) == 0);
}

TEST_CASE("1.8 million steps stay within 25 MB of curves", "[curves]") {
    RunCurves run;
    std::vector<StepRecord> batch(1);
    for (StepId s = 1; s <= 1800000; ++s) {
        batch[0].step = s;
        batch[0].outcome.kind = s % 50 ? OutcomeKind::Ok : OutcomeKind::Illegal;
        run.add(batch);
    }
    CHECK(run.last_step == 1800000);
    CHECK(run.bytes() < 25U << 20);
}

TEST_CASE("the best so far steps at improvements, confirmed only by a GPU's FASTER", "[curves]") {
    RunCurves model, gpu;
    gpu.info.evaluator.kind = EvaluatorKind::Gpu;
    std::vector<StepRecord> steps{step(1, -0.1), step(2, 0.05, true), step(3, 0.01), step(4, 0.07, true)};
    steps[1].outcome.verdict = Verdict::Faster;
    steps[3].outcome.verdict = Verdict::Unclear;
    model.add(steps);
    gpu.add(steps);
    CHECK(gpu.best_at(1) == 0);
    CHECK(gpu.best_at(3) == 0.05);
    CHECK(gpu.best_at(4) == 0.07);
    REQUIRE(gpu.best.size() == 2);
    CHECK(gpu.best[0].confirmed);
    CHECK_FALSE(gpu.best[1].confirmed);
    CHECK_FALSE(model.best[0].confirmed);  // a model confirms nothing
    CHECK(gpu.speed.value_at(1) == Approx(100 * (std::exp(0.05) - 1)));
    gpu.add(steps);  // delivered twice
    CHECK(gpu.best.size() == 2);
}

TEST_CASE("the step index finds the next step that a filter admits", "[curves]") {
    StepIndex index;
    for (StepId s = 1; s <= 20; ++s) {
        StepRecord r = step(s, 0, s % 7 == 0);
        r.mutation.edits.push_back({EditKind::MoveBefore, static_cast<InstrId>(s % 3), 9, {}, {}});
        if (s == 5) r.outcome.kind = OutcomeKind::Fault;
        index.add(r);
    }
    StepFilter best;
    best.best_only = true;
    CHECK(index.next(0, +1, best) == 7);
    CHECK(index.next(7, +1, best) == 14);
    CHECK(index.next(14, +1, best) == 0);
    CHECK(index.next(14, -1, best) == 7);
    StepFilter failed;
    failed.outcomes = 1U << static_cast<int>(OutcomeKind::Fault);
    CHECK(index.next(0, +1, failed) == 5);
    StepFilter one;
    one.instructions = {false, true};
    CHECK(index.next(1, +1, one) == 4);
    CHECK(StepFilter{}.everything());
    CHECK_FALSE(one.everything());
}

TEST_CASE("a step of several edits is found by each instruction that it edits", "[curves]") {
    const auto edits = [](StepId id, std::initializer_list<InstrId> instructions) {
        StepRecord r = step(id, 0, false);
        for (const InstrId instr : instructions)
            r.mutation.edits.push_back({EditKind::MoveBefore, instr, 9, {}, {}});
        return r;
    };
    StepIndex index;
    index.add(edits(1, {2, 5, 1, 5}));
    index.add(edits(2, {3}));
    index.add(edits(4, {3, 3}));
    index.add(edits(5, {4, 1}));
    const auto found = [&](InstrId instr) {
        StepFilter filter;
        filter.instructions.assign(instr + 1, false);
        filter.instructions[instr] = true;
        std::vector<StepId> steps;
        for (StepId s = index.next(0, +1, filter); s != 0; s = index.next(s, +1, filter))
            steps.push_back(s);
        return steps;
    };
    CHECK(found(1) == std::vector<StepId>{1, 5});
    CHECK(found(2) == std::vector<StepId>{1});
    CHECK(found(3) == std::vector<StepId>{2, 4});
    CHECK(found(5) == std::vector<StepId>{1});
    CHECK(found(9).empty());  // an anchor is not edited
    index.clear();
    index.add(edits(1, {7}));
    CHECK(found(5).empty());
}

TEST_CASE("figures are written with a sign, and a model's never as time", "[curves]") {
    CHECK(ui::percent_text(std::log(1.0321)) == QStringLiteral("+3.21 %"));
    CHECK(ui::percent_text(-1e-9) == QStringLiteral("0.00 %"));
    CHECK(ui::percent_text(std::log(0.5)) == QChar(0x2212) + QStringLiteral("50.00 %"));
    CHECK(figure_name(EvaluatorKind::Model).startsWith(QStringLiteral("Modelled")));
    CHECK_FALSE(figure_name(EvaluatorKind::Model).contains(QStringLiteral("Speed")));
    CHECK(figure_name(EvaluatorKind::Gpu).startsWith(QStringLiteral("Measured")));
    CHECK(duration_text(65) == QStringLiteral("1 m 05 s"));
    CHECK(grouped(1234567) == QStringLiteral("1\u202F234\u202F567"));
}
