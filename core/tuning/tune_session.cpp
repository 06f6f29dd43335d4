// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/tune_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/base/stopwatch.h"
#include "core/evidence/claim.h"
#include "core/evidence/claim_parts.h"
#include "core/evidence/export_cubin.h"
#include "core/evidence/output_provenance.h"
#include "core/sass/disassembler.h"
#include "core/search/starts/start_searcher.h"
#include "core/store/instruction_ranges.h"
#include "core/store/kept_steps.h"
#include "core/tuning/choose_end.h"
#include "core/tuning/resumed_run.h"
#include "core/tuning/start_plan.h"
#include "core/tuning/tune_starts.h"

namespace cubinlab {
namespace {

// Whether the run has every setting that is given, with that value.
bool has_settings(const std::string& of_run, const std::string& given) {
    const auto own = parse_json_or_discard(of_run), other = parse_json_or_discard(given);
    if (!own.is_object() || !other.is_object()) return false;
    return std::ranges::all_of(other.items(), [&](const auto& item) {
        const auto found = own.find(item.key());
        return found != own.end() && *found == item.value();
    });
}

Status check_settings(const RunInfo& run, std::size_t batch, const TuneRequest& request) {
    const auto differs = [&](const std::string& with, const char* option) {
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} was started with {}; leave {} out to resume it, or start a new run",
                                run.id, with, option),
                    request.session.string());
    };
    if (request.agent && *request.agent != run.agent) return differs("the agent " + run.agent, "--agent");
    if (request.seed && *request.seed != run.seed)
        return differs(fmt::format("the seed {}", run.seed), "--seed");
    if (request.agent_settings && !has_settings(run.agent_settings, *request.agent_settings))
        return differs("the settings " + run.agent_settings, "--agent-settings");
    if (request.locked && *request.locked != run.locked)
        return differs(fmt::format("{} locked instructions ({})", run.locked.size(),
                                   run.locked.empty() ? "none" : ranges_text(run.locked)),
                       "--lock");
    if (request.batch != 0 && request.batch != batch)
        return differs(fmt::format("{} proposals in flight", batch), "--batch");
    return {};
}

std::string listing_beside(const Kernel& kernel) {
    auto text = read_text(default_listing_path(kernel.cubin().where()));
    return text ? *text : std::string{};
}

// The session's name where an error says no other place.
Error in_session(Error error, const std::filesystem::path& session) {
    if (error.where.empty()) error.where = session.string();
    return error;
}

}  // namespace

struct TuneSession::Impl {
    TuneRequest request;
    TunePlan plan;
    std::optional<ResumedRun> resumed = {};
    std::unique_ptr<Searcher> searcher = nullptr;
    std::unique_ptr<Evaluator> evaluator = nullptr;
    std::unique_ptr<RecordedStarts> starts = nullptr;  // null: only schedules are searched
    std::vector<RunInfo> earlier_runs = {};            // of a tuning with starts that is resumed
    std::optional<Budget> more = {};  // for its last run, where the plan of its budget was carried out
    std::optional<StartSettings> start_settings = {};  // its settings
    std::shared_ptr<SessionWriter> own_writer = nullptr;
    std::string choice_problem = {};  // why the winner of a tuning with starts was not chosen by a comparison
    bool created = false;             // the session file, by this object
    RunInfo run = {};      // its id is 0 until it is in the session
    TuningSeconds seconds = {};

    explicit Impl(TuneRequest given)
        : request(std::move(given)),
          plan{.settings = {},
               .start = request.start.value_or(Schedule(request.kernel)),
               .evaluator = {},
               .note = {},
               .locked = {}} {}

    SearchContext context() const {
        return {request.kernel,     request.checker,
                plan.settings.seed, plan.settings.agent_settings,
                plan.locked,        {},
                plan.start};
    }
    std::string workload_json() const { return request.workload ? request.workload->json : std::string(); }
    Result<std::shared_ptr<SessionWriter>> writer() const {
        if (own_writer) return own_writer;
        return request.writer();
    }

