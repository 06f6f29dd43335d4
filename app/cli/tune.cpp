// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "app/cli/command.h"
#include "app/cli/lazy_sink.h"
#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/base/file.h"
#include "core/claims/claim.h"
#include "core/claims/own_outputs.h"
#include "core/claims/step_measurement.h"
#include "core/claims/stored_figures.h"
#include "core/jobs/evaluator_choice.h"
#include "core/sass/disassembler.h"
#include "core/store/instruction_ranges.h"

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
        print_progress(fmt::format(
            "{{\"step\":{},\"parent\":{},\"outcome\":\"{}\",\"log_speedup\":{:.9g},\"reward\":{:.9g},"
            "\"best\":{},\"hash\":\"{}\"}}",
            r.step, r.parent, to_string(r.outcome.kind), r.outcome.log_speedup, r.reward, r.best,
            r.schedule_hash.hex()));
    }
    void on_best(const StepRecord& r, const Schedule& s) override {
        if (lines_ || quiet_) return;
        print_line(fmt::format("step {:6d}  best {}  {}", r.step, speedup_text(r.outcome.log_speedup),
                               r.mutation.text(*s.kernel())));
        std::fflush(stdout);
    }
    void on_state(const std::string& state) override {
        if (lines_)
            print_progress(Json{{"state", state}}.dump(-1, ' ', true, Json::error_handler_t::replace));
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

// 0: the newest run of an agent that has steps; hand edits are no run that could go on by itself. A run that
// was interrupted before its first step begins at its start, if it is asked for by its number.
Result<RunInfo> run_to_resume(SessionReader& reader, const TuneOptions& options) {
    if (options.resume != 0) {
        auto run = reader.run(options.resume);
        if (run && run->agent == "hand")
            return fail(ErrorCode::BadUse,
                        fmt::format("run {} holds hand edits; only a run of an agent can go on", run->id),
                        options.session);
        return run;
    }
    auto runs = reader.runs();
    if (!runs) return fail(runs.error());
    for (auto run = runs->rbegin(); run != runs->rend(); ++run)
        if (run->agent != "hand" && run->steps > 0) return std::move(*run);
    return fail(ErrorCode::NotFound, "holds no run of an agent that could go on", options.session);
}

// What is read before anything is made.
struct Inputs {
    KernelPtr kernel;
    CheckerPtr checker;
    std::optional<Workload> workload;
};

// Files that this run reads, or would without --workload.
std::vector<std::filesystem::path> files_read(const TuneOptions& options, const Inputs& in) {
    std::vector<std::filesystem::path> files = {options.file, options.workload};
    if (options.workload.empty()) {
        files.push_back(default_workload_path(options.file));
        files.push_back(
            std::filesystem::path(options.file).replace_extension(in.kernel->name() + ".workload.json"));
    }
    if (in.workload)
        for (const Param& param : in.workload->params)
            if (const auto* buffer = std::get_if<BufferParam>(&param))
                if (const auto* file = std::get_if<InitFile>(&buffer->init)) files.push_back(file->path);
    return files;
}

OutputFile cubin_to_write(const TuneOptions& options, const Inputs& in) {
    OutputFile out{options.out, files_read(options, in), {}, options.force};
    for (const char* side : {"", "-wal", "-shm"})
        out.inputs.emplace_back(options.session + side);
    out.bytes = in.kernel->cubin().bytes().size() + 4096;
    return out;
}

// Where results go, asked before the search: it may take hours.
Status check_outputs(const TuneOptions& options, const Inputs& in) {
    for (const std::filesystem::path& input : files_read(options, in))
        if (same_file(options.session, input))
            return fail(ErrorCode::BadUse, "is an input, not a session; choose another --session",
                        options.session);
    if (options.out.empty()) return {};
    auto free = check_cubin_output(cubin_to_write(options, in), in.kernel->hash());
    if (!free) return fail(free.error());
    return {};
}

Result<Inputs> read_inputs(const TuneOptions& options) {
    Inputs in;
    auto cubin = Cubin::open(options.file);
    if (!cubin) return fail(cubin.error());
    auto kernel = Kernel::load(*cubin, options.kernel);
    if (!kernel) return fail(kernel.error());
    in.kernel = *kernel;
    if (!in.kernel->arch().editable())
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{} cubins can be viewed, not tuned: it is not known which copy of their code runs",
                        in.kernel->arch().name()),
            options.file);
    if (auto free = check_outputs(options, in); !free) return fail(free.error());
    auto checker = HazardChecker::create(in.kernel);
    if (!checker) return fail(checker.error());
    in.checker = *checker;
    auto workload = find_workload(*in.kernel, options.workload);
    if (!workload) return fail(workload.error());
    in.workload = std::move(*workload);
    if (auto free = check_outputs(options, in); !free) return fail(free.error());  // its input files
    return in;
}

