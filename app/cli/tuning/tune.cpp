// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/kernel/self_check_note.h"
#include "app/cli/tuning/lazy_sink.h"
#include "app/cli/tuning/tune_plan.h"
#include "app/cli/tuning/tune_report.h"
#include "core/base/file.h"
#include "core/evidence/claim.h"
#include "core/evidence/export_cubin.h"
#include "core/evidence/output_provenance.h"
#include "core/sass/disassembler.h"
#include "core/store/instruction_ranges.h"
#include "core/store/kept_steps.h"
#include "core/tuning/new_run.h"

namespace cubinlab::cli {
namespace {

std::string listing_for_session(const Kernel& kernel) {
    auto text = read_text(default_listing_path(kernel.cubin().where()));
    return text ? *text : std::string{};
}

struct OpenRun {
    std::shared_ptr<SessionWriter> session;
    RunId id = 0;  // 0: it has no logged step
    std::unique_ptr<RunSink> sink;
};

// The session gets the run with its first step, so that it contains no run without a step.
Status open_run(OpenRun& run, const TuneOptions& options, const TuneInputs& in, const TunePlan& plan,
                const EvaluatorInfo& evaluator) {
    auto session = SessionWriter::open(options.session, in.kernel, in.workload ? in.workload->json : "",
                                       listing_for_session(*in.kernel));
    if (!session) return fail(session.error());
    run.session = *session;
    run.id = plan.id;
    if (plan.id != 0) {
        // This process is now the only writer; another may have written since the log was read.
        auto reader = TRY(SessionReader::open(options.session));
        auto now = TRY(reader->run(plan.id));
        if (now.steps + 1 != plan.settings.first_step)
            return fail(ErrorCode::Busy, fmt::format("run {} has grown meanwhile; try again", plan.id),
                        options.session);
        run.sink = std::make_unique<LazySink>([session = run.session, id = plan.id, evaluator] {
            return session->continue_run(id, evaluator);
        });
        return {};
    }
    auto header = header_of(plan.settings, evaluator, Schedule(in.kernel), plan.locked);
    run.sink = std::make_unique<LazySink>([&run, header = std::move(header), kernel = in.kernel] {
        return run.session->begin_run(header, Schedule(kernel), &run.id);
    });
    return {};
}

struct Written {
    std::string stamp;     // empty: nothing was written
    std::string replaced;  // the kind of file that it replaced
    std::string kept;      // the earlier export that stays, because the run found nothing better
};

// Writes the best schedule with the claim that the session supports, as `export` would. If nothing beat the
// start, an earlier export stays.
Result<Written> write_best(const TuneOptions& options, const TuneInputs& in, const OpenRun& run,
                           const Schedule& best, StepId step) {
    Written out;
    if (step == 0) out.kept = own_cubin(options.out, in.kernel->hash());
    if (!out.kept.empty()) return out;
    auto reader = TRY(SessionReader::open(options.session));
    auto info = TRY(reader->run(run.id));
    auto claim = TRY(claim_of(*reader, in.kernel, info, step, options.session));
    out.replaced = TRY(check_cubin_output(cubin_to_write(options, in), in.kernel->hash()));
    auto report = TRY(export_cubin(best, options.out, claim));
    out.stamp = report.stamp;
    return out;
}

// Called while this process can still write the session.
Again measure_best_again(const TuneOptions& options, const TuneInputs& in, const TunePlan& plan,
                         const OpenRun& run, const Schedule& best, StepId step, const std::stop_token& stop) {
    auto measured = measure_again(best, *in.workload, gpu_for_tune(options, plan), run.id, step,
                                  options.final_processes, stop);
    if (!measured) return {{}, measured.error().message()};
    for (const MeasuredAgain& again : *measured)
        if (auto added = run.session->add_measurement(again.record); !added)
            return {{}, added.error().message()};
    return {std::move(*measured), {}};
}

// Another file is now in the way, or the disk is full: the session still has the result.
Error not_written(Error error, const TuneOptions& options, RunId run) {
    error.what += fmt::format(
        "; nothing is lost: `cubinlab export {} --run {} --out OTHER.cubin` writes the best of the run",
        options.session, run);
    return error;
}

std::string kernel_of(SessionReader& session) {
    auto kernel = session.kernel();
    return kernel ? (*kernel)->name() : std::string();
}

}  // namespace

Result<int> run_tune(const TuneOptions& given) {
    StopOnSignal stop;
    TuneOptions options = given;
    auto budget = TRY(Budget::parse(options.budget));
    if (options.final_processes == 1)
        return fail(ErrorCode::BadUse, "one process cannot show how processes differ: give 2 at least, or 0",
                    "--final-processes");
    if (options.session.empty()) {
        if (options.resume >= 0) return fail(ErrorCode::BadUse, "--resume needs --session");
        options.session = std::filesystem::path(options.file).stem().string() + ".cubinlab.db";
    }
    auto in = read_tune_inputs(options);
    std::shared_ptr<SessionReader> log;
    if (!in && options.resume >= 0 && options.kernel.empty()) {
        // If the file has several kernels, a resumed run uses the kernel of its session.
        if (auto opened = SessionReader::open(options.session); opened) log = *opened;
        if (log) options.kernel = kernel_of(*log);
        if (!options.kernel.empty()) in = read_tune_inputs(options);
    }
    if (!in) return fail(in.error());
    auto plan = TRY(plan_tune(options, *in, budget, std::move(log), stop.token()));
    SearchContext context{in->kernel,  in->checker, plan.settings.seed, plan.settings.agent_settings,
                          plan.locked, {},          plan.start};
    auto searcher = TRY(make_searcher(plan.settings.agent, context));
    auto choice = TRY(choose_for_tune(options, *in, plan, stop.token()));
    const EvaluatorInfo evaluator = choice.evaluator->info();
    if (!plan.resumed) plan.settings.batch = options.batch ? options.batch : batch_for(evaluator);
    ProgressStream progress(options.progress, options.json);  // outlives the session's writer, which calls it
    OpenRun run;
    std::error_code ignored;
    const bool made_here = !std::filesystem::exists(options.session, ignored);
    TRY(open_run(run, options, *in, plan, evaluator));

    const std::size_t own = note_self_check(in->kernel);
    if (!options.json && !options.progress) print_start(options, *in, plan, choice);
    run.session->on_durable([&progress](RunId, StepId step) { progress.durable(step); });
    TuneRun tune(context, plan.settings, std::move(searcher), *choice.evaluator, run.sink.get(), &progress);
    if (plan.resumed)
        if (auto resumed = tune.resume_from(*plan.resumed->history); !resumed)
            return fail(resumed.error().code, resumed.error().message(), options.session);
    auto summary = tune.run(stop.token());
    run.sink.reset();
    if (!summary) {  // read while the writer is open: on a full disk a reader cannot create a file
        const Error ended = with_what_is_kept(summary.error(), options.session, run.id);
        (void)run.session->close();
        return fail(ended);
    }
    Again again;
    if (options.final_processes > 0 && run.id != 0 && worth_measuring_again(*summary, evaluator)) {
        choice.evaluator.reset();  // its worker uses memory of the GPU
        progress.on_doing(fmt::format("measures the best again in {} fresh processes{}",
                                      options.final_processes,
                                      in->workload->shapes.empty() ? "" : " for each shape"));
        again = measure_best_again(options, *in, plan, run, tune.best(), summary->best_step, stop.token());
    } else if (evaluator.kind == EvaluatorKind::Gpu && summary->best_step != 0 && summary->end == "stopped") {
        again.problem =
            fmt::format("the run was stopped; `cubinlab measure {}` measures it", options.session);
    }
    if (auto closed = run.session->close(); !closed)
        return fail(with_what_is_kept(closed.error(), options.session, run.id));

    // A session without a run is useless.
    if (made_here && run.id == 0) {
        for (const char* side : {"", "-wal", "-shm"})
            std::filesystem::remove(options.session + side, ignored);
        options.session.clear();
    }
    Written written;
    if (!options.out.empty() && run.id != 0) {
        auto done = write_best(options, *in, run, tune.best(), summary->best_step);
        if (!done) {
            if (!options.json) print_summary(options, *summary, evaluator, plan, again, {}, {});
            return fail(not_written(done.error(), options, run.id));
        }
        written = std::move(*done);
    }
    const std::string not_written =
        !options.out.empty() && run.id == 0 ? "nothing was evaluated, so nothing was written" : "";
    const int code = summary->end.starts_with("evaluator lost") || !not_written.empty() ? 1 : 0;
    if (options.json)
        return print_document(
            {{"file", options.file},
             {"kernel", in->kernel->name()},
             {"agent", plan.settings.agent},
             {"seed", plan.settings.seed},
             {"budget", budget.text()},
             {"evaluator", to_json(evaluator)},
             {"note", choice.note},
             {"original_findings", own},
             {"session", options.session},
             {"run", run.id},
             {"locked", ranges_text(plan.locked)},
             {"starts", plan.starts ? plan.starts->count : 0},
             {"starts_left_out", plan.starts ? plan.starts->left_out : std::vector<std::string>{}},
             {"against", plan.against_start ? "the start of the run" : "the original"},
             {"summary", summary_json(*summary)},
             {"again", again_json(again)},
             {"out", written.stamp.empty() ? "" : options.out},
             {"replaced", written.replaced},
             {"kept", written.kept},
             {"stamp", written.stamp}},
            code);
    print_summary(options, *summary, evaluator, plan, again, written.stamp, written.replaced);
    if (!written.kept.empty())
        print_line(fmt::format("{}: {} stays, because nothing better was found", options.out, written.kept));
    if (!not_written.empty()) print_line(options.out + ": " + not_written);
    return code;
}

}  // namespace cubinlab::cli