    Status prepare(TuneObserver& observer, const std::stop_token& stop);
    Status plan_new_run(TuneObserver& observer, const std::stop_token& stop);
    Status plan_resumption(TuneObserver& observer, const std::stop_token& stop);
    Status choose(const std::stop_token& stop);
    Status open_log(TuneObserver& observer);
    TuneResources resources(TuneObserver& observer) {
        return {request.session, *evaluator, [this] { return writer(); }, observer};
    }
    Result<EndedPart> search(TuneObserver& observer, const std::stop_token& stop, const PauseGate& gate);
    Status prepare_starts(const std::stop_token& stop);
    Status find_earlier_runs();
    Result<EndedPart> search_with_starts(TuneObserver& observer, const std::stop_token& stop,
                                         const PauseGate& gate);
    Result<std::optional<ChosenEnd>> choose_among(std::span<const TuningEnd> ends, RunEnd end,
                                                  TuneObserver& observer, const std::stop_token& stop);
    void measure_best(TuneResult& result, TuneObserver& observer, const std::stop_token& stop) const;
    Status end_log();
    Status export_best(TuneResult& result) const;
    Result<TuneResult> run_and_export(TuneObserver& observer, const std::stop_token& stop,
                                      const PauseGate& gate);
};

Status TuneSession::Impl::plan_new_run(TuneObserver& observer, const std::stop_token& stop) {
    RunSettings& settings = plan.settings;
    settings.agent = request.agent.value_or(settings.agent);
    settings.agent_settings = request.agent_settings.value_or(settings.agent_settings);
    settings.seed = request.seed.value_or(settings.seed);
    settings.budget = request.budget;
    plan.locked = request.locked.value_or(std::vector<InstrId>{});
    plan.against_start = request.start_run != 0;
    plan.gpu = request.workload ? with_cache_for(request.gpu, *request.workload) : request.gpu;
    plan.gpu.seed = settings.seed;
    TRY(prepare_starts(stop));
    if (!request.earlier) return {};
    observer.on_phase(RunPhase::FindingStarts);
    plan.schedules = TRY(
        race_from_earlier(context(), std::move(request.earlier->schedules), request.earlier->sources, stop));
    settings.agent_settings = plan.schedules->settings_json;
    return {};
}

// A log continues only with the agent, settings, seed, start, locks and batch that it was made with.
Status TuneSession::Impl::plan_resumption(TuneObserver& observer, const std::stop_token& stop) {
    if (request.earlier)
        return fail(ErrorCode::BadUse, "a resumed run has the starts that it began with; leave this out",
                    "--from-schedules");
    observer.on_phase(RunPhase::ReadingLog);
    if (request.writer) {  // the file does not have yet what is queued
        auto shared = TRY(request.writer());
        TRY(shared->flush());
    }
    resumed = TRY(open_resumed_run(request.session, request.kernel, *request.resume, stop));
    if (resumed->run.agent == kStartsAgent || resumed->run.tuning != resumed->run.id)
        return fail(ErrorCode::BadUse,
                    fmt::format("run {} is a part of a tuning with starts, which is resumed as a whole: --resume 0",
                                resumed->run.id),
                    request.session.string());
    run = resumed->run;
    plan.settings = resumed->settings(request.budget);
    TRY(check_settings(run, plan.settings.batch, request));
    plan.start = resumed->start;
    plan.locked = run.locked;
    plan.against_start = run.start_run != 0;
    plan.gpu = resumed->gpu(request.gpu);
    if (request.cache_given)
        plan.gpu.cache = request.gpu.cache;  // another cache than the run's is an error below
    return {};
}

Status TuneSession::Impl::choose(const std::stop_token& stop) {
    auto choice = TRY(choose_evaluator(request.kernel, request.workload, request.evaluator, plan.gpu, stop));
    plan.evaluator = choice.evaluator->info();
    plan.note = std::move(choice.note);
    seconds.calibrating = choice.calibrating_s;
    evaluator = std::move(choice.evaluator);
    if (resumed) {
        if (auto same = resumed->judged_alike(plan.evaluator, request.workload); !same)
            return fail(in_session(same.error(), request.session));
        run.later_parts.push_back({static_cast<StepId>(run.steps) + 1, plan.evaluator});
        return {};
    }
    plan.settings.batch = request.batch != 0 ? request.batch : batch_for(plan.evaluator);
    run = new_run(context(), plan.settings, plan.evaluator);
    run.start_run = request.start_run;
    run.start_parent = request.start_step;
    return {};
}

