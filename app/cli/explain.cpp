// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/explain_text.h"
#include "app/cli/kernel_input.h"
#include "app/cli/output.h"
#include "core/jobs/evaluator_choice.h"

namespace cubinlab::cli {

namespace {

// The launch is the kernel's, whichever of its schedules it stands beside: an export has none of its own.
Result<std::optional<Workload>> workload_of_either(const Kernel& kernel, const KernelChoice& choice,
                                                   const ExplainOptions& options) {
    auto own = find_workload(kernel, options.workload);
    if (!own || *own || options.against.empty()) return own;
    auto other = open_counterpart(options.against, choice);
    if (!other) return fail(other.error());
    auto loaded = Kernel::load(other->cubin, other->kernel);
    if (!loaded) return fail(loaded.error());
    return find_workload(**loaded, {});
}

}  // namespace

int run_explain(const ExplainOptions& options) {
    auto input = open_kernel(options.file, options);
    if (!input) return print_error(input.error(), options.json);
    auto kernel = Kernel::load(input->cubin, input->kernel);
    if (!kernel) return print_error(kernel.error(), options.json);
    if (!(*kernel)->arch().decodable())
        return print_error({ErrorCode::Unsupported,
                            fmt::format("{} code is not decoded, so that the model knows nothing of it",
                                        (*kernel)->arch().name()),
                            options.file},
                           options.json);
    auto workload = workload_of_either(**kernel, *input, options);
    if (!workload) return print_error(workload.error(), options.json);
    const ExplainSettings settings = explain_settings(**kernel, *workload);
    const Explainer explainer(*kernel, settings.model, settings.trips);
    const Schedule schedule(*kernel);
    const Explanation before = explainer.explain(schedule);
    Json out = {{"file", options.file},
                {"kernel", (*kernel)->name()},
                {"arch", (*kernel)->arch().name()},
                {"unit", "modelled cycles"},
                {"threads_per_block", settings.model.threads_per_block},
                {"threads_from", settings.threads_from}};
    out.update(to_json(**kernel, before));
    if (options.against.empty()) {
        if (options.json) return print_document(out);
        print_explanation(**kernel, before, settings);
        return 0;
    }
    auto other = open_counterpart(options.against, *input);
    if (!other) return print_error(other.error(), options.json);
    auto right = Schedule::match(*kernel, *other->cubin);
    if (!right) return print_error(right.error(), options.json);
    const Explanation after = explainer.explain(*right);
    const ExplanationChange change = compare(schedule, before, *right, after);
    if (!options.json) {
        print_explanation(**kernel, before, settings);
        print_change(**kernel, before, after, change);
        return 0;
    }
    out["against"] = {{"file", options.against}};
    out["against"].update(to_json(**kernel, after));
    out["change"] = to_json(**kernel, before, after, change);
    return print_document(out);
}

}  // namespace cubinlab::cli