// A run that is about to start, or to go on. Nothing of it is in the session yet.
struct Plan {
    RunSettings settings;
    RunId id = 0;                    // of the run to resume; a new one gets its number with its first step
    Schedule start;                  // where it starts, or started
    bool against_start = false;      // which is not the original
    std::vector<InstrId> locked;     // never moved or edited
    std::vector<StepRecord> logged;  // before it was interrupted
    std::optional<EvaluatorInfo> judged_by;
};

// "0x120-0x1f0,0x300": byte offsets in the file's code, both ends included.
Result<std::vector<InstrId>> locked_from(const std::string& text, const Kernel& kernel) {
    std::vector<InstrId> ids;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::string_view part = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        const auto number = [&](std::string_view digits) -> std::optional<std::size_t> {
            if (digits.starts_with("0x")) digits.remove_prefix(2);
            std::size_t offset = 0;
            const char* end = digits.data() + digits.size();
            const auto [stopped, error] = std::from_chars(digits.data(), end, offset, 16);
            if (error != std::errc{} || stopped != end || offset % kWordBytes != 0) return {};
            return offset / kWordBytes;
        };
        const std::size_t dash = part.find('-');
        const auto first = number(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
        if (!first || !last || *last < *first || *last >= kernel.size())
            return fail(ErrorCode::BadUse,
                        fmt::format("'{}' is no range of byte offsets of this kernel (0x0 to {:#x}); write "
                                    "0x120-0x1f0 or 0x300",
                                    part, (kernel.size() - 1) * kWordBytes),
                        "--lock");
        for (std::size_t id = *first; id <= *last; ++id)
            ids.push_back(static_cast<InstrId>(id));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

// The log of a run was made with its own start and locks, so it goes on with these and no others, and only
// from figures that follow from what they were made of: what it ends with is claimed anew.
Status plan_resumption(Plan& plan, const TuneOptions& options, const Inputs& in, std::stop_token stop) {
    auto reader = SessionReader::open(options.session);
    if (!reader) return fail(reader.error());
    auto info = run_to_resume(**reader, options);
    if (!info) return fail(info.error());
    if (!options.lock.empty() && plan.locked != info->locked)
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was started with {} locked instructions ({}), not with these; leave "
                                "--lock out to go on with them, or start a new run",
                                info->id, info->locked.size(),
                                info->locked.empty() ? "none" : ranges_text(info->locked)),
                    options.session);
    auto start = (*reader)->schedule_at(in.kernel, info->id, 0);
    if (!start) return fail(start.error());
    auto figures = check_run_figures(**reader, in.kernel, *info, FiguresOf::BestSteps, stop);
    if (!figures) return fail(figures.error().code, figures.error().message(), options.session);
    if (figures->unchecked != 0 && info->evaluator.kind == EvaluatorKind::Model)
        return fail(ErrorCode::BadInput,
                    fmt::format("run {} cannot go on: {}; start a new run", info->id, figures->why),
                    options.session);
    auto steps = (*reader)->steps(info->id);
    if (!steps) return fail(steps.error());
    plan.locked = info->locked;
    plan.start = std::move(*start);
    plan.against_start = info->start_run != 0;
    plan.id = info->id;
    plan.judged_by = info->evaluator;
    plan.settings.agent = info->agent;
    plan.settings.agent_settings = info->agent_settings;
    plan.settings.seed = info->seed;
    plan.logged = std::move(*steps);
    if (!plan.logged.empty())
        plan.settings.first_step = static_cast<std::uint64_t>(plan.logged.back().step) + 1;
    return {};
}

Result<Plan> make_plan(const TuneOptions& options, const Inputs& in, const Budget& budget,
                       std::stop_token stop) {
    Plan plan{{}, 0, Schedule(in.kernel), false, {}, {}, {}};
    plan.settings.agent = options.agent;
    plan.settings.agent_settings = options.agent_settings;
    plan.settings.seed = options.seed;
    plan.settings.budget = budget;
    auto locked = locked_from(options.lock, *in.kernel);
    if (!locked) return fail(locked.error());
    plan.locked = std::move(*locked);
    if (options.resume >= 0)
        if (auto resumed = plan_resumption(plan, options, in, std::move(stop)); !resumed)
            return fail(resumed.error());
    return plan;
}

