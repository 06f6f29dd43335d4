// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/standalone_checks.h"

#include <fmt/format.h>

#include <cmath>

#include "core/evidence/claim_parts.h"
#include "core/evidence/gpu_figures.h"
#include "core/evidence/measured_code.h"
#include "core/evidence/modelled_figures.h"
#include "core/gpu/client/mean_outcome.h"
#include "core/gpu/client/shapes_comparison.h"
#include "core/gpu/protocol/bench_types.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

bool same(Verdict verdict, const Speedup& a, Verdict other, const Speedup& b) {
    const auto near = [](double x, double y) { return std::abs(x - y) < 1e-6; };
    return near(a.log, b.log) && near(a.low, b.low) && near(a.high, b.high) && verdict == other;
}

std::string figure_words(Verdict verdict, const Speedup& s) {
    return fmt::format("{} {:+.5f} [{:+.5f}, {:+.5f}]", to_string(verdict), s.log, s.low, s.high);
}

}  // namespace

Result<std::string> check_lone_figure(const Kernel& original, const Schedule& schedule, const RunInfo& run,
                                      const StepRecord& record, const std::optional<Workload>& workload) {
    const Outcome& o = record.outcome;
    if (!o.ok() || record.step == 0) return std::string();
    TRY(check_measured_code(o, schedule.hash(), "the recorded result"));
    if (run.evaluator.kind != EvaluatorKind::Gpu) {
        if (run.start_run != 0) return std::string("the run started from a schedule that is not at hand");
        const bool own = schedule.kernel()->hash() == original.hash();
        if (!own && !workload) return std::string("the launch that the model judged is not at hand");
        const auto kernel =
            own ? schedule.kernel() : KernelPtr(TRY(Kernel::load(original.cubin_ptr(), original.name())));
        return check_modelled_figure(kernel, workload, run.evaluator, schedule, o, "the recorded result");
    }
    const bool is_start = run.start_run == 0 && schedule.hash() == original.hash();
    if (is_start && o.samples.empty() && o.speedup == Speedup{})
        return std::string();  // known without a sample
    TRY(check_samples_are_there(run, record));
    if (!is_confirmed(o))
        return std::string(
            "it is that of a screening, and the steps that it is added to are in the session only");
    return check_direct_figure(run, record);
}

Status check_loads_figure(std::span<const std::vector<float>> by_load, const LoadsFigure& stored) {
    const double alpha = kConfirmAlpha / static_cast<double>(stored.shapes);
    if (stored.alpha != alpha)
        return fail(
            ErrorCode::Corrupt,
            fmt::format("the interval was made for an error probability of {}, not {}", stored.alpha, alpha));
    const LoadsVerdict again = judge_loads(by_load, stored.pair_deviation, stored.load_deviation, alpha);
    const Verdict verdict = again.speedup().verdict(stored.same_within);
    if (by_load.size() >= 2 && same(verdict, again.speedup(), stored.verdict, stored.speedup)) return {};
    return fail(
        ErrorCode::Corrupt,
        fmt::format("the figures do not follow from the raw samples: these give {}, the file states {}",
                    figure_words(verdict, again.speedup()), figure_words(stored.verdict, stored.speedup)));
}

namespace {

Result<double> check_shape(const Comparison& shape, std::size_t shapes) {
    const Outcome& o = shape.outcome;
    LoadsFigure figure{o.verdict, o.speedup, o.alpha > 0 ? o.alpha : kConfirmAlpha};
    figure.shapes = shapes;
    const MachineInfo& machine = shape.machine.gpu;
    if (!machine.calibration || !machine.same_within)
        return fail(ErrorCode::Corrupt, "the measurement does not say what it was judged with");
    figure.pair_deviation = machine.calibration->pair_deviation;
    figure.load_deviation = machine.calibration->load_deviation;
    figure.same_within = *machine.same_within;
    TRY(check_loads_figure(shape.details.by_load, figure));
    return figure.same_within;
}

}  // namespace

Status check_comparison(const ShapesComparison& measured) {
    double same_within = 0;
    for (const Comparison& shape : measured.shapes)
        same_within = TRY(check_shape(shape, measured.names.size()));
    if (!measured.several()) return {};
    if (measured.shapes.size() != measured.names.size())
        return fail(ErrorCode::Corrupt, "not every shape was measured");
    return check_mean_of_shapes(measured.figures(), shape_figure({}, measured.outcome), same_within);
}

Status check_mean_of_shapes(const ShapeFigures& shapes, const ShapeFigure& mean, double same_within) {
    std::vector<Outcome> outcomes;
    std::vector<std::string> names;
    for (const ShapeFigure& shape : shapes) {
        outcomes.push_back(outcome_of(shape));
        names.push_back(shape.name);
    }
    const Outcome again = over_shapes(outcomes, names, same_within);
    if (same(again.verdict, again.speedup, mean.verdict, mean.speedup)) return {};
    return fail(ErrorCode::Corrupt, fmt::format("the mean of the shapes is {}, the file states {}",
                                                figure_words(again.verdict, again.speedup),
                                                figure_words(mean.verdict, mean.speedup)));
}

}  // namespace cubinlab
