// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "core/base/version.h"
#include "core/evidence/output_provenance.h"
#include "core/tuning/session_report.h"

namespace cubinlab::cli {

struct ReportCommandOptions : Common {
    std::string session, out;
    GpuOptions gpu;
    bool minimise = false;  // even if this needs measurements on a GPU
    std::int64_t run = 0;   // 0: the newest
    bool force = false, allow_files = false;
};

namespace {

// Checked before the report is made, which takes minutes with --minimise.
Result<std::string> check_place(const ReportCommandOptions& options, const std::string& out) {
    auto reader = TRY(SessionReader::open(options.session));
    auto kernel = TRY(reader->kernel());
    OutputFile file{
        out, {options.session, options.session + "-wal", options.session + "-shm"}, {}, options.force};
    file.bytes = 1 << 20;
    return check_report_output(std::move(file), kernel->hash());
}

}  // namespace

Result<int> run_report(const ReportCommandOptions& options) {
    const StopOnSignal stop;
    const std::string out =
        options.out.empty() ? std::filesystem::path(options.session).stem().string() + ".html" : options.out;
    TRY(check_place(options, out));
    cubinlab::ReportOptions more;
    if (options.minimise) more.gpu = options.gpu.settings();
    if (options.allow_files) more.inputs = InputFiles::Anywhere;
    auto data = TRY(report_of_session(options.session, options.run, stop.token(), more));
    const std::string replaced = TRY(check_place(options, out));
    const RunId run = data.run.id;
    auto written = TRY(write_report(std::move(data), out, version_number()));
    if (options.json)
        return print_document({{"session", options.session},
                               {"run", run},
                               {"out", out},
                               {"replaced", replaced},
                               {"bytes", written}});
    print_line(fmt::format("{} ({} bytes)", wrote_text(out, replaced), written));
    return 0;
}

void add_report(CommandTable& table) {
    auto [sub, options] = table.add("report", "one self-contained HTML file about a run", run_report);
    add_session_run(sub, options.session, options.run);
    sub->add_option("--out", options.out, "HTML file; default: SESSION.html in this folder");
    add_force(sub, options.force);
    add_allow_files(sub, options.allow_files);
    sub->add_flag("--minimise", options.minimise,
                  "find the essential edits, also by a GPU (a minute or more)");
    add_gpu(sub, options.gpu);
    add_cache(sub, options.gpu, kLastState);
    add_common(sub, options, false);
}

}  // namespace cubinlab::cli
