// SPDX-License-Identifier: GPL-3.0-or-later
// A session's measurement of several shapes: what it keeps, how it is judged with others, and what is no such record.
#include "core/evidence/measured_shapes.h"

#include "core/evidence/best_figure.h"
#include "core/evidence/stored_figures.h"
#include "core/gpu/client/mean_outcome.h"
#include "core/store/measurement_row.h"
#include "tests/core/evidence/claims_fixture.h"

using namespace cubinlab;
using nlohmann::json;

namespace {

MeasurementRecord record_of(const ShapesComparison& measured, Cache cache = Cache::Hot) {
    return measurement_record(measured, 1, 5, "measure", cache);
}

const char* kWorkload = R"({"kernel": "k", "grid": [8], "block": [32], "params": [],
    "shapes": [{"name": "wide", "grid": [9]}, {"name": "short", "grid": [2]}]})";

}  // namespace

TEST_CASE("A measurement of several shapes keeps each, and its head is the first shape's") {
    const ShapesComparison measured = measured_in_shapes(0.02, 0.03, -0.01);
    const MeasurementRecord record = record_of(measured);
    CHECK(record.outcome.speedup.log == measured.first().outcome.speedup.log);
    CHECK(record.details.by_load.size() == 10);
    const auto shapes = measured_shapes(record);
    REQUIRE(shapes.size() == 3);
    CHECK(shapes[0].details.name == "first");
    CHECK(shape_figure(shapes[2].details.name, shapes[2].outcome) == measured.figures()[2]);
    CHECK(alpha_of(shapes[2].outcome) == kConfirmAlpha / 3);
    CHECK(check_measurement_figures({record}, 5).value() == 0);
    CHECK(check_measured_shapes({record}, 5, kWorkload));
    CHECK_FALSE(check_measured_shapes({record}, 5, ""));
    // Of one shape it is what it was.
    CHECK_FALSE(measurement_json(record_of(measured_faster())).contains("shapes"));
}

TEST_CASE("Measurements of several shapes are pooled by shape, and the mean is the search's") {
    const MeasurementRecord all = record_of(measured_in_shapes(0.02, 0.03, -0.01));
    const auto once = pool_measurements({all}, 5);
    REQUIRE(once.size() == 1);
    const PooledMeasurement& one = once.front();
    REQUIRE(one.shapes.size() == 3);
    CHECK(one.loads == 10);
    CHECK(one.pairs == 300);
    CHECK(one.speedup.log == Approx(0.04 / 3).margin(1e-3));
    CHECK(one.speedup.low ==
          Approx((one.shapes[0].speedup.low + one.shapes[1].speedup.low + one.shapes[2].speedup.low) / 3));
    CHECK(one.verdict == Verdict::Unclear);  // slower in one
    CHECK(slower_shapes(one.shapes) == std::vector<std::string>{"short"});
    const auto twice = pool_measurements({all, all}, 5);
    REQUIRE(twice.size() == 1);
    CHECK(twice[0].speedup.high - twice[0].speedup.low < one.speedup.high - one.speedup.low);
    const MeasurementRecord first = record_of(measured_faster());
    CHECK(pool_measurements({first, all}, 5).size() == 2);  // of another workload
    CHECK(pool_measurements({first}, 5)[0].shapes.empty());
}

TEST_CASE("The mean of both caches is one of each shape, where both have them all") {
    const auto hot = record_of(measured_in_shapes(0.02, 0.03, 0.04));
    const auto cold = record_of(measured_in_shapes(0.04, 0.01, 0.02), Cache::Cold);
    const auto both = required(measured_with_cache({hot, cold}, 5, Cache::Both));
    CHECK(both->cache == Cache::Both);
    REQUIRE(both->shapes.size() == 3);
    CHECK(both->shapes[0].speedup.log == Approx(0.03).margin(1e-3));
    CHECK(both->shapes[1].speedup.log == Approx(0.02).margin(1e-3));
    // Both intervals hold together with 1 %, so each is made for half of it: the mean is as wide as they are.
    const auto hot_alone = measured_with_cache({hot, cold}, 5, Cache::Hot);
    CHECK(both->speedup.high - both->speedup.low > (hot_alone->speedup.high - hot_alone->speedup.low) * 1.01);
    double width = 0;
    for (const double mean : {0.02, 0.03, 0.04}) {
        const Outcome o = measured_around(mean, kConfirmAlpha / 6).outcome;
        width += (o.speedup.high - o.speedup.low) / 3;
    }
    CHECK(both->speedup.high - both->speedup.low == Approx(width).epsilon(1e-6));
    const auto first_cold = record_of(measured_faster(), Cache::Cold);
    const auto alone = required(measured_with_cache({hot, first_cold}, 5, Cache::Both));
    CHECK(alone->cache == Cache::Hot);
}

