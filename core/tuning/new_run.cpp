// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/new_run.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/file.h"
#include "core/base/utc_text.h"
#include "core/base/version.h"

namespace cubinlab {

RunHeader header_of(const RunSettings& settings, const EvaluatorInfo& evaluator, const Schedule& start,
                    std::vector<InstrId> locked) {
    RunHeader header;
    header.agent = settings.agent;
    header.agent_settings = settings.agent_settings;
    header.seed = settings.seed;
    header.budget = settings.budget.text();
    header.evaluator = evaluator;
    header.start_hash = start.hash();
    header.batch = static_cast<std::uint32_t>(settings.batch);
    header.locked = std::move(locked);
    header.started = utc_text();
    header.version = version_text();
    return header;
}

}  // namespace cubinlab
