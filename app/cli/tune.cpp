// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/base/file.h"
#include "core/sass/disassembler.h"
#include "core/workflow/evaluator_choice.h"
#include "core/workflow/export_cubin.h"
#include "core/workflow/step_measurement.h"

#ifndef CUBINLAB_VERSION
#define CUBINLAB_VERSION "development"
#endif

namespace cubinlab::cli {
namespace {

// One JSON line a step on standard error, written after the step was handed to the session's writer.
class ProgressStream : public RunListener {
  public:
    ProgressStream(bool lines, bool quiet) : lines_(lines), quiet_(quiet) {}

    void on_step(const StepRecord& r, const Schedule&) override {
        if (!lines_) return;
        std::fprintf(stderr,
                     "{\"step\":%lld,\"parent\":%lld,\"outcome\":\"%s\",\"log_speedup\":%.9g,\"reward\":%.9g,"
                     "\"best\":%s,\"hash\":\"%s\"}\n",
                     static_cast<long long>(r.step), static_cast<long long>(r.parent),
                     to_string(r.outcome.kind), r.outcome.log_speedup, r.reward, r.best ? "true" : "false",
                     r.schedule_hash.hex().c_str());
    }
    void on_best(const StepRecord& r, const Schedule& s) override {
        if (lines_ || quiet_) return;
        print_line(fmt::format("step {:6d}  best {}  {}", r.step, speedup_text(r.outcome.log_speedup),
                               r.mutation.text(*s.kernel())));
        std::fflush(stdout);
    }
    void on_state(const std::string& state) override {
        if (lines_) std::fprintf(stderr, "{\"state\":\"%s\"}\n", state.c_str());
    }

  private:
    bool lines_, quiet_;
};

std::string utc_now() {
    char text[32];
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

std::string listing_for_session(const Kernel& kernel) {
    auto text = read_text(default_listing_path(kernel.cubin().where()));
    return text ? *text : std::string{};
}

// How many confirmations the interrupted run had made: the error probability is spent over all of them.
std::uint64_t confirmations_of(const std::string& session, RunId run) {
    auto reader = SessionReader::open(session);
    if (!reader) return 0;  // told when the session is opened for writing
    auto info = (*reader)->run(run);
    if (!info) return 0;
    auto steps = (*reader)->steps(info->id);
    return steps ? confirmations_in(*steps) : 0;
}

struct Prepared {
    KernelPtr kernel;
    CheckerPtr checker;
    std::optional<Workload> workload;
    EvaluatorChoice choice;
};

Result<Prepared> prepare(const TuneOptions& options, std::stop_token stop) {
    Prepared p;
    auto cubin = Cubin::open(options.file);
    if (!cubin) return fail(cubin.error());
    auto kernel = Kernel::load(*cubin, options.kernel);
    if (!kernel) return fail(kernel.error());
    p.kernel = *kernel;
    if (!p.kernel->arch().editable())
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{} cubins can be viewed, not tuned: it is not known which copy of their code runs",
                        p.kernel->arch().name()),
            options.file);
    auto checker = HazardChecker::create(p.kernel);
    if (!checker) return fail(checker.error());
    p.checker = *checker;
    auto workload = find_workload(*p.kernel, options.workload);
    if (!workload) return fail(workload.error());
    p.workload = std::move(*workload);
    GpuSettings gpu = options.gpu.settings(options.seed);
    if (options.resume >= 0) gpu.confirmations_before = confirmations_of(options.session, options.resume);
    auto choice = choose_evaluator(p.kernel, p.workload, options.evaluator, gpu, stop);
    if (!choice) return fail(choice.error());
    p.choice = std::move(*choice);
    return p;
}

struct OpenRun {
    std::shared_ptr<SessionWriter> session;
    std::unique_ptr<RunSink> sink;
    RunId id = 0;
    RunSettings settings;
    std::vector<StepRecord> logged;
};

Status resume_into(OpenRun& run, const TuneOptions& options, const EvaluatorInfo& now) {
    auto reader = SessionReader::open(options.session);
    if (!reader) return fail(reader.error());
    auto info = (*reader)->run(options.resume);
    if (!info) return fail(info.error());
    if (info->evaluator.kind != now.kind)
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was evaluated on the {}; continue it with --evaluator {}", info->id,
                                to_string(info->evaluator.kind), to_string(info->evaluator.kind)),
                    options.session);
    auto steps = (*reader)->steps(info->id);
    if (!steps) return fail(steps.error());
    run.id = info->id;
    run.settings.agent = info->agent;
    run.settings.agent_settings = info->agent_settings;
    run.settings.seed = info->seed;
    run.logged = std::move(*steps);
    run.settings.first_step = run.logged.empty() ? 1 : static_cast<std::uint64_t>(run.logged.back().step) + 1;
    auto sink = run.session->continue_run(run.id);
    if (!sink) return fail(sink.error());
    run.sink = std::move(*sink);
    return {};
}

