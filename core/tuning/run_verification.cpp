// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/run_verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/legality/legality_of.h"
#include "core/base/bounded_json.h"
#include "core/evidence/claim_parts.h"
#include "core/evidence/measured_code.h"
#include "core/evidence/run_curve.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/run_again.h"
#include "core/gpu/client/shapes_evaluator.h"
#include "core/search/engine/known_outcomes.h"

namespace cubinlab {
namespace {

// The marks of a step that follow from the steps before it.
class Marks {
  public:
    Marks(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run, Deviations& out)
        : reader_(reader), kernel_(kernel), run_(run), out_(out) {
        Outcome start;
        start.kind = OutcomeKind::Ok;
        known_.remember(run.start_hash, start);
    }

    Status check(const StepRecord& record) {
        TRY(check_outcome(record));
        check_code(record);
        const bool modelled = run_.evaluator.kind == EvaluatorKind::Model;
        if (modelled) {
            check_repeated(record);
            const bool best = !record.repeated && record.outcome.ok() && record.outcome.log_speedup > best_;
            if (record.best != best)
                told(record, fmt::format("best is {:d}, but its gain {} that of every step before",
                                         record.best, best ? "is above" : "is not above"));
        } else {
            check_measured(record);
            check_shapes(record);
        }
        if (record.best) best_ = record.outcome.log_speedup;
        return {};
    }

    // Steps that ran well and do not say of which code.
    std::uint64_t without_code() const { return without_code_; }

  private:
    void told(const StepRecord& record, std::string what) {
        out_.add(at_step(run_.id, record.step), std::move(what));
    }

    Status check_outcome(const StepRecord& record) {
        const Outcome& o = record.outcome;
        const char* kind = to_string(o.kind);
        if (!o.ok() && (o.log_speedup != 0 || o.low != 0 || o.high != 0 || o.verdict != Verdict::Unclear))
            told(record, fmt::format("outcome is {}, but it has a figure, which only ok has", kind));
        if (o.kind == OutcomeKind::Illegal) {
            auto schedule = TRY(reader_.schedule_at(kernel_, run_.id, record.step));
            const Legality hazards = TRY(legality_of(schedule));
            if (hazards.empty()) told(record, "outcome is illegal, but the schedule is legal");
        }
        if (run_.evaluator.kind == EvaluatorKind::Gpu) return {};
        // The model gives every schedule a figure, and nothing else.
        if (!o.ok() && (run_.agent != "hand" || o.kind != OutcomeKind::Error))
            told(record, fmt::format("outcome is {}, but the SM model gives every schedule a figure", kind));
        visit_fields(o, [&](const Field& field, const auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            const std::string_view name = field.name;
            if constexpr (std::is_enum_v<Value> || std::is_same_v<Value, Hash128>)
                return;
            else if constexpr (std::is_arithmetic_v<Value>) {
                if (name == "log_speedup" || name == "low" || name == "high" || name == "cost" || value == 0)
                    return;
                told(record, fmt::format("{} is {}, which the SM model gives nothing of", name, value));
            } else if (!value.empty() && o.ok()) {
                told(record, fmt::format("{} is not empty, but the SM model gives nothing of it", name));
            }
        });
        return {};
    }

    // Of what ran well it is told with the figure.
    void check_code(const StepRecord& record) {
        const Outcome& o = record.outcome;
        if (!o.ok()) {
            if (names_its_code(o) && o.code_hash != record.schedule_hash)
                told(record, fmt::format("code_hash is {}, its schedule's code {}", o.code_hash.hex(),
                                         record.schedule_hash.hex()));
            return;
        }
        if (record.repeated || run_.agent == "hand") return;
        const std::pair judge(part_of(run_, record.step), o.device);
        if (names_its_code(o))
            named_by_.insert(judge);
        else if (named_by_.count(judge) != 0)
            told(record, "code_hash is not there, but what judged it said it of earlier steps");
        else
            ++without_code_;
    }

    // What the fields say of the shapes the text says, too.
    void check_shapes(const StepRecord& record) {
        const Outcome& o = record.outcome;
        if (o.shape_count == 0 && o.slower_shapes == 0) return;
        const bool said = !o.ok() || !shapes_in_words(o).empty();
        if (!said || o.slower_shapes > o.shape_count)
            told(record,
                 fmt::format("shape_count is {} and slower_shapes {}, which its outcome does not bear out",
                             o.shape_count, o.slower_shapes));
    }

    void check_repeated(const StepRecord& record) {
        const Outcome* seen = run_.agent == "hand" ? nullptr : known_.find(record.schedule_hash, true);
        if (record.repeated != (seen != nullptr))
            told(record, fmt::format("repeated is {:d}, but {} has the same schedule", record.repeated,
                                     seen != nullptr ? "an earlier step" : "no earlier step"));
        if (seen == nullptr) known_.remember(record.schedule_hash, without_raw(record.outcome));
    }

    // Which step becomes best hangs on comparisons that are not kept; what is kept has to allow it.
    void check_measured(const StepRecord& record) {
        const Outcome& o = record.outcome;
        if (const std::size_t gpus = std::max<std::size_t>(1, gpus_of(evaluator_of(run_, record.step)));
            o.device >= gpus)
            told(record, fmt::format("device is {}, but the run had {}", o.device, gpus));
        if (!o.ok() && !record.repeated && o.pairs != o.samples.size())
            told(record, fmt::format("pairs is {}, but it has {} samples", o.pairs, o.samples.size()));
        constexpr std::uint64_t kRemembered = std::uint64_t{1} << 16;  // as KnownOutcomes has it
        if (record.repeated) {
            if (known_.find(record.schedule_hash, false) == nullptr && ++evaluated_ <= kRemembered)
                told(record, "repeated is 1, but no earlier step has the same schedule");
            if (!o.samples.empty()) told(record, "repeated is 1, but it has samples of its own");
            if (record.best) told(record, "best is 1, but it repeats an earlier step");
            return;
        }
        ++evaluated_;
        known_.remember(record.schedule_hash, without_raw(o));
        const bool claim = o.ok() && o.verdict == Verdict::Faster && is_confirmed(o);
        if (record.best && !claim)
            told(record, "best is 1, but it was not confirmed as FASTER");
        else if (!record.best && claim && o.alpha > 0 && o.log_speedup > best_)
            told(record, "best is 0, but it was confirmed as faster than every best before");
    }

