// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/base/file.h"
#include "core/sass/disassembler.h"
#include "core/store/instruction_ranges.h"
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

// 0: the newest run of an agent; hand edits are no run that could go on by itself.
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
        if (run->agent != "hand") return std::move(*run);
    return fail(ErrorCode::NotFound, "holds no run of an agent that could go on", options.session);
}

// How many confirmations the interrupted run had made: the error probability is spent over all of them.
std::uint64_t confirmations_of(const TuneOptions& options) {
    auto reader = SessionReader::open(options.session);
    if (!reader) return 0;  // told when the session is opened for writing
    auto info = run_to_resume(**reader, options);
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
    if (options.resume >= 0) gpu.confirmations_before = confirmations_of(options);
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
    std::optional<Schedule> start;  // where it starts, or started
    bool against_start = false;     // which is not the original
    std::vector<InstrId> locked;    // never moved or edited
    std::vector<StepRecord> logged;
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

// The log of a run was made with its own start and locks, so it goes on with these and no others.
Status resume_into(OpenRun& run, const TuneOptions& options, const Prepared& p) {
    const EvaluatorInfo now = p.choice.evaluator->info();
    auto reader = SessionReader::open(options.session);
    if (!reader) return fail(reader.error());
    auto info = run_to_resume(**reader, options);
    if (!info) return fail(info.error());
    if (info->evaluator.kind != now.kind)
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was evaluated on the {}; continue it with --evaluator {}", info->id,
                                to_string(info->evaluator.kind), to_string(info->evaluator.kind)),
                    options.session);
    if (!options.lock.empty() && run.locked != info->locked)
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was started with {} locked instructions ({}), not with these; leave "
                                "--lock out to go on with them, or start a new run",
                                info->id, info->locked.size(),
                                info->locked.empty() ? "none" : ranges_text(info->locked)),
                    options.session);
    run.locked = info->locked;
    auto steps = (*reader)->steps(info->id);
    if (!steps) return fail(steps.error());
    auto start = (*reader)->schedule_at(p.kernel, info->id, 0);
    if (!start) return fail(start.error());
    run.start.emplace(std::move(*start));
    run.against_start = info->start_run != 0;
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
    const EvaluatorInfo evaluator = p.choice.evaluator->info();
    run.start.emplace(p.kernel);
    auto locked = locked_from(options.lock, *p.kernel);
    if (!locked) return fail(locked.error());
    run.locked = std::move(*locked);
    run.settings.batch = options.batch ? options.batch : batch_for(evaluator);
    auto session = SessionWriter::open(options.session, p.kernel, p.workload ? p.workload->json : "",
                                       listing_for_session(*p.kernel));
    if (!session) return fail(session.error());
    run.session = *session;
    if (options.resume >= 0) {
        if (auto resumed = resume_into(run, options, p); !resumed) return fail(resumed.error());
        return run;
    }
    RunHeader header;
    header.agent = run.settings.agent;
    header.agent_settings = run.settings.agent_settings;
    header.seed = run.settings.seed;
    header.budget = budget.text();
    header.evaluator = evaluator;
    header.start_hash = p.kernel->hash();
    header.locked = run.locked;
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
                                 const TuneOptions& options, const OpenRun& run) {
    Provenance p;
    p.evaluator = s.best_step == 0 ? "none" : to_string(evaluator.kind);
    p.device = evaluator.device;
    p.log_speedup = s.best_log_speedup;
    p.low = s.best_low;
    p.high = s.best_high;
    p.verdict =
        s.best_step != 0 && evaluator.kind == EvaluatorKind::Gpu && s.best_low > 0 ? "FASTER" : "UNCLEAR";
    p.session = options.session;
    p.against_start = run.against_start;
    p.run = run.id;
    p.step = s.best_step;
    return p;
}

void print_summary(const TuneOptions& options, const RunSummary& s, const EvaluatorInfo& evaluator,
                   const OpenRun& run, const std::string& stamp) {
    const char* against = run.against_start ? "schedule that the run started from" : "original";
    print_line(fmt::format("{} candidates in {:.1f} s ({:.0f} a second), {} repeats, {} failed; ended: {}",
                           s.evaluated, s.seconds,
                           s.seconds > 0 ? static_cast<double>(s.evaluated) / s.seconds : 0, s.repeated,
                           s.failed, s.end));
    if (s.best_step == 0)
        print_line(fmt::format("nothing beat the {}", against));
    else if (run.against_start)
        print_line(fmt::format("best: step {}, {} {}, {} of the {} (the original: {} {})", s.best_step,
                               s.best_cost, evaluator.unit, speedup_text(s.best_log_speedup), against,
                               s.original_cost, evaluator.unit));
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

    SearchContext context{prepared->kernel,   prepared->checker,
                          run->settings.seed, run->settings.agent_settings,
                          run->locked,        {},
                          *run->start};
    auto searcher = make_searcher(run->settings.agent, context);
    if (!searcher) return print_error(searcher.error(), options.json);
    if (!options.json && !options.progress) {
        const std::size_t gpus = gpus_of(evaluator);
        print_line(fmt::format("{}: {} on {}{} (original: {} {}), budget {}, seed {}", options.file,
                               run->settings.agent, gpus > 1 ? fmt::format("a pool of {}, ", gpus) : "",
                               evaluator.device, evaluator.original_cost, evaluator.unit, budget->text(),
                               run->settings.seed));
        if (!prepared->choice.note.empty()) print_line(prepared->choice.note);
        if (!run->locked.empty())
            print_line(fmt::format("{} of {} instructions are locked", run->locked.size(),
                                   prepared->kernel->size()));
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
        auto report =
            export_cubin(tune.best(), options.out, provenance_of_summary(*summary, evaluator, options, *run));
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
                               {"locked", ranges_text(run->locked)},
                               {"against", run->against_start ? "the start of the run" : "the original"},
                               {"summary", summary_json(*summary)},
                               {"out", options.out},
                               {"stamp", stamp}},
                              lost ? 1 : 0);
    print_summary(options, *summary, evaluator, *run, stamp);
    return lost ? 1 : 0;
}

}  // namespace cubinlab::cli