Result<OpenRun> open_run(const TuneOptions& options, const Prepared& p, const Budget& budget) {
    OpenRun run;
    run.settings.agent = options.agent;
    run.settings.agent_settings = options.agent_settings;
    run.settings.seed = options.seed;
    run.settings.budget = budget;
    const EvaluatorInfo& evaluator = p.choice.evaluator->info();
    run.settings.batch = options.batch ? options.batch : batch_for(evaluator);
    auto session = SessionWriter::open(options.session, p.kernel, p.workload ? p.workload->json : "",
                                       listing_for_session(*p.kernel));
    if (!session) return fail(session.error());
    run.session = *session;
    if (options.resume >= 0) {
        if (auto resumed = resume_into(run, options, evaluator); !resumed) return fail(resumed.error());
        return run;
    }
    RunHeader header;
    header.agent = run.settings.agent;
    header.agent_settings = run.settings.agent_settings;
    header.seed = run.settings.seed;
    header.budget = budget.text();
    header.evaluator = evaluator;
    header.start_hash = p.kernel->hash();
    header.started = utc_now();
    header.version = CUBINLAB_VERSION;
    auto sink = run.session->begin_run(header, Schedule(p.kernel), &run.id);
    if (!sink) return fail(sink.error());
    run.sink = std::move(*sink);
    return run;
}

// What a learning agent knows stands beside the session; the session holds its hash.
Status keep_checkpoint(const Searcher& searcher, SessionWriter& session, RunId run, StepId step) {
    const std::filesystem::path file = session.path().string() + fmt::format(".run{}.checkpoint", run);
    auto saved = searcher.save(file);
    if (!saved) return fail(saved.error());
    if (!*saved) return {};
    auto bytes = read_file(file);
    if (!bytes) return fail(bytes.error());
    return session.add_checkpoint(run, step, file, hash_bytes(*bytes));
}

Json summary_json(const RunSummary& s) {
    const double rate = s.seconds > 0 ? static_cast<double>(s.evaluated) / s.seconds : 0;
    return {{"steps", s.steps},
            {"evaluated", s.evaluated},
            {"repeated", s.repeated},
            {"failed", s.failed},
            {"best_step", s.best_step},
            {"best_log_speedup", s.best_log_speedup},
            {"best_low", s.best_low},
            {"best_high", s.best_high},
            {"best_speedup", std::exp(s.best_log_speedup)},
            {"original_cost", s.original_cost},
            {"best_cost", s.best_cost},
            {"seconds", s.seconds},
            {"candidates_per_second", rate},
            {"end", s.end}};
}

Provenance provenance_of_summary(const RunSummary& s, const EvaluatorInfo& evaluator,
                                 const TuneOptions& options, RunId run) {
    Provenance p;
    p.evaluator = s.best_step == 0 ? "none" : to_string(evaluator.kind);
    p.device = evaluator.device;
    p.log_speedup = s.best_log_speedup;
    p.low = s.best_low;
    p.high = s.best_high;
    p.verdict =
        s.best_step != 0 && evaluator.kind == EvaluatorKind::Gpu && s.best_low > 0 ? "FASTER" : "UNCLEAR";
    p.session = options.session;
    p.run = run;
    p.step = s.best_step;
    return p;
}

