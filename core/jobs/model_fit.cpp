// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/jobs/model_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/model/ensemble.h"
#include "core/search/rng.h"

namespace cubinlab {
namespace {

// Log speed-ups within which a modelled difference counts in part: a smooth Kendall tau, so that small steps show.
constexpr double kSoft = 0.002;
// Parameters as drawn at random lie this far from the start, as a share of their range.
constexpr double kReach = 0.35;

struct Trial {
    const FitKernel* of = nullptr;
    std::vector<std::uint32_t> rows;  // drawn
    std::vector<ClearPair> pairs;     // places in `rows`, near the same schedule
};

Trial trial_of(const FitKernel& kernel, const FitSettings& settings, Rng& rng) {
    Trial out;
    out.of = &kernel;
    std::vector<std::uint32_t> order(kernel.rows.size());
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
    order.resize(std::min(order.size(), settings.schedules));
    std::sort(order.begin(), order.end());
    out.rows = order;
    std::map<std::uint32_t, std::uint32_t> place;
    for (std::uint32_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    for (const ClearPair& pair : clear_pairs(kernel.rows)) {
        const auto a = place.find(pair.faster), b = place.find(pair.slower);
        if (pair.same_side && a != place.end() && b != place.end())
            out.pairs.push_back({a->second, b->second, true});
    }
    return out;
}

double soft_tau(const Trial& trial, const ModelParameters& parameters, int members) {
    if (trial.pairs.empty()) return 0;
    ModelEnsemble model(trial.of->kernel, trial.of->launch, parameters, trial.of->trips, members);
    std::vector<double> cost;
    cost.reserve(trial.rows.size());
    for (const std::uint32_t row : trial.rows)
        cost.push_back(std::log(model.cycles(trial.of->schedules[row])));
    double sum = 0;
    for (const ClearPair& pair : trial.pairs)
        sum += std::tanh((cost[pair.slower] - cost[pair.faster]) / kSoft);
    return sum / static_cast<double>(trial.pairs.size());
}

RankScore score_with(const FitKernel& of, const ModelParameters& parameters) {
    ModelEnsemble model(of.kernel, of.launch, parameters, of.trips);
    std::vector<double> cycles;
    cycles.reserve(of.schedules.size());
    for (const Schedule& schedule : of.schedules)
        cycles.push_back(model.cycles(schedule));
    return score(of.rows, cycles);
}

double clamped(const ParameterRange& range, double value) {
    return std::clamp(value, range.low, range.high);
}

ModelParameters drawn_around(const ModelParameters& start, Rng& rng) {
    ModelParameters out = start;
    visit_parameters(out, [&](const ParameterRange& range, double& value) {
        const double reach = kReach * (range.high - range.low);
        // Half of them as they are: most of a good model is right already.
        if (!range.measured && rng.chance(0.5)) value = clamped(range, value + reach * (2 * rng.unit() - 1));
    });
    return out;
}

ModelParameters one_changed(const ModelParameters& from, Rng& rng) {
    ModelParameters out = from;
    std::size_t count = 0;
    visit_parameters(out, [&](const ParameterRange& range, double&) { count += !range.measured; });
    const std::size_t chosen = rng.below(static_cast<std::uint32_t>(count));
    std::size_t at = 0;
    visit_parameters(out, [&](const ParameterRange& range, double& value) {
        if (range.measured || at++ != chosen) return;
        const double reach = 0.2 * (range.high - range.low);
        value = clamped(range, value + reach * (2 * rng.unit() - 1));
    });
    return out;
}

class Fit {
  public:
    Fit(const std::vector<FitKernel>& kernels, const FitSettings& settings, const std::stop_token& stop)
        : settings_(settings), stop_(stop), rng_(settings.seed) {
        for (const FitKernel& kernel : kernels)
            trials_.push_back(trial_of(kernel, settings, rng_));
    }

    bool any_pair() const {
        return std::any_of(trials_.begin(), trials_.end(), [](const Trial& t) { return !t.pairs.empty(); });
    }
    std::uint64_t tried() const { return tried_; }

    Status draw(const ModelParameters& start) {
        pool_.push_back(start);
        while (pool_.size() < std::max<std::size_t>(1, settings_.pool))
            pool_.push_back(drawn_around(start, rng_));
        of_pool_.assign(pool_.size(), std::vector<double>(trials_.size(), 0));
        for (std::size_t p = 0; p < pool_.size(); ++p)
            for (std::size_t k = 0; k < trials_.size(); ++k) {
                if (stop_.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
                of_pool_[p][k] = value(k, pool_[p]);
            }
        return {};
    }

    // Of the kernels that `family` has not.
    Result<ModelParameters> best_without(const std::string& family, std::uint64_t seed) {
        const auto mean = [&](const std::vector<double>& of) {
            double sum = 0, count = 0;
            for (std::size_t k = 0; k < trials_.size(); ++k)
                if (counts(k, family)) sum += of[k], ++count;
            return count > 0 ? sum / count : 0;
        };
        std::size_t best = 0;
        for (std::size_t p = 1; p < pool_.size(); ++p)
            if (mean(of_pool_[p]) > mean(of_pool_[best])) best = p;
        ModelParameters at = pool_[best];
        double reached = mean(of_pool_[best]);
        Rng rng(seed);
        for (std::size_t step = 0; step < settings_.steps; ++step) {
            const ModelParameters next = one_changed(at, rng);
            std::vector<double> values(trials_.size(), 0);
            for (std::size_t k = 0; k < trials_.size(); ++k) {
                if (stop_.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
                if (counts(k, family)) values[k] = value(k, next);
            }
            if (mean(values) <= reached) continue;
            reached = mean(values);
            at = next;
        }
        return at;
    }

  private:
    bool counts(std::size_t k, const std::string& without) const {
        return !trials_[k].pairs.empty() && (without.empty() || trials_[k].of->family != without);
    }
    double value(std::size_t k, const ModelParameters& parameters) {
        ++tried_;
        return soft_tau(trials_[k], parameters, settings_.members);
    }

    FitSettings settings_;
    std::stop_token stop_;
    Rng rng_;
    std::vector<Trial> trials_;
    std::vector<ModelParameters> pool_;
    std::vector<std::vector<double>> of_pool_;  // by parameters, by kernel
    std::uint64_t tried_ = 0;
};

}  // namespace

FittedKernel score_kernel(const FitKernel& of, const ModelParameters& parameters) {
    FittedKernel out{of.name, of.family, of.device, {}, {}, {}, {}};
    const SmModel first(of.kernel, of.launch);
    std::vector<double> cycles;
    for (const Schedule& schedule : of.schedules)
        cycles.push_back(first.cycles(schedule));
    out.first = score(of.rows, cycles);
    out.start = score_with(of, parameters);
    return out;
}

Result<FitResult> fit_model(const std::vector<FitKernel>& kernels, const ModelParameters& start,
                            const FitSettings& settings, const std::stop_token& stop,
                            const std::function<void(const std::string&)>& progress) {
    Fit fit(kernels, settings, stop);
    if (!fit.any_pair())
        return fail(ErrorCode::BadUse, "no pair of schedules is told apart: measure more of them, or longer");
    const auto say = [&](const std::string& text) {
        if (progress) progress(text);
    };
    FitResult out;
    for (const FitKernel& kernel : kernels) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
        out.kernels.push_back(score_kernel(kernel, start));
    }
    say(fmt::format("{} kernels scored as they are", kernels.size()));
    TRY(fit.draw(start));
    std::set<std::string> families;
    for (const FitKernel& kernel : kernels)
        families.insert(kernel.family);
    out.held_out = families.size() > 1;
    std::uint64_t fold = settings.seed * 1000;
    for (const std::string& family : families) {
        if (!out.held_out) break;
        auto without = TRY(fit.best_without(family, ++fold));
        for (std::size_t k = 0; k < kernels.size(); ++k)
            if (kernels[k].family == family) out.kernels[k].held_out = score_with(kernels[k], without);
        say(fmt::format("fitted without {}", family));
    }
    out.parameters = TRY(fit.best_without({}, ++fold));
    for (std::size_t k = 0; k < kernels.size(); ++k)
        out.kernels[k].fitted = score_with(kernels[k], out.parameters);
    out.tried = fit.tried();
    return out;
}

}  // namespace cubinlab
