// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/gpu_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/evidence/claim_parts.h"
#include "core/evidence/measured_code.h"
#include "core/evidence/measured_shapes.h"
#include "core/evidence/stored_figures.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/mean_outcome.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

struct Calibrated {
    double pair_deviation = 0, load_deviation = 0;
};

bool near(double a, double b) {
    return std::abs(a - b) <= kFigureTolerance;
}

bool near(const Speedup& a, const Speedup& b) {
    return near(a.log, b.log) && near(a.low, b.low) && near(a.high, b.high);
}

bool same_figure(const Outcome& a, const Outcome& b) {
    return a.ok() && b.ok() && near(a.speedup, b.speedup) && a.verdict == b.verdict;
}

bool all_finite(const std::vector<float>& samples) {
    return std::all_of(samples.begin(), samples.end(), [](float s) { return std::isfinite(s); });
}

std::string figure_text(const Outcome& o) {
    return fmt::format("{} {}", to_string(o.verdict), factor_text(o.speedup));
}

// Of the device that measured the step. A look's samples may have a length of their own, and with it a deviation; a claim
// has the machine's.
std::optional<Calibrated> calibration_of(const MachineInfo& machine, const Outcome& outcome) {
    const Calibration* c = machine.calibration_of(outcome);
    if (c == nullptr) return std::nullopt;
    Calibrated out{c->pair_deviation, c->load_deviation};
    if (outcome.pair_deviation > 0 && outcome.alpha > kConfirmAlpha * (1 + 1e-9))
        out.pair_deviation = outcome.pair_deviation;
    return out;
}

// Why the session does not hold all that the figure is made of; empty: it does.
std::string what_is_missing(const Outcome& outcome, bool calibrated) {
    if (is_over_shapes(outcome))
        return "it is a mean over shapes, and the session holds the samples of the first alone";
    if (!calibrated)
        return "the session holds no calibration of the GPU that measured it, so its interval is not known";
    if (outcome.states.empty() || outcome.samples.size() % outcome.states.size() != 0)
        return "the session does not hold how its samples lie in loads, so its interval is not known";
    return {};
}

// As time_in_one_load and time_over_loads of gpu_bench.cpp.
Speedup figure_of(const Outcome& outcome, const Calibrated& c) {
    if (outcome.alpha > kPromoteAlpha * (1 + 1e-9)) {
        const Estimate e = estimate(outcome.samples, c.pair_deviation);
        const Interval interval =
            pair_interval(e, std::hypot(c.pair_deviation, c.load_deviation), outcome.alpha);
        return {e.mean, interval.low, interval.high};
    }
    std::vector<std::vector<float>> by_load;
    const auto pairs = static_cast<std::ptrdiff_t>(outcome.samples.size() / outcome.states.size());
    for (auto at = outcome.samples.begin(); at != outcome.samples.end(); at += pairs)
        by_load.emplace_back(at, at + pairs);
    return judge_loads(by_load, c.pair_deviation, c.load_deviation, outcome.alpha).speedup();
}

// The error probability of a run is spent over its confirmations (confirmation_alpha).
Status check_alpha(const RunInfo& run, const StepRecord& record, std::uint64_t confirmations) {
    const double most = confirmation_alpha(confirmations + 1);
    if (!is_confirmed(record.outcome) || record.outcome.alpha <= most * (1 + 1e-9)) return {};
    return fail(ErrorCode::Corrupt,
                fmt::format("the stored interval is too narrow: {} was made for an error probability of "
                            "{:.3g}, but confirmation {} of a run gets {:.3g} at most",
                            at_step(run.id, record.step), record.outcome.alpha, confirmations + 1, most));
}

