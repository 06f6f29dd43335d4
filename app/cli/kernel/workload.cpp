// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/workload.h"
#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/kernel/kernel_input.h"
#include "core/base/file.h"
#include "core/base/output_file.h"

namespace cubinlab::cli {

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

}  // namespace cubinlab::cli