void print_summary(const TuneOptions& options, const RunSummary& s, const EvaluatorInfo& evaluator,
                   const std::string& stamp) {
    print_line(fmt::format("{} candidates in {:.1f} s ({:.0f} a second), {} repeats, {} failed; ended: {}",
                           s.evaluated, s.seconds,
                           s.seconds > 0 ? static_cast<double>(s.evaluated) / s.seconds : 0, s.repeated,
                           s.failed, s.end));
    if (s.best_step == 0)
        print_line("nothing beat the original");
    else
        print_line(fmt::format("best: step {}, {} -> {} {} ({})", s.best_step, s.original_cost, s.best_cost,
                               evaluator.unit, speedup_text(s.best_log_speedup)));
    print_line("session: " + options.session);
    if (!stamp.empty()) print_line("wrote " + options.out + ": " + stamp);
}

}  // namespace

int run_tune(const TuneOptions& given) {
    StopOnSignal stop;
    TuneOptions options = given;
    auto budget = Budget::parse(options.budget);
    if (!budget) return print_error(budget.error(), options.json);
    if (options.session.empty()) {
        if (options.resume >= 0)
            return print_error({ErrorCode::BadUse, "--resume needs --session", {}}, options.json);
        options.session = std::filesystem::path(options.file).stem().string() + ".cubinlab.db";
    }
    auto prepared = prepare(options, stop.token());
    if (!prepared) return print_error(prepared.error(), options.json);
    const EvaluatorInfo evaluator = prepared->choice.evaluator->info();
    auto run = open_run(options, *prepared, *budget);
    if (!run) return print_error(run.error(), options.json);

    SearchContext context{prepared->kernel,
                          prepared->checker,
                          run->settings.seed,
                          run->settings.agent_settings,
                          {},
                          {},
                          Schedule(prepared->kernel)};
    auto searcher = make_searcher(run->settings.agent, context);
    if (!searcher) return print_error(searcher.error(), options.json);
    if (!options.json && !options.progress) {
        const std::size_t gpus = gpus_of(evaluator);
        print_line(fmt::format("{}: {} on {}{} (original: {} {}), budget {}, seed {}", options.file,
                               run->settings.agent, gpus > 1 ? fmt::format("a pool of {}, ", gpus) : "",
                               evaluator.device, evaluator.original_cost, evaluator.unit, budget->text(),
                               run->settings.seed));
        if (!prepared->choice.note.empty()) print_line(prepared->choice.note);
    }
    run->settings.budget = *budget;
    ProgressStream progress(options.progress, options.json);
    TuneRun tune(context, run->settings, std::move(*searcher), *prepared->choice.evaluator, run->sink.get(),
                 &progress);
    if (!run->logged.empty())
        if (auto fed = tune.resume_from(run->logged); !fed) return print_error(fed.error(), options.json);
    auto summary = tune.run(stop.token());
    run->sink.reset();
    if (summary) {
        const auto last = static_cast<StepId>(run->settings.first_step + summary->steps) - 1;
        if (auto kept = keep_checkpoint(tune.searcher(), *run->session, run->id, last); !kept)
            return print_error(kept.error(), options.json);
    }
    if (auto closed = run->session->close(); !closed) return print_error(closed.error(), options.json);
    if (!summary) return print_error(summary.error(), options.json);

    std::string stamp;
    if (!options.out.empty()) {
        auto report = export_cubin(tune.best(), options.out,
                                   provenance_of_summary(*summary, evaluator, options, run->id));
        if (!report) return print_error(report.error(), options.json);
        stamp = report->stamp;
    }
    const bool lost = summary->end.starts_with("evaluator lost");
    if (options.json)
        return print_document({{"file", options.file},
                               {"kernel", prepared->kernel->name()},
                               {"agent", run->settings.agent},
                               {"seed", run->settings.seed},
                               {"budget", budget->text()},
                               {"evaluator", to_json(evaluator)},
                               {"note", prepared->choice.note},
                               {"session", options.session},
                               {"run", run->id},
                               {"summary", summary_json(*summary)},
                               {"out", options.out},
                               {"stamp", stamp}},
                              lost ? 1 : 0);
    print_summary(options, *summary, evaluator, stamp);
    return lost ? 1 : 0;
}

}  // namespace cubinlab::cli