    SessionReader& reader_;
    KernelPtr kernel_;
    const RunInfo& run_;
    Deviations& out_;
    KnownOutcomes known_;
    double best_ = 0;
    std::uint64_t evaluated_ = 0;
    std::set<std::pair<std::size_t, std::uint16_t>>
        named_by_;  // part and device whose outcomes name their code
    std::uint64_t without_code_ = 0;
};

// Measurements beside the log, beyond their figures.
Status check_measurements(SessionReader& reader, const RunInfo& run, Deviations& out) {
    const auto records = TRY(reader.measurements(run.id));
    for (const MeasurementRecord& record : records) {
        const Outcome& o = record.outcome;
        const std::string where =
            fmt::format("measurement of {}, made {}", at_step(run.id, record.step), record.made);
        if (!o.ok() && (o.log_speedup != 0 || o.low != 0 || o.high != 0 || o.verdict != Verdict::Unclear))
            out.add(where,
                    fmt::format("outcome is {}, but it has a figure, which only ok has", to_string(o.kind)));
        const auto more = parse_json_or_discard(record.json);
        std::size_t samples = 0;
        if (more.is_object() && more.contains("by_load") && more["by_load"].is_array())
            for (const auto& load : more["by_load"])
                samples += load.size();
        if (samples != 0 && samples != o.pairs)
            out.add(where, fmt::format("pairs is {}, but it has {} samples", o.pairs, samples));
    }
    return {};
}

// What the model was told of the launch, by the run's own workload.
Status check_launch(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                    RunVerification& out) {
    if (run.evaluator.kind != EvaluatorKind::Model || !out.figures.why.empty()) return {};
    const auto text = reader.workload_json(run.id);
    if (!text) return {};  // told with the rows
    std::optional<Workload> workload;
    if (!text->empty() && *text != "{}") {
        auto parsed = Workload::parse(*text, {});
        if (!parsed) {
            out.open.push_back("the launch that the model assumes: its workload is none: " +
                               parsed.error().what);
            return {};
        }
        workload = std::move(*parsed);
    }
    const auto choice = choose_evaluator(kernel, workload, "model", {}, {});
    if (!choice) return {};
    const auto stored = parse_json_or_discard(run.evaluator.json);
    const auto now = parse_json_or_discard(choice->evaluator->info().json);
    std::string differ;
    if (!stored.is_object())
        differ = "they are unreadable";
    else
        for (const auto& [key, value] : stored.items())
            if (!now.contains(key) || now[key] != value)
                differ += fmt::format("{}{} is {}, not {}", differ.empty() ? "" : ", ", key,
                                      value.dump().substr(0, 60),
                                      now.contains(key) ? now[key].dump().substr(0, 60) : "there");
    if (!differ.empty())
        out.open.push_back("the settings of the model are not those that the run's workload gives: " +
                           differ);
    return {};
}

}  // namespace

Result<RunVerification> verify_run(const std::shared_ptr<SessionReader>& reader, const KernelPtr& kernel,
                                   RunInfo run, std::stop_token stop) {
    RunVerification out;
    auto rebuilt = reader->verify(kernel, run.id, &out.deviations);
    if (!rebuilt) {
        if (rebuilt.error().code != ErrorCode::Corrupt || out.deviations.empty())
            return fail(rebuilt.error());
        out.deviations.add({}, rebuilt.error().what);
        return out;
    }
    out.rebuilt = *rebuilt;
    run.steps = out.rebuilt;  // one that goes on has more by now: one reading, one number
    if (auto best = reader->best_step(run.id); !best) {
        if (best.error().code != ErrorCode::Corrupt) return fail(best.error());
        out.deviations.add({}, best.error().what);
    }
    out.figures = TRY(check_run_figures(*reader, kernel, run, FiguresOf::EveryStep, stop, &out.deviations));
    Marks marks(*reader, kernel, run, out.deviations);
    TRY(each_step(
        *reader, run.id,
        [&](StepRecord& record) -> Status {
            return record.step > static_cast<StepId>(run.steps) ? Status{} : marks.check(record);
        },
        stop));
    if (marks.without_code() != 0)
        out.open.push_back(
            fmt::format("of which code the figures of {} of {} steps are: what judged them did not say it",
                        marks.without_code(), run.steps));
    TRY(check_measurements(*reader, run, out.deviations));
    TRY(check_launch(*reader, kernel, run, out));
    const auto again = TRY(decide_again(reader, kernel, run, out.deviations, stop));
    out.decided = again.decided;
    out.by_rule = again.by_rule;
    if (!again.why.empty())
        out.open.push_back(
            fmt::format("{} of {} of {} steps: {}",
                        again.by_rule != 0 ? "what was proposed, and the curves," : "reward and accepted",
                        run.steps - again.decided, run.steps, again.why));
    const auto best = TRY(reader->schedule_at(kernel, run.id, run.best_step));
    TRY(check_best_is_legal(run, best));
    return out;
}

}  // namespace cubinlab
