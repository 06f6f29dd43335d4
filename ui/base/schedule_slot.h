// SPDX-License-Identifier: GPL-3.0-or-later
// The schedules of the open kernel that a listing can show and a run can start from (ui/document/document.h).
#pragma once

namespace cubinlab::ui {

// Preferences store the number: append new values.
enum class ScheduleSlot { Original, Hand, Best, Viewed, Other, Minimal };

}  // namespace cubinlab::ui
