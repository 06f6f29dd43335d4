// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/rank_agreement.h"

#include <algorithm>
#include <set>

#include "core/model/ensemble.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostSchedules = 160;

}  // namespace

Result<std::vector<StepRecord>> evenly_chosen(SessionReader& session, RunId run, std::size_t most,
                                              const std::stop_token& stop) {
    std::vector<StepId> found;
    std::set<Hash128> seen;
    for (StepId after = 0; !stop.stop_requested();) {
        auto chunk = TRY(session.figures(run, after, kStepsAtOnce));
        if (chunk.empty()) break;
        after = chunk.back().step;
        for (const StepFigure& figure : chunk)
            if (figure.kind == OutcomeKind::Ok && !figure.repeated && seen.insert(figure.hash).second)
                found.push_back(figure.step);
    }
    if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
    std::vector<StepId> wanted;
    const std::size_t count = std::min(found.size(), most);
    for (std::size_t i = 0; i < count; ++i)
        wanted.push_back(found[i * found.size() / count]);
    return session.steps_at(run, wanted);
}

void RankAgreement::add(const RankAgreement& other) {
    schedules += other.schedules;
    pairs += other.pairs;
    agree += other.agree;
    disagree += other.disagree;
    ensemble_agree += other.ensemble_agree;
    ensemble_disagree += other.ensemble_disagree;
}

RankAgreement rank_agreement(const std::vector<RankedSchedule>& schedules) {
    RankAgreement out;
    out.schedules = schedules.size();
    for (std::size_t i = 0; i < schedules.size(); ++i)
        for (std::size_t j = i + 1; j < schedules.size(); ++j) {
            const RankedSchedule &a = schedules[i], &b = schedules[j];
            if (a.low <= b.high && b.low <= a.high) continue;
            ++out.pairs;
            const bool a_faster = a.low > b.high;
            if (a.cycles != b.cycles) ++((a.cycles < b.cycles) == a_faster ? out.agree : out.disagree);
            if (a.ensemble != b.ensemble)
                ++((a.ensemble < b.ensemble) == a_faster ? out.ensemble_agree : out.ensemble_disagree);
        }
    return out;
}

Result<RankAgreement> rank_agreement(SessionReader& session, const KernelPtr& kernel,
                                     const SmModelSettings& settings, const std::vector<int>& trips,
                                     std::stop_token stop) {
    auto runs = TRY(session.runs());
    RankAgreement all;
    const SmModel model(kernel, settings);
    ModelEnsemble ensemble(kernel, settings, shipped_parameters(kernel->arch()), trips);
    for (const RunInfo& run : runs) {
        if (run.evaluator.kind != EvaluatorKind::Gpu) continue;
        auto chosen = TRY(evenly_chosen(session, run.id, kMostSchedules, stop));
        std::vector<RankedSchedule> ranked;
        for (const StepRecord& record : chosen) {
            if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
            auto schedule = TRY(session.schedule_at(kernel, run.id, record.step));
            ranked.push_back(
                {record.outcome.low, record.outcome.high, model.cycles(schedule), ensemble.cycles(schedule)});
        }
        all.add(rank_agreement(ranked));
    }
    return all;
}

}  // namespace cubinlab