Status TuneSession::Impl::open_log(TuneObserver& observer) {
    if (request.writer) {
        TRY(request.writer());  // fails now rather than at the first step
        return {};
    }
    std::error_code ignored;
    created = !std::filesystem::exists(request.session, ignored);
    own_writer = TRY(SessionWriter::open(request.session, request.kernel, workload_json(),
                                         listing_beside(*request.kernel)));
    own_writer->on_durable([&observer](RunId, StepId step) { observer.on_durable(step); });
    if (!resumed) return {};
    // The log was read without a lock, so another process may have appended to it.
    auto reader = TRY(SessionReader::open(request.session));
    const auto now = TRY(reader->run(run.id));
    if (now.steps + 1 == plan.settings.first_step) return {};
    return fail(ErrorCode::Busy, fmt::format("run {} has grown meanwhile; try again", run.id),
                request.session.string());
}

Status TuneSession::Impl::prepare(TuneObserver& observer, const std::stop_token& stop) {
    const Arch& arch = request.kernel->arch();
    // Claims of a short tuning end at the least number of loads: more of them would take longer than its search.
    if (is_short(request.budget)) request.gpu.ladder.confirm_most_loads = request.gpu.ladder.confirm_loads;
    if (!request.checker && arch.editable()) request.checker = TRY(HazardChecker::create(request.kernel));
    TRY(find_earlier_runs());
    TRY(request.resume ? plan_resumption(observer, stop) : plan_new_run(observer, stop));
    if (!request.checker && !starts)
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} code cannot be edited, so only other compilations of its PTX can be searched{}: {}",
                                arch.name(), plan.starts_note.empty() ? "" : " (" + plan.starts_note + ")",
                                arch.why_view_only()),
                    request.kernel->cubin().where());
    observer.on_phase(RunPhase::LoadingAgent);
    // Over starts each run makes its own; this one shows that the settings are right before anything is spent.
    if (request.checker) searcher = TRY(make_searcher(plan.settings.agent, context()));
    if (starts) searcher.reset();
    observer.on_phase(RunPhase::PreparingEvaluator);
    seconds.reading = std::chrono::duration<double>(std::chrono::steady_clock::now() - request.began).count();
    {
        const Stopwatch watch(seconds.starting);
        TRY(choose(stop));
    }
    seconds.starting -= std::min(seconds.starting, seconds.calibrating);
    return open_log(observer);
}

// Other compilations are searched from the original alone: locks and schedules are of its instructions.
Status TuneSession::Impl::prepare_starts(const std::stop_token& stop) {
    if (request.start || request.earlier || !plan.locked.empty() || (!request.ptx && !start_settings)) return {};
    const Kernel& kernel = *request.kernel;
    std::optional<StartMaker> maker;
    if (request.ptx) {
        auto made = StartMaker::create({*request.ptx, kernel.cubin_ptr(), kernel.name(),
                                        launches_of(kernel.arch(), kernel.info(), request.workload)});
        if (made) {
            if (made->order_problem())
                plan.starts_note = "the order of the PTX is not searched: " + made->order_problem()->message();
            maker = std::move(*made);
        } else {
            plan.starts_note = "no other compilation is made: " + made.error().message();
        }
        plan.ptx = request.ptx->origin;
    }
    if (!maker && !start_settings) return {};
    StartSpace space = start_settings ? start_settings->space : StartSpace{maker->option_starts(), maker->units()};
    if (maker && space.units != 0 && space.units == maker->units()) space.facts = TRY(maker->order_facts());
    starts = std::make_unique<RecordedStarts>(request.kernel, std::move(maker), std::move(space), CompilerSettings{},
                                              stop);
    return {};
}

