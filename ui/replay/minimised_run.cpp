// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay/minimised_run.h"

#include <algorithm>

#include "core/evidence/patterns.h"

namespace cubinlab::ui {
Descent descent_of(const std::vector<StepId>& parent, const std::vector<bool>& touches, StepId best) {
    Descent out;
    // A parent is an earlier step, so the walk ends.
    for (StepId s = best; s > 0 && static_cast<std::size_t>(s) < parent.size();) {
        const auto i = static_cast<std::size_t>(s);
        out.lineage.push_back(s);
        if (touches[i]) out.carrying.push_back(s);
        if (parent[i] >= s) break;
        s = parent[i];
    }
    std::reverse(out.lineage.begin(), out.lineage.end());
    std::reverse(out.carrying.begin(), out.carrying.end());
    return out;
}

Result<MinimisedRun> minimise_run(SessionHub& session, RunId run, const std::optional<Workload>& workload,
                                  const GpuSettings& gpu, std::stop_token stop) {
    auto info = TRY(session.run(run));
    if (info.best_step == 0)
        return fail(ErrorCode::Refused, "nothing beat the start of this run, so no edit carries a gain");
    auto best = TRY(session.schedule_at(run, info.best_step));
    auto found = TRY(find_minimal({.whole = std::move(best),
                                   .judge = info.evaluator.kind,
                                   .workload = workload,
                                   .gpu = gpu,
                                   .rank = true},
                                  stop));
    std::vector<StepId> parent{0};
    std::vector<bool> touched{false};
    for (StepId after = 0; after < info.best_step && !stop.stop_requested();) {
        auto chunk = TRY(session.steps(run, after, kStepsAtOnce));
        if (chunk.empty()) break;
        after = chunk.back().step;
        for (const StepRecord& record : chunk) {
            parent.resize(static_cast<std::size_t>(record.step) + 1, 0);
            touched.resize(parent.size(), false);
            parent.back() = record.parent;
            touched.back() = touches(record.mutation, found.minimised.edits);
        }
    }
    Descent descent = descent_of(parent, touched, info.best_step);
    return MinimisedRun{std::move(found), std::move(descent.carrying), std::move(descent.lineage)};
}

}  // namespace cubinlab::ui
