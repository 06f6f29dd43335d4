// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a run, as entered in the agent bar and stored in the preferences.
#pragma once
#include <QString>
#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/search/engine/default_agent.h"
#include "ui/base/schedule_slot.h"

namespace cubinlab::ui {

struct RunRequest {
    QString agent = QString::fromLatin1(kDefaultAgent);
    QString agent_settings = QStringLiteral("{}");
    QString evaluator = QStringLiteral("auto");  // auto, gpu, model
    QString budget = QStringLiteral("60s");      // Budget::parse
    std::uint64_t seed = 1;
    ScheduleSlot start = ScheduleSlot::Original;
    std::vector<InstrId> locked;  // never moved or edited by the agent
    bool earlier = false;         // the race also starts from the hand schedule and the bests of earlier runs
};

}  // namespace cubinlab::ui
