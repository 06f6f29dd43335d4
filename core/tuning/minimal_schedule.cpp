// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/minimal_schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/tuning/evaluator_choice.h"
#include "core/tuning/measure.h"

namespace cubinlab {
namespace {

std::vector<std::string> newly_slower(const ShapesComparison& minimal, const ShapesComparison& whole) {
    std::vector<std::string> out;
    const auto before = slower_shapes(whole.figures());
    for (const std::string& name : slower_shapes(minimal.figures()))
        if (std::find(before.begin(), before.end(), name) == before.end()) out.push_back(name);
    return out;
}

}  // namespace

std::string why_not_confirmed(const ShapesComparison& minimal, const ShapesComparison& whole) {
    for (const auto& [which, comparison] :
         {std::pair("the minimal schedule", &minimal), std::pair("the whole one", &whole)})
        if (!comparison->outcome.ok())
            return fmt::format("{} has no figure in fresh processes: {}", which,
                               comparison->without_figure());
    if (!minimal.outputs_equal()) return "the minimal schedule's outputs differ";
    const Outcome &m = minimal.outcome, &w = whole.outcome;
    if (m.speedup.log < w.speedup.low)
        return fmt::format("the minimal schedule gains {}, the whole one {}", percent_text(m.speedup.log),
                           percent_text(w.speedup));
    if (const auto slower = newly_slower(minimal, whole); !slower.empty())
        return fmt::format("the minimal schedule is SLOWER in {}, where the whole one is not",
                           names_in_short(slower));
    if (w.verdict == Verdict::Faster && m.verdict != Verdict::Faster)
        return fmt::format("the minimal schedule is {}, the whole one FASTER", to_string(m.verdict));
    return {};
}

namespace {

Result<ConfirmedMinimal> confirm(const Schedule& minimal, const MinimalRequest& request,
                                 std::stop_token stop) {
    MeasureSettings settings{.gpu = request.gpu, .loads = request.loads, .energy = request.energy};
    const Schedule& whole = request.whole;
    const KernelPtr& original = request.original ? request.original : whole.kernel();
    settings.gpu = TRY(one_gpu(settings.gpu, whole.kernel()->arch(), stop));  // one GPU measures both
    ++settings.gpu.seed;  // not the inputs and the order that chose it
    auto of_minimal = TRY(measure_in_one_cache(original, minimal, *request.workload, settings, stop));
    auto of_whole = minimal == whole
                        ? Result<Measured>(of_minimal)
                        : measure_in_one_cache(original, whole, *request.workload, settings, stop);
    if (!of_whole) return fail(of_whole.error());
    std::string why_not = why_not_confirmed(of_minimal.comparison, of_whole->comparison);
    return ConfirmedMinimal{std::move(of_minimal.comparison), std::move(of_whole->comparison),
                            std::move(why_not)};
}

}  // namespace

Result<MinimalSchedule> find_minimal(const MinimalRequest& request, std::stop_token stop) {
    const KernelPtr& kernel = request.whole.kernel();
    auto checker = TRY(HazardChecker::create(kernel));
    auto choice =
        TRY(choose_evaluator(kernel, request.workload, policy_for(request.judge), request.gpu, stop));
    auto minimised = TRY(minimise(checker, *choice.evaluator, request.whole, {.keep = request.keep}, stop));
    MinimalSchedule out{std::move(minimised), choice.evaluator->info(), {}, {}};
    if (request.rank) out.ranking = TRY(rank_edits(checker, *choice.evaluator, out.minimised.edits, stop));
    if (out.evaluator.kind != EvaluatorKind::Gpu || !request.workload) return out;
    choice.evaluator.reset();  // its worker would run next to those that measure
    out.fresh = TRY(confirm(out.minimised.schedule, request, stop));
    return out;
}

}  // namespace cubinlab
