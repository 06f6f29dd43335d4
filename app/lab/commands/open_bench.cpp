// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "app/lab/commands/lab_commands.h"
#include "core/gpu/client/worker_process.h"

namespace cubinlab::cli {

std::string lab_worker() {
    std::error_code ignored;
    const auto beside =
        std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "cubinlab-lab-worker";
    return std::filesystem::exists(beside, ignored) ? beside.string() : "cubinlab-lab-worker";
}

Result<EvaluatorChoice> open_gpu(const KernelPtr& kernel, const std::string& workload,
                                 const GpuSettings& settings, const std::stop_token& stop) {
    auto found = find_workload(*kernel, workload);
    if (!found) return fail(found.error());
    return choose_evaluator(kernel, *found, EvaluatorPolicy::Gpu, settings, stop);
}

Result<std::unique_ptr<probe::Bench>> open_bench(std::shared_ptr<const Cubin> cubin,
                                                 const GpuOptions& options) {
    const bool local = options.workers.empty() || options.workers.front() == "local";
    if (local) return probe::Bench::create(std::move(cubin), {lab_worker()});
    auto words = split_command(options.workers.front());
    if (!words) return fail(words.error());
    return probe::Bench::create(std::move(cubin), std::move(*words));
}

}  // namespace cubinlab::cli
