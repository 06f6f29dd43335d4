// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/evaluator_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/bounded_json.h"
#include "core/binary/triton_entry.h"
#include "core/gpu/client/edit_gate.h"

namespace cubinlab {

namespace {

std::string assumed_launch(const Kernel& kernel, int threads) {
    return fmt::format(
        "no workload next to the cubin: the model assumes {} threads per block ({})", threads,
        threads_from(kernel, std::nullopt) == std::string_view("the cubin") ? "the cubin's own" : "assumed");
}

}  // namespace

Result<EvaluatorChoice> choose_evaluator(KernelPtr kernel, const std::optional<Workload>& workload,
                                         EvaluatorPolicy policy, const GpuSettings& given,
                                         std::stop_token stop) {
    const GpuSettings settings = watching_starts(given);
    EvaluatorChoice choice;
    if (policy != EvaluatorPolicy::Model) {
        Error why;
        const GpuProbe gpu = probe_gpu(settings, stop);
        if (!gpu.present)
            why = {ErrorCode::NoGpu, fmt::format("no usable GPU: {}", gpu.reason), {}};
        else if (!cannot_run(gpu.sm, kernel->arch()).empty())
            why = {ErrorCode::NoGpu,
                   fmt::format("{} is sm_{} and cannot run a {} cubin", gpu.device, gpu.sm,
                               kernel->arch().name()),
                   {}};
        else if (auto may = edited_code_may_run(kernel->arch(), gpu.device, gpu.driver); !may)
            why = may.error();
        else if (!workload)
            why = {ErrorCode::BadUse,
                   "measuring needs a workload; `cubinlab workload init FILE` writes a template",
                   kernel->cubin().where()};
        else {
            auto evaluator = make_gpu_evaluator(kernel, *workload, settings, stop);
            // A GPU that is there but fails is an error, not a reason to show modelled figures instead.
            if (!evaluator) return fail(evaluator.error());
            choice.evaluator = std::move(*evaluator);
            choice.calibrating_s = *settings.calibrating_s;
            if (std::string warning = machine_warning(choice.evaluator->info()); !warning.empty())
                choice.note = "WARNING: " + warning;
            return choice;
        }
        if (policy == EvaluatorPolicy::Gpu) return fail(why);
        choice.note = "using the SM model: " + why.message();
    }
    if (!kernel->arch().editable())
        return fail(ErrorCode::Unsupported,
                    fmt::format("the SM model has no latencies of {} and cannot rank compilations of this kernel, so a "
                                "GPU must measure them{}",
                                kernel->arch().name(), choice.note.empty() ? "" : "; " + choice.note));
    const SmModelSettings launch = model_settings(*kernel, workload);
    if (!workload)
        choice.note += (choice.note.empty() ? "" : "; ") + assumed_launch(*kernel, launch.threads_per_block);
    choice.evaluator = make_model_evaluator(
        kernel, launch, [workload](const Kernel& start) { return model_settings(start, workload); });
    return choice;
}

std::size_t gpus_of(const EvaluatorInfo& evaluator) {
    if (evaluator.kind != EvaluatorKind::Gpu) return 0;
    return std::max<std::size_t>(1, evaluator.gpu.devices.size());
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
    std::error_code ignored;
    // Beside a link, else beside the file that it leads to.
    for (const std::filesystem::path& place : {cubin, std::filesystem::canonical(cubin, ignored)})
        for (const std::filesystem::path& file :
             {default_workload_path(place, kernel.name()), default_workload_path(place)})
            if (!place.empty() && std::filesystem::exists(file, ignored)) return file;
    return default_workload_path(cubin);
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
