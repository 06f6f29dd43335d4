// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement against the original, as the window tells it: in a message and beside a schedule.
#pragma once
#include <QString>

#include "core/gpu/client/shapes_comparison.h"
#include "ui/base/message_bar.h"
#include "ui/document/hand_tree.h"

namespace cubinlab::ui {

// Of several shapes the mean, in words where one got slower, and a line for each.
QString comparison_text(const ShapesComparison& comparison);
// Beside that of the other cache: with the cache, and of several shapes without a line for each.
QString cache_text(const ShapesComparison& comparison);
HandFigure figure_of(const ShapesComparison& comparison);
bool sound(const ShapesComparison& comparison);           // it ran well, with equal outputs
MessageKind kind_of(const ShapesComparison& comparison);  // green is what was gained, in every shape

}  // namespace cubinlab::ui
