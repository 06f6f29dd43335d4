// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence bundles of workloads of several shapes.
#include "tests/core/evidence/bundle_scene.h"

using namespace cubinlab;
using namespace cubinlab::test;
using nlohmann::json;

namespace {

// The scene's workload with two more shapes.
std::string with_shapes(const std::string& workload) {
    json root = json::parse(workload, nullptr, true, true);
    root["shapes"] = {{{"name", "wide"}, {"about", "w"}}, {{"name", "short"}, {"about", "s"}}};
    return root.dump();
}

}  // namespace

TEST_CASE("A bundle of several shapes holds each, and its stamp is of their mean") {
    BundleScene scene;
    scene.request.workload = with_shapes(scene.request.workload);
    scene.request.measured = measured_in_shapes(0.04, 0.03, -0.01);
    scene.write();
    INFO(scene.problems());
    const auto check = required(check_bundle(scene.bundle()));
    CHECK(check->problems.empty());
    CHECK(check->shapes == scene.request.measured->figures());
    CHECK(check->speedup.log == Approx(0.02).margin(1e-3));
    CHECK(check->verdict == Verdict::Unclear);
    const json whole = scene.evidence();
    CHECK(whole["format"] == kShapesEvidence);
    CHECK_THAT(whole["stamp"].get<std::string>(), contains_text("mean of 3 shapes, SLOWER in short"));
    const auto found = [&](const json& document) {
        scene.forge(document);
        return !scene.problems().empty();
    };
    for (const auto& [place, value] : {std::pair("/measurement/mean_of_shapes/log_speedup", json(0.03)),
                                       std::pair("/measurement/mean_of_shapes/verdict", json("FASTER")),
                                       std::pair("/measurement/shapes/1/verdict", json("SAME")),
                                       std::pair("/measurement/shapes/1/log_speedup", json(0.01)),
                                       std::pair("/measurement/shapes/1/name", json("another")),
                                       std::pair("/measurement/shapes/1/cache", json("cold")),
                                       std::pair("/measurement/shapes/1/outputs_equal", json(false)),
                                       std::pair("/measurement/shapes/1/alpha", json(0.01))}) {
        json document = whole;
        document[json::json_pointer(place)] = value;
        INFO(place);
        CHECK(found(document));
    }
    json document = whole;
    document["measurement"]["shapes"].erase(1);  // the slower one
    CHECK(found(document));
    document["measurement"].erase("shapes");  // all but the first
    CHECK(found(document));
    CHECK_FALSE(found(whole));

    // A repetition is held against the mean and against each shape.
    CHECK(contradiction(*check, *scene.request.measured).empty());
    CHECK_THAT(contradiction(*check, measured_in_shapes(0.04, 0.05, -0.03)),
               contains_text("shape wide: the intervals do not overlap"));
    CHECK_THAT(contradiction(*check, measured_in_shapes(0.04, 0.01, 0.01)), contains_text("shape"));
}

TEST_CASE(
    "A bundle whose measurement has no figure of a shape keeps the others' and its stamp has no verdict") {
    BundleScene scene;
    scene.request.workload = with_shapes(scene.request.workload);
    ShapesComparison lost = measured_in_shapes(0.04, 0.03, 0.02);
    lost.shapes[1] = not_compared({ErrorCode::Worker, "gone", ""}, {});
    lost = ShapesComparison(lost.names, lost.shapes, 0.002);
    scene.request.measured = lost;
    scene.write();
    const json whole = scene.evidence();
    CHECK(whole["measurement"]["verdict"] == "UNCLEAR");
    REQUIRE(whole["measurement"]["by_shape"].size() == 3);
    CHECK(whole["measurement"]["by_shape"][2]["log_speedup"].get<double>() == Approx(0.02).margin(1e-3));
    CHECK(whole["stamp"].get<std::string>().find("FASTER") == std::string::npos);
    const auto check = required(check_bundle(scene.bundle()));
    REQUIRE(check->problems.size() == 1);  // and no other: the stamp follows
    CHECK_THAT(check->problems[0],
               contains_text("the bundled measurement failed: worker-lost shape 'wide': gone"));

    // A repetition that lacks a shape contradicts by the others alone, and reproduces nothing.
    scene.request.measured = measured_in_shapes(0.04, 0.03, 0.02);
    BundleScene good;
    good.request.workload = scene.request.workload;
    good.request.measured = scene.request.measured;
    good.write();
    const auto bundle = required(check_bundle(good.bundle()));
    CHECK(contradiction(*bundle, lost).empty());
    CHECK_THAT(not_reproduced(*bundle, lost), contains_text("with no figure of shape wide (worker-lost)"));
    ShapesComparison other = measured_in_shapes(0.04, 0.03, -0.02);
    other.shapes[1] = lost.shapes[1];
    CHECK_THAT(contradiction(*bundle, ShapesComparison(other.names, other.shapes, 0.002)),
               contains_text("shape short: the bundle says FASTER, this GPU says SLOWER"));
}

TEST_CASE("A bundle is not written of fewer shapes than its workload has") {
    BundleScene scene;
    scene.request.workload = with_shapes(scene.request.workload);
    scene.request.measured = measured_faster();
    const auto report = write_bundle(scene.edited(), scene.bundle(), scene.request);
    REQUIRE_FALSE(report);
    CHECK(report.error().code == ErrorCode::BadInput);
}

// A disk that takes no file of more than 4 KiB stands for one that is full.