TEST_CASE("A figure of all shapes stands for a run's mean, one of the first alone does not") {
    RunInfo run;
    run.evaluator.kind = EvaluatorKind::Gpu;
    run.evaluator.gpu.cache = Cache::Hot;
    const auto all = measured_in_shapes(0.02, 0.03, 0.04);
    const Outcome logged = all.outcome;
    REQUIRE(is_over_shapes(logged));
    CHECK_FALSE(measured_like_run({record_of(measured_faster())}, run, 5, logged));
    const auto stands = required(measured_like_run({record_of(all)}, run, 5, logged));
    CHECK(stands->speedup.log == Approx(logged.speedup.log).margin(1e-9));
    CHECK(stands->speedup.low == Approx(logged.speedup.low).margin(1e-9));
}

TEST_CASE("A shape that does not run well is the record's outcome, and nothing is claimed of it") {
    auto measured = measured_in_shapes(0.02, 0.03, 0.04);
    measured.shapes[2].outcome = {};
    measured.shapes[2].outcome.kind = OutcomeKind::WrongResult;
    measured = ShapesComparison(measured.names, measured.shapes, 0.002);
    const MeasurementRecord record = record_of(measured);
    CHECK(record.outcome.kind == OutcomeKind::WrongResult);
    CHECK_THAT(record.outcome.detail, contains_text("shape 'short'"));
    CHECK(failed_measurement({record}, 5) != nullptr);
    CHECK(pool_measurements({record}, 5).empty());
}

namespace {

ShapesComparison without_short(OutcomeKind kind) {
    auto measured = measured_in_shapes(0.02, 0.03, 0.04);
    measured.shapes[2] = not_compared({ErrorCode::Worker, "the worker is gone", "worker"}, {});
    measured.shapes[2].outcome.kind = kind;
    return ShapesComparison(measured.names, measured.shapes, 0.002);
}

}  // namespace

TEST_CASE("The figures of the shapes that ran well stay in a record that has no mean") {
    const auto measured = without_short(OutcomeKind::WorkerLost);
    const MeasurementRecord record = record_of(measured);
    CHECK(record.outcome.verdict == Verdict::Unclear);
    CHECK_THAT(record.outcome.detail, contains_text("the worker is gone; alone: first +2."));
    CHECK(without_figure(record) == "shape short (worker-lost)");
    const json more = measurement_json(record);
    REQUIRE(more["by_shape"].size() == 3);
    CHECK(more["by_shape"][1]["name"] == "wide");
    CHECK(more["by_shape"][1]["log_speedup"].get<double>() == measured.shapes[1].outcome.speedup.log);
    CHECK(more["by_shape"][1]["by_load"].size() == 10);
    CHECK(more["by_shape"][2]["outcome"] == "worker-lost");
    CHECK(more["by_shape"][2]["detail"] == "worker: the worker is gone");
    CHECK_FALSE(more.contains("shapes"));
    CHECK(pool_measurements({record}, 5).empty());
}

TEST_CASE("What nobody could measure is open where no other measurement is whole, what failed has failed") {
    const auto lost = record_of(without_short(OutcomeKind::WorkerLost)),
               hung = record_of(without_short(OutcomeKind::Hang)),
               whole = record_of(measured_in_shapes(0.02, 0.03, 0.04)),
               cold = record_of(measured_in_shapes(0.02, 0.03, 0.04), Cache::Cold);
    CHECK(failed_measurement({lost}, 5) != nullptr);
    CHECK(failed_measurement({lost, cold}, 5) != nullptr);
    CHECK(failed_measurement({lost, whole}, 5) == nullptr);
    CHECK(failed_measurement({whole, lost}, 5) == nullptr);
    CHECK(failed_measurement({hung, whole}, 5) != nullptr);
}

TEST_CASE("What was changed in a measurement of several shapes is found") {
    const MeasurementRecord good = record_of(measured_in_shapes(0.02, 0.03, -0.01));
    const auto with = [&](const char* place, const json& value) {
        MeasurementRecord out = good;
        json more = measurement_json(good);
        more[json::json_pointer(place)] = value;
        read_measurement(more, out);
        return out;
    };
    const auto follows = [](const MeasurementRecord& record) {
        return check_measurement_figures({record}, 5).has_value();
    };
    CHECK_FALSE(follows(with("/shapes/1/log_speedup", 0.02)));
    CHECK_FALSE(follows(with("/shapes/1/verdict", "FASTER")));
    CHECK_FALSE(follows(with("/shapes/0/by_load", measurement_json(good)["by_load"])));  // another shape's
    CHECK_FALSE(check_measured_shapes({with("/shapes/0/name", "other")}, 5, kWorkload));
    // Left out: the slower one.
    MeasurementRecord fewer = good;
    fewer.shapes.pop_back();
    CHECK_FALSE(check_measured_shapes({fewer}, 5, kWorkload));
    for (const json& value : {json(3), json("x"), json(nullptr), json::array({1}), json::array({nullptr})})
        CHECK(pool_measurements({with("/shapes", value)}, 5).size() <= 1);  // and no end of the program
}