// How many confirmations the interrupted run had made: the error probability is spent over all of them.
Result<EvaluatorChoice> choose(const TuneOptions& options, const Inputs& in, const Plan& plan,
                               std::stop_token stop) {
    GpuSettings gpu = options.gpu.settings(options.seed);
    gpu.confirmations_before = confirmations_in(plan.logged);
    auto choice = choose_evaluator(in.kernel, in.workload, options.evaluator, gpu, std::move(stop));
    if (!choice) return choice;
    if (!plan.judged_by) return choice;
    const EvaluatorInfo now = choice->evaluator->info();
    const EvaluatorInfo& then = *plan.judged_by;
    if (then.kind != now.kind)
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was evaluated on the {}; continue it with --evaluator {}", plan.id,
                                to_string(then.kind), to_string(then.kind)),
                    options.session);
    // Cycles of other launch settings are another unit.
    if (now.kind == EvaluatorKind::Model &&
        std::abs(now.original_cost - then.original_cost) > kFigureTolerance * now.original_cost)
        return fail(ErrorCode::BadUse,
                    fmt::format("in run {} the original costs {:.6g} {}, here {:.6g}: continue it with the "
                                "workload that it was started with",
                                plan.id, then.original_cost, now.unit, now.original_cost),
                    options.session);
    return choice;
}

struct OpenRun {
    std::shared_ptr<SessionWriter> session;
    RunId id = 0;  // 0: no step of it is logged
    std::unique_ptr<RunSink> sink;
};

