// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/workflow/run_report.h"

#ifndef CUBINLAB_VERSION
#define CUBINLAB_VERSION "development"
#endif

namespace cubinlab::cli {

int run_report(const ReportCommandOptions& options) {
    const StopOnSignal stop;
    const std::string out =
        options.out.empty() ? std::filesystem::path(options.session).stem().string() + ".html" : options.out;
    cubinlab::ReportOptions more;
    if (options.minimise) more.gpu = options.gpu.settings();
    auto written = write_report(options.session, options.run, out, CUBINLAB_VERSION, stop.token(), more);
    if (!written) return print_error(written.error(), options.json);
    if (options.json)
        return print_document(
            {{"session", options.session}, {"run", options.run}, {"out", out}, {"bytes", *written}});
    print_line(fmt::format("wrote {} ({} bytes)", out, *written));
    return 0;
}

}  // namespace cubinlab::cli
