// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/kernel/explain_text.h"
#include "app/cli/kernel/kernel_input.h"
#include "app/cli/kernel/self_check_note.h"
#include "core/legality/legality_of.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab::cli {

namespace {

// The launch belongs to the kernel, so its workload serves every schedule: an export has no workload file.
Result<std::optional<Workload>> workload_of_either(const Kernel& kernel, const KernelChoice& choice,
                                                   const ExplainOptions& options) {
    auto own = find_workload(kernel, options.workload);
    if (!own || *own || options.against.empty()) return own;
    auto other = TRY(open_counterpart(options.against, choice));
    auto loaded = TRY(Kernel::load(other.cubin, other.kernel));
    return find_workload(*loaded, {});
}

}  // namespace

Result<int> run_explain(const ExplainOptions& options) {
    auto input = TRY(open_kernel(options.file, options));
    auto kernel = TRY(Kernel::load(input.cubin, input.kernel));
    if (!kernel->arch().decodable())
        return fail(ErrorCode::Unsupported,
                    fmt::format("the decoder does not know {} code, so the model cannot explain it",
                                kernel->arch().name()),
                    options.file);
    auto workload = TRY(workload_of_either(*kernel, input, options));
    const ExplainSettings settings = explain_settings(*kernel, workload);
    const Explainer explainer(kernel, settings.model);
    const Schedule schedule(kernel);
    const Explanation before = explainer.explain(schedule);
    Json out = {{"file", options.file},
                {"kernel", kernel->name()},
                {"arch", kernel->arch().name()},
                {"unit", "modelled cycles"},
                {"threads_per_block", settings.model.threads_per_block},
                {"threads_from", settings.threads_from}};
    out.update(to_json(*kernel, before));
    if (options.against.empty()) {
        if (options.json) return print_document(out);
        print_explanation(*kernel, before, settings);
        return 0;
    }
    auto other = TRY(open_counterpart(options.against, input));
    auto right = Schedule::match(kernel, *other.cubin);
    if (!right) {
        Error error = right.error();
        if (error.where.empty()) error.where = options.against;
        return fail(std::move(error));
    }
    const bool judged = kernel->arch().editable();
    Legality findings;
    if (judged) {
        findings = TRY(legality_of(*right));
    }
    const std::size_t own = note_self_check(kernel);
    const Explanation after = explainer.explain(*right);
    const ExplanationChange change = compare(schedule, before, *right, after);
    if (!options.json) {
        print_explanation(*kernel, before, settings);
        print_change(*kernel, before, after, change);
        if (!findings.empty())
            print_line("  not a legal reschedule, so fewer cycles are not a gain " + summary_of(findings));
        return 0;
    }
    out["against"] = {{"file", options.against}};
    out["against"].update(to_json(*kernel, after));
    out["against"]["legal"] = judged ? Json(findings.empty()) : Json(nullptr);
    out["against"]["findings"] = findings.size();
    out["original_findings"] = own;
    out["change"] = to_json(*kernel, before, after, change);
    return print_document(out);
}

}  // namespace cubinlab::cli