// `reference`: null: the start.
Result<std::string> check_samples(const RunInfo& run, const StepRecord& record, const StepRecord* reference) {
    const Outcome& stored = record.outcome;
    const MachineInfo& machine = evaluator_of(run, record.step).gpu;
    const auto calibration = calibration_of(machine, stored);
    if (std::string missing = what_is_missing(stored, calibration.has_value()); !missing.empty())
        return missing;
    Outcome again;
    again.kind = OutcomeKind::Ok;
    again.speedup = figure_of(stored, *calibration);
    again.verdict = again.speedup.verdict(machine.same_within.value_or(GpuSettings{}.same_within));
    if (reference != nullptr) {  // as chained() of promotion.h
        again.speedup = again.speedup + reference->outcome.speedup;
        again.verdict = again.speedup.verdict(0);
    }
    if (same_figure(stored, again)) return std::string();
    if (is_mean(machine.cache))
        return fmt::format("it is a mean over {}, and the session holds the {} samples alone",
                           state_names(*machine.cache), to_string(measured_states(*machine.cache).front()));
    return fail(
        ErrorCode::Corrupt,
        fmt::format("the stored figure does not follow from the stored samples: {} says {}; its {} "
                    "samples give {}{}",
                    at_step(run.id, record.step), figure_text(stored), stored.samples.size(),
                    figure_text(again),
                    reference == nullptr ? std::string()
                                         : fmt::format(" with the figure of step {}", reference->step)));
}

}  // namespace

Status check_samples_are_there(const RunInfo& run, const StepRecord& record) {
    const Outcome& stored = record.outcome;
    const auto corrupt = [&](const std::string& what) -> Status {
        return fail(ErrorCode::Corrupt, fmt::format("{} {}", at_step(run.id, record.step), what));
    };
    if (stored.samples.size() != stored.pairs)
        return corrupt(fmt::format("says that it took {} pairs, but {} samples are stored", stored.pairs,
                                   stored.samples.size()));
    if (stored.samples.empty())
        return corrupt("was evaluated on a GPU, but the samples that its figure is made of are not stored");
    if (!all_finite(stored.samples)) return corrupt("holds samples that are no numbers");
    if (stored.alpha <= 0) return corrupt("does not say the error probability of its interval");
    return {};
}

Result<std::string> check_direct_figure(const RunInfo& run, const StepRecord& record,
                                        std::uint64_t confirmations) {
    TRY(check_samples_are_there(run, record));
    TRY(check_alpha(run, record, confirmations));
    return check_samples(run, record, nullptr);
}

Result<std::string> GpuFigures::check(const StepRecord& record, int depth) {
    TRY(check_measured_code(run_, record));
    if (record.repeated) return check_repeated(record, depth);
    const bool confirmed = is_confirmed(record.outcome);
    if (confirmed || record.reference_step == 0) return check_direct(record);
    TRY(check_samples_are_there(run_, record));
    if (!record.reference_step)
        return std::string("the session does not hold which step it was compared with");
    const Checked& reference = *TRY(referred(record, depth));
    const StepRecord& best = reference.record;
    if (best.step >= record.step || !best.best || !best.outcome.ok() || !is_confirmed(best.outcome))
        return fail(ErrorCode::Corrupt,
                    fmt::format("{} says that it was compared with step {}, which is no confirmed best step "
                                "before it",
                                at_step(run_.id, record.step), *record.reference_step));
    auto why = TRY(check_samples(run_, record, &best));
    return why.empty() ? reference.why : why;
}

Result<std::string> GpuFigures::check_direct(const StepRecord& record) {
    std::uint64_t before = 0;
    if (is_confirmed(record.outcome))
        before = TRY(reader_.confirmations(run_.id, 0, record.step - 1, kConfirmAlpha));
    return check_direct_figure(run_, record, before);
}

