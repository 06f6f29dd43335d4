// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the replay dock: Agent > Replay.
#pragma once

class QDockWidget;

namespace cubinlab::ui {

class Commands;
class ReplayPanel;
class RunController;
class StepFocus;

// Registers the commands with their submenus. Each brings the dock to the front. `runs` must outlive them.
void add_replay_commands(Commands& commands, ReplayPanel* replay, StepFocus* focus, const RunController* runs,
                         QDockWidget* dock);

}  // namespace cubinlab::ui
