// SPDX-License-Identifier: GPL-3.0-or-later
// What a study of a kernel begins with: `gate` and `rank`.
#pragma once
#include <optional>
#include <string>

#include "app/lab/commands/lab_commands.h"
#include "core/analysis/hazard_checker.h"
#include "core/measure/workload.h"

namespace cubinlab::cli {

struct StudyKernel {
    std::string file;
    KernelPtr kernel;
    CheckerPtr checker;
    std::optional<Workload> workload;
};

// A cubin's path, or the name of one in `folder`.
std::string cubin_named(const std::string& folder, const std::string& name);
// `kernel`: where the file has several. Errors: the file's; BadUse where a GPU is to measure without a workload.
Result<StudyKernel> read_study_kernel(const std::string& folder, const std::string& name,
                                      const std::string& kernel, const std::string& evaluator);

}  // namespace cubinlab::cli
