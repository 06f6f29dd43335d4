// SPDX-License-Identifier: GPL-3.0-or-later
// `replay` rebuilds a step and writes it; `export` writes a named schedule (best, minimal), or everything
// that a check of its speed-up on another machine needs (--bundle).
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "app/cli/parts/patterns.h"
#include "app/cli/parts/shape_lines.h"
#include "core/base/number_of.h"
#include "core/base/parse_number.h"
#include "core/base/version.h"
#include "core/evidence/claim.h"
#include "core/evidence/evidence_bundle.h"
#include "core/evidence/output_provenance.h"
#include "core/evidence/step_measurement.h"
#include "core/evidence/stored_figures.h"
#include "core/model/assumed_passes.h"
#include "core/model/model_version.h"
#include "core/search/moves/minimise.h"
#include "core/store/instruction_ranges.h"
#include "core/store/session.h"
#include "core/tuning/measure.h"
#include "core/tuning/minimal_schedule.h"
#include "core/tuning/session_workload.h"

namespace cubinlab::cli {

struct ExportOptions : Common {
    std::string session, schedule = "best", out, bundle;
    GpuOptions gpu;
    std::int64_t run = 0;
    int loads = 12;  // with `bundle`
    bool force = false, allow_files = false;
};

namespace {

// The schedule that the options select; errors name `option`.
struct Wanted {
    RunId run = 0;
    std::string step;  // a number or "best"
    const char* option = "--step";
};

Result<StepId> parse_step(const Wanted& wanted, SessionReader& reader, RunId run) {
    const std::string& text = wanted.step;
    if (text == "best") return reader.best_step(run);
    const auto step = parse_number<StepId>(text);
    if (!step || *step < 0)
        return fail(ErrorCode::BadUse, fmt::format("'{}' is not a step number or 'best'", text),
                    wanted.option);
    return *step;
}

struct ReplayedStep {
    KernelPtr original;  // the session's
    KernelPtr kernel;    // that the run searches
    RunInfo run;
    StepRecord record;
    Schedule schedule;
};

Result<ReplayedStep> rebuild(SessionReader& reader, const std::string& session, const Wanted& wanted) {
    auto original = TRY(reader.kernel());
    auto run = TRY(run_with_steps(reader, wanted.run, session));
    auto kernel = TRY(reader.run_kernel(original, run.id));
    auto step = TRY(parse_step(wanted, reader, run.id));
    auto schedule = TRY(reader.schedule_at(kernel, run.id, step));
    StepRecord record;
    if (step > 0) record = TRY(reader.step(run.id, step));
    return ReplayedStep{original, kernel, run, record, std::move(schedule)};
}

Status verify(SessionReader& reader, const ReplayedStep& rebuilt, Json& document) {
    const StopOnSignal stop;
    const auto verified = TRY(verify_run(reader, rebuilt.kernel, rebuilt.run, stop.token()));
    document["verified_steps"] = verified.rebuilt;
    document["legal_steps"] = verified.legal;
    document["ended"] = !rebuilt.run.end.empty();
    document["figures"] = {{"follow", verified.figures.follow},
                           {"unchecked", verified.figures.unchecked},
                           {"why", verified.figures.why}};
    return {};
}

void print_verified(const Json& document) {
    const Json& figures = document["figures"];
    print_line(fmt::format(
        "  {} rebuilt, every hash matches{}",
        number_of(document["verified_steps"].get<std::uint64_t>(), "step"),
        document["ended"].get<bool>() ? "" : "; the run has no end: it is running, or was killed"));
    if (const auto follow = figures["follow"].get<std::uint64_t>(); follow != 0)
        print_line(fmt::format("  {} recomputed, every one matches", number_of(follow, "figure")));
    if (const auto open = figures["unchecked"].get<std::uint64_t>(); open != 0)
        print_line(fmt::format("  {} not checked: {}", number_of(open, "figure"),
                               figures["why"].get<std::string>()));
    if (const auto legal = document["legal_steps"].get<std::uint64_t>(); legal != 0)
        print_line(fmt::format("  {} proven legal", number_of(legal, "schedule")));
}

// The step; if repeated, with the samples of the step that it repeats.
Result<StepRecord> with_samples(SessionReader& reader, StepRecord record, RunId run) {
    if (!record.repeated || record.reference_step.value_or(0) == 0) return record;
    record.outcome = TRY(reader.step(run, *record.reference_step)).outcome;
    return record;
}

// Adds the session to an error that names no file.
Result<int> in_session(Result<int> done, const std::string& session) {
    if (done || !done.error().where.empty()) return done;
    Error error = done.error();
    error.where = session;
    return fail(std::move(error));
}

// No export may replace the session or its -wal and -shm files.
OutputFile cubin_to_write(const std::string& out, const std::string& session, const ReplayedStep& rebuilt,
                          bool force) {
    OutputFile file{out, {session, session + "-wal", session + "-shm"}, {}, force};
    file.inputs.emplace_back(rebuilt.kernel->cubin().where());
    file.bytes = rebuilt.kernel->cubin().bytes().size() + 4096;
    return file;
}

std::string nothing_better(const ReplayedStep& rebuilt, const std::string& step) {
    if (step != "best" || rebuilt.record.step != 0) return {};
    return fmt::format("nothing in run {} beat its start: this is the schedule that it started from",
                       rebuilt.run.id);
}

Result<int> write_out(SessionReader& reader, const std::string& session, const Wanted& wanted,
                      const std::string& out, bool force, bool verified, bool json) {
    auto rebuilt = TRY(rebuild(reader, session, wanted));
    std::string replaced;
    if (!out.empty()) {
        replaced =
            TRY(check_cubin_output(cubin_to_write(out, session, rebuilt, force), rebuilt.kernel->hash()));
    }
    const EvaluatorInfo& judge = evaluator_of(rebuilt.run, rebuilt.record.step);
    Json document = {{"session", session},
                     {"run", rebuilt.run.id},
                     {"agent", rebuilt.run.agent},
                     {"locked", ranges_text(rebuilt.run.locked)},
                     {"start", {{"run", rebuilt.run.start_run}, {"step", rebuilt.run.start_parent}}},
                     {"step", rebuilt.record.step},
                     {"code_hash", rebuilt.schedule.hash().hex()},
                     {"evaluator", to_string(judge.kind)},
                     {"device", judge.device},
                     {"unit", judge.unit},
                     {"assumed", assumed_passes(judge)},
                     {"result", to_json(rebuilt.record.outcome, judge.kind)},
                     {"modelled_by_another", modelled_by_another(judge)},
                     {"note", nothing_better(rebuilt, wanted.step)}};
    if (verified) TRY(verify(reader, rebuilt, document));
    if (!out.empty()) {
        auto claim = TRY(claim_of(reader, rebuilt.kernel, rebuilt.run, rebuilt.record.step, session));
        auto report = TRY(export_cubin(rebuilt.schedule, out, claim));
        document["original_findings"] = note_self_check(rebuilt.kernel);
        document["out"] = out;
        document["replaced"] = replaced;
        document["stamp"] = report.stamp;
        document["moved"] = report.moved;
        document["control_changed"] = report.control_changed;
    }
    if (json) return print_document(document);
    print_line(fmt::format("run {} ({}), step {}: {}", rebuilt.run.id, rebuilt.run.agent, rebuilt.record.step,
                           rebuilt.schedule.hash().hex()));
    if (rebuilt.run.start_run != 0)
        print_line(fmt::format("  started from run {}, step {}: its figures are against that",
                               rebuilt.run.start_run, rebuilt.run.start_parent));
    if (!rebuilt.run.locked.empty())
        print_line(fmt::format("  {} locked: {}", number_of(rebuilt.run.locked.size(), "instruction"),
                               ranges_text(rebuilt.run.locked)));
    if (verified)
        print_verified(document);
    else if (const std::string another = modelled_by_another(judge); !another.empty())
        print_line("  " + another);
    if (const std::string note = nothing_better(rebuilt, wanted.step); !note.empty()) print_line("  " + note);
    if (!out.empty())
        print_line(fmt::format("  {}: {}", wrote_text(out, replaced), document["stamp"].get<std::string>()));
    return 0;
}

InputFiles inputs_of(const ExportOptions& options) {
    return options.allow_files ? InputFiles::Anywhere : InputFiles::Beside;
}

// What compares a schedule with the original by its edits has none to compare in other code.
Status check_has_edits(const ReplayedStep& rebuilt, const char* what) {
    if (rebuilt.schedule.kernel()->hash() == rebuilt.original->hash()) return {};
    return fail(ErrorCode::Unsupported,
                fmt::format("run {} found recompiled code, and {} is made of reschedules of the original only; `export "
                            "--out` writes the whole cubin",
                            rebuilt.run.id, what));
}

struct MinimisedBest : MinimalSchedule {
    RunInfo run;        // its run, with the evaluator that judged the minimal schedule, against the original
    StepRecord record;  // the best step, with the outcome of the minimal schedule
};
Result<MinimisedBest> minimise_best(SessionReader& reader, const ReplayedStep& best, const ExportOptions& options,
                                    std::stop_token stop) {
    TRY(check_has_edits(best, "a minimal schedule"));
    auto workload = TRY(workload_of_session(reader, options.session, inputs_of(options), best.run.id));
    auto found = TRY(find_minimal({.whole = best.schedule,
                                   .judge = best.run.evaluator.kind,
                                   .workload = std::move(workload),
                                   .gpu = options.gpu.settings(),
                                   .loads = options.loads,
                                   .energy = !options.bundle.empty()},
                                  stop));
    MinimisedBest out{std::move(found), best.run, best.record};
    out.run.evaluator = out.evaluator;
    out.run.start_run = 0;
    out.record.outcome = out.minimised.outcome;
    return out;
}

Status log_measurement(SessionReader& reader, const ReplayedStep& rebuilt, const ExportOptions& options,
                       const ShapesComparison& measured) {
    return store_measurement(
        reader, options.session, rebuilt.original,
        measurement_record(measured, rebuilt.run.id, rebuilt.record.step, "export", options.gpu.judged_with()));
}

Result<Claim> claim_of_kept(SessionReader& reader, const ReplayedStep& best, const MinimisedBest& made,
                            const std::string& session) {
    if (!made.keeps_whole()) {
        auto claim = TRY(claim_of_outcome(*best.original, made.minimised.schedule, made.run, made.record, session));
        if (!made.fresh) return claim;
        return claim_of_comparison(made.minimised.schedule, made.fresh->minimal, claim);
    }
    const Outcome& whole = made.fresh->whole.outcome;
    if (seen_to_fail(whole.kind))
        return fail(ErrorCode::Refused,
                    fmt::format("not exported: in fresh processes the best gave {}: {}",
                                to_string(whole.kind), whole.detail),
                    session);
    auto claim = TRY(own_claim_of(reader, best.kernel, best.run, best.record.step, session));
    if (!whole.ok()) return claim_without_figure(best.schedule, made.fresh->whole, claim);
    return claim_of_comparison(best.schedule, made.fresh->whole, claim);
}

std::string fresh_text(const ShapesComparison& measured) {
    const Outcome& o = measured.outcome;
    if (!o.ok()) return no_figure_line(measured);
    return fmt::format("{}  {}{}", to_string(o.verdict), percent_text(o.speedup),
                       over_words(measured.figures()));
}

void print_fresh(const ConfirmedMinimal& fresh) {
    print_line(fmt::format("in {} fresh processes{}: {}; the whole schedule: {}",
                           fresh.minimal.first().details.loads,
                           fresh.minimal.several() ? " for each shape" : "", fresh_text(fresh.minimal),
                           fresh_text(fresh.whole)));
    for (const std::string& line : shape_lines(fresh.minimal))
        print_line(line);
    if (!fresh.why_not.empty())
        print_line(fmt::format("NOT CONFIRMED: {}; the whole schedule is kept", fresh.why_not));
}

Json fresh_json(const std::optional<ConfirmedMinimal>& fresh) {
    if (!fresh) return nullptr;
    Json out = {{"confirmed", fresh->why_not.empty()}, {"why_not", fresh->why_not}};
    for (const auto& [name, measured] : {std::pair("minimal", &fresh->minimal), {"whole", &fresh->whole}})
        out[name] = {{"result", to_json(measured->outcome, EvaluatorKind::Gpu)},
                     {"loads", measured->first().details.loads},
                     {"shapes", shapes_document(*measured)}};
    return out;
}

Result<int> export_minimal(SessionReader& reader, const ExportOptions& options) {
    StopOnSignal stop;
    auto best = TRY(rebuild(reader, options.session, {options.run, "best", "--schedule"}));
    const OutputFile file = cubin_to_write(options.out, options.session, best, options.force);
    TRY(check_cubin_output(file, best.kernel->hash()));
    // The minimal schedule is also a claim about the log.
    TRY(claim_of(reader, best.kernel, best.run, best.record.step, options.session));
    auto made = TRY(minimise_best(reader, best, options, stop.token()));
    const Minimised* minimal = &made.minimised;
    auto claim = TRY(claim_of_kept(reader, best, made, options.session));
    std::string note;
    if (made.fresh)
        if (auto logged = log_measurement(reader, best, options, made.fresh->whole); !logged)
            note = "not put into the session: " + logged.error().message();
    auto replaced = TRY(check_cubin_output(file, best.kernel->hash()));
    auto report =
        TRY(export_cubin(made.keeps_whole() ? best.schedule : minimal->schedule, options.out, claim));
    const std::size_t own = note_self_check(best.kernel);
    if (options.json) {
        Json edits = Json::array();
        for (const Edit& edit : minimal->edits.edits)
            edits.push_back(Mutation{{edit}}.text(*best.kernel));
        return print_document({{"session", options.session},
                               {"run", best.run.id},
                               {"step", best.record.step},
                               {"out", options.out},
                               {"replaced", replaced},
                               {"stamp", report.stamp},
                               {"original_findings", own},
                               {"edits_before", minimal->edits_before},
                               {"edits", edits},
                               {"evaluations", minimal->evaluations},
                               {"evaluator", to_string(made.run.evaluator.kind)},
                               {"device", made.run.evaluator.device},
                               {"unit", made.run.evaluator.unit},
                               {"assumed", assumed_passes(made.run.evaluator)},
                               {"result", to_json(minimal->outcome, made.run.evaluator.kind)},
                               {"best", to_json(minimal->winner, made.run.evaluator.kind)},
                               {"kept", made.keeps_whole() ? "whole" : "minimal"},
                               {"fresh", fresh_json(made.fresh)},
                               {"note", note}});
    }
    print_line(fmt::format("{} of {} edits are essential: they give {} of {}{}", minimal->edits.edits.size(),
                           minimal->edits_before, percent_text(minimal->outcome.speedup.log),
                           percent_text(minimal->winner.speedup.log),
                           made.fresh ? ", in the process that looked for them" : ""));
    for (const Edit& edit : minimal->edits.edits)
        print_line("  " + Mutation{{edit}}.text(*best.kernel));
    if (made.fresh) print_fresh(*made.fresh);
    print_line(fmt::format("{}: {}", wrote_text(options.out, replaced), report.stamp));
    if (!note.empty()) print_line("  " + note);
    return 0;
}

// Measures the schedule over fresh loads if there is a GPU; otherwise the bundle says so.
Result<std::optional<ShapesComparison>> measure_for_bundle(const KernelPtr& original, const Schedule& schedule,
                                                           const Workload& workload, const ExportOptions& options, std::string& note,
                                                           std::stop_token stop) {
    auto measured = measure_in_one_cache(
        original, schedule, workload, {.gpu = options.gpu.settings(), .loads = options.loads}, std::move(stop));
    if (measured) return std::optional<ShapesComparison>{std::move(measured->comparison)};
    if (measured.error().code != ErrorCode::NoGpu) return fail(measured.error());
    note = "no measurement over fresh loads: " + measured.error().message();
    return std::optional<ShapesComparison>{};
}

Wanted wanted_of(const ExportOptions& options) {
    if (options.schedule == "minimal") return {options.run, "best", "--schedule"};
    const bool number = options.schedule.starts_with("step:");
    return {options.run, number ? options.schedule.substr(5) : options.schedule, "--schedule"};
}

Result<int> export_bundle(SessionReader& reader, const ExportOptions& options) {
    StopOnSignal stop;
    bool minimal = options.schedule == "minimal";
    auto rebuilt = TRY(rebuild(reader, options.session, wanted_of(options)));
    TRY(check_has_edits(rebuilt, "an evidence bundle"));
    TRY(check_bundle_folder(options.bundle));
    BundleRequest request;
    std::string note;
    std::optional<MinimisedBest> made;
    if (minimal) {
        made = TRY(minimise_best(reader, rebuilt, options, stop.token()));
        if (made->fresh) request.measured = made->keeps_whole() ? made->fresh->whole : made->fresh->minimal;
        minimal = !made->keeps_whole();
    }
    if (minimal) {
        auto& fewer = *made;
        rebuilt.schedule = fewer.minimised.schedule;
        rebuilt.run = fewer.run;
        rebuilt.record = fewer.record;
        request.derived = "minimal";
        for (const Edit& edit : fewer.minimised.edits.edits)
            request.edits.push_back(Mutation{{edit}}.text(*rebuilt.kernel));
    }
    request.run = rebuilt.run;
    request.record = rebuilt.record;
    if (!minimal) request.record = TRY(with_samples(reader, rebuilt.record, rebuilt.run.id));
    request.session = options.session;
    request.version = version_number();
    request.cache = options.gpu.judged_with();
    auto workload = TRY(workload_of_session(reader, options.session, inputs_of(options), rebuilt.run.id));
    if (workload) request.workload = workload->json;
    auto records = TRY(reader.measurements(rebuilt.run.id));
    // A bundle contains the step's own figure next to the final measurement.
    request.claim = TRY(
        minimal ? claim_of_outcome(*rebuilt.original, rebuilt.schedule, rebuilt.run, rebuilt.record, options.session)
                : own_claim_of(reader, rebuilt.kernel, rebuilt.run, rebuilt.record.step, options.session));
    for (MeasurementRecord& record : records)
        if (record.step == rebuilt.record.step && !minimal) request.measurements.push_back(std::move(record));
    if (workload && !request.measured) {
        request.measured = TRY(measure_for_bundle(rebuilt.original, rebuilt.schedule, *workload, options, note, stop.token()));
    }
    const ShapesComparison* of_step = minimal && made && made->fresh ? &made->fresh->whole
                                      : request.measured && !minimal ? &*request.measured
                                                                     : nullptr;
    if (of_step != nullptr)
        if (auto logged = log_measurement(reader, rebuilt, options, *of_step); !logged)
            note = "not put into the session: " + logged.error().message();
    auto report = TRY(write_bundle(rebuilt.schedule, options.bundle, request));
    const bool failed = request.measured && !request.measured->outcome.ok();
    const ShapeFigures figures = request.measured ? request.measured->figures() : ShapeFigures();
    const double mean = request.measured ? request.measured->outcome.speedup.log : 0;
    if (failed) note = "re-measured: " + no_figure_line(*request.measured);
    if (options.json)
        return print_document(
            {{"session", options.session},
             {"run", rebuilt.run.id},
             {"step", rebuilt.record.step},
             {"bundle", options.bundle},
             {"stamp", report.stamp},
             {"shapes", failed ? shapes_document(*request.measured) : shapes_document(figures)},
             {"moved", report.moved},
             {"control_changed", report.control_changed},
             {"kept", made ? (minimal ? "minimal" : "whole") : "step"},
             {"fresh", made ? fresh_json(made->fresh) : Json(nullptr)},
             {"note", note}},
            failed ? 1 : 0);
    if (made && made->fresh) print_fresh(*made->fresh);
    print_line(fmt::format("wrote {}: {}", options.bundle, report.stamp));
    if (!note.empty()) print_line("  " + note);
    for (const std::string& line : failed ? shape_lines(*request.measured) : shape_lines(figures, mean))
        print_line(line);
    return failed ? 1 : 0;
}

}  // namespace

Result<int> run_replay(const ReplayOptions& options) {
    if (options.patterns) return print_patterns(options);
    auto reader = TRY(SessionReader::open(options.session));
    return in_session(write_out(*reader, options.session, {options.run, options.step, "--step"}, options.out,
                                options.force, options.verify, options.json),
                      options.session);
}

Result<int> run_export(const ExportOptions& options) {
    if (options.out.empty() && options.bundle.empty())
        return fail(ErrorCode::BadUse, "give --out FILE.cubin or --bundle FOLDER", "export");
    const std::string& schedule = options.schedule;
    if (schedule != "best" && schedule != "minimal" && !schedule.starts_with("step:"))
        return fail(ErrorCode::BadUse, fmt::format("'{}' is not one of best, minimal, step:N", schedule),
                    "--schedule");
    auto reader = TRY(SessionReader::open(options.session));
    const auto done = [&]() -> Result<int> {
        if (!options.bundle.empty()) return export_bundle(*reader, options);
        if (schedule == "minimal") return export_minimal(*reader, options);
        return write_out(*reader, options.session, wanted_of(options), options.out, options.force, false,
                         options.json);
    };
    return in_session(done(), options.session);
}

void add_replay(CommandTable& table) {
    {
        auto [sub, options] =
            table.add("replay", "rebuild a step of a session and check its hash", run_replay);
        add_session_run(sub, options.session, options.run);
        sub->add_option("--step", options.step, "step number or best");
        sub->add_option("--out", options.out, "write it as a cubin");
        add_force(sub, options.force);
        sub->add_flag(
            "--verify", options.verify,
            "rebuild every step of the run, recompute every figure and check that every schedule is legal");
        auto* patterns = sub->add_flag("--patterns", options.patterns,
                                       "group the accepted steps by their edits, with their gains");
        sub->add_option("--scope", options.scope,
                        "with --patterns: this run, all runs of this kernel, or all runs, in the sessions of "
                        "the same folder")
            ->check(one_of({"run", "kernel", "all"}))
            ->needs(patterns);
        add_common(sub, options, false);
    }
    {
        auto [sub, options] = table.add("export", "write a schedule of a session as a cubin", run_export);
        add_session_run(sub, options.session, options.run);
        sub->add_option("--schedule", options.schedule, "best, minimal or step:N");
        auto* out = sub->add_option("--out", options.out, "cubin to write");
        auto* bundle =
            sub->add_option("--bundle", options.bundle,
                            "folder to write: both cubins, workload, raw samples, machine; see verify");
        sub->add_option("--loads", options.loads,
                        "fresh module loads of each, to measure a bundle or a minimal schedule")
            ->check(whole(2, 1000));
        out->excludes(bundle);
        add_force(sub, options.force);
        add_allow_files(sub, options.allow_files);
        add_gpu(sub, options.gpu);
        add_cache(sub, options.gpu, Cache::Cold);
        add_common(sub, options, false);
    }
}

}  // namespace cubinlab::cli
