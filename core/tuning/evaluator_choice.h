// SPDX-License-Identifier: GPL-3.0-or-later
// Which evaluator a run uses, decided the same way for the window and the command line.
//
//   Auto   a GPU that runs the cubin's architecture and a workload, else the SM model, saying why
//   Gpu    the GPU or an error
//   Model  the SM model
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/evidence/model_settings.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/protocol/workload.h"
#include "core/model/sm_model.h"
#include "core/result/evaluator.h"

namespace cubinlab {

struct EvaluatorChoice {
    std::unique_ptr<Evaluator> evaluator;
    // What the user should know of the choice: why the model was taken although `auto` asked for a GPU, the launch that it
    // assumes for want of a workload, or the GPU's machine_warning. Mostly empty.
    std::string note;
    double calibrating_s = 0;  // seconds in which the workers warmed up and calibrated
};

Result<EvaluatorChoice> choose_evaluator(KernelPtr kernel, const std::optional<Workload>& workload,
                                         EvaluatorPolicy policy, const GpuSettings& given,
                                         std::stop_token stop);

// GPUs of the evaluator's pool, whether up or not; 0: the model.
std::size_t gpus_of(const EvaluatorInfo& evaluator);
// Proposals in flight that keep every GPU busy. By the settings alone, as it is part of what makes a run
// repeatable.
std::size_t batch_for(const EvaluatorInfo& evaluator);

// NAME.KERNEL.workload.json beside the cubin where there is one, else NAME.workload.json.
std::filesystem::path workload_file_of(const Kernel& kernel);
// The workload for a cubin: `explicit_path` if given, else that of workload_file_of() if it exists. Checked
// against the kernel. Empty: there is none.
Result<std::optional<Workload>> find_workload(const Kernel& kernel, const std::string& explicit_path);

}  // namespace cubinlab
