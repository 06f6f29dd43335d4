// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/gate.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/base/enum_names.h"
#include "core/measure/statistics.h"
#include "core/search/edit_pool.h"
#include "core/search/group_fit.h"
#include "core/search/neighbourhood.h"

namespace cubinlab {
namespace {

constexpr std::size_t kFolds = 5;

const char* name_of(EditClass kind) {
    return enum_name<EditClass::MoveAlong>(
        {"stall", "yield", "move", "load-earlier", "move-and-stall", "move-and-pay", "reuse", "reassign",
         "wait-elsewhere", "move-along"},
        kind, "");
}

double mean_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double squares_of(std::span<const double> values) {
    const double mean = mean_of(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return sum;
}

class Gate {
  public:
    Gate(const CheckerPtr& checker, const GateMeasure& measure, const GateSettings& settings,
         std::stop_token stop)
        : measure_(measure),
          settings_(settings),
          stop_(std::move(stop)),
          start_(checker->kernel()),
          around_(SearchContext{checker->kernel(), checker, settings.seed, "{}", {}, {}, start_}),
          rng_(settings.seed) {}

    Result<GateStudy> run() {
        draw();
        std::vector<double> own_errors;
        for (std::size_t i = 0; i < settings_.repeats; ++i) {
            auto same = figure(start_);
            if (!same) return fail(same.error());
            if (!same->ok)
                return fail(ErrorCode::Worker, "the original fails: " + same->detail, "the original");
            study_.repeats.push_back(same->log_speedup);
            own_errors.push_back(same->error);
        }
        const auto count = static_cast<double>(std::max<std::size_t>(2, settings_.repeats));
        study_.noise = std::max(std::sqrt(squares_of(study_.repeats) / (count - 1)), mean_of(own_errors));
        for (GateEdit& edit : study_.edits) {
            auto alone = figure(around_.apply(start_, edit.mutation)->result);
            if (!alone) return fail(alone.error());
            edit.alone = std::move(*alone);
            edit.loses = !edit.alone.ok || edit.alone.log_speedup < -2 * study_.noise;
        }
        if (auto all = measure_halves(study_.subsets, false); !all) return fail(all.error());
        if (auto kept = measure_halves(study_.kept_subsets, true); !kept) return fail(kept.error());
        study_.all = predict_halves(study_.edits, study_.subsets, study_.noise);
        study_.kept = predict_halves(study_.edits, study_.kept_subsets, study_.noise);
        fit_effects();
        return std::move(study_);
    }

  private:
    void draw() {
        std::unordered_set<Hash128> seen = {start_.hash()};
        for (std::size_t tries = 0;
             study_.edits.size() < std::min<std::size_t>(settings_.edits, 200) && tries < 10000; ++tries) {
            const EditClass kind = draw_class(kClassPrior, rng_);
            auto edited = around_.draw(start_, kind, rng_);
            if (!edited || !seen.insert(edited->result.hash()).second) continue;
            study_.edits.push_back({name_of(kind), std::move(edited->mutation), {}, false, 0, 0});
        }
    }

    Result<GateMeasured> figure(const Schedule& schedule) {
        if (stop_.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
        return measure_(schedule);
    }

    Status measure_halves(std::vector<GateSubset>& into, bool kept) {
        std::vector<std::uint8_t> open;
        for (std::size_t i = 0; i < study_.edits.size(); ++i)
            if (study_.edits[i].alone.ok && !(kept && study_.edits[i].loses))
                open.push_back(static_cast<std::uint8_t>(i));
        while (into.size() < settings_.subsets && open.size() > 1) {
            std::vector<std::uint8_t> order = open;
            for (std::size_t i = order.size(); i > 1; --i)
                std::swap(order[i - 1], order[rng_.below(static_cast<std::uint32_t>(i))]);
            order.resize(std::max<std::size_t>(1, order.size() / 2));
            GateSubset half;
            std::optional<Edited> all;
            for (const std::uint8_t e : order) {
                auto one = around_.apply(all ? all->result : start_, study_.edits[e].mutation);
                if (!one) continue;
                append_edit(all, std::move(*one));
                half.edits.push_back(e);
            }
            std::sort(half.edits.begin(), half.edits.end());
            auto together = figure(all->result);
            if (!together) return fail(together.error());
            half.together = std::move(*together);
            into.push_back(std::move(half));
        }
        return {};
    }

    void fit_effects() {
        std::vector<GroupTest> tests;
        for (const double value : study_.repeats)
            tests.push_back({{}, value, 0});
        for (std::size_t i = 0; i < study_.edits.size(); ++i)
            if (study_.edits[i].alone.ok)
                tests.push_back({{static_cast<std::uint8_t>(i)}, study_.edits[i].alone.log_speedup, 0});
        for (const auto* halves : {&study_.subsets, &study_.kept_subsets})
            for (const GateSubset& half : *halves)
                if (half.together.ok) tests.push_back({half.edits, half.together.log_speedup, 0});
        const GroupFit fit = fit_groups(tests, study_.edits.size());
        for (std::size_t i = 0; i < study_.edits.size(); ++i) {
            study_.edits[i].effect = fit.effect[i];
            study_.edits[i].effect_error = fit.error[i];
        }
    }

    const GateMeasure& measure_;
    GateSettings settings_;
    std::stop_token stop_;
    Schedule start_;
    Neighbourhood around_;
    Rng rng_;
    GateStudy study_;
};

double sum_of(const GroupFit& fit, const std::vector<std::uint8_t>& edits) {
    double sum = fit.base.empty() ? 0 : fit.base[0];
    for (const std::uint8_t e : edits)
        sum += fit.effect[e];
    return sum;
}

}  // namespace

double GateFit::explained() const {
    return measurable > 0 ? std::min(1.0, held_out / measurable) : 0;
}

GateFit predict_halves(std::span<const GateEdit> edits, std::span<const GateSubset> halves, double noise) {
    std::vector<GateSubset> good;
    std::vector<double> values;
    for (const GateSubset& half : halves)
        if (half.together.ok) {
            good.push_back(half);
            values.push_back(half.together.log_speedup);
        }
    GateFit out;
    out.subsets = good.size();
    if (good.size() < 2 * kFolds) return out;
    const double spread = squares_of(values);
    out.deviation = std::sqrt(spread / static_cast<double>(good.size() - 1));
    if (spread <= 0) return out;
    out.measurable = 1 - noise * noise / (out.deviation * out.deviation);

    std::vector<GroupTest> alone = {{{}, 0, 0}};
    for (std::size_t i = 0; i < edits.size(); ++i)
        if (edits[i].alone.ok)
            alone.push_back({{static_cast<std::uint8_t>(i)}, edits[i].alone.log_speedup, 0});
    std::vector<double> misses, from_sums;
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
        std::vector<GroupTest> known = alone;
        for (std::size_t i = 0; i < good.size(); ++i)
            if (i % kFolds != fold) known.push_back({good[i].edits, good[i].together.log_speedup, 0});
        const GroupFit fit = fit_groups(known, edits.size());
        for (std::size_t i = fold; i < good.size(); i += kFolds)
            misses.push_back(good[i].together.log_speedup - sum_of(fit, good[i].edits));
    }
    double missed = 0;
    for (const double miss : misses)
        missed += miss * miss;
    out.held_out = 1 - missed / spread;
    for (const GateSubset& half : good) {
        double sum = 0;
        for (const std::uint8_t e : half.edits)
            sum += edits[e].alone.log_speedup;
        from_sums.push_back(half.together.log_speedup - sum);
    }
    out.sums = 1 - squares_of(from_sums) / spread;
    return out;
}

Result<GateStudy> study_gate(const CheckerPtr& checker, const GateMeasure& measure,
                             const GateSettings& settings, const std::stop_token& stop) {
    return Gate(checker, measure, settings, stop).run();
}

}  // namespace cubinlab
