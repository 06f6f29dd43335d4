// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/base/output.h"
#include "app/cli/kernel/self_check_note.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/tuning/tune_plan.h"
#include "app/cli/tuning/tune_report.h"
#include "core/tuning/tune_session.h"

namespace cubinlab::cli {
namespace {

// Another file took the place meanwhile, or the disk is full.
Error with_way_out(Error error, const TuneOptions& options, RunId run) {
    error.what += fmt::format(
        "; nothing is lost: `cubinlab export {} --run {} --out OTHER.cubin` writes the best of the run",
        options.session, run);
    return error;
}

void explain_stop(TuneResult& result, const TunePlan& plan, const TuneOptions& options) {
    const RunSummary& summary = result.summary;
    if (plan.evaluator.kind == EvaluatorKind::Gpu && summary.best_step != 0 && summary.end == RunEnd::Stopped)
        result.final_problem =
            fmt::format("the run was stopped; `cubinlab measure {}` does", options.session);
}

}  // namespace

Result<int> run_tune(const TuneOptions& given) {
    StopOnSignal stop;
    TuneOptions options = given;
    auto request = TRY(tune_request(options));
    const KernelPtr kernel = request.kernel;
    ProgressStream progress(options.progress, options.json);  // outlives the session
    auto session = TRY(TuneSession::prepare(std::move(request), progress, stop.token()));
    const TunePlan& plan = session.plan();
    const std::string note = evaluator_note(options, plan);
    const std::size_t own = note_self_check(kernel);
    if (!options.json && !options.progress) print_start(options, *kernel, plan, note);
    auto result = TRY(session.run(progress, stop.token(), PauseGate()));
    explain_stop(result, plan, options);
    if (result.session_removed) options.session.clear();
    if (result.not_exported) {
        if (!options.json) print_summary(options, plan, result);
        return fail(with_way_out(*result.not_exported, options, result.run));
    }
    const bool unwritten = !options.out.empty() && result.run == 0;
    const int code = result.summary.end == RunEnd::EvaluatorLost || unwritten ? 1 : 0;
    if (options.json) {
        Json document = tune_document(options, *kernel, plan, result, note);
        document["original_findings"] = own;
        return print_document(document, code);
    }
    print_summary(options, plan, result);
    return code;
}

}  // namespace cubinlab::cli
