// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/workflow/evaluator_choice.h"

namespace cubinlab::cli {

GpuSettings GpuOptions::settings(std::uint64_t seed) const {
    GpuSettings out;
    out.worker_command = worker;
    out.device = device;
    out.flush_l2 = cold;
    out.seed = seed;
    return out;
}

namespace {

Json document_of(const MeasureOptions& options, const Comparison& c) {
    Json loads = Json::array();
    for (const auto& samples : c.samples_by_load)
        loads.push_back(samples);
    return {{"a", options.a},
            {"b", options.b},
            {"result", to_json(c.outcome)},
            {"cost_a_us", c.cost_a_us},
            {"cost_b_us", c.cost_b_us},
            {"outputs_equal", c.outputs_equal},
            {"input_sets", c.input_sets},
            {"loads", c.loads},
            {"cache", options.gpu.cold ? "cold" : "hot"},
            {"machine", to_json(c.machine)},
            {"log_ratio_samples_by_load", loads}};
}

}  // namespace

int run_measure(const MeasureOptions& options) {
    StopOnSignal stop;
    auto a = Cubin::open(options.a);
    if (!a) return print_error(a.error(), options.json);
    auto b = Cubin::open(options.b);
    if (!b) return print_error(b.error(), options.json);
    auto kernel = Kernel::load(*a, options.kernel);
    if (!kernel) return print_error(kernel.error(), options.json);
    if (auto other = (*b)->kernel((*kernel)->name()); !other) return print_error(other.error(), options.json);
    auto workload = find_workload(**kernel, options.workload);
    if (!workload) return print_error(workload.error(), options.json);
    if (!*workload)
        return print_error(
            {ErrorCode::BadUse, "no workload: give --workload, or write one with `cubinlab workload init`",
             options.a},
            options.json);
    const GpuSettings settings = options.gpu.settings(options.seed);
    const GpuPresence gpu = probe_gpu(settings);
    if (!gpu.present)
        return print_error({ErrorCode::NoGpu, "no usable GPU: " + gpu.reason, {}}, options.json);
    if (!gpu_runs(gpu.sm, (*kernel)->arch()))
        return print_error(
            {ErrorCode::NoGpu,
             fmt::format("{} (sm_{}) cannot run a {} cubin", gpu.device, gpu.sm, (*kernel)->arch().name()),
             options.a},
            options.json);
    auto c = compare_cubins((*a)->bytes(), (*b)->bytes(), **workload, settings, options.loads, stop.token());
    if (!c) return print_error(c.error(), options.json);
    const bool usable = c->outcome.ok();
    if (options.json) return print_document(document_of(options, *c), usable ? 0 : 1);
    if (!usable) {
        print_line(fmt::format("{}: {}", to_string(c->outcome.kind), c->outcome.detail));
        return 1;
    }
    print_line(fmt::format("{}  B against A {} [{}, {}]", to_string(c->outcome.verdict),
                           speedup_text(c->outcome.log_speedup), speedup_text(c->outcome.low),
                           speedup_text(c->outcome.high)));
    print_line(fmt::format("  A {:.3f} us, B {:.3f} us a launch, {} cache, {} fresh loads of each, {} pairs",
                           c->cost_a_us, c->cost_b_us, options.gpu.cold ? "cold" : "hot", c->loads,
                           c->outcome.pairs));
    print_line(fmt::format("  outputs {} on {} input sets; {}", c->outputs_equal ? "equal" : "DIFFER",
                           c->input_sets, c->machine.device));
    return 0;
}

}  // namespace cubinlab::cli
