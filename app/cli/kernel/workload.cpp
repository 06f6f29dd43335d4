// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/workload.h"
#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/file.h"
#include "core/base/output_file.h"

namespace cubinlab::cli {

struct WorkloadInitOptions : Common {
    std::string file, out;
    bool force = false;
};

Result<int> run_workload_init(const WorkloadInitOptions& options) {
    auto input = TRY(open_kernel(options.file, options));
    auto kernel = TRY(input.cubin->kernel(input.kernel));
    const std::string text = workload_template(*kernel, input.triton.get());
    if (options.out.empty() && !options.json) {
        print_text(text);
        return 0;
    }
    std::string replaced;
    if (!options.out.empty()) {
        // A completed template is the user's work: only --force replaces it.
        replaced = TRY(check_output({options.out, {options.file, input.cubin->where()}, {}, options.force}));
        TRY(write_text(options.out, text));
    }
    if (options.json)
        return print_document({{"file", options.file},
                               {"kernel", kernel->name},
                               {"out", options.out},
                               {"replaced", replaced},
                               {"template", text}});
    print_line(wrote_text(options.out, replaced));
    return 0;
}

void add_workload(CommandTable& table) {
    auto* group = table.add_group("workload", "launch descriptions");
    auto [sub, options] =
        table.add("init", "a commented template from the parameter table", run_workload_init, group);
    sub->add_option("FILE", options.file, kAnyFile)->required();
    sub->add_option("--out", options.out, "file to write; default: standard output");
    add_force(sub, options.force);
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
