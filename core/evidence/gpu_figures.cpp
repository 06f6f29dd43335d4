// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/gpu_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/evidence/measured_code.h"
#include "core/evidence/measured_shapes.h"
#include "core/evidence/stored_figures.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/shapes_evaluator.h"

namespace cubinlab {
namespace {

using nlohmann::json;
using Figure = GpuFigures::Figure;
using Calibrated = GpuFigures::Calibrated;

bool near(double a, double b) {
    return std::abs(a - b) <= kFigureTolerance;
}

std::optional<Calibrated> calibration_in(const json& object) {
    try {
        const json& c = object.at("calibration");
        return Calibrated{c.at("pair_deviation").get<double>(), c.at("load_deviation").get<double>()};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

bool all_finite(const std::vector<float>& samples) {
    return std::all_of(samples.begin(), samples.end(), [](float s) { return std::isfinite(s); });
}

std::string figure_text(double log_speedup, double low, double high) {
    return fmt::format("{:.4f}x [{:.4f}, {:.4f}]", std::exp(log_speedup), std::exp(low), std::exp(high));
}

// As time_in_one_load of gpu_bench.cpp.
Figure screened(std::span<const float> samples, const Calibrated& c, double alpha) {
    const Estimate e = estimate(samples, c.pair_deviation);
    return {e.mean, pair_interval(e, std::hypot(c.pair_deviation, c.load_deviation), alpha)};
}

// As time_over_loads of gpu_bench.cpp.
Figure over_equal_loads(const std::vector<float>& samples, std::size_t loads, const Calibrated& c,
                        double alpha) {
    std::vector<std::vector<float>> by_load;
    const auto pairs = static_cast<std::ptrdiff_t>(samples.size() / loads);
    for (auto at = samples.begin(); at != samples.end(); at += pairs)
        by_load.emplace_back(at, at + pairs);
    const LoadsVerdict judged = judge_loads(by_load, c.pair_deviation, c.load_deviation, alpha);
    return {judged.loads.mean, judged.interval};
}

bool is_screening(const Outcome& outcome) {
    return outcome.alpha > kPromoteAlpha * (1 + 1e-9);
}

// Loads that the samples are of; 0: not stored (before schema 2), or unlike anything that this program
// writes.
std::size_t loads_of(const Outcome& outcome) {
    const std::size_t loads = outcome.states.size();
    const bool even = loads > 0 && outcome.samples.size() % loads == 0;
    if (!even || outcome.alpha <= 0 || (is_screening(outcome) && loads != 1)) return 0;
    return loads;
}

// A look's samples may have a length of their own, and with it a deviation; what is claimed has the machine's.
Calibrated calibrated_for(const Outcome& outcome, Calibrated machine) {
    if (outcome.pair_deviation > 0 && outcome.alpha > kConfirmAlpha * (1 + 1e-9))
        machine.pair_deviation = outcome.pair_deviation;
    return machine;
}

// All figures that the samples may have given: one where their loads and error probability are stored.
std::vector<Figure> figures_of(const Outcome& outcome, const Calibrated& machine) {
    const Calibrated c = calibrated_for(outcome, machine);
    const std::vector<float>& samples = outcome.samples;
    if (const std::size_t loads = loads_of(outcome); loads > 0) {
        if (is_screening(outcome)) return {screened(samples, c, outcome.alpha)};
        return {over_equal_loads(samples, loads, c, outcome.alpha)};
    }
    std::vector<double> alphas = {outcome.alpha};
    if (outcome.alpha <= 0) alphas = {kScreenAlpha, kPromoteAlpha, kConfirmAlpha};
    std::vector<Figure> out;
    for (const double alpha : alphas) {
        out.push_back(screened(samples, c, alpha));
        for (std::size_t loads = 1; loads <= samples.size(); ++loads)
            if (samples.size() % loads == 0) out.push_back(over_equal_loads(samples, loads, c, alpha));
    }
    return out;
}

// Deviations of a pair with which estimate() makes about `mean` of these samples, the ends of each stretch: it takes what
// lies further than four of them from the median for that far, so that the mean runs from the median to the plain mean,
// linear between the deviations at which a sample is reached.
std::vector<double> deviations_that_give(double mean, std::span<const float> samples) {
    constexpr double kLeast = 1e-12;  // 0 asks for the samples' own
    const double middle = median({samples.begin(), samples.end()});
    std::vector<double> reached = {kLeast};
    for (const double sample : samples)
        reached.push_back(std::max(kLeast, std::abs(sample - middle) / 4));
    std::sort(reached.begin(), reached.end());
    std::vector<double> out;
    const auto mean_with = [&](double deviation) { return estimate(samples, deviation).mean; };
    for (std::size_t i = 1; i < reached.size(); ++i) {
        const double from = mean_with(reached[i - 1]), to = mean_with(reached[i]);
        // Its ends, too, within the tolerance: an interval grows with the deviation.
        for (const double target : {mean - kFigureTolerance, mean, mean + kFigureTolerance}) {
            const double share = to == from ? 0 : std::clamp((target - from) / (to - from), 0.0, 1.0);
            const double deviation = reached[i - 1] + share * (reached[i] - reached[i - 1]);
            if (near(mean_with(deviation), mean)) out.push_back(deviation);
        }
    }
    return out;
}

}  // namespace

Result<GpuFigures> GpuFigures::create(const RunInfo& run, MeasuredSteps& steps) {
    GpuFigures out(run, steps);
    out.best_ = TRY(steps.best());
    return out;
}

GpuFigures::GpuFigures(const RunInfo& run, MeasuredSteps& steps) : run_(run), steps_(steps) {
    judges_.push_back(judge_in(run.evaluator));
    for (const RunPart& part : run.later_parts)
        judges_.push_back(judge_in(part.evaluator));
}

GpuFigures::Judge GpuFigures::judge_in(const EvaluatorInfo& evaluator) {
    Judge out{{}, GpuSettings{}.same_within};
    const json machine = parse_json_or_discard(evaluator.json);
    if (!machine.is_object()) return out;
    out.same_within = json_or(machine, "same_within", out.same_within);
    const auto devices = machine.find("devices");
    if (devices != machine.end() && devices->is_array())
        for (const json& device : *devices)
            out.calibrations.push_back(calibration_in(device));
    else
        out.calibrations.push_back(calibration_in(machine));
    return out;
}

std::optional<Calibrated> GpuFigures::calibration_of(const StepRecord& record) const {
    const auto& calibrations = judge_of(record).calibrations;
    const std::size_t device = record.outcome.device;
    return device < calibrations.size() ? calibrations[device] : std::nullopt;
}

Result<bool> GpuFigures::resumed_unsaid(StepId after, StepId step) {
    // The clock that starts anew with a part of which the log says it is none of those.
    for (std::size_t part = part_of(run_, after); part <= part_of(run_, step); ++part) {
        const StepId end = part < run_.later_parts.size() ? part_begin(run_, part + 1) - 1 : step;
        auto resumed = steps_.resumed_in(std::max(after, part_begin(run_, part)), std::min(step, end));
        if (!resumed || *resumed) return resumed;
    }
    return false;
}

Result<std::string> GpuFigures::check(const StepRecord& record) {
    TRY(check_measured_code(run_, record));
    return record.repeated ? check_repeated(record) : check_samples(record);
}

// Its figure is a copy of the one that the same words got before.
Result<std::string> GpuFigures::check_repeated(const StepRecord& record) {
    const Outcome& stored = record.outcome;
    const auto differs = [&](const Outcome& first, const std::string& where) -> Result<std::string> {
        return fail(
            ErrorCode::Corrupt,
            fmt::format("the stored figure is not that of the same schedule before: run {}, step {} "
                        "says {} {}, {} says {} {}",
                        run_.id, record.step, to_string(stored.verdict),
                        figure_text(stored.log_speedup, stored.low, stored.high), where,
                        to_string(first.verdict), figure_text(first.log_speedup, first.low, first.high)));
    };
    const auto same = [&](const Outcome& first) {
        return first.ok() && near(first.log_speedup, stored.log_speedup) && near(first.low, stored.low) &&
               near(first.high, stored.high) && first.verdict == stored.verdict;
    };
    if (record.schedule_hash == run_.start_hash) {
        Outcome start;
        start.kind = OutcomeKind::Ok;
        start.verdict = Verdict::Same;
        if (!same(start)) return differs(start, "the start");
        return std::string();
    }
    // Words that were only tested at first may have been evaluated again when they were put up for the best.
    auto evaluated = TRY(steps_.of_words(record.schedule_hash, record.step));
    if (evaluated.empty())
        return std::string("the log has no earlier step of this schedule, whose samples it would need");
    const auto source = std::find_if(evaluated.begin(), evaluated.end(),
                                     [&](const StepRecord& r) { return same(r.outcome); });
    if (source == evaluated.end())
        return differs(evaluated.front().outcome, fmt::format("step {}", evaluated.front().step));
    auto whole = TRY(steps_.at(source->step));
    return check_samples(whole);
}

// The error probability of a run is spent over its confirmations (confirmation_alpha); a resumption by an
// early version counted anew.
Status GpuFigures::check_alpha(const StepRecord& record) {
    if (record.outcome.alpha <= 0 || record.outcome.alpha > kConfirmAlpha) return {};
    auto resumed = TRY(resumed_unsaid(1, record.step));
    if (resumed) return {};
    const std::uint64_t before = TRY(steps_.confirmations_before(record.step));
    const double most = confirmation_alpha(before + 1);
    if (record.outcome.alpha <= most * (1 + 1e-9)) return {};
    return fail(ErrorCode::Corrupt,
                fmt::format("the stored interval is too narrow: run {}, step {} was made for an error "
                            "probability of {:.3g}, but confirmation {} of a run gets {:.3g} at most",
                            run_.id, record.step, record.outcome.alpha, before + 1, most));
}

std::vector<const StepRecord*> GpuFigures::incumbents(const StepRecord& record) const {
    std::vector<const StepRecord*> out = {nullptr};
    const double alpha = record.outcome.alpha;
    if (alpha > 0 && alpha <= kConfirmAlpha) return out;  // confirmed against the start itself
    // Newest first. Of those before only the ones of its own batch can be newer than what it was compared with.
    constexpr std::ptrdiff_t kMostOfBatch = 4096;
    const auto end = std::lower_bound(best_.begin(), best_.end(), record.step,
                                      [](const StepRecord& r, StepId step) { return r.step < step; });
    for (auto r = end; r != best_.begin() && end - r < kMostOfBatch;)
        out.push_back(&*--r);
    return out;
}

// A screening by a GPU whose calibration is not stored. A look's deviation is.
std::optional<const StepRecord*> GpuFigures::fit_any_calibration(
    const StepRecord& record, const std::vector<const StepRecord*>& incumbents) const {
    const Outcome& stored = record.outcome;
    if (!is_screening(stored) || stored.pair_deviation > 0) return std::nullopt;
    for (const StepRecord* incumbent : incumbents) {
        const double mean = stored.log_speedup - (incumbent ? incumbent->outcome.log_speedup : 0);
        std::vector<Figure> figures;
        for (const double deviation : deviations_that_give(mean, stored.samples))
            figures.push_back(screened(stored.samples, {deviation, 0}, stored.alpha));
        if (const auto found = fit(record, figures, {incumbent}, false)) return found;
    }
    return std::nullopt;
}

bool GpuFigures::verdict_fits(const StepRecord& record, bool chained) const {
    const Outcome& stored = record.outcome;
    // promotion.h judges a sum by its sign.
    if (chained)
        return stored.verdict == (stored.low > 0    ? Verdict::Faster
                                  : stored.high < 0 ? Verdict::Slower
                                                    : Verdict::Unclear);
    return stored.verdict == verdict_of({stored.low, stored.high}, judge_of(record).same_within);
}

std::optional<const StepRecord*> GpuFigures::fit(const StepRecord& record, const std::vector<Figure>& figures,
                                                 const std::vector<const StepRecord*>& incumbents,
                                                 bool wholly) const {
    const Outcome& stored = record.outcome;
    for (const Figure& f : figures)
        for (const StepRecord* incumbent : incumbents) {
            const Outcome none;
            const Outcome& onto = incumbent ? incumbent->outcome : none;
            const double low = f.interval.low + onto.low, high = f.interval.high + onto.high;
            const bool interval =
                wholly ? near(stored.low, low) && near(stored.high, high)
                       : stored.low <= low + kFigureTolerance && stored.high >= high - kFigureTolerance;
            if (near(stored.log_speedup, f.log_speedup + onto.log_speedup) && interval &&
                verdict_fits(record, incumbent != nullptr))
                return incumbent;
        }
    return std::nullopt;
}

Error GpuFigures::mismatch(const StepRecord& record, const Figure& figure) const {
    const Outcome& o = record.outcome;
    const bool confirmed = o.alpha > 0 && o.alpha <= kConfirmAlpha;
    return {ErrorCode::Corrupt,
            fmt::format(
                "the stored figure does not follow from the stored samples: run {}, step {} says {} {}; "
                "its {} samples give {}{}",
                run_.id, record.step, to_string(o.verdict), figure_text(o.log_speedup, o.low, o.high),
                o.samples.size(), figure_text(figure.log_speedup, figure.interval.low, figure.interval.high),
                confirmed ? "" : ", alone or with any best step before"),
            {}};
}

Status check_samples_are_there(const RunInfo& run, const StepRecord& record) {
    const Outcome& stored = record.outcome;
    const auto corrupt = [&](const std::string& what) -> Status {
        return fail(ErrorCode::Corrupt, fmt::format("run {}, step {} {}", run.id, record.step, what));
    };
    if (stored.samples.size() != stored.pairs)
        return corrupt(fmt::format("says that it took {} pairs, but {} samples are stored", stored.pairs,
                                   stored.samples.size()));
    if (stored.samples.empty())
        return corrupt("was evaluated on a GPU, but the samples that its figure is made of are not stored");
    if (!all_finite(stored.samples)) return corrupt("holds samples that are no numbers");
    if (is_over_shapes(stored) && shapes_in_words(stored).empty())
        return corrupt(fmt::format("says that it is a mean over {} shapes, which its text does not",
                                   stored.shape_count));
    // Schema 2 brought both. Without an error probability a screening would pass for a confirmation.
    if (stored.alpha <= 0 && !stored.states.empty())
        return corrupt(
            "holds readings of the GPU, but not the error probability that every version wrote beside them");
    return {};
}

Result<std::string> GpuFigures::check_samples(const StepRecord& record) {
    const Outcome& stored = record.outcome;
    TRY(check_samples_are_there(run_, record));
    TRY(check_alpha(record));
    if (is_over_shapes(stored))
        return std::string("it is a mean over shapes, and the session holds the samples of the first alone");
    if (stored.detail.find("mean of caches: ") != std::string::npos)
        return std::string("it is a mean over hot and cold, and the session holds the hot samples alone");
    const auto calibration = calibration_of(record);
    const auto onto = incumbents(record);
    const std::vector<Figure> figures = figures_of(stored, calibration.value_or(Calibrated{}));
    const auto follows = [&](const StepRecord* incumbent, const std::string& why) -> Result<std::string> {
        if (incumbent == nullptr || !sound_.insert(incumbent->step).second) return why;
        constexpr int kMostBelow = 256;  // each is on the stack
        if (below_ >= kMostBelow)
            return std::string("it is the sum of more figures than this program follows");
        auto whole = TRY(steps_.at(incumbent->step));
        ++below_;
        auto below = check(whole);
        --below_;
        if (!below) return below;
        return why.empty() ? *below : why;
    };
    if (calibration)
        if (const auto whole = fit(record, figures, onto, true)) return follows(*whole, {});
    auto resumed = TRY(resumed_unsaid(part_begin(run_, part_of(run_, record.step)), record.step));
    // Where less is stored than the interval needs, it is at least as wide as the samples alone ask for.
    std::string why;
    if (!calibration)
        why = "the session holds no calibration of the GPU that measured it, so its interval is not known";
    else if (resumed)
        why = kRunWasResumed;
    else if (loads_of(stored) == 0)
        why = "the session does not hold how its samples lie in loads, so its interval is not known";
    if (!why.empty()) {
        const std::vector<Figure> narrow = figures_of(stored, {});
        if (const auto mean = fit(record, narrow, onto, false)) return follows(*mean, why);
        if (const auto mean = fit(record, figures, onto, false)) return follows(*mean, why);
        if (const auto mean = fit_any_calibration(record, onto)) return follows(*mean, why);
    }
    return fail(mismatch(record, figures.front()));
}

namespace {

// Empty: the record holds no samples by load, or is of another maker.
std::vector<MeasuredShape> shapes_in(const MeasurementRecord& record) {
    try {
        return measured_shapes(record);
    } catch (const std::exception&) {
        return {};
    }
}

Status check_measurement(const MeasuredShape& shape, const std::vector<float>& stored,
                         const std::string& which) {
    std::vector<float> samples;
    for (const auto& load : shape.by_load)
        samples.insert(samples.end(), load.begin(), load.end());
    if (!all_finite(samples) || (!stored.empty() && stored != samples))
        return fail(ErrorCode::Corrupt,
                    "the samples of the stored measurement of " + which + " are not those of its loads");
    const ShapeFigure& said = shape.said;
    const LoadsVerdict again =
        judge_loads(shape.by_load, shape.pair_deviation, shape.load_deviation, shape.alpha);
    const auto verdict = verdict_of(again.interval, shape.same_within);
    if (near(again.loads.mean, said.log_speedup) && near(again.interval.low, said.low) &&
        near(again.interval.high, said.high) && verdict == said.verdict)
        return {};
    return fail(ErrorCode::Corrupt,
                fmt::format("the stored measurement does not follow from its samples: that of {} says {} {}; "
                            "they give {} {}",
                            which, to_string(said.verdict),
                            figure_text(said.log_speedup, said.low, said.high), to_string(verdict),
                            figure_text(again.loads.mean, again.interval.low, again.interval.high)));
}

}  // namespace

Result<std::uint64_t> check_measurement_figures(const std::vector<MeasurementRecord>& records, StepId step) {
    std::uint64_t unchecked = 0;
    for (const MeasurementRecord& record : records) {
        if ((step != 0 && record.step != step) || !record.outcome.ok()) continue;
        const auto shapes = shapes_in(record);
        if (shapes.empty() || shapes.front().by_load.empty()) {
            ++unchecked;
            continue;
        }
        const std::string which =
            fmt::format("run {}, step {}, made {}", record.run, record.step, record.made);
        for (std::size_t k = 0; k < shapes.size(); ++k)
            TRY(check_measurement(
                shapes[k], k == 0 ? record.outcome.samples : std::vector<float>(),
                shapes.size() == 1 ? which : fmt::format("{}, shape '{}',", which, shapes[k].said.name)));
    }
    return unchecked;
}

}  // namespace cubinlab
