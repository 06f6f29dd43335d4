// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/prior_fit.h"

#include <algorithm>
#include <cmath>

#include "core/claims/session_runs.h"
#include "core/claims/tried_edits.h"
#include "core/measure/statistics.h"
#include "core/search/symmetric.h"

namespace cubinlab {
namespace {

constexpr double kLeastSeen = -2, kMostSeen = 1;  // percent: what is beyond counts as much, or a few decide
constexpr double kUnexplained = 0.3;              // percent: what edits alike do differently
constexpr double kMostNoise = 2;                  // percent
constexpr double kIntervalErrors = 2.3;           // half an interval, in standard errors
constexpr double kRidge = 300;                    // per percent squared
constexpr double kLoss = -0.5;                    // percent

// One instruction moved, with what pays for it, or one control code changed.
bool single(const Mutation& mutation) {
    if (mutation.empty()) return false;
    const auto moves = std::count_if(mutation.edits.begin(), mutation.edits.end(),
                                     [](const Edit& edit) { return edit.kind != EditKind::Control; });
    if (moves == 0) return mutation.edits.size() == 1;
    return moves == 1 && mutation.edits.front().kind != EditKind::Control;
}

}  // namespace

Status PriorFit::add_session(const std::filesystem::path& session, const std::stop_token& stop) {
    const auto take = [&](SessionReader& reader, const KernelPtr& kernel, const RunInfo& run) -> Status {
        if ((run.evaluator.kind == EvaluatorKind::Model) != modelled_) return {};
        devices_.insert(run.evaluator.device);
        for (const RunPart& part : run.later_parts)
            devices_.insert(part.evaluator.device);
        return add_run(reader, kernel, run, stop);
    };
    return each_run(session, taken_, take, stop);
}

Status PriorFit::add_run(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                         const std::stop_token& stop) {
    const EditFeatures features(kernel);
    struct Child {
        double value, error;
        Mutation mutation;
    };
    std::map<StepId, std::vector<Child>> children;
    for (StepId after = 0; !stop.stop_requested();) {
        auto chunk = TRY(reader.steps(run.id, after, kStepsAtOnce));
        if (chunk.empty()) break;
        after = chunk.back().step;
        for (StepRecord& record : chunk) {
            if (!record.outcome.ok() || record.repeated || !single(record.mutation)) continue;
            const double half = 50 * (record.outcome.high - record.outcome.low);
            children[record.parent].push_back({100 * record.outcome.log_speedup,
                                               std::min(half / kIntervalErrors, kMostNoise),
                                               std::move(record.mutation)});
        }
    }
    std::vector<Example>& examples = by_kernel_[kernel->name()];
    for (const auto& [parent, edits] : children) {
        if (stop.stop_requested()) break;
        if (edits.size() < TriedEdits::kLeastSiblings) continue;
        auto schedule = TRY(reader.schedule_at(kernel, run.id, parent));
        std::vector<double> values;
        for (const Child& edit : edits)
            values.push_back(edit.value);
        const double none = median(std::move(values));
        for (const Child& edit : edits) {
            Example example;
            const EditFeatures::Row row = features.of(schedule, edit.mutation);
            for (std::size_t i = 0; i < row.size(); ++i)
                if (row[i] != 0) example.features.emplace_back(static_cast<std::uint16_t>(i), row[i]);
            example.seen = static_cast<float>(std::clamp(edit.value - none, kLeastSeen, kMostSeen));
            example.weight = static_cast<float>(1 / (kUnexplained * kUnexplained + edit.error * edit.error));
            examples.push_back(std::move(example));
        }
    }
    return {};
}

std::uint64_t PriorFit::edits() const {
    std::uint64_t sum = 0;
    for (const auto& [name, examples] : by_kernel_)
        sum += examples.size();
    return sum;
}

std::vector<std::string> PriorFit::names() const {
    std::vector<std::string> out;
    for (const auto& [name, examples] : by_kernel_)
        if (!examples.empty()) out.push_back(name);
    return out;
}

EditPrior PriorFit::prior(const std::string& without) const {
    constexpr std::size_t n = EditFeatures::kCount;
    EditPrior out;
    out.evaluator = modelled_ ? "model" : "gpu";
    out.devices.assign(devices_.begin(), devices_.end());
    double sum = 0, weights = 0;
    for (const auto& [name, examples] : by_kernel_) {
        if (name == without || examples.empty()) continue;
        out.learned_from.push_back({name, examples.size()});
        for (const Example& example : examples) {
            sum += static_cast<double>(example.weight) * example.seen;
            weights += example.weight;
        }
    }
    if (weights == 0) return out;
    out.base = sum / weights;
    Symmetric gram(n);
    std::vector<double> moment(n, 0.0);
    for (const auto& [name, examples] : by_kernel_) {
        if (name == without) continue;
        for (const Example& example : examples) {
            for (const auto& [r, value] : example.features) {
                const double weighed = static_cast<double>(example.weight) * value;
                moment[r] += weighed * (example.seen - out.base);
                for (const auto& [c, other] : example.features)
                    gram(r, c) += weighed * other;
            }
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        gram(i, i) += kRidge;
    gram.invert();
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c)
            out.weights[r] += gram(r, c) * moment[c];
    return out;
}

double PriorFit::expected(const EditPrior& prior, const Example& example) {
    double sum = prior.base;
    for (const auto& [feature, value] : example.features)
        sum += prior.weights[feature] * value;
    return sum;
}

std::vector<HeldOutKernel> PriorFit::held_out() const {
    std::vector<HeldOutKernel> out;
    if (by_kernel_.size() < 2) return out;
    for (const auto& [name, examples] : by_kernel_) {
        if (examples.empty()) continue;
        const EditPrior learned = prior(name);
        HeldOutKernel of{name, examples.size()};
        std::vector<std::pair<double, double>> both;  // expected, seen
        for (const Example& example : examples)
            both.emplace_back(expected(learned, example), example.seen);
        std::stable_sort(both.begin(), both.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        const std::size_t n = both.size(), quarter = std::max<std::size_t>(1, n / 4);
        double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const auto [expected, seen] = both[i];
            x += expected;
            y += seen;
            xx += expected * expected;
            yy += seen * seen;
            xy += expected * seen;
            of.losses += seen < kLoss ? 1 : 0;
            if (i < quarter) {
                of.mean_of_best += seen / static_cast<double>(quarter);
                of.losses_of_best += seen < kLoss ? 1 : 0;
            }
            if (i >= n - quarter) of.mean_of_worst += seen / static_cast<double>(quarter);
        }
        const auto count = static_cast<double>(n);
        of.mean = y / count;
        of.losses /= count;
        of.losses_of_best /= static_cast<double>(quarter);
        const double spread =
            std::sqrt(std::max(0.0, xx - x * x / count) * std::max(0.0, yy - y * y / count));
        of.correlation = spread > 0 ? (xy - x * y / count) / spread : 0;
        out.push_back(of);
    }
    return out;
}

}  // namespace cubinlab
