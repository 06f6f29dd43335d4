// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the studies, in Markdown.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "app/lab/study/measurement_study.h"

namespace cubinlab {
namespace {

std::string rung(const FalseVerdicts& v) {
    return fmt::format("{} of {}{}", v.wrong(), v.comparisons,
                       v.failed > 0 ? fmt::format(" ({} failed)", v.failed) : "");
}

std::string same_table(const std::vector<SameStudy>& rows) {
    std::string out =
        "| kernel | us | screen: false of all | promote | confirm | pairs a promotion | deviation of a load "
        "pair: predicted, seen % | "
        "detectable: predicted, seen % |\n|---|---|---|---|---|---|---|---|\n";
    std::array<FalseVerdicts, 3> all;
    for (const SameStudy& row : rows) {
        for (std::size_t i = 0; i < 3; ++i)
            all[i].add(row.rungs[i]);
        const auto& promote = row.rungs[1];
        out += fmt::format("| {} | {:.1f} | {} | {} | {} | {:.1f} | {:.3f}, {:.3f} | {:.2f}, {:.2f} |\n",
                           row.kernel, row.original_us, rung(row.rungs[0]), rung(promote), rung(row.rungs[2]),
                           promote.comparisons > 0
                               ? static_cast<double>(promote.pairs) / static_cast<double>(promote.comparisons)
                               : 0.0,
                           row.predicted_deviation * 100, row.seen_deviation * 100,
                           row.predicted_detectable * 100, row.seen_detectable * 100);
    }
    const auto bound = [](const FalseVerdicts& v) {
        return fmt::format("{} = {:.2f} % (at most {:.2f} %)", rung(v),
                           v.comparisons > 0
                               ? 100.0 * static_cast<double>(v.wrong()) / static_cast<double>(v.comparisons)
                               : 0.0,
                           100 * rate_upper_bound(v.wrong(), v.comparisons));
    };
    FalseVerdicts fresh = all[1];
    fresh.add(all[2]);
    out +=
        fmt::format("| **pooled** | | {} | {} | {} | | | |\n\n", bound(all[0]), bound(all[1]), bound(all[2]));
    return out +
           fmt::format(
               "Over fresh loads (promote and confirm): {}. Bounds: Clopper-Pearson, one-sided, 95 %.\n",
               bound(fresh));
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-"
                      : fmt::format("{:.0f}", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string phase_cells(const PhaseShare& p) {
    return fmt::format("{:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f}", p.load_us, p.check_us,
                       p.timing_us, p.unload_us, p.protocol_us, p.rest_us);
}

std::string rate_table(const std::vector<RateStudy>& rows) {
    std::string out =
        "| kernel | cache, samples | us | candidates | a second | pairs | load us | check us | timing us | "
        "unload us | "
        "images, protocol us | rest us | fresh worker after a failure: first, then ms |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const RateStudy& row : rows)
        out += fmt::format("| {} | {}, {} | {:.1f} | {}{} | {:.0f} | {:.1f} | {} | {:.0f}, {:.0f} |\n",
                           row.kernel, to_string(row.cache), row.by_noise ? "by noise" : "fixed",
                           row.original_us, row.candidates,
                           row.failed > 0 ? fmt::format(" ({} failed)", row.failed) : "", row.per_second(),
                           row.pairs, phase_cells(row.phases), row.first_restart_ms, row.restart_ms);
    return out;
}

std::string padded_table(const std::vector<PaddedStudy>& rows) {
    std::string out =
        "| kernel | cache | wanted %, cycles added | us | estimate % (pairs, loads) | its interval % | "
        "comparisons | "
        "estimate inside the interval % | verdict as the estimate's | unclear | contradicts it | mean error "
        "% | "
        "half width % |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const PaddedStudy& row : rows)
        out += fmt::format(
            "| {} | {} | {:.1f}, {} | {:.1f} | {:+.3f} ({}, {}) | {:+.3f} to {:+.3f} | {}{} | {} | {} | {} | "
            "{} | "
            "{:+.3f} | {:.2f} |\n",
            row.kernel, to_string(row.cache), row.target > 0 ? -row.target * 100 : 0.0, row.edits,
            row.original_us, row.estimate.log * 100, row.estimate_pairs, row.estimate_loads,
            row.estimate.low * 100, row.estimate.high * 100, row.comparisons,
            row.failed > 0 ? fmt::format(" ({} failed)", row.failed) : "",
            percent(row.covered, row.comparisons), row.right, row.unclear, row.wrong, row.mean_error * 100,
            row.median_half_width * 100);
    return out;
}

std::string hostile_table(const HostileStudy& study) {
    struct Sum {
        std::size_t all = 0, honest = 0;
        std::map<std::string, std::size_t> kinds;
        std::string example;
    };
    std::vector<std::string> order;
    std::map<std::string, Sum> sums;
    for (const HostileRow& row : study.hostile) {
        Sum& sum = sums[row.candidate.kind];
        if (sum.all++ == 0) order.push_back(row.candidate.kind);
        sum.honest += row.honest();
        ++sum.kinds[row.logged ? to_string(row.outcome.kind) : "no outcome"];
        if (sum.example.empty()) sum.example = row.outcome.detail;
    }
    std::string out =
        "| kind | candidates | told as what they are | outcomes | for example |\n|---|---|---|---|---|\n";
    std::size_t all = 0, honest = 0;
    for (const std::string& kind : order) {
        const Sum& sum = sums[kind];
        std::string kinds;
        for (const auto& [name, count] : sum.kinds)
            kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, name);
        out += fmt::format("| {} | {} | {} | {} | {} |\n", kind, sum.all, sum.honest, kinds, sum.example);
        all += sum.all;
        honest += sum.honest;
    }
    out += fmt::format("| **all** | {} | {} | | |\n\n", all, honest);
    out += fmt::format(
        "{}: {} good candidates among them, {} of these the original itself; {} called wrong or lost, {} of "
        "the "
        "originals FASTER or SLOWER by a screening, {} after its promotion; {} candidates without an "
        "outcome; {} "
        "workers in {:.0f} s.\n",
        study.kernel, study.good, study.good_same, study.good_called_bad, study.false_screenings,
        study.false_verdicts, study.lost, study.workers, study.seconds);
    for (const HostileRow& row : study.hostile)
        if (!row.honest())
            out += fmt::format("\n- not as expected: {}, {}: {} {}", row.candidate.kind, row.candidate.what,
                               row.logged ? to_string(row.outcome.kind) : "no outcome", row.outcome.detail);
    for (const std::string& detail : study.called_bad)
        out += "\n- a good candidate: " + detail;
    return out + "\n";
}

}  // namespace

double rate_upper_bound(std::uint64_t hits, std::uint64_t trials, double alpha) {
    if (hits >= trials) return 1;
    const double n = static_cast<double>(trials);
    const auto at_most = [&](double p) {  // P(Binomial(n, p) <= hits)
        double sum = 0;
        for (std::uint64_t k = 0; k <= hits; ++k) {
            const double x = static_cast<double>(k);
            sum += std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                            x * std::log(p) + (n - x) * std::log1p(-p));
        }
        return sum;
    };
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (at_most(middle) > alpha ? low : high) = middle;
    }
    return high;
}

std::string markdown(const MeasurementStudy& study) {
    std::string out = study.machine.device + "\n";
    if (!study.same.empty()) out += "\n### The original against itself\n\n" + same_table(study.same);
    if (!study.cold.empty()) out += "\n### Cold cache\n\n" + padded_table(study.cold);
    if (!study.rate.empty()) out += "\n### Screening rate\n\n" + rate_table(study.rate);
    for (const HostileStudy& hostile : study.hostile)
        out += "\n### Hostile candidates\n\n" + hostile_table(hostile);
    for (const std::string& note : study.notes)
        out += "\n- " + note;
    if (!study.notes.empty()) out += "\n";
    return out;
}

}  // namespace cubinlab
