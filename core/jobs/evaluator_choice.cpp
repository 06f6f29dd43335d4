// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/jobs/evaluator_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/containers/triton_entry.h"

namespace cubinlab {

SmModelSettings model_settings(const std::optional<Workload>& workload) {
    SmModelSettings settings;
    if (workload) {
        settings.threads_per_block = static_cast<int>(workload->threads());
        settings.dynamic_shared_bytes = workload->dynamic_shared_bytes;
        settings.blocks_in_grid =
            static_cast<std::uint64_t>(workload->grid[0]) * workload->grid[1] * workload->grid[2];
    }
    return settings;
}

bool gpu_runs(int gpu_sm, const Arch& arch) {
    if (arch.accelerated) return gpu_sm == arch.sm;
    return gpu_sm / 10 == arch.sm / 10 && gpu_sm >= arch.sm;
}

Result<EvaluatorChoice> choose_evaluator(KernelPtr kernel, const std::optional<Workload>& workload,
                                         std::string_view wish, const GpuSettings& settings,
                                         std::stop_token stop) {
    if (wish != "auto" && wish != "gpu" && wish != "model")
        return fail(ErrorCode::BadUse, fmt::format("'{}' is not one of auto, gpu, model", wish),
                    "--evaluator");
    EvaluatorChoice choice;
    if (wish != "model") {
        Error why;
        const GpuPresence gpu = probe_gpu(settings, stop);
        if (!gpu.present)
            why = {ErrorCode::NoGpu, fmt::format("no usable GPU: {}", gpu.reason), {}};
        else if (!gpu_runs(gpu.sm, kernel->arch()))
            why = {ErrorCode::NoGpu,
                   fmt::format("{} is sm_{} and cannot run a {} cubin", gpu.device, gpu.sm,
                               kernel->arch().name()),
                   {}};
        else if (!workload)
            why = {ErrorCode::BadUse,
                   "measuring needs a workload; `cubinlab workload init FILE` writes a template",
                   kernel->cubin().where()};
        else {
            auto evaluator = make_gpu_evaluator(kernel, *workload, settings, stop);
            // A GPU that is there but fails is an error, not a reason to show modelled figures instead.
            if (!evaluator) return fail(evaluator.error());
            choice.evaluator = std::move(*evaluator);
            if (std::string warning = machine_warning(choice.evaluator->info()); !warning.empty())
                choice.note = "WARNING: " + warning;
            return choice;
        }
        if (wish == "gpu") return fail(why);
        choice.note = "using the SM model: " + why.message();
    }
    choice.evaluator = make_model_evaluator(kernel, model_settings(workload));
    return choice;
}

std::size_t gpus_of(const EvaluatorInfo& evaluator) {
    if (evaluator.kind != EvaluatorKind::Gpu) return 0;
    const auto more = parse_json_or_discard(evaluator.json);
    return more.is_object() && more.contains("devices") ? std::max<std::size_t>(1, more["devices"].size())
                                                        : 1;
}

std::size_t batch_for(const EvaluatorInfo& evaluator) {
    return std::max<std::size_t>(1, 16 * gpus_of(evaluator));
}

namespace {

// The values of the template, with its marks still there: nobody has said how the kernel is launched.
bool is_untouched_template(const Workload& workload, const Kernel& kernel) {
    if (workload.json.find("TODO") == std::string::npos) return false;
    const auto given = parse_json(workload.json, JsonComments::Allowed);
    const auto triton = read_triton_entry(kernel.cubin().where());
    for (const TritonEntry* known : {static_cast<const TritonEntry*>(nullptr), triton.get()}) {
        const auto blank = parse_json(workload_template(kernel.info(), known), JsonComments::Allowed);
        if (given && blank && *given == *blank) return true;
    }
    return false;
}

}  // namespace

std::filesystem::path workload_file_of(const Kernel& kernel) {
    const std::filesystem::path cubin = kernel.cubin().where();
    const auto own = default_workload_path(cubin, kernel.name());
    std::error_code ignored;
    return std::filesystem::exists(own, ignored) ? own : default_workload_path(cubin);
}

Result<std::optional<Workload>> find_workload(const Kernel& kernel, const std::string& explicit_path) {
    std::filesystem::path path = explicit_path;
    if (path.empty()) {
        std::error_code ignored;
        path = workload_file_of(kernel);
        if (!std::filesystem::exists(path, ignored)) return std::optional<Workload>{};
    }
    auto workload = TRY(Workload::load(path));
    if (auto valid = workload.validate_against(kernel.info()); !valid) {
        Error error = valid.error();
        error.where = error.where.empty() ? path.string() : path.string() + ": " + error.where;
        return fail(error);
    }
    if (is_untouched_template(workload, kernel))
        return fail(
            ErrorCode::BadInput,
            "is the template as `cubinlab workload init` wrote it: answer the lines marked TODO (grid, "
            "block, parameters) and remove the marks",
            path.string());
    return std::optional<Workload>{std::move(workload)};
}

}  // namespace cubinlab