// Its figure is a copy of an earlier one of the same schedule.
Result<std::string> GpuFigures::check_repeated(const StepRecord& record, int depth) {
    if (!record.reference_step) return std::string("the session does not hold which step it repeats");
    StepRecord start;
    start.schedule_hash = run_.start_hash;
    start.outcome.kind = OutcomeKind::Ok;
    start.outcome.verdict = Verdict::Same;
    const bool of_start = *record.reference_step == 0;
    const Checked* checked = of_start ? nullptr : TRY(referred(record, depth));
    const StepRecord& source = of_start ? start : checked->record;
    if (source.step >= record.step || source.repeated || source.schedule_hash != record.schedule_hash)
        return fail(
            ErrorCode::Corrupt,
            fmt::format("{} says that it repeats step {}, which is not an earlier evaluation of its schedule",
                        at_step(run_.id, record.step), *record.reference_step));
    if (!same_figure(record.outcome, source.outcome))
        return fail(ErrorCode::Corrupt,
                    fmt::format("the stored figure is not that of the same schedule before: {} says {}, {} "
                                "says {}",
                                at_step(run_.id, record.step), figure_text(record.outcome),
                                of_start ? "the start" : fmt::format("step {}", source.step),
                                figure_text(source.outcome)));
    return of_start ? std::string() : checked->why;
}

Result<const GpuFigures::Checked*> GpuFigures::referred(const StepRecord& by, int depth) {
    constexpr std::size_t kMostReferred = 4096;
    constexpr int kDeepest = 2;  // a repeated step, the step that it copies, and that one's best step
    if (depth >= kDeepest)
        return fail(ErrorCode::Corrupt,
                    fmt::format("{} is at the end of a longer chain of references than any run makes",
                                at_step(run_.id, by.step)));
    const StepId step = *by.reference_step;
    if (const auto known = referred_.find(step); known != referred_.end()) return &known->second;
    auto found = reader_.step(run_.id, step);
    if (!found && found.error().code == ErrorCode::NotFound)
        return fail(ErrorCode::Corrupt, fmt::format("{} refers to step {}, which the log does not have",
                                                    at_step(run_.id, by.step), step));
    auto record = TRY(std::move(found));
    std::string why;
    if (record.outcome.ok() && !record.repeated) why = TRY(check(record, depth + 1));
    if (referred_.size() >= kMostReferred) referred_.clear();
    record.outcome = without_raw(std::move(record.outcome));
    return &referred_.insert_or_assign(step, Checked{std::move(record), std::move(why)}).first->second;
}

namespace {

Status check_measurement(const ShapeMeasurement& shape, const std::vector<float>& stored,
                         const std::string& which) {
    std::vector<float> samples;
    for (const auto& load : shape.details.by_load)
        samples.insert(samples.end(), load.begin(), load.end());
    if (!all_finite(samples) || (!stored.empty() && stored != samples))
        return fail(ErrorCode::Corrupt,
                    "the samples of the stored measurement of " + which + " are not those of its loads");
    const Outcome& said = shape.outcome;
    const Calibration& calibration = *shape.details.calibration;
    const LoadsVerdict again = judge_loads(shape.details.by_load, calibration.pair_deviation,
                                           calibration.load_deviation, alpha_of(said));
    const Verdict verdict = again.speedup().verdict(*shape.details.same_within);
    if (near(again.speedup(), said.speedup) && verdict == said.verdict) return {};
    return fail(ErrorCode::Corrupt,
                fmt::format("the stored measurement does not follow from its samples: that of {} says {} {}; "
                            "they give {} {}",
                            which, to_string(said.verdict), factor_text(said.speedup), to_string(verdict),
                            factor_text(again.speedup())));
}

}  // namespace

Result<std::uint64_t> check_measurement_figures(const std::vector<MeasurementRecord>& records, StepId step) {
    std::uint64_t unchecked = 0;
    for (const MeasurementRecord& record : records) {
        if ((step != 0 && record.step != step) || !record.outcome.ok()) continue;
        const auto shapes = measured_shapes(record);
        if (shapes.empty()) {
            ++unchecked;
            continue;
        }
        const std::string which =
            fmt::format("run {}, step {}, made {}", record.run, record.step, record.made);
        for (std::size_t k = 0; k < shapes.size(); ++k)
            TRY(check_measurement(
                shapes[k], k == 0 ? record.outcome.samples : std::vector<float>(),
                shapes.size() == 1 ? which : fmt::format("{}, shape '{}',", which, shapes[k].details.name)));
    }
    return unchecked;
}

}  // namespace cubinlab
