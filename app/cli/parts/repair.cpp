// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab check BAD --against ORIG --repair OUT`: writes the nearest legal schedule as a cubin.
#include "core/tuning/repair.h"

#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/parts/kernel_input.h"
#include "app/cli/parts/repair.h"
#include "core/evidence/export_cubin.h"
#include "core/evidence/output_provenance.h"

namespace cubinlab::cli {

Result<int> run_repair(const CheckOptions& options) {
    if (options.against.empty())
        return fail(ErrorCode::BadUse, "--repair needs the original: --against ORIG", "check");
    auto original = TRY(open_kernel(options.against, options));
    auto bad = TRY(open_counterpart(options.file, original));
    auto kernel = TRY(Kernel::load(original.cubin, original.kernel));
    OutputFile file{options.repair, {options.file, options.against}, {}, options.force};
    file.bytes = original.cubin->bytes().size() + 4096;
    auto replaced = TRY(check_cubin_output(file, kernel->hash()));
    auto schedule = TRY(Schedule::match(kernel, *bad.cubin));
    auto checker = TRY(HazardChecker::create(kernel));
    auto repaired = TRY(repair(*checker, schedule));
    auto report = TRY(export_cubin(repaired.schedule, options.repair, Claim()));
    const std::string changes = repaired.changes.text(*kernel);
    if (options.json) {
        Json explanations = Json::array();
        for (const Hazard& h : repaired.hazards)
            explanations.push_back(h.explanation);
        return print_document({{"file", options.file},
                               {"against", options.against},
                               {"kernel", kernel->name()},
                               {"findings", explanations},
                               {"edits_wanted", repaired.edits_wanted},
                               {"edits_kept", repaired.edits_kept},
                               {"given_up", repaired.changes.encode()},
                               {"given_up_text", changes},
                               {"out", options.repair},
                               {"replaced", replaced}});
    }
    print_line(fmt::format("{}: {} findings; {} edits against the original, the repaired schedule has {}",
                           kernel->name(), repaired.hazards.size(), repaired.edits_wanted,
                           repaired.edits_kept));
    for (const Hazard& h : repaired.hazards)
        print_line(fmt::format("  {}: {}", to_string(h.rule), h.explanation));
    print_line("changed: " + changes);
    print_line(wrote_text(options.repair, replaced) + ": " + report.stamp);
    return 0;
}

}  // namespace cubinlab::cli