// A tuning with starts is resumed as a whole: an interrupted one spends what is left of its budget, and the last run of any
// other the budget that is given now. Another run that is newer is resumed alone.
Status TuneSession::Impl::find_earlier_runs() {
    if (!request.resume || *request.resume != 0) return {};
    auto reader = SessionReader::open(request.session);
    if (!reader) return {};  // plan_resumption() says what is wrong
    auto runs = TRY((*reader)->runs());
    std::erase_if(runs, [](const RunInfo& one) { return one.agent == "hand"; });
    if (runs.empty()) return {};
    const RunId tuning = runs.back().tuning;
    std::erase_if(runs, [&](const RunInfo& one) { return one.tuning != tuning; });
    if (runs.front().agent != kStartsAgent) return {};
    start_settings = TRY(start_settings_from(runs.front().agent_settings));
    const auto end = parse_run_end(runs.back().end);
    const bool whole =
        std::ranges::any_of(runs, &RunInfo::chosen) && (end == RunEnd::Budget || end == RunEnd::Exhausted);
    if (whole) more = request.budget;
    runs.back().end.clear();
    earlier_runs = std::move(runs);
    request.budget = start_settings->budget;
    request.agent = start_settings->agent;
    request.agent_settings = start_settings->agent_settings;
    request.seed = earlier_runs.front().seed;
    request.resume.reset();
    return {};
}

Result<std::optional<ChosenEnd>> TuneSession::Impl::choose_among(std::span<const TuningEnd> ends, RunEnd end,
                                                                 TuneObserver& observer,
                                                                 const std::stop_token& stop) {
    if (ends.empty()) return std::optional<ChosenEnd>{};
    const Stopwatch watch(seconds.choosing);
    if (evaluator->exact()) return choose_by(*evaluator, request.kernel, ends, {});  // also after a stop
    const std::optional<ChosenEnd> by_estimates = ChosenEnd{0, ends.front().estimate};
    const bool compares = ends.size() > 1 && request.workload && request.final_processes > 0 &&
                          !stop.stop_requested() && (end == RunEnd::Budget || end == RunEnd::Exhausted);
    if (!compares) return by_estimates;
    if (request.final_processes < kChoiceProcesses) {  // it has no time for fresh ones
        observer.on_doing(fmt::format("compares the best {} with the original", ends.size()));
        auto chosen = choose_by(*evaluator, request.kernel, ends, stop);
        if (chosen) return chosen;
        choice_problem = "the winner was chosen by sums of figures: " + chosen.error().message();
        return by_estimates;
    }
    evaluator.reset();  // its worker would run next to those that measure
    observer.on_phase(RunPhase::FinalMeasurement);
    observer.on_doing(fmt::format("compares the best {} with the original in {} fresh processes each",
                                  ends.size(), kChoiceProcesses));
    const auto record = [this](const MeasurementRecord& made) -> Status {
        auto session = TRY(writer());
        return session->add_measurement(made);
    };
    auto chosen = choose_in_fresh_processes(request.kernel, ends, *request.workload, plan.gpu,
                                            calibrations_of(plan.evaluator), record, stop);
    if (chosen) return chosen;
    choice_problem = "the winner was chosen by the search's own figures: " + chosen.error().message();
    return by_estimates;
}

Result<EndedPart> TuneSession::Impl::search_with_starts(TuneObserver& observer, const std::stop_token& stop,
                                                        const PauseGate& gate) {
    if (!earlier_runs.empty()) {
        auto reader = TRY(SessionReader::open(request.session));
        starts->read_from(std::move(reader), earlier_runs.front().id);
    }
    StartsTuning tuning({request, plan, resources(observer), *starts, earlier_runs, more});
    auto found = TRY(tuning.run(stop, gate));
    const auto ends = promising_ends(std::move(found.ends));
    const auto chosen = TRY(choose_among(ends, found.summary.end, observer, stop));
    EndedPart out{std::move(found.first), std::move(found.summary), Schedule(request.kernel)};
    if (!chosen) return out;
    const TuningEnd& end = ends[chosen->which];
    auto session = TRY(writer());
    TRY(session->choose_run(end.run.id));
    out.run = end.run;
    out.best = end.best;
    out.summary.best_step = end.step;
    out.summary.best = chosen->speedup;
    out.summary.best_cost = out.summary.original_cost * std::exp(-chosen->speedup.log);
    return out;
}

Result<EndedPart> TuneSession::Impl::search(TuneObserver& observer, const std::stop_token& stop,
                                            const PauseGate& gate) {
    TunePart part{context(), plan.settings, std::move(searcher), run, nullptr};
    if (resumed) part.history = std::move(resumed->history);
    resumed.reset();
    return run_part(std::move(part), resources(observer), stop, gate);
}

