// SPDX-License-Identifier: GPL-3.0-or-later
// Modelled figures of a run, recomputed: the model is deterministic, so it must say what it said. Used by stored_figures.h.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/gpu/protocol/workload.h"
#include "core/model/sm_model.h"
#include "core/store/session.h"

namespace cubinlab {

// The figure of one schedule against the original, by the model that the machine's facts name. `workload`: for a schedule of
// another compilation. As check_step_figure.
Result<std::string> check_modelled_figure(const KernelPtr& original, const std::optional<Workload>& workload,
                                          const EvaluatorInfo& machine, const Schedule& schedule, const Outcome& stored,
                                          const std::string& which);

class ModelledFigures {
  public:
    static Result<ModelledFigures> create(SessionReader& reader, KernelPtr kernel, const RunInfo& run);
    // As check_step_figure; `record` is a step that ran well.
    Result<std::string> check(const StepRecord& record);

  private:
    ModelledFigures(SessionReader& reader, KernelPtr kernel, const RunInfo& run, KernelPtr original,
                    std::unique_ptr<SmModel> model)
        : reader_(&reader),
          kernel_(std::move(kernel)),
          original_(std::move(original)),
          run_(run),
          model_(std::move(model)) {}
    double cycles(const Schedule& schedule);

    SessionReader* reader_;
    KernelPtr kernel_, original_;
    RunInfo run_;
    std::optional<Workload> workload_;
    std::unique_ptr<SmModel> model_;  // of the original
    KernelPtr start_;                 // the last other compilation, and its model
    std::unique_ptr<SmModel> start_model_;
    double start_cycles_ = 0;  // 0: not known
    std::string other_model_;  // why this model cannot be the one that made the figures
    std::unordered_map<Hash128, double> cycles_;
};

}  // namespace cubinlab
