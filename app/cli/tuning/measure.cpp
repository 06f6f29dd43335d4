// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "app/cli/parts/measure_step.h"
#include "app/cli/parts/shape_lines.h"
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

// What is known of both before anything is measured.
struct Pair {
    std::string legality;
    bool same_bytes = false;
};

Json document_of(const MeasureOptions& options, const Measured& measured, double alpha, const Pair& pair) {
    const ShapesComparison& all = measured.comparison;
    Json out = details_document(all);
    out["processes"] = all.first().details.by_load.size();
    out["a"] = options.a;
    out["b"] = options.b;
    out["result"] = to_json(all.outcome, EvaluatorKind::Gpu);
    out["outputs_equal"] = all.outputs_equal();
    out["cache"] = to_string(measured.cache);
    out["alpha"] = alpha;
    out["shapes"] = shapes_document(all);
    out["tried"] = options.candidates_tried;
    out["same_bytes"] = pair.same_bytes;
    out["machine"] = to_json(all.first().machine);
    out["legality"] = pair.legality;
    return out;
}

void print_measured(const MeasureOptions& options, const Measured& measured, double alpha, const Pair& pair) {
    const ShapesComparison& all = measured.comparison;
    if (!all.outcome.ok()) {
        print_line(no_figure_line(all));
        for (const std::string& line : shape_lines(all))
            print_line(line);
        return;
    }
    const Comparison& c = all.first();
    print_line(fmt::format("{}  B against A {}{}", to_string(all.outcome.verdict),
                           percent_text(all.outcome.speedup), over_words(all.figures())));
    for (const std::string& line : shape_lines(all))
        print_line(line);
    print_line(fmt::format("  interval for an error probability of {:.2g}{}{}", alpha,
                           all.several() ? ", those of all shapes and of their mean together" : "",
                           options.candidates_tried > 1
                               ? fmt::format(" (0.01 shared among {} tried)", options.candidates_tried)
                               : std::string()));
    if (pair.same_bytes)
        print_line("  A and B are the same file: any verdict but SAME or UNCLEAR would be false");
    print_line(
        fmt::format("  {}A {:.3f} us, B {:.3f} us per launch, {} cache, {} fresh loads of each in {} fresh "
                    "processes, {} pairs",
                    all.several() ? fmt::format("shape {}: ", all.names.front()) : "",
                    c.details.cost_original_us, c.outcome.cost, to_string(measured.cache), c.details.loads,
                    c.details.by_load.size(), c.outcome.pairs));
    print_line(fmt::format("  outputs {} on {} input sets; {}", all.outputs_equal() ? "equal" : "DIFFER",
                           c.details.input_sets, c.machine.device));
    for (const std::string& line : condition_lines(c))
        print_line("  " + line);
    print_line("  " + pair.legality);
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
    const Pair pair{legality_text(kernel, *b), a->file_hash() == b->file_hash()};
    const auto measured =
        TRY(measure_cubins(a->bytes(), b->bytes(), kernel->arch(), *workload, settings, stop.token()));
    const double alpha = settings.alpha / static_cast<double>(measured.size());
    const bool usable =
        std::ranges::all_of(measured, [](const Measured& m) { return m.comparison.outcome.ok(); });
    Json documents = Json::array();
    for (const Measured& one : measured) {
        if (options.json)
            documents.push_back(document_of(options, one, alpha, pair));
        else
            print_measured(options, one, alpha, pair);
    }
    if (!options.json) return usable ? 0 : 1;
    return print_document(documents.size() == 1 ? documents.front() : Json{{"measured", documents}},
                          usable ? 0 : 1);
}

void add_measure(CommandTable& table) {
    auto [sub, options] = table.add("measure", "verdict of B against A on a GPU, with interval", run_measure);
    sub->add_option("A", options.a,
                    "cubin or a file that contains it, or a session, to compare a step with its original")
        ->required();
    sub->add_option("B", options.b, "cubin or a file that contains it; not with a session");
    sub->add_option("--workload", options.workload, "default: NAME.workload.json next to A");
    sub->add_option("--candidates-tried", options.candidates_tried,
                    "number of candidates from which you chose B with this command: widens the interval")
        ->check(whole(1, 1'000'000));
    sub->add_flag("--no-energy", options.no_energy, "skip the energy of a launch (saves seconds)");
    sub->add_option("--run", options.run, "with a session: run number; 0: the newest with a step")
        ->check(whole(0, kAnyId));
    sub->add_option("--step", options.step, "with a session: step number or best");
    sub->add_option("--loads", options.loads, "fresh module loads of each")->check(whole(2, 1000));
    sub->add_option("--seed", options.seed, "seed of inputs and order")->check(whole(0, kAny));
    add_allow_files(sub, options.allow_files);
    add_gpu(sub, options.gpu);
    add_cache(sub, options.gpu);
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
