// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that export the picture or values of a view: File > Export chart or graph.
#pragma once

namespace cubinlab::ui {

class Commands;
class GraphToolbar;
class RewardChart;

struct ExportedViews {
    RewardChart* chart = nullptr;
    GraphToolbar* dependencies = nullptr;
    GraphToolbar* flow = nullptr;
};

// Registers the commands with their submenus.
void add_view_exports(Commands& commands, const ExportedViews& views);

}  // namespace cubinlab::ui
