// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/claim_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/evidence/step_measurement.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/mean_outcome.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/workload.h"
#include "core/model/assumed_passes.h"

namespace cubinlab {

ClaimLevel level_of(const ClaimParts& p) {
    if (!p.evaluator) return ClaimLevel::Unmeasured;
    if (*p.evaluator == EvaluatorKind::Model) return ClaimLevel::Modelled;
    return p.confirmed ? ClaimLevel::Measured : ClaimLevel::Screened;
}

CodeKind code_kind_of(const Kernel& original, const Schedule& schedule) {
    if (schedule.kernel()->hash() != original.hash()) return CodeKind::Recompiled;
    if (schedule.changes_code()) return CodeKind::Hinted;
    return schedule.hash() == original.hash() ? CodeKind::Original : CodeKind::Reschedule;
}

namespace {

std::string recompiled_words(const ClaimParts& p) {
    std::string out = p.start ? fmt::format("recompiled by ptxas {}: {}", p.start->ptxas, how_made(*p.start))
                              : std::string("recompiled from the PTX");
    out += p.compared_inputs > 0 ? fmt::format("; outputs equal on {} sets of inputs", p.compared_inputs)
                                 : std::string("; outputs not compared");
    return out;
}

}  // namespace

std::string stamp_of(const ClaimParts& p) {
    std::string of =
        p.against_start ? ", against the schedule that the run started from, not the original" : "";
    if (p.code == CodeKind::Hinted) of += "; with other cache hints";
    if (p.code == CodeKind::Recompiled) of += "; " + recompiled_words(p);
    if (p.evaluator == EvaluatorKind::Gpu) {
        if (!p.unchecked.empty()) of += "; not checked against samples: " + p.unchecked;
        const std::string figure = factor_text(p.speedup);
        if (!p.shapes.empty()) of += fmt::format("; mean of {} shapes", p.shapes.size());
        if (const std::string slower = slower_words(p.shapes); !slower.empty()) of += ", " + slower;
        if (!p.without_figure.empty()) of += "; in fresh processes no figure: " + p.without_figure;
        const std::string where = p.device + cache_words(p.cache);
        if (!p.confirmed) return fmt::format("screened, not confirmed: {} on {}{}", figure, where, of);
        return fmt::format("measured: {} {} on {}{}", figure, to_string(p.verdict), where, of);
    }
    if (!p.assumed.empty()) of += "; " + p.assumed;
    if (!p.unchecked.empty()) of += "; not checked: " + p.unchecked;
    if (p.evaluator == EvaluatorKind::Model)
        return fmt::format("modelled, unmeasured ({} in modelled cycles{})", factor_text(p.speedup.log), of);
    return "unmeasured";
}

bool is_confirmed(const Outcome& outcome) {
    return outcome.alpha > 0 && outcome.alpha <= kConfirmAlpha;
}

bool seen_to_fail(OutcomeKind kind) {
    return kind == OutcomeKind::WrongResult || kind == OutcomeKind::OutOfBoundsStore ||
           kind == OutcomeKind::Fault || kind == OutcomeKind::Hang;
}

ClaimParts parts_of(const RunInfo& run, const StepRecord& record, const std::filesystem::path& session) {
    ClaimParts p;
    const EvaluatorInfo& evaluator = evaluator_of(run, record.step);
    p.evaluator = evaluator.kind;
    p.device = evaluator.device;
    p.cache = cache_of(evaluator);
    p.assumed = assumed_passes(evaluator);
    p.speedup = record.outcome.speedup;
    p.verdict = record.outcome.verdict;
    p.confirmed = is_confirmed(record.outcome);
    p.against_start = run.start_run != 0;
    if (p.evaluator == EvaluatorKind::Gpu && evaluator.gpu.facts)
        p.compared_inputs = evaluator.gpu.facts->input_sets;
    p.session = session.string();
    p.run = run.id;
    p.step = record.step;
    // The start schedule, and a step that never ran well, have no figure of their own.
    if (record.step == 0 || !record.outcome.ok()) {
        p.evaluator.reset();
        p.assumed.clear();
        p.compared_inputs = 0;
    }
    return p;
}

void put_measured(ClaimParts& p, std::string device, std::optional<Cache> cache, const ShapeFigure& figure,
                  ShapeFigures shapes) {
    p.evaluator = EvaluatorKind::Gpu;
    p.device = std::move(device);
    p.cache = cache;
    p.speedup = figure.speedup;
    p.verdict = figure.verdict;
    p.shapes = std::move(shapes);
    p.confirmed = true;
    p.against_start = false;
    p.assumed.clear();
    p.unchecked.clear();
    p.without_figure.clear();
}

void put_without_figure(ClaimParts& p, std::string without_figure) {
    if (p.evaluator != EvaluatorKind::Gpu) return;
    p.verdict = Verdict::Unclear;
    p.without_figure = std::move(without_figure);
}

ClaimParts with_measurements(ClaimParts p, const std::vector<MeasurementRecord>& records, StepId step,
                             std::size_t shapes) {
    const auto m = measured_with_cache(records, step, p.cache);
    if (!m || m->shapes.size() != (shapes > 1 ? shapes : 0)) return p;
    put_measured(p, m->device, m->cache, {{}, m->verdict, m->speedup}, m->shapes);
    for (const MeasurementRecord& record : records)
        if (record.step == step && record.outcome.ok() && record.details.outputs_equal)
            p.compared_inputs = std::max(p.compared_inputs, record.details.input_sets);
    return p;
}

std::size_t shapes_in(const std::string& workload_json) {
    const auto workload = Workload::parse(workload_json);
    return workload ? 1 + workload->shapes.size() : 1;
}

}  // namespace cubinlab
