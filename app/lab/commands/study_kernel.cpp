// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/commands/study_kernel.h"

#include <filesystem>

namespace cubinlab::cli {

std::string cubin_named(const std::string& folder, const std::string& name) {
    return name.find('/') == std::string::npos && !name.ends_with(".cubin")
               ? (std::filesystem::path(folder) / (name + ".cubin")).string()
               : name;
}

Result<StudyKernel> read_study_kernel(const std::string& folder, const std::string& name,
                                      const std::string& kernel_name, const std::string& evaluator) {
    const std::string file = cubin_named(folder, name);
    auto cubin = Cubin::open(file);
    if (!cubin) return fail(cubin.error());
    auto kernel = Kernel::load(*cubin, kernel_name);
    if (!kernel) return fail(kernel.error());
    auto checker = HazardChecker::create(*kernel);
    if (!checker) return fail(checker.error());
    auto workload = find_workload(**kernel, {});
    if (!workload) return fail(workload.error());
    if (evaluator == "gpu" && !*workload)
        return fail(ErrorCode::BadUse,
                    "measuring needs a workload; `cubinlab workload init FILE` writes a template", file);
    return StudyKernel{file, *kernel, *checker, std::move(*workload)};
}

Result<StudyGpu> open_study_gpu(const StudyKernel& of, const GpuSettings& settings,
                                const std::stop_token& stop) {
    auto writer = CubinWriter::create(of.kernel);
    if (!writer) return fail(writer.error());
    auto client = make_gpu_client(*of.kernel, *of.workload, settings);
    if (!client) return fail(client.error());
    if (auto ready = (*client)->ready(stop); !ready) return fail(ready.error());
    return StudyGpu{std::move(*writer), std::move(*client)};
}

}  // namespace cubinlab::cli
