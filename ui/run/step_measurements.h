// SPDX-License-Identifier: GPL-3.0-or-later
// What the session holds of the steps of a run that were measured again (F8, `measure --session`): a figure
// for each, against the original, all its measurements on the GPU with most of them judged together.
#pragma once
#include <memory>
#include <vector>

#include "core/gpu/client/shape_figures.h"
#include "core/store/session.h"
#include "ui/document/hand_tree.h"

namespace cubinlab::ui {

class SessionHub;

struct StepMeasurement {
    StepId step = 0;
    Hash128 schedule;
    HandFigure figure;  // measured; `outcome` other than Ok: a measurement failed, whatever others said
    // It stands for what the run said of the step (core/evidence/best_figure.h): not one of another cache, or of the first of
    // several shapes alone.
    bool like_run = true;
    ShapeFigures shapes = {};  // whose mean it is, where they were all measured
};
using StepMeasurements = std::shared_ptr<const std::vector<StepMeasurement>>;  // by step, ascending

const StepMeasurement* measured_at(const StepMeasurements& measured, StepId step);  // null: none

// For jobs: blocks.
Result<std::vector<StepMeasurement>> measured_steps(SessionHub& session, RunId run);

}  // namespace cubinlab::ui
