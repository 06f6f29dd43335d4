// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/measurement_json.h"

#include "core/base/bounded_json.h"
#include "core/result/claim_level.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using nlohmann::json;

namespace {

EvaluatorInfo gpu_of(const char* text) {
    EvaluatorInfo out;
    out.kind = EvaluatorKind::Gpu;
    read_facts(parse_json_or_discard(text), out);
    return out;
}

}  // namespace

TEST_CASE("what a machine says is stored and read in every field") {
    EvaluatorInfo info;
    info.kind = EvaluatorKind::Gpu;
    MachineInfo& machine = info.gpu;
    machine.facts.emplace().uuid = "GPU-1";
    machine.calibration.emplace().load_deviation = 0.0005;
    machine.seed = 7;
    machine.same_within = 0.002;
    machine.cache = Cache::Both;
    machine.workers_started = 3;
    machine.devices.resize(2);
    machine.devices[1].worker = "ssh host";
    machine.devices[1].calibration.emplace().pair_deviation = 0.003;
    machine.cold = {10.0, 0.004, Calibration{}};
    const json stored = facts_json(info);
    const EvaluatorInfo read = gpu_of(stored.dump().c_str());
    CHECK(facts_json(read) == stored);
    CHECK(read.gpu.facts->uuid == "GPU-1");
    CHECK(read.gpu.cache == Cache::Both);
    CHECK(read.gpu.cold->original_us == 10.0);
    Outcome second;
    second.device = 1;
    REQUIRE(read.gpu.calibration_of(second) != nullptr);
    CHECK(read.gpu.calibration_of(second)->pair_deviation == 0.003);
    CHECK(read.gpu.calibration_of(Outcome{}) == nullptr);  // the first GPU was not up
}

TEST_CASE("what a machine does not say, or says in another type, is empty") {
    const MachineInfo machine =
        gpu_of(
            R"({"cache": "warm", "same_within": "0.002", "calibration": {"pair_deviation": 0.002}, "devices": 3})")
            .gpu;
    CHECK_FALSE(machine.cache);
    CHECK_FALSE(machine.same_within);
    CHECK_FALSE(machine.calibration);  // an interval needs both deviations
    CHECK(machine.devices.empty());
    CHECK(facts_json(gpu_of("no JSON")) == json::object());
    const MachineInfo older =
        gpu_of(R"({"calibration": {"pair_deviation": 0.002, "load_deviation": 0.0005}})").gpu;
    REQUIRE(older.calibration_of(Outcome{}) != nullptr);
    CHECK(older.calibration_of(Outcome{})->load_deviation == 0.0005);
}

TEST_CASE("the measurement of a shape is stored and read in every field") {
    ShapeMeasurement shape;
    shape.outcome.kind = OutcomeKind::Ok;
    shape.outcome.verdict = Verdict::Faster;
    shape.outcome.speedup = {0.02, 0.01, 0.03};
    shape.outcome.cost = 9.5;
    shape.details.name = "wide";
    shape.details.by_load = {{0.02F, 0.03F}, {0.01F}};
    shape.details.cost_original_us = 10.5;
    shape.details.loads = 12;
    shape.details.outputs_equal = true;
    shape.details.energy = {6, 1.5, 1.25, 0.18, 0.1, 0.26, 300, 290};
    shape.details.cache = Cache::Cold;
    shape.details.device = "a GPU";
    shape.details.calibration.emplace().pair_deviation = 0.003;
    shape.details.seed = 3;
    const json stored = shape_json(shape);
    const ShapeMeasurement read = read_shape(stored);
    CHECK(shape_json(read) == stored);
    CHECK(read.details.by_load == shape.details.by_load);
    CHECK(read.details.device == "a GPU");
    CHECK(read.details.energy.b_watts == 290);
    CHECK(read.outcome.speedup == shape.outcome.speedup);
    CHECK(read.outcome.cost == 9.5);
    CHECK(details_json({})["energy"].is_null());  // there is no figure
}

TEST_CASE("a shape as schema 8 has it is read, and one without a figure is none") {
    const json older = {{"name", "wide"},       {"verdict", "FASTER"}, {"log_speedup", 0.02},
                        {"low", 0.01},          {"high", 0.03},        {"alpha", 0.01},
                        {"by_load", {{0.25}}},  {"cost_us", 9.5},      {"cost_original_us", 9.7},
                        {"same_within", 0.002}, {"energy", nullptr}};
    const ShapeMeasurement shape = read_shape(older);
    CHECK(shape.outcome.ok());
    CHECK(shape.outcome.cost == 9.5);
    CHECK(shape.outcome.alpha == 0.01);
    CHECK(shape.details.name == "wide");
    CHECK(shape.details.by_load == std::vector<std::vector<float>>{{0.25F}});
    for (const char* needed : {"verdict", "log_speedup", "low", "high"}) {
        json without = older;
        without.erase(needed);
        CHECK_FALSE(read_shape(without).outcome.ok());
    }
    for (const json& nothing : {json(nullptr), json(3), json::array()})
        CHECK_FALSE(read_shape(nothing).outcome.ok());
}

TEST_CASE("each kind of code has a word, and no other word is one") {
    for (int i = 0; i <= static_cast<int>(kLastCodeKind); ++i)
        CHECK(parse_code_kind(to_string(static_cast<CodeKind>(i))) == static_cast<CodeKind>(i));
    CHECK_FALSE(parse_code_kind("patched"));
    CHECK_FALSE(parse_code_kind(""));
    CHECK(CodeKind::Original < CodeKind::Reschedule);
    CHECK(CodeKind::Reschedule < CodeKind::Hinted);
    CHECK(CodeKind::Hinted < CodeKind::Recompiled);
}
