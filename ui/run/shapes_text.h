// SPDX-License-Identifier: GPL-3.0-or-later
// Text for a result that is the mean over the shapes of a workload.
#pragma once
#include <QString>

#include "core/gpu/client/shape_figures.h"

namespace cubinlab::ui {

// "SLOWER in short, 1 of 3 shapes, while the mean gains." `mean`: log speed-up. Empty: no shape is slower.
QString slower_text(const ShapeFigures& shapes, double mean);

}  // namespace cubinlab::ui
