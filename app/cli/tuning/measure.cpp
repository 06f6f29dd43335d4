// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/kernel/kernel_input.h"
#include "app/cli/tuning/shape_lines.h"
#include "core/evidence/step_measurement.h"
#include "core/legality/hazard_checker.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/measure.h"

namespace cubinlab::cli {

namespace {

// The checker's verdict on B as a reschedule of A: equal outputs on some inputs prove nothing.
std::string legality_text(const KernelPtr& a, const Cubin& b) {
    auto schedule = Schedule::match(a, b);
    if (!schedule) return "B is not a reschedule of A: " + schedule.error().message();
    const auto hazards = legality_of(*schedule);
    if (!hazards) return hazards.error().message();
    if (hazards->empty()) return "B is a legal reschedule of A";
    return "B is an ILLEGAL reschedule of A " + summary_of(*hazards);
}

Json document_of(const MeasureOptions& options, const ShapesComparison& all, bool same_bytes) {
    const Comparison& c = all.first();
    Json loads = Json::array();
    for (const auto& samples : c.samples_by_load)
        loads.push_back(samples);
    return {{"a", options.a},
            {"b", options.b},
            {"result", to_json(all.outcome, EvaluatorKind::Gpu)},
            {"cost_a_us", c.cost_a_us},
            {"cost_b_us", c.cost_b_us},
            {"outputs_equal", all.outputs_equal()},
            {"input_sets", c.input_sets},
            {"loads", c.loads},
            {"processes", c.samples_by_load.size()},
            {"cache", to_string(options.gpu.judged_with())},
            {"alpha", kConfirmAlpha / options.candidates_tried},
            {"shapes", shapes_document(all)},
            {"tried", options.candidates_tried},
            {"same_bytes", same_bytes},
            {"energy", energy_json(c.energy)},
            {"machine", to_json(c.machine)},
            {"log_ratio_samples_by_load", loads}};
}

}  // namespace

Result<int> run_measure(const MeasureOptions& options) {
    if (is_session_file(options.a)) return run_measure_step(options);
    StopOnSignal stop;
    if (options.b.empty())
        return fail(ErrorCode::BadUse, "needs a second cubin to compare with, or a session", options.a);
    auto chosen_a = TRY(open_kernel(options.a, options));
    auto chosen_b = TRY(open_counterpart(options.b, chosen_a));
    for (const KernelChoice* choice : {&chosen_a, &chosen_b})
        TRY(check_linked(*choice->cubin));
    const std::shared_ptr<const Cubin>&a = chosen_a.cubin, &b = chosen_b.cubin;
    auto kernel = TRY(Kernel::load(a, chosen_a.kernel));
    auto workload = TRY(find_workload(*kernel, options.workload));
    if (!workload)
        return fail(ErrorCode::BadUse,
                    "no workload: give --workload, or write one with `cubinlab workload init`", options.a);
    const MeasureSettings settings{.gpu = options.gpu.settings(options.seed),
                                   .loads = options.loads,
                                   .alpha = kConfirmAlpha / options.candidates_tried,
                                   .energy = !options.no_energy};
    const auto all =
        TRY(measure_cubins(a->bytes(), b->bytes(), kernel->arch(), *workload, settings, stop.token()));
    const bool usable = all.outcome.ok();
    const std::string legality = legality_text(kernel, *b);
    const bool same_bytes = a->file_hash() == b->file_hash();
    if (options.json) {
        Json document = document_of(options, all, same_bytes);
        document["legality"] = legality;
        return print_document(document, usable ? 0 : 1);
    }
    if (!usable) {
        print_line(no_figure_line(all));
        for (const std::string& line : shape_lines(all))
            print_line(line);
        return 1;
    }
    const Comparison& c = all.first();
    print_line(fmt::format("{}  B against A {}{}", to_string(all.outcome.verdict),
                           percent_text(all.outcome.speedup), over_words(all.figures())));
    for (const std::string& line : shape_lines(all))
        print_line(line);
    print_line(fmt::format(
        "  interval for an error probability of {:.2g}{}{}", settings.alpha,
        all.several() ? ", those of all shapes and of their mean together" : "",
        options.candidates_tried > 1 ? fmt::format(" (0.01 shared among {} tried)", options.candidates_tried) : std::string()));
    if (same_bytes) print_line("  A and B are the same file: any verdict but SAME or UNCLEAR would be false");
    print_line(fmt::format(
        "  {}A {:.3f} us, B {:.3f} us a launch, {} cache, {} fresh loads of each in {} fresh "
        "processes, {} pairs",
        all.several() ? fmt::format("shape {}: ", all.names.front()) : "", c.cost_a_us, c.cost_b_us,
        to_string(options.gpu.judged_with()), c.loads, c.samples_by_load.size(), c.outcome.pairs));
    print_line(fmt::format("  outputs {} on {} input sets; {}", all.outputs_equal() ? "equal" : "DIFFER",
                           c.input_sets, c.machine.device));
    for (const std::string& line : condition_lines(c))
        print_line("  " + line);
    print_line("  " + legality);
    return 0;
}

}  // namespace cubinlab::cli
