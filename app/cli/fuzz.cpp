// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/fuzz.h"

#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/workflow/evaluator_choice.h"

namespace cubinlab::cli {
namespace {

Json document_of(const FuzzOptions& options, const FuzzReport& r) {
    Json failures = Json::array(), rules = Json::object();
    for (const FuzzFailure& f : r.failures)
        failures.push_back(
            {{"outcome", f.outcome}, {"detail", f.detail}, {"edits", f.mutation}, {"text", f.text}});
    for (const auto& [rule, count] : r.bad_by_rule)
        rules[rule] = {{"seen", count.first}, {"all", count.second}};
    return {{"file", options.file},
            {"seed", options.seed},
            {"legal", r.legal},
            {"legal_failed", r.legal_failed},
            {"disagreements", r.disagreements},
            {"mutations", r.mutations},
            {"known_bad", r.bad},
            {"known_bad_seen", r.bad_seen},
            {"known_bad_by_rule", rules},
            {"failures", failures},
            {"ended_early", r.end}};
}

}  // namespace

int run_fuzz(const FuzzOptions& options) {
    StopOnSignal stop;
    auto cubin = Cubin::open(options.file);
    if (!cubin) return print_error(cubin.error(), options.json);
    auto kernel = Kernel::load(*cubin, options.kernel);
    if (!kernel) return print_error(kernel.error(), options.json);
    auto checker = HazardChecker::create(*kernel);
    if (!checker) return print_error(checker.error(), options.json);
    EvaluatorChoice choice;
    if (options.evaluator != "model") {
        auto workload = find_workload(**kernel, options.workload);
        if (!workload) return print_error(workload.error(), options.json);
        auto chosen =
            choose_evaluator(*kernel, *workload, "gpu", options.gpu.settings(options.seed), stop.token());
        if (!chosen) return print_error(chosen.error(), options.json);
        choice = std::move(*chosen);
    }
    FuzzSettings settings;
    settings.candidates = options.steps;
    settings.seed = options.seed;
    settings.bad_every = options.bad_every;
    auto report = fuzz_kernel(*checker, choice.evaluator.get(), settings, stop.token(), {});
    if (!report) return print_error(report.error(), options.json);
    const int code = report->legal_failed || report->disagreements ? 1 : 0;
    if (options.json) return print_document(document_of(options, *report), code);
    print_line(fmt::format("{} legal candidates ({} mutations): {} wrong, {} refused by the full check",
                           report->legal, report->mutations, report->legal_failed, report->disagreements));
    print_line(fmt::format("{} known-bad candidates: {} seen in the outputs", report->bad, report->bad_seen));
    for (const FuzzFailure& f : report->failures)
        print_line(fmt::format("  {}: {} [{}] {}", f.outcome, f.detail, f.mutation, f.text));
    if (!report->end.empty()) print_line("ended early: " + report->end);
    return code;
}

}  // namespace cubinlab::cli
