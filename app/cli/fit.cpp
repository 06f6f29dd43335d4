// SPDX-License-Identifier: GPL-3.0-or-later
// `fit FILE...`: parameters of the ensemble model from measured schedules, and how well they order those of kernels that
// they were not fitted to.
#include "app/cli/fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "core/base/file.h"
#include "core/base/output_file.h"
#include "core/jobs/model_fit.h"

namespace cubinlab::cli {
namespace {

std::string own_parameters(const std::filesystem::path& path) {
    auto read = read_parameters(path);
    return read ? "model parameters" : std::string();
}

Json to_json(const RankScore& s) {
    const auto count = [](const PairCount& c) {
        return Json{{"agree", c.agree}, {"disagree", c.disagree}, {"ties", c.ties}, {"tau_b", c.tau_b()}};
    };
    return {{"near_original", count(s.original)},
            {"near_good", count(s.good)},
            {"within", count(s.within)},
            {"all", count(s.all)},
            {"gpu_halves", count(s.itself)}};
}

Json to_json(const FittedKernel& k, bool held_out, bool fitted) {
    Json out = {{"kernel", k.name},
                {"family", k.family},
                {"device", k.device},
                {"schedules", k.first.schedules},
                {"clear_pairs", k.first.within.pairs()},
                {"first_model", to_json(k.first)},
                {"ensemble_before", to_json(k.start)}};
    if (held_out) out["held_out"] = to_json(k.held_out);
    if (fitted) out["fitted"] = to_json(k.fitted);
    return out;
}

double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void print_table(const std::vector<FittedKernel>& kernels, bool held_out, bool fitted) {
    print_line(
        "| kernel | schedules | clear pairs | GPU's halves | first model | ensemble before | held out | "
        "fitted |");
    print_line("|---|---|---|---|---|---|---|---|");
    std::vector<double> columns[5];
    for (const FittedKernel& k : kernels) {
        const double values[] = {k.first.itself.tau_b(), k.first.within.tau_b(), k.start.within.tau_b(),
                                 k.held_out.within.tau_b(), k.fitted.within.tau_b()};
        for (std::size_t i = 0; i < 5; ++i)
            columns[i].push_back(values[i]);
        print_line(fmt::format("| {} | {} | {} | {:.2f} | {:.2f} | {:.2f} | {} | {} |", k.name,
                               k.first.schedules, k.first.within.pairs(), values[0], values[1], values[2],
                               held_out ? fmt::format("{:.2f}", values[3]) : "-",
                               fitted ? fmt::format("{:.2f}", values[4]) : "-"));
    }
    print_line(fmt::format("| median | | | {:.2f} | {:.2f} | {:.2f} | {} | {} |", median_of(columns[0]),
                           median_of(columns[1]), median_of(columns[2]),
                           held_out ? fmt::format("{:.2f}", median_of(columns[3])) : "-",
                           fitted ? fmt::format("{:.2f}", median_of(columns[4])) : "-"));
}

Json document_of(const FitOptions& options, const FitResult& fit, const ModelParameters& start) {
    Json rows = Json::array();
    for (const FittedKernel& k : fit.kernels)
        rows.push_back(to_json(k, fit.held_out, !options.score_only));
    Json out = {{"kernels", std::move(rows)}, {"parameters_before", Json::parse(to_text(start))}};
    if (!options.score_only) out["parameters"] = Json::parse(to_text(fit.parameters));
    return out;
}

}  // namespace

Result<int> run_fit(const FitOptions& options) {
    StopOnSignal stop;
    if (!options.out.empty() && options.score_only)
        return fail(ErrorCode::BadUse, "scores alone leave nothing to write: drop --out or --score", "--out");
    std::vector<FitKernel> kernels;
    OutputFile out{
        options.out, {options.files.begin(), options.files.end()}, own_parameters, options.force, 1 << 16};
    if (!options.out.empty()) TRY(check_output(out));
    for (const std::string& file : options.files) {
        auto kernel = TRY(read_fit_kernel(file, options.cubins, stop.token()));
        if (!kernels.empty() && kernels.front().kernel->arch().sm != kernel.kernel->arch().sm)
            return fail(ErrorCode::BadUse, "is of another architecture than the files before it", file);
        kernels.push_back(std::move(kernel));
    }
    ModelParameters start = shipped_parameters(kernels.front().kernel->arch());
    if (!options.parameters.empty()) {
        start = TRY(read_parameters(options.parameters));
    }
    FitResult fit;
    if (options.score_only) {
        for (const FitKernel& kernel : kernels)
            fit.kernels.push_back(score_kernel(kernel, start));
    } else {
        auto fitted = fit_model(kernels, start, options.fit, stop.token(), [&](const std::string& text) {
            if (!options.json) print_progress(text);
        });
        if (!fitted) return fail(fitted.error());
        fit = std::move(*fitted);
        fit.parameters.name = fmt::format("fitted to {} kernels, {}", kernels.size(), kernels.front().device);
    }
    if (!options.out.empty()) {
        TRY(check_output(out));
        TRY(write_text(options.out, to_text(fit.parameters)));
    }
    if (options.json) return print_document(document_of(options, fit, start));
    print_table(fit.kernels, fit.held_out, !options.score_only);
    if (!options.out.empty()) print_line("parameters: " + options.out);
    return 0;
}

}  // namespace cubinlab::cli
