// SPDX-License-Identifier: GPL-3.0-or-later
// Text for a measurement against the original, for messages and next to a schedule.
#pragma once
#include <QString>

#include "core/gpu/client/shapes_comparison.h"
#include "ui/base/message_bar.h"
#include "ui/document/hand_tree.h"

namespace cubinlab::ui {

// For several shapes: the mean, any slower shapes, and one line per shape.
QString comparison_text(const ShapesComparison& comparison);
// Next to the result of the other cache state: names the cache state and has no line per shape.
QString cache_text(const ShapesComparison& comparison);
HandFigure figure_of(const ShapesComparison& comparison);
bool sound(const ShapesComparison& comparison);           // no failure, and equal outputs
MessageKind kind_of(const ShapesComparison& comparison);  // green: a gain in every shape

}  // namespace cubinlab::ui
