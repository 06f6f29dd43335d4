// SPDX-License-Identifier: GPL-3.0-or-later
// The SM model of the open kernel in its launch. Everything that shows or logs a modelled figure of the kernel uses this one:
// the log of hand edits, their history, the comparison by the model and the issue cycles.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/gpu/protocol/workload.h"
#include "core/model/sm_model.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab::ui {

class LaunchModel {
  public:
    LaunchModel(KernelPtr kernel, std::optional<Workload> workload)
        : kernel_(std::move(kernel)), workload_(std::move(workload)) {}

    // For jobs, on any thread: the first call prepares the model, which takes milliseconds.
    const ModelEvaluator& get() const {
        std::call_once(prepared_, [this] { model_.emplace(kernel_, model_settings(*kernel_, workload_)); });
        return *model_;
    }

  private:
    KernelPtr kernel_;
    std::optional<Workload> workload_;
    mutable std::once_flag prepared_;
    mutable std::optional<ModelEvaluator> model_;
};

using LaunchModelPtr = std::shared_ptr<const LaunchModel>;

}  // namespace cubinlab::ui
