// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/mean_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/gpu/client/shape_figures.h"

namespace cubinlab {
namespace {

std::string figure_in_words(const std::string& name, const Outcome& o) {
    return name + " " + percent_text(o.speedup);
}

// The measurement failed, not the candidate.
bool unmeasured(const Outcome& o) {
    return o.kind == OutcomeKind::WorkerLost || o.kind == OutcomeKind::Error;
}

Speedup mean_of(const std::vector<Outcome>& outcomes) {
    const double n = static_cast<double>(outcomes.size());
    Speedup out;
    for (const Outcome& one : outcomes) {
        out.log += one.speedup.log / n;
        out.low += one.speedup.low / n;
        out.high += one.speedup.high / n;
    }
    return out;
}

void add_to_detail(Outcome& out, const std::string& figures) {
    out.detail += (out.detail.empty() ? "" : "; ") + figures;
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

}  // namespace

bool is_over_shapes(const Outcome& outcome) {
    return outcome.ok() && outcome.shape_count > 0;
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
    ShapeFigures each;
    std::string figures;
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
        each.push_back(shape_figure(names[k], outcomes[k]));
        figures += (k == 0 ? "" : ", ") + figure_in_words(names[k], outcomes[k]);
    }
    out.speedup = mean_of(outcomes);
    out.verdict = out.speedup.verdict(same_within);
    out.shape_count = count;
    out.slower_shapes = static_cast<std::uint16_t>(slower_shapes(each).size());
    const std::string slower = slower_words(each);
    if (!slower.empty()) figures += "; " + slower;
    if (!slower.empty() && out.verdict == Verdict::Faster) {
        out.verdict = Verdict::Unclear;
        figures += ", so not FASTER";
    }
    add_to_detail(out, "mean of shapes: " + figures);
    return out;
}

Outcome over_caches(const std::vector<Outcome>& outcomes, const std::vector<Cache>& caches, bool claim,
                    double same_within) {
    Outcome out = outcomes.front();
    if (!out.ok() || outcomes.size() == 1) return out;
    std::size_t worst = 0;
    std::string figures, by_shape;
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
        const Outcome& one = outcomes[k];
        const std::string name = to_string(caches[k]);
        if (!one.ok()) {
            out = one;
            out.detail = name + ": " + one.detail;
            out.verdict = Verdict::Unclear;
            return out;
        }
        if (one.speedup.log <= outcomes[worst].speedup.log) worst = k;
        figures += (k == 0 ? "" : ", ") + figure_in_words(name, one);
        if (k > 0 && is_over_shapes(one)) by_shape += "; " + name + ", " + one.detail;
        out.slower_shapes = std::max(out.slower_shapes, one.slower_shapes);
    }
    out.speedup = mean_of(outcomes);
    out.verdict = out.speedup.verdict(same_within);
    const Outcome& loss = outcomes[worst];
    if (loss.verdict == Verdict::Slower) {
        out.speedup = loss.speedup;
        out.verdict = Verdict::Slower;
        figures += fmt::format("; slower {}, which is what counts", to_string(caches[worst]));
    } else if (claim && out.verdict == Verdict::Faster && loss.speedup.log < -same_within) {
        out.verdict = Verdict::Unclear;
        figures += fmt::format("; it may lose {}, so not FASTER", to_string(caches[worst]));
    } else if (claim && out.verdict == Verdict::Faster && slower_in_a_shape(out)) {
        out.verdict = Verdict::Unclear;
        figures += "; SLOWER in a shape, so not FASTER";
    }
    add_to_detail(out, "mean of caches: " + figures + by_shape);
    return out;
}

}  // namespace cubinlab
