// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that write a picture or the values of a view: File > Export view.
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

// Registers the commands; each names its submenu.
void add_view_exports(Commands& commands, const ExportedViews& views);

}  // namespace cubinlab::ui
