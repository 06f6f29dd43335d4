// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/machine_info.h"

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

EvaluatorInfo of_json(std::string json) {
    EvaluatorInfo out;
    out.kind = EvaluatorKind::Gpu;
    out.json = std::move(json);
    return out;
}

}  // namespace

TEST_CASE("what a machine says is stored and read in every field") {
    MachineInfo machine;
    machine.facts = BenchFacts{};
    machine.facts->uuid = "GPU-1";
    machine.calibration = Calibration{};
    machine.calibration->load_deviation = 0.0005;
    machine.seed = 7;
    machine.same_within = 0.002;
    machine.cache = Cache::Both;
    machine.workers_started = 3;
    machine.devices.resize(2);
    machine.devices[1].worker = "ssh host";
    machine.devices[1].calibration = Calibration{};
    machine.devices[1].calibration->pair_deviation = 0.003;
    machine.cold = {10.0, 0.004, Calibration{}};
    const std::string text = stored(machine);
    const MachineInfo read = machine_of(of_json(text));
    CHECK(stored(read) == text);
    CHECK(read.facts->uuid == "GPU-1");
    CHECK(read.cache == Cache::Both);
    CHECK(read.cold->original_us == 10.0);
    Outcome second;
    second.device = 1;
    REQUIRE(read.calibration_of(second) != nullptr);
    CHECK(read.calibration_of(second)->pair_deviation == 0.003);
    CHECK(read.calibration_of(Outcome{}) == nullptr);  // the first GPU was not up
}

TEST_CASE("what a machine does not say, or says in another type, is empty") {
    const MachineInfo machine = machine_of(of_json(
        R"({"cache": "warm", "same_within": "0.002", "calibration": {"pair_deviation": 0.002}, "devices": 3})"));
    CHECK_FALSE(machine.cache);
    CHECK_FALSE(machine.same_within);
    CHECK_FALSE(machine.calibration);  // an interval needs both deviations
    CHECK(machine.devices.empty());
    CHECK(stored(machine_of(of_json("no JSON"))) == "{}");
    const MachineInfo older =
        machine_of(of_json(R"({"calibration": {"pair_deviation": 0.002, "load_deviation": 0.0005}})"));
    REQUIRE(older.calibration_of(Outcome{}) != nullptr);
    CHECK(older.calibration_of(Outcome{})->load_deviation == 0.0005);
}