// The run's row is written with its first step: what never started is no run.
Status open_run(OpenRun& run, const TuneOptions& options, const Inputs& in, const Plan& plan,
                const EvaluatorInfo& evaluator) {
    auto session = SessionWriter::open(options.session, in.kernel, in.workload ? in.workload->json : "",
                                       listing_for_session(*in.kernel));
    if (!session) return fail(session.error());
    run.session = *session;
    run.id = plan.id;
    if (plan.id != 0) {
        // Nobody else may write from here on; somebody may have since the log was read.
        auto reader = SessionReader::open(options.session);
        if (!reader) return fail(reader.error());
        auto now = (*reader)->run(plan.id);
        if (!now) return fail(now.error());
        if (now->steps + 1 != plan.settings.first_step)
            return fail(ErrorCode::Busy, fmt::format("run {} has grown meanwhile; try again", plan.id),
                        options.session);
        run.sink = std::make_unique<LazySink>(
            [session = run.session, id = plan.id] { return session->continue_run(id); });
        return {};
    }
    RunHeader header;
    header.agent = plan.settings.agent;
    header.agent_settings = plan.settings.agent_settings;
    header.seed = plan.settings.seed;
    header.budget = plan.settings.budget.text();
    header.evaluator = evaluator;
    header.start_hash = in.kernel->hash();
    header.locked = plan.locked;
    header.started = utc_now();
    header.version = CUBINLAB_VERSION;
    run.sink = std::make_unique<LazySink>([&run, header = std::move(header), kernel = in.kernel] {
        return run.session->begin_run(header, Schedule(kernel), &run.id);
    });
    return {};
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

// Writes the best schedule with the claim that the session supports, as `export` would.
Result<std::string> write_best(const TuneOptions& options, const Inputs& in, const OpenRun& run,
                               const Schedule& best, StepId step, std::string& replaced) {
    auto reader = SessionReader::open(options.session);
    if (!reader) return fail(reader.error());
    auto info = (*reader)->run(run.id);
    if (!info) return fail(info.error());
    auto claim = claim_of(**reader, in.kernel, *info, step, options.session);
    if (!claim) return fail(claim.error());
    auto free = check_cubin_output(cubin_to_write(options, in), in.kernel->hash());
    if (!free) return fail(free.error());
    replaced = *free;
    auto report = export_cubin(best, options.out, *claim);
    if (!report) return fail(report.error());
    return report->stamp;
}

void print_summary(const TuneOptions& options, const RunSummary& s, const EvaluatorInfo& evaluator,
                   const Plan& plan, const std::string& stamp, const std::string& replaced) {
    const char* against = plan.against_start ? "schedule that the run started from" : "original";
    print_line(fmt::format("{} candidates in {:.1f} s ({:.0f} a second), {} repeats, {} failed; ended: {}",
                           s.evaluated, s.seconds,
                           s.seconds > 0 ? static_cast<double>(s.evaluated) / s.seconds : 0, s.repeated,
                           s.failed, s.end));
    if (s.best_step == 0)
        print_line(fmt::format("nothing beat the {}", against));
    else if (plan.against_start)
        print_line(fmt::format("best: step {}, {} {}, {} of the {} (the original: {} {})", s.best_step,
                               s.best_cost, evaluator.unit, speedup_text(s.best_log_speedup), against,
                               s.original_cost, evaluator.unit));
    else
        print_line(fmt::format("best: step {}, {} -> {} {} ({})", s.best_step, s.original_cost, s.best_cost,
                               evaluator.unit, speedup_text(s.best_log_speedup)));
    print_line("session: " + options.session);
    if (!stamp.empty()) print_line(wrote_text(options.out, replaced) + ": " + stamp);
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
    auto in = read_inputs(options);
    if (!in) return print_error(in.error(), options.json);
    auto plan = make_plan(options, *in, *budget, stop.token());
    if (!plan) return print_error(plan.error(), options.json);
    SearchContext context{in->kernel,   in->checker, plan->settings.seed, plan->settings.agent_settings,
                          plan->locked, {},          plan->start};
    auto searcher = make_searcher(plan->settings.agent, context);
    if (!searcher) return print_error(searcher.error(), options.json);
    auto choice = choose(options, *in, *plan, stop.token());
    if (!choice) return print_error(choice.error(), options.json);
    const EvaluatorInfo evaluator = choice->evaluator->info();
    plan->settings.batch = options.batch ? options.batch : batch_for(evaluator);
    OpenRun run;
    if (auto opened = open_run(run, options, *in, *plan, evaluator); !opened)
        return print_error(opened.error(), options.json);

    if (!options.json && !options.progress) {
        const std::size_t gpus = gpus_of(evaluator);
        print_line(fmt::format("{}: {} on {}{} (original: {} {}), budget {}, seed {}", options.file,
                               plan->settings.agent, gpus > 1 ? fmt::format("a pool of {}, ", gpus) : "",
                               evaluator.device, evaluator.original_cost, evaluator.unit, budget->text(),
                               plan->settings.seed));
        if (!choice->note.empty()) print_line(choice->note);
        if (!plan->locked.empty())
            print_line(
                fmt::format("{} of {} instructions are locked", plan->locked.size(), in->kernel->size()));
    }
    ProgressStream progress(options.progress, options.json);
    TuneRun tune(context, plan->settings, std::move(*searcher), *choice->evaluator, run.sink.get(),
                 &progress);
    if (!plan->logged.empty())
        if (auto fed = tune.resume_from(plan->logged); !fed) return print_error(fed.error(), options.json);
    auto summary = tune.run(stop.token());
    run.sink.reset();
    const StepId last =
        summary ? static_cast<StepId>(plan->settings.first_step + summary->steps) - 1 : StepId{0};
    if (run.id != 0 && last > 0)
        if (auto kept = keep_checkpoint(tune.searcher(), *run.session, run.id, last); !kept)
            return print_error(kept.error(), options.json);
    if (auto closed = run.session->close(); !closed) return print_error(closed.error(), options.json);
    if (!summary) return print_error(summary.error(), options.json);

    std::string stamp, replaced;
    if (!options.out.empty() && run.id != 0) {
        auto wrote = write_best(options, *in, run, tune.best(), summary->best_step, replaced);
        if (!wrote) return print_error(wrote.error(), options.json);
        stamp = std::move(*wrote);
    }
    const std::string not_written =
        !options.out.empty() && run.id == 0 ? "nothing was evaluated, so nothing was written" : "";
    const int code = summary->end.starts_with("evaluator lost") || !not_written.empty() ? 1 : 0;
    if (options.json)
        return print_document({{"file", options.file},
                               {"kernel", in->kernel->name()},
                               {"agent", plan->settings.agent},
                               {"seed", plan->settings.seed},
                               {"budget", budget->text()},
                               {"evaluator", to_json(evaluator)},
                               {"note", choice->note},
                               {"session", options.session},
                               {"run", run.id},
                               {"locked", ranges_text(plan->locked)},
                               {"against", plan->against_start ? "the start of the run" : "the original"},
                               {"summary", summary_json(*summary)},
                               {"out", stamp.empty() ? "" : options.out},
                               {"replaced", replaced},
                               {"stamp", stamp}},
                              code);
    print_summary(options, *summary, evaluator, *plan, stamp, replaced);
    if (!not_written.empty()) print_line(options.out + ": " + not_written);
    return code;
}

}  // namespace cubinlab::cli
