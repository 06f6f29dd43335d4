// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares a study of one kernel: its checker, its workload, and a GPU client that is ready.
#pragma once
#include <optional>
#include <string>

#include "app/lab/commands/lab_commands.h"
#include "core/legality/hazard_checker.h"
#include "core/gpu/client/gpu_client.h"
#include "core/gpu/protocol/workload.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab::cli {

struct StudyKernel {
    std::string file;
    KernelPtr kernel;
    CheckerPtr checker;
    std::optional<Workload> workload;
};

// A cubin's path, or the name of one in `folder`.
std::string cubin_named(const std::string& folder, const std::string& name);
// `kernel`: if the file has several. Errors: those of the file; BadUse for a GPU without a workload.
Result<StudyKernel> read_study_kernel(const std::string& folder, const std::string& name,
                                      const std::string& kernel, const std::string& evaluator);

// That kernel on the GPU that the options name, ready to measure; `workload` is set.
struct StudyGpu {
    CubinWriter writer;
    std::unique_ptr<GpuClient> client;
};
Result<StudyGpu> open_study_gpu(const StudyKernel& of, const GpuSettings& settings,
                                const std::stop_token& stop);

}  // namespace cubinlab::cli
