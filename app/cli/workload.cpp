// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/workload.h"
#include "app/cli/output.h"
#include "core/base/file.h"

namespace cubinlab::cli {

int run_workload_init(const WorkloadInitOptions& options) {
    auto cubin = Cubin::open(options.file);
    if (!cubin) return print_error(cubin.error(), options.json);
    auto kernel = (*cubin)->kernel(options.kernel);
    if (!kernel) return print_error(kernel.error(), options.json);
    const std::string text = workload_template(**kernel);
    if (options.out.empty() && !options.json) {
        print_line(text);
        return 0;
    }
    if (!options.out.empty()) {
        std::error_code ignored;
        if (std::filesystem::exists(options.out, ignored))
            return print_error(
                {ErrorCode::BadUse, "exists already; remove it or choose another name", options.out},
                options.json);
        if (auto written = write_text(options.out, text); !written)
            return print_error(written.error(), options.json);
    }
    if (options.json)
        return print_document(
            {{"file", options.file}, {"kernel", (*kernel)->name}, {"out", options.out}, {"template", text}});
    print_line("wrote " + options.out);
    return 0;
}

}  // namespace cubinlab::cli
