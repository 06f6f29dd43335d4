// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab gate`: do the effects of edits add up on this GPU?
#include "app/lab/study/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/commands/study_kernel.h"
#include "core/measure/gpu_client.h"
#include "core/measure/statistics.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab::cli {
namespace {

GateMeasured measured(const BenchComparison& comparison, const Calibration& calibration) {
    GateMeasured out;
    out.ok = comparison.outcome.ok();
    out.detail = comparison.outcome.detail;
    if (!out.ok) return out;
    std::vector<float> means;
    for (const std::vector<float>& load : comparison.by_load)
        means.push_back(static_cast<float>(estimate(load, calibration.pair_deviation).mean));
    const Estimate loads = estimate(means, 0);
    out.log_speedup = loads.mean;
    out.error = loads.deviation / std::sqrt(std::max(1.0, static_cast<double>(loads.count)));
    return out;
}

// Over `loads` fresh loads each, none left out whatever the first ones show.
Result<GateStudy> gate_on_gpu(const GateOptions& options, const StudyKernel& of, const std::stop_token& stop,
                              Json& machine) {
    auto gpu = open_study_gpu(of, options.gpu.settings(options.study.seed), stop);
    if (!gpu) return fail(gpu.error());
    const CubinWriter& writer = gpu->writer;
    GpuClient& client = *gpu->client;
    const Calibration& calibration = client.calibration();
    machine = {{"device", client.facts().device},
               {"driver", client.facts().driver},
               {"original_us", calibration.original_us},
               {"pair_deviation", calibration.pair_deviation},
               {"load_deviation", calibration.load_deviation}};
    const std::vector<std::byte> original = writer.image(Schedule(of.kernel));
    const GateMeasure measure = [&](const Schedule& candidate) -> Result<GateMeasured> {
        CompareRequest request;
        request.a = original;
        request.b = writer.image(candidate);
        request.loads = options.loads;
        auto comparison = client.compare(request, stop);
        if (!comparison) return fail(comparison.error());
        return measured(*comparison, calibration);
    };
    return study_gate(of.checker, measure, options.study, stop);
}

Result<GateStudy> gate_on_model(const GateOptions& options, const StudyKernel& of,
                                const std::stop_token& stop, Json& machine) {
    auto model = make_model_evaluator(of.kernel, model_settings(*of.kernel, of.workload));
    machine = {{"device", model->info().device}};
    const GateMeasure measure = [&](const Schedule& candidate) -> Result<GateMeasured> {
        auto outcomes = model->evaluate(std::span(&candidate, 1), Schedule(of.kernel), Effort::Screen, stop);
        if (!outcomes) return fail(outcomes.error());
        return GateMeasured{outcomes->front().ok(), outcomes->front().log_speedup, 0, {}};
    };
    return study_gate(of.checker, measure, options.study, stop);
}

Json to_json(const GateFit& fit) {
    return {{"subsets", fit.subsets},      {"deviation", fit.deviation}, {"measurable", fit.measurable},
            {"r2_held_out", fit.held_out}, {"r2_sums", fit.sums},        {"explained", fit.explained()}};
}

Json to_json(const GateMeasured& figure) {
    Json out = {{"ok", figure.ok}, {"log_speedup", figure.log_speedup}, {"error", figure.error}};
    if (!figure.ok) out["detail"] = figure.detail;
    return out;
}

Json to_json(const std::vector<GateSubset>& halves) {
    Json out = Json::array();
    for (const GateSubset& half : halves) {
        Json row = to_json(half.together);
        row["edits"] = half.edits;
        out.push_back(std::move(row));
    }
    return out;
}

Json to_json(const GateStudy& study, const Kernel& kernel) {
    Json edits = Json::array();
    for (const GateEdit& edit : study.edits) {
        Json row = {{"class", edit.kind},
                    {"text", edit.mutation.text(kernel)},
                    {"mutation", edit.mutation.encode()},
                    {"alone", to_json(edit.alone)},
                    {"loses", edit.loses},
                    {"effect", edit.effect},
                    {"effect_error", edit.effect_error}};
        edits.push_back(std::move(row));
    }
    return {{"noise", study.noise},
            {"original_against_itself", study.repeats},
            {"all", to_json(study.all)},
            {"kept", to_json(study.kept)},
            {"edits", std::move(edits)},
            {"subsets", to_json(study.subsets)},
            {"kept_subsets", to_json(study.kept_subsets)}};
}

void print_study(const std::string& name, const GateStudy& study, double seconds) {
    const auto loses = std::count_if(study.edits.begin(), study.edits.end(),
                                     [](const GateEdit& edit) { return edit.loses; });
    const auto gains = std::count_if(study.edits.begin(), study.edits.end(), [](const GateEdit& edit) {
        return edit.effect > 2 * edit.effect_error && edit.effect > 0;
    });
    print_line(fmt::format("{}: {} edits, {} lose alone, {} gain by the fit; noise {:.3f} %; {:.1f} s", name,
                           study.edits.size(), loses, gains, 100 * study.noise, seconds));
    const auto line = [](const char* what, const GateFit& fit) {
        print_line(
            fmt::format("  {}: {} halves, spread {:.3f} %, measurable {:.2f}, predicted held out "
                        "{:.2f}, by the sums alone {:.2f}",
                        what, fit.subsets, 100 * fit.deviation, fit.measurable, fit.held_out, fit.sums));
    };
    line("of all edits", study.all);
    line("of those that do not lose", study.kept);
}

}  // namespace

int run_gate(const GateOptions& options) {
    StopOnSignal stop;
    Json rows = Json::array();
    for (const std::string& name : options.files) {
        const auto began = std::chrono::steady_clock::now();
        auto of = read_study_kernel(options.folder, name, options.kernel, options.evaluator);
        if (!of) return print_error(of.error(), options.json);
        Json machine;
        auto study = options.evaluator == "gpu" ? gate_on_gpu(options, *of, stop.token(), machine)
                                                : gate_on_model(options, *of, stop.token(), machine);
        if (!study) return print_error(study.error(), options.json);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (!options.json) print_study(name, *study, seconds);
        Json row = {{"file", name},
                    {"kernel", of->kernel->name()},
                    {"evaluator", options.evaluator},
                    {"cache", options.gpu.cold ? "cold" : "hot"},
                    {"seed", options.study.seed},
                    {"loads", options.loads},
                    {"seconds", seconds},
                    {"machine", machine}};
        row.update(to_json(*study, *of->kernel));
        rows.push_back(std::move(row));
    }
    if (options.json) return print_document({{"kernels", std::move(rows)}});
    return 0;
}

}  // namespace cubinlab::cli
