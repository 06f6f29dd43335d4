// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule that differs, and a measurement of it.
#pragma once
#include "core/gpu/client/shapes_comparison.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/statistics.h"
#include "core/legality/hazard_checker.h"
#include "tests/support/catch.h"

namespace cubinlab {

// The original with one stall count raised, where the checker allows it.
inline Schedule one_stall_more(const KernelPtr& kernel) {
    auto checker = HazardChecker::create(kernel).value();
    Schedule out(kernel);
    for (InstrId id = 0; id < out.size(); ++id) {
        ControlCode code = out.control(id);
        if (code.stall < 1 || code.stall > 8) continue;
        code.stall = static_cast<decltype(code.stall)>(code.stall + 1);
        if (!checker->allows(out, Mutation::control(out, id, code))) continue;
        out.set_control(id, code);
        return out;
    }
    FAIL("no stall count can be raised");
    return out;
}

// Ten loads of ten pairs around `mean`, judged as the worker judges.
inline Comparison measured_around(double mean, double alpha = kConfirmAlpha) {
    Comparison c;
    for (int load = 0; load < 10; ++load) {
        std::vector<float> samples;
        for (int i = 0; i < 10; ++i)
            samples.push_back(static_cast<float>(mean) +
                              0.0001f * static_cast<float>((load * 7 + i * 3) % 11 - 5));
        c.details.by_load.push_back(samples);
    }
    const LoadsVerdict judged = judge_loads(c.details.by_load, 0.002, 0.0005, alpha);
    c.outcome.kind = OutcomeKind::Ok;
    c.outcome.pairs = 100;
    if (alpha != kConfirmAlpha) c.outcome.alpha = alpha;
    c.outcome.speedup = judged.speedup();
    c.outcome.verdict = c.outcome.speedup.verdict(0.002);
    c.details.outputs_equal = true;
    c.details.input_sets = 7;
    c.details.loads = 10;
    c.machine.kind = EvaluatorKind::Gpu;
    c.machine.device = "Some GPU, driver 1";
    c.machine.gpu.cache = Cache::Hot;
    c.machine.gpu.calibration.emplace();
    c.machine.gpu.calibration->pair_deviation = 0.002;
    c.machine.gpu.calibration->load_deviation = 0.0005;
    c.machine.gpu.same_within = 0.002;
    return c;
}
inline Comparison measured_faster() {
    return measured_around(0.02);
}

// Of a workload itself and its shapes "wide" and "short".
inline ShapesComparison measured_in_shapes(double first, double wide, double small) {
    std::vector<Comparison> all;
    for (const double mean : {first, wide, small})
        all.push_back(measured_around(mean, kConfirmAlpha / 3));
    return ShapesComparison({"first", "wide", "short"}, std::move(all), 0.002);
}

}  // namespace cubinlab
