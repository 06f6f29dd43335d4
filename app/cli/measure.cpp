// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/condition_lines.h"
#include "app/cli/kernel_input.h"
#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/analysis/legality_of.h"
#include "core/claims/step_measurement.h"
#include "core/jobs/evaluator_choice.h"

namespace cubinlab::cli {

namespace {

// What the checker says of B as a reschedule of A: equal outputs on some inputs prove nothing.
std::string legality_text(const KernelPtr& a, const Cubin& b) {
    auto schedule = Schedule::match(a, b);
    if (!schedule) return "B is no reschedule of A: " + schedule.error().message();
    const auto hazards = legality_of(*schedule);
    if (!hazards) return hazards.error().message();
    if (hazards->empty()) return "B is a legal reschedule of A";
    return "B is an ILLEGAL reschedule of A " + summary_of(*hazards);
}

Json document_of(const MeasureOptions& options, const Comparison& c, bool same_bytes) {
    Json loads = Json::array();
    for (const auto& samples : c.samples_by_load)
        loads.push_back(samples);
    return {{"a", options.a},
            {"b", options.b},
            {"result", to_json(c.outcome, EvaluatorKind::Gpu)},
            {"cost_a_us", c.cost_a_us},
            {"cost_b_us", c.cost_b_us},
            {"outputs_equal", c.outputs_equal},
            {"input_sets", c.input_sets},
            {"loads", c.loads},
            {"processes", c.samples_by_load.size()},
            {"cache", options.gpu.cold ? "cold" : "hot"},
            {"alpha", c.outcome.alpha},
            {"tried", options.tried},
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
    const GpuSettings settings = options.gpu.settings(options.seed);
    const GpuPresence gpu = probe_gpu(settings);
    if (!gpu.present) return fail(ErrorCode::NoGpu, "no usable GPU: " + gpu.reason);
    if (!gpu_runs(gpu.sm, kernel->arch()))
        return fail(
            ErrorCode::NoGpu,
            fmt::format("{} (sm_{}) cannot run a {} cubin", gpu.device, gpu.sm, kernel->arch().name()),
            options.a);
    CompareOptions compare;
    compare.alpha = kConfirmAlpha / options.tried;
    if (options.no_energy) compare.energy_ms = 0;
    auto c = TRY(
        compare_cubins(a->bytes(), b->bytes(), *workload, settings, options.loads, stop.token(), compare));
    bool usable = c.outcome.ok();
    // The other shapes of the workload, each a comparison of its own.
    Json shape_documents = Json::array();
    std::vector<std::string> shape_lines;
    for (const Workload& shape : workload->shapes) {
        if (!c.outcome.ok()) break;
        auto other = TRY(
            compare_cubins(a->bytes(), b->bytes(), shape, settings, options.loads, stop.token(), compare));
        const Outcome& o = other.outcome;
        usable = usable && o.ok();
        shape_documents.push_back({{"name", shape.name},
                                   {"result", to_json(o, EvaluatorKind::Gpu)},
                                   {"cost_a_us", other.cost_a_us},
                                   {"cost_b_us", other.cost_b_us},
                                   {"outputs_equal", other.outputs_equal},
                                   {"energy", energy_json(other.energy)},
                                   {"log_ratio_samples_by_load", other.samples_by_load}});
        shape_lines.push_back(
            o.ok() ? fmt::format("shape {}: {}  {} [{}, {}], A {:.3f} us, B {:.3f} us", shape.name,
                                 to_string(o.verdict), speedup_text(o.log_speedup), speedup_text(o.low),
                                 speedup_text(o.high), other.cost_a_us, other.cost_b_us)
                   : fmt::format("shape {}: {}: {}", shape.name, to_string(o.kind), o.detail));
    }
    const std::string legality = legality_text(kernel, *b);
    const bool same_bytes = a->file_hash() == b->file_hash();
    if (options.json) {
        Json document = document_of(options, c, same_bytes);
        document["shapes"] = shape_documents;
        document["legality"] = legality;
        return print_document(document, usable ? 0 : 1);
    }
    if (!c.outcome.ok()) {
        print_line(fmt::format("{}: {}", to_string(c.outcome.kind), c.outcome.detail));
        return 1;
    }
    print_line(fmt::format("{}  B against A {} [{}, {}]", to_string(c.outcome.verdict),
                           speedup_text(c.outcome.log_speedup), speedup_text(c.outcome.low),
                           speedup_text(c.outcome.high)));
    print_line(fmt::format(
        "  interval for an error probability of {:.2g}{}", c.outcome.alpha,
        options.tried > 1 ? fmt::format(" (0.01 shared among {} tried)", options.tried) : std::string()));
    if (same_bytes) print_line("  A and B are the same file: any verdict but SAME or UNCLEAR would be false");
    print_line(
        fmt::format("  A {:.3f} us, B {:.3f} us a launch, {} cache, {} fresh loads of each in {} fresh "
                    "processes, {} pairs",
                    c.cost_a_us, c.cost_b_us, options.gpu.cold ? "cold" : "hot", c.loads,
                    c.samples_by_load.size(), c.outcome.pairs));
    print_line(fmt::format("  outputs {} on {} input sets; {}", c.outputs_equal ? "equal" : "DIFFER",
                           c.input_sets, c.machine.device));
    for (const std::string& line : condition_lines(c))
        print_line("  " + line);
    print_line("  " + legality);
    for (const std::string& line : shape_lines)
        print_line(line);
    return usable ? 0 : 1;
}

}  // namespace cubinlab::cli
