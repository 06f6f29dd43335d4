// SPDX-License-Identifier: GPL-3.0-or-later
// Modelled figures of a run, made again: the model is deterministic, so it must say what it said. Used by
// stored_figures.h.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>

#include "core/model/sm_model.h"
#include "core/store/session.h"

namespace cubinlab {

// The figure of one schedule against `start`, by the model that the machine's facts name. As
// check_step_figure.
Result<std::string> check_modelled_figure(const KernelPtr& kernel, const EvaluatorInfo& machine,
                                          const Schedule& start, const Schedule& schedule,
                                          const Outcome& stored, const std::string& which);

class ModelledFigures {
  public:
    static Result<ModelledFigures> create(SessionReader& reader, KernelPtr kernel, const RunInfo& run);
    // As check_step_figure; `record` is a step that ran well.
    Result<std::string> check(const StepRecord& record);

  private:
    ModelledFigures(SessionReader& reader, KernelPtr kernel, const RunInfo& run,
                    std::unique_ptr<SmModel> model)
        : reader_(&reader), kernel_(std::move(kernel)), run_(run), model_(std::move(model)) {}

    SessionReader* reader_;
    KernelPtr kernel_;
    RunInfo run_;
    std::unique_ptr<SmModel> model_;
    double start_cycles_ = 0;  // 0: not known
    std::string other_model_;  // why this model cannot be the one that made the figures
    std::unordered_map<Hash128, double> cycles_;
};

}  // namespace cubinlab
