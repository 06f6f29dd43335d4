// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/shapes_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/gpu/client/shape_figures.h"

namespace cubinlab {
namespace {

const std::string kMeanOfShapes = "mean of shapes: ";

std::string figure_in_words(const std::string& name, const Outcome& o) {
    return name + " " + percent_text(o.speedup);
}

// The measurement failed, not the candidate.
bool unmeasured(const Outcome& o) {
    return o.kind == OutcomeKind::WorkerLost || o.kind == OutcomeKind::Error;
}

Outcome without_mean(const std::vector<Outcome>& outcomes, const std::vector<std::string>& names) {
    const Outcome* worst = nullptr;
    std::string failed, figures;
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
        const Outcome& one = outcomes[k];
        if (one.ok()) {
            figures += (figures.empty() ? "" : ", ") + figure_in_words(names[k], one);
            continue;
        }
        if (worst == nullptr || (unmeasured(*worst) && !unmeasured(one))) worst = &one;
        failed += fmt::format("{}shape '{}': {}", failed.empty() ? "" : "; ", names[k], one.detail);
    }
    Outcome out = *worst;
    out.verdict = Verdict::Unclear;
    out.speedup = {};
    out.detail = failed + (figures.empty() ? "" : "; alone: " + figures);
    return out;
}

class ShapesEvaluator final : public MeasuringEvaluator {
  public:
    ShapesEvaluator(std::vector<std::unique_ptr<Evaluator>> shapes, std::vector<std::string> names,
                    double same_within)
        : shapes_(std::move(shapes)), names_(std::move(names)), same_within_(same_within) {}

    const EvaluatorInfo& info() const override { return shapes_.front()->info(); }

    Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates, const Schedule& reference,
                                         Effort effort, const Sampling& sampling,
                                         std::stop_token stop) override {
        auto first = shapes_.front()->measure(candidates, reference, effort, sampling, stop);
        if (!first || effort == Effort::Screen) return first;
        for (std::size_t i = 0; i < first->size(); ++i) {
            Outcome& outcome = (*first)[i];
            // A candidate that does not win in the screening shape is not measured in others.
            if (!outcome.ok() || outcome.verdict != Verdict::Faster) continue;
            std::vector<Outcome> all{outcome};
            for (std::size_t k = 1; k < shapes_.size() && all.back().ok(); ++k) {
                auto other =
                    TRY(shapes_[k]->measure(candidates.subspan(i, 1), reference, effort, sampling, stop));
                if (other.size() != 1) return fail(ErrorCode::Worker, "a shape gave no outcome", names_[k]);
                all.push_back(std::move(other.front()));
            }
            outcome = over_shapes(all, names_, same_within_);
        }
        return first;
    }

  private:
    std::vector<std::unique_ptr<Evaluator>> shapes_;
    std::vector<std::string> names_;
    double same_within_;
};

}  // namespace

bool is_over_shapes(const Outcome& outcome) {
    if (outcome.shape_count > 0) return outcome.ok();
    return outcome.detail.find(kMeanOfShapes) != std::string::npos;
}

std::string shapes_in_words(const Outcome& outcome) {
    const std::size_t at = outcome.detail.find(kMeanOfShapes);
    return at == std::string::npos ? std::string() : outcome.detail.substr(at);
}

bool slower_in_a_shape(const Outcome& outcome) {
    return outcome.slower_shapes > 0;
}

Outcome over_shapes(const std::vector<Outcome>& outcomes, const std::vector<std::string>& names,
                    double same_within) {
    const auto count = static_cast<std::uint16_t>(
        std::min(names.size(), std::size_t{std::numeric_limits<std::uint16_t>::max()}));
    if (!std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.ok(); })) {
        Outcome out = without_mean(outcomes, names);
        out.shape_count = count;
        return out;
    }
    Outcome out = outcomes.front();
    const double n = static_cast<double>(outcomes.size());
    ShapeFigures each;
    std::string figures;
    out.speedup = {};
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
        const Outcome& one = outcomes[k];
        out.speedup.log += one.speedup.log / n;
        out.speedup.low += one.speedup.low / n;
        out.speedup.high += one.speedup.high / n;
        each.push_back(shape_figure(names[k], one));
        figures += (k == 0 ? "" : ", ") + figure_in_words(names[k], one);
    }
    out.verdict = out.speedup.verdict(same_within);
    out.shape_count = count;
    out.slower_shapes = static_cast<std::uint16_t>(slower_shapes(each).size());
    const std::string slower = slower_words(each);
    if (!slower.empty()) figures += "; " + slower;
    if (!slower.empty() && out.verdict == Verdict::Faster) {
        out.verdict = Verdict::Unclear;
        figures += ", so not FASTER";
    }
    out.detail += (out.detail.empty() ? "" : "; ") + (kMeanOfShapes + figures);
    return out;
}

Result<std::unique_ptr<Evaluator>> make_shapes_evaluator(KernelPtr kernel, const Workload& workload,
                                                         GpuSettings settings, std::stop_token stop) {
    TRY(workload.validate_against(kernel->info()));
    settings.alpha_shared_by *= static_cast<int>(workload.shapes.size()) + 1;
    Workload first = workload;
    first.shapes.clear();
    std::vector<Workload> all{std::move(first)};
    all.insert(all.end(), workload.shapes.begin(), workload.shapes.end());
    std::vector<std::unique_ptr<Evaluator>> shapes;
    for (const Workload& shape : all) {
        auto made = make_gpu_evaluator(kernel, shape, settings, stop);
        if (!made) {
            Error error = made.error();
            if (!shape.name.empty()) error.where = fmt::format("shape '{}', {}", shape.name, error.where);
            return fail(std::move(error));
        }
        shapes.push_back(std::move(*made));
    }
    return std::make_unique<ShapesEvaluator>(std::move(shapes), shape_names(workload), settings.same_within);
}

}  // namespace cubinlab
