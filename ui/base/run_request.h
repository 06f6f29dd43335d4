// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is asked for: the agent bar's answers, kept by the settings.
#pragma once
#include <QString>
#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/search/engine/default_agent.h"

namespace cubinlab::ui {

// Kept by number in preferences: new ones come last.
enum class Head { Original, Hand, Best, Viewed, Other, Minimal };

struct RunRequest {
    QString agent = QString::fromLatin1(kDefaultAgent);
    QString agent_settings = QStringLiteral("{}");
    QString evaluator = QStringLiteral("auto");  // auto, gpu, model
    QString budget = QStringLiteral("60s");      // Budget::parse
    std::uint64_t seed = 1;
    Head start = Head::Original;
    std::vector<InstrId> locked;  // never moved or edited by the agent
    bool earlier = false;         // the race begins from the hand schedule and what earlier runs found as well
};

}  // namespace cubinlab::ui
