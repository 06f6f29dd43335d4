// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a run, as entered in the agent bar and stored in the preferences.
#pragma once
#include <QString>
#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/result/evaluator.h"
#include "core/search/engine/default_agent.h"

namespace cubinlab::ui {

// The schedules of the open kernel that a listing can show and a run can start from (ui/document/document.h).
// Preferences store the number: append new values.
enum class ScheduleSlot { Original, Hand, Best, Viewed, Other, Minimal };

struct RunRequest {
    QString agent = QString::fromLatin1(kDefaultAgent);
    QString agent_settings = QStringLiteral("{}");
    EvaluatorPolicy evaluator = EvaluatorPolicy::Auto;
    QString budget = QStringLiteral("60s");  // Budget::parse
    std::uint64_t seed = 1;
    ScheduleSlot start = ScheduleSlot::Original;
    std::vector<InstrId> locked;  // never moved or edited by the agent
    bool only_reschedules = false;  // other compilations of the kernel's PTX are not searched
    bool earlier = false;         // the race also starts from the hand schedule and the bests of earlier runs
};

}  // namespace cubinlab::ui
