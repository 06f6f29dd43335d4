// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/measure.h"

#include <fmt/format.h>

#include <utility>

#include "core/schedule/cubin_writer.h"

namespace cubinlab {

Result<GpuSettings> one_gpu(GpuSettings settings, const Arch& arch, const std::stop_token& stop) {
    const std::vector<std::string> commands = std::exchange(settings.worker_commands, {});
    settings.gpus_each = 1;
    if (commands.empty()) return settings;
    std::string reasons;
    for (const std::string& command : commands) {
        settings.worker_command = command == "local" ? std::string() : command;
        const GpuProbe gpu = probe_gpu(settings, stop);
        if (!gpu.present) {
            reasons += (reasons.empty() ? "" : "; ") + gpu.reason;
            continue;
        }
        if (cannot_run(gpu.sm, arch).empty()) return settings;
        return fail(ErrorCode::NoGpu,
                    fmt::format("{} is sm_{} and cannot run a {} cubin", gpu.device, gpu.sm, arch.name()));
    }
    return fail(ErrorCode::NoGpu, "no usable GPU: " + reasons);
}

Result<std::vector<Measured>> measure_cubins(std::span<const std::byte> a, std::span<const std::byte> b,
                                             const Arch& arch, const Workload& workload,
                                             const MeasureSettings& settings, std::stop_token stop) {
    GpuSettings gpu = TRY(one_gpu(with_cache_for(settings.gpu, workload), arch, stop));
    const std::vector<Cache> caches = measured_states(gpu.cache);
    std::vector<Measured> out;
    for (const Cache cache : caches) {
        gpu.cache = cache;
        CompareOptions options;
        options.alpha = settings.alpha / static_cast<double>(caches.size());
        if (!settings.energy) options.energy_ms = 0;
        options.gpu_known = !out.empty();
        options.known.reset();
        if (workload.shapes.empty() && settings.calibrations.size() == caches.size())
            options.known = settings.calibrations[out.size()];
        auto comparison = compare_shapes(a, b, workload, gpu, settings.loads, stop, options);
        if (!comparison) {
            if (out.empty() || comparison.error().code != ErrorCode::Worker) return fail(comparison.error());
            comparison = ShapesComparison(not_compared(comparison.error(), gpu));
        }
        out.push_back({std::move(*comparison), cache});
    }
    return out;
}

Result<std::vector<Measured>> measure_schedule(const KernelPtr& original, const Schedule& schedule,
                                               const Workload& workload, const MeasureSettings& settings,
                                               std::stop_token stop) {
    const auto image = TRY(cubin_image(schedule));
    return measure_cubins(original->cubin().bytes(), image, original->arch(), workload, settings,
                          std::move(stop));
}

Result<Measured> measure_in_one_cache(const KernelPtr& original, const Schedule& schedule,
                                      const Workload& workload, MeasureSettings settings, std::stop_token stop) {
    settings.gpu = with_cache_for(settings.gpu, workload);
    settings.gpu.cache = measured_states(settings.gpu.cache).front();
    auto measured = TRY(measure_schedule(original, schedule, workload, settings, std::move(stop)));
    return std::move(measured.front());
}

Status store_measurement(SessionReader& reader, const std::filesystem::path& session, const KernelPtr& kernel,
                         const MeasurementRecord& record) {
    const auto workload = TRY(reader.workload_json(record.run));
    const auto listing = reader.listing_text();
    auto writer = TRY(SessionWriter::open(session, kernel, workload, listing ? *listing : std::string()));
    TRY(writer->add_measurement(record));
    return writer->close();
}

std::vector<Calibration> calibrations_of(const EvaluatorInfo& evaluator) {
    const MachineInfo& machine = evaluator.gpu;
    if (evaluator.kind != EvaluatorKind::Gpu || machine.devices.size() > 1 || !machine.calibration) return {};
    if (!is_mean(machine.cache)) return {*machine.calibration};
    if (!machine.cold || !machine.cold->calibration) return {};
    return {*machine.calibration, *machine.cold->calibration};
}

bool needs_final_measurement(const RunSummary& summary, const EvaluatorInfo& evaluator) {
    return evaluator.kind == EvaluatorKind::Gpu && summary.best_step != 0 &&
           (summary.end == RunEnd::Budget || summary.end == RunEnd::Exhausted);
}

Result<std::vector<Measured>> final_measurement(const KernelPtr& original, const Schedule& best,
                                                const Workload& workload, GpuSettings gpu, int processes,
                                                std::stop_token stop, std::vector<Calibration> calibrations) {
    ++gpu.seed;
    // An energy measurement would take as long as the comparison.
    return measure_schedule(
        original, best, workload,
        {.gpu = std::move(gpu), .loads = processes, .energy = false, .calibrations = std::move(calibrations)},
        std::move(stop));
}

}  // namespace cubinlab
