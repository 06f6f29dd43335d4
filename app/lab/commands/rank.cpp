// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab-lab rank`: measured schedules that a model's order is scored by, and the score.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/output.h"
#include "app/cli/stop_on_signal.h"
#include "app/lab/commands/lab_commands.h"
#include "app/lab/commands/study_kernel.h"
#include "app/lab/study/rank_study.h"
#include "core/base/file.h"
#include "core/jobs/rank_score.h"
#include "core/jobs/schedule_file.h"
#include "core/measure/gpu_client.h"
#include "core/measure/statistics.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab::cli {
namespace {

constexpr double kLongKernelUs = 500;  // one launch; fewer pairs of each load

struct RankKernel : StudyKernel {
    std::optional<Schedule> good;
};

Result<RankKernel> read_kernel(const RankOptions& options, const std::string& name) {
    auto read = read_study_kernel(options.folder, name, options.kernel, options.evaluator);
    if (!read) return fail(read.error());
    RankKernel out{std::move(*read), {}};
    const auto good = std::filesystem::path(options.good) / std::filesystem::path(out.file).filename();
    if (options.good.empty() || !std::filesystem::exists(good)) return out;
    auto schedule = read_schedule(good, out.kernel);
    if (!schedule) return fail(schedule.error());
    out.good = std::move(*schedule);
    return out;
}

RankLook look_of(const BenchOutcome& outcome, std::size_t pairs, double pair_deviation) {
    RankLook out;
    if (!outcome.ok()) {
        out.failure = fmt::format("{}: {}", to_string(outcome.kind), outcome.detail);
        return out;
    }
    const std::span<const float> samples = outcome.samples;
    for (std::size_t from = 0; from + pairs <= samples.size(); from += pairs)
        out.loads.push_back(estimate(samples.subspan(from, pairs), pair_deviation).mean);
    return out;
}

Result<RankRows> on_gpu(const RankOptions& options, const RankKernel& of,
                        const std::vector<DrawnSchedule>& drawn, RankFile& file,
                        const std::stop_token& stop) {
    auto gpu = open_study_gpu(of, options.gpu.settings(options.study.seed), stop);
    if (!gpu) return fail(gpu.error());
    const CubinWriter& writer = gpu->writer;
    GpuClient& client = *gpu->client;
    const Calibration& calibration = client.calibration();
    file.device = client.facts().device;
    file.driver = client.facts().driver;
    file.original_us = calibration.original_us;
    const auto wire = [&](const Schedule& schedule) {
        WireImage image;
        const auto patches = writer.patches(schedule);
        image.hash = hash_bytes(apply_patches(of.kernel->cubin().bytes(), patches));
        for (const BytePatch& patch : patches)
            image.patches.push_back({patch.offset, patch.bytes});
        return image;
    };
    Sampling sampling;
    sampling.loads = options.loads;
    sampling.pairs = calibration.original_us > kLongKernelUs ? std::max(1, options.pairs / 2) : options.pairs;
    const WireImage original = wire(Schedule(of.kernel));
    const RankMeasure measure =
        [&](const std::vector<const Schedule*>& batch) -> Result<std::vector<RankLook>> {
        std::vector<WireImage> images;
        for (const Schedule* schedule : batch)
            images.push_back(wire(*schedule));
        auto outcomes = client.evaluate(Effort::Promote, original, images, stop, 0, {}, sampling);
        if (!outcomes) return fail(outcomes.error());
        std::vector<RankLook> looks;
        for (const BenchOutcome& outcome : *outcomes)
            looks.push_back(
                look_of(outcome, static_cast<std::size_t>(sampling.pairs), calibration.pair_deviation));
        return looks;
    };
    return measure_ranks(drawn, measure, options.study, stop);
}

// The model in the place of the GPU, without noise: what the whole way is tried with where there is none.
Result<RankRows> on_model(const RankOptions& options, const RankKernel& of,
                          const std::vector<DrawnSchedule>& drawn, RankFile& file,
                          const std::stop_token& stop) {
    const SmModel model(of.kernel, file.launch);
    const double original = model.cycles(Schedule(of.kernel));
    file.device = "SM model " + of.kernel->arch().name();
    RankSettings once = options.study;
    once.seconds = 0;
    const RankMeasure measure =
        [&](const std::vector<const Schedule*>& batch) -> Result<std::vector<RankLook>> {
        std::vector<RankLook> looks;
        for (const Schedule* schedule : batch)
            looks.push_back({{std::log(original / model.cycles(*schedule))}, {}});
        return looks;
    };
    return measure_ranks(drawn, measure, once, stop);
}

std::string score_line(const std::string& name, const RankScore& s) {
    return fmt::format(
        "{}: {} schedules, {} pairs told apart near the same one; model tau-b {:.2f} (original {:.2f}, good "
        "{:.2f}), "
        "all {} pairs {:.2f}; the GPU's halves {:.2f}",
        name, s.schedules, s.within.pairs(), s.within.tau_b(), s.original.tau_b(), s.good.tau_b(),
        s.all.pairs(), s.all.tau_b(), s.itself.tau_b());
}

Json to_json(const PairCount& count) {
    return {
        {"agree", count.agree}, {"disagree", count.disagree}, {"ties", count.ties}, {"tau_b", count.tau_b()}};
}

Json to_json(const RankScore& s) {
    return {{"schedules", s.schedules},     {"near_original", to_json(s.original)},
            {"near_good", to_json(s.good)}, {"within", to_json(s.within)},
            {"all", to_json(s.all)},        {"gpu_halves", to_json(s.itself)}};
}

Result<RankScore> score_of(const RankFile& file, const KernelPtr& kernel) {
    auto schedules = file.schedules(kernel);
    if (!schedules) return fail(schedules.error());
    const SmModel model(kernel, file.launch);
    std::vector<double> cycles;
    for (const Schedule& schedule : *schedules)
        cycles.push_back(model.cycles(schedule));
    return score(file.rows, cycles);
}

Result<RankScore> scored(const RankOptions& options, const std::string& path) {
    auto file = read_rank_file(path);
    if (!file) return fail(file.error());
    auto cubin = Cubin::open((std::filesystem::path(options.folder) / file->cubin).string());
    if (!cubin) return fail(cubin.error());
    auto kernel = Kernel::load(*cubin, file->kernel);
    if (!kernel) return fail(kernel.error());
    return score_of(*file, *kernel);
}

Result<RankScore> measured(const RankOptions& options, const std::string& name, const std::stop_token& stop) {
    auto of = read_kernel(options, name);
    if (!of) return fail(of.error());
    RankFile file;
    file.kernel = of->kernel->name();
    file.cubin = std::filesystem::path(cubin_named(options.folder, name)).filename().string();
    file.code = of->kernel->hash();
    file.cache = options.gpu.cold ? "cold" : "hot";
    file.launch = launch_settings(*of->workload);
    if (of->good) file.good = difference(Schedule(of->kernel), *of->good);
    const std::vector<DrawnSchedule> drawn = draw_schedules(of->checker, of->good, options.study);
    auto rows = options.evaluator == "gpu" ? on_gpu(options, *of, drawn, file, stop)
                                           : on_model(options, *of, drawn, file, stop);
    if (!rows) return fail(rows.error());
    file.rows = std::move(rows->rows);
    file.failed = rows->failed;
    file.failures = std::move(rows->failures);
    std::error_code ignored;
    std::filesystem::create_directories(options.out, ignored);
    const auto stem = std::filesystem::path(file.cubin).stem().string();
    const auto path = std::filesystem::path(options.out) / (stem + ".rank.json");
    if (auto ok = write_text(path, to_text(file)); !ok) return fail(ok.error());
    if (!options.json)
        print_line(fmt::format("{}: {} schedules, {} failed, {} passes -> {}", stem, file.rows.size(),
                               file.failed, rows->passes, path.string()));
    return score_of(file, of->kernel);
}

}  // namespace

int run_rank(const RankOptions& options) {
    StopOnSignal stop;
    Json out = Json::object();
    int code = 0;
    for (const std::string& name : options.files) {
        auto result = options.score ? scored(options, name) : measured(options, name, stop.token());
        if (!result) {
            code = print_error(result.error(), options.json);
            if (options.json || stop.token().stop_requested()) return code;
            continue;
        }
        if (!options.json)
            print_line(score_line(std::filesystem::path(name).stem().stem().string(), *result));
        out[name] = to_json(*result);
    }
    if (options.json) return print_document({{"kernels", std::move(out)}});
    return code;
}

}  // namespace cubinlab::cli
