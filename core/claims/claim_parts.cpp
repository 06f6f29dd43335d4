// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/claim_parts.h"

#include <fmt/format.h>

#include <cmath>

#include "core/claims/step_measurement.h"
#include "core/measure/bench_types.h"
#include "core/measure/caches_evaluator.h"
#include "core/measure/gpu_evaluator.h"
#include "core/model/assumed_passes.h"

namespace cubinlab {

Claimed said_by(const ClaimParts& p) {
    if (p.evaluator == to_string(EvaluatorKind::Gpu))
        return p.confirmed ? Claimed::Measured : Claimed::Screened;
    return p.evaluator == to_string(EvaluatorKind::Model) ? Claimed::Modelled : Claimed::Unmeasured;
}

std::string stamp_of(const ClaimParts& p) {
    std::string of =
        p.against_start ? ", against the schedule that the run started from, not the original" : "";
    if (p.evaluator == "gpu") {
        if (!p.unchecked.empty()) of += "; not checked against samples: " + p.unchecked;
        const std::string figure = fmt::format("{:.4f}x [{:.4f}, {:.4f}]", std::exp(p.log_speedup),
                                               std::exp(p.low), std::exp(p.high));
        const std::string where = p.device + cache_words(p.cache);
        if (!p.confirmed) return fmt::format("screened, not confirmed: {} on {}{}", figure, where, of);
        return fmt::format("measured: {} {} on {}{}", figure, p.verdict, where, of);
    }
    if (!p.assumed.empty()) of += "; " + p.assumed;
    if (!p.unchecked.empty()) of += "; not checked: " + p.unchecked;
    if (p.evaluator == "model")
        return fmt::format("modelled, unmeasured ({:.4f}x in modelled cycles{})", std::exp(p.log_speedup),
                           of);
    return "unmeasured";
}

bool is_confirmed(const Outcome& outcome) {
    // Sessions of before schema 2 do not say; what has few pairs was a screening.
    if (outcome.alpha > 0) return outcome.alpha <= kConfirmAlpha;
    return outcome.pairs >= 20;
}

bool seen_to_fail(OutcomeKind kind) {
    return kind == OutcomeKind::WrongResult || kind == OutcomeKind::WildStore ||
           kind == OutcomeKind::Fault || kind == OutcomeKind::Hang;
}

ClaimParts parts_of(const RunInfo& run, const StepRecord& record, const std::filesystem::path& session) {
    ClaimParts p;
    const EvaluatorInfo& evaluator = evaluator_of(run, record.step);
    p.evaluator = to_string(evaluator.kind);
    p.device = evaluator.device;
    p.cache = cache_of(evaluator);
    p.assumed = assumed_passes(evaluator);
    p.log_speedup = record.outcome.log_speedup;
    p.low = record.outcome.low;
    p.high = record.outcome.high;
    p.verdict = to_string(record.outcome.verdict);
    p.confirmed = is_confirmed(record.outcome);
    p.against_start = run.start_run != 0;
    p.session = session.string();
    p.run = run.id;
    p.step = record.step;
    // The start schedule, and a step that never ran well, have no figure of their own.
    if (record.step == 0 || !record.outcome.ok()) {
        p.evaluator = "none";
        p.assumed.clear();
    }
    return p;
}

void put_measured(ClaimParts& p, std::string device, std::string cache, double log_speedup, double low,
                  double high, Verdict verdict) {
    p.evaluator = to_string(EvaluatorKind::Gpu);
    p.device = std::move(device);
    p.cache = std::move(cache);
    p.log_speedup = log_speedup;
    p.low = low;
    p.high = high;
    p.verdict = to_string(verdict);
    p.confirmed = true;
    p.against_start = false;
    p.assumed.clear();
    p.unchecked.clear();
}

namespace {

Outcome outcome_of(const PooledMeasurement& pooled) {
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.log_speedup = pooled.log_speedup;
    out.low = pooled.low;
    out.high = pooled.high;
    out.verdict = pooled.verdict;
    return out;
}

}  // namespace

ClaimParts with_measurements(ClaimParts p, const std::vector<MeasurementRecord>& records, StepId step) {
    const auto pooled = pool_measurements(records, step);
    // By the most loads; `device`: of that one alone, where it is named.
    const auto most = [&](const std::string& cache, const std::string& device = {}) {
        const PooledMeasurement* found = nullptr;
        for (const PooledMeasurement& m : pooled)
            if (m.cache == cache && (device.empty() || m.device == device) &&
                m.loads > (found ? found->loads : 0))
                found = &m;
        return found;
    };
    const auto put = [&](const PooledMeasurement& m, const std::string& cache, const Outcome& o) {
        put_measured(p, m.device, cache, o.log_speedup, o.low, o.high, o.verdict);
    };
    const PooledMeasurement* hot = most("hot");
    const PooledMeasurement* cold = most("cold", hot && p.cache == "both" ? hot->device : "");
    if (p.cache == "both" && hot && cold)
        put(*hot, "both", over_caches(outcome_of(*hot), outcome_of(*cold), true, GpuSettings().same_within));
    else if (p.cache == "cold" && cold)
        put(*cold, "cold", outcome_of(*cold));
    else if (hot)
        put(*hot, "hot", outcome_of(*hot));
    return p;
}

}  // namespace cubinlab
