// SPDX-License-Identifier: GPL-3.0-or-later
// The re-measured steps of a run (F8, `measure --session`) from the session: one result per step against the
// original, from all its GPU measurements together.
#pragma once
#include <QString>
#include <memory>
#include <vector>

#include "core/gpu/client/shape_figures.h"
#include "core/store/session.h"
#include "ui/document/hand_editor.h"

namespace cubinlab::ui {

class SessionHub;

// Text for a result that is the mean over the shapes of a workload:
// "SLOWER in short, 1 of 3 shapes, while the mean gains." `mean`: log speed-up. Empty: no shape is slower.
QString slower_text(const ShapeFigures& shapes, double mean);

struct StepMeasurement {
    StepId step = 0;
    Hash128 schedule;
    HandFigure figure;  // measured; `outcome` other than Ok: at least one measurement failed
    // It replaces the run's own result (core/evidence/best_figure.h): same cache, and not only the first
    // shape.
    bool like_run = true;
    ShapeFigures shapes = {};  // the parts of the mean, if all were measured
};
using StepMeasurements = std::shared_ptr<const std::vector<StepMeasurement>>;  // by step, ascending

const StepMeasurement* measured_at(const StepMeasurements& measured, StepId step);  // null: none

// Blocks: call it in a job.
Result<std::vector<StepMeasurement>> measured_steps(SessionHub& session, RunId run);

}  // namespace cubinlab::ui