void TuneSession::Impl::measure_best(TuneResult& result, TuneObserver& observer,
                                     const std::stop_token& stop) const {
    if (request.final_processes <= 0 || run.id == 0 || !request.workload ||
        !needs_final_measurement(result.summary, plan.evaluator))
        return;
    observer.on_phase(RunPhase::FinalMeasurement);
    observer.on_doing(fmt::format("measures the best in {} fresh processes{}", request.final_processes,
                                  request.workload->shapes.empty() ? "" : " for each shape"));
    const auto record = [&]() -> Status {
        result.final = TRY(final_measurement(request.kernel, result.best, *request.workload, plan.gpu,
                                             request.final_processes, stop, calibrations_of(plan.evaluator)));
        auto session = TRY(writer());
        for (const Measured& measured : result.final)
            TRY(session->add_measurement(measured.record(run.id, result.summary.best_step, "again")));
        return {};
    };
    if (auto recorded = record(); !recorded) {
        result.final.clear();
        result.final_problem = recorded.error().message();
    }
}

Status TuneSession::Impl::end_log() {
    if (own_writer) return own_writer->close();
    auto shared = TRY(writer());
    return shared->flush();
}

// With the claim that the session supports, as `export` writes it. Where nothing beat the start, an earlier export of the
// kernel is worth more than the original.
Status TuneSession::Impl::export_best(TuneResult& result) const {
    const Hash128 kernel = request.kernel->hash();
    if (result.summary.best_step == 0) result.kept = own_cubin(request.out.path, kernel);
    if (!result.kept.empty()) return {};
    auto reader = TRY(SessionReader::open(request.session));
    const auto info = TRY(reader->run(run.id));
    auto claim =
        TRY(claim_of(*reader, request.kernel, info, result.summary.best_step, request.session.string()));
    result.replaced = TRY(check_cubin_output(request.out, kernel));
    const auto report = TRY(export_cubin(result.best, request.out.path, claim));
    result.stamp = report.stamp;
    return {};
}

Result<TuneResult> TuneSession::Impl::run_and_export(TuneObserver& observer, const std::stop_token& stop,
                                                     const PauseGate& gate) {
    auto ended = [&] {
        const Stopwatch watch(seconds.searching);
        return starts ? search_with_starts(observer, stop, gate) : search(observer, stop, gate);
    }();
    seconds.searching -= std::min(seconds.searching, seconds.choosing);
    if (!ended) {
        (void)end_log();
        return fail(ended.error());
    }
    run = std::move(ended->run);
    const CodeKind code = code_kind_of(*request.kernel, ended->best);
    TuneResult result{
        .summary = std::move(ended->summary), .run = run.id, .best = std::move(ended->best), .code = code};
    result.final_problem = choice_problem;
    evaluator.reset();  // its worker holds memory of the GPU
    {
        const Stopwatch watch(seconds.measuring);
        measure_best(result, observer, stop);
    }
    result.seconds = seconds;
    if (auto closed = end_log(); !closed)
        return fail(with_what_is_kept(closed.error(), request.session, run.id));
    if (created && run.id == 0) {
        std::error_code ignored;
        for (const char* side : {"", "-wal", "-shm"})
            std::filesystem::remove(request.session.string() + side, ignored);
        result.session_removed = true;
    }
    if (!request.out.path.empty() && run.id != 0)
        if (auto exported = export_best(result); !exported) result.not_exported = exported.error();
    return result;
}

TuneSession::TuneSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TuneSession::TuneSession(TuneSession&&) noexcept = default;
TuneSession::~TuneSession() = default;

Result<TuneSession> TuneSession::prepare(TuneRequest request, TuneObserver& observer, std::stop_token stop) {
    auto impl = std::make_unique<Impl>(std::move(request));
    TRY(impl->prepare(observer, stop));
    return TuneSession(std::move(impl));
}

const TunePlan& TuneSession::plan() const {
    return impl_->plan;
}

Result<TuneResult> TuneSession::run(TuneObserver& observer, const std::stop_token& stop,
                                    const PauseGate& gate) {
    return impl_->run_and_export(observer, stop, gate);
}

}  // namespace cubinlab
