// SPDX-License-Identifier: GPL-3.0-or-later
// Resuming a run: the searcher proposes the logged steps again and observes their logged outcomes.
#include <algorithm>

#include <fmt/format.h>

#include "core/search/engine/run_history.h"
#include "core/search/engine/tune_run_impl.h"

namespace cubinlab {
namespace {

constexpr std::size_t kResumePage = 4096;
constexpr int kMostEndSteps = 64;  // logged steps of one end of a run; close() has twelve rounds

}  // namespace

Status TuneRun::Impl::match(const Proposal& proposal, const StepRecord& record) const {
    if (proposal.parent == record.parent && proposal.mutation == record.mutation &&
        proposal.result.hash() == record.schedule_hash)
        return {};
    return fail(ErrorCode::Corrupt,
                fmt::format("the log does not continue this run: step {} is '{}' of step {}, the agent "
                            "proposes '{}' of step {}. It was made by other "
                            "settings or another version; start a new run instead",
                            record.step, record.mutation.encode(), record.parent, proposal.mutation.encode(),
                            proposal.parent),
                fmt::format("step {}", record.step));
}

Status TuneRun::Impl::resume(RunHistory& history) {
    if (next_step != 1 || !open_batch.empty())
        return fail(ErrorCode::BadUse, "a run can be resumed only before it starts");
    TRY(prepare());
    return replay(history);
}

// Skips a step of an earlier end of the run (a finalist or a claim), which the agent does not observe.
Status TuneRun::Impl::pass_over(const StepRecord& logged, RunHistory& history) {
    if (logged.step != next_step)
        return fail(ErrorCode::Corrupt, fmt::format("step {} is missing from the log", next_step));
    if (logged.best) {
        auto schedule = TRY(history.schedule_at(logged.step));
        // A start is what a compiler made.
        if (schedule.kernel() == context.kernel && context.checker && !context.checker->legal(schedule))
            return fail(ErrorCode::Corrupt, fmt::format("step {} is not a legal schedule", logged.step));
        take_best(logged, schedule);
    }
    ++next_step;
    return {};
}

// The searcher proposes the logged steps again; each must match the log.
Status TuneRun::Impl::replay(RunHistory& history) {
    std::vector<StepRecord> page;
    std::size_t at = 0;  // in the page
    const auto more = [&]() -> Result<bool> {
        if (at < page.size()) return true;
        const StepId after = page.empty() ? next_step - 1 : page.back().step;
        if (after >= history.last()) return false;
        page = TRY(history.steps(after, kResumePage));
        at = 0;
        return !page.empty();
    };
    while (true) {
        auto any = more();
        if (!any) return fail(any.error());
        if (!*any) return {};
        // The batch size of the run, even where its budget cut a batch short.
        std::vector<Proposal> batch = searcher->propose(settings.batch);
        if (batch.empty())
            return fail(ErrorCode::Corrupt, "the log has steps after the agent had nothing left to try",
                        fmt::format("step {}", page[at].step));
        has_requests = has_requests || std::any_of(batch.begin(), batch.end(), [](const Proposal& proposal) {
                           return proposal.request.has_value();
                       });
        const Incumbent before = incumbent;
        std::vector<StepRecord> records;
        for (const Proposal& proposal : batch) {
            if (any = more(); !any) return fail(any.error());
            // The end of an earlier part of the run, inside the batch that the budget of that part cut short.
            for (int passed = 0; *any && !promoter.exact() && has_requests && passed < kMostEndSteps &&
                                 page[at].parent == 0 && !match(proposal, page[at]);
                 ++passed) {
                TRY(pass_over(page[at++], history));
                if (any = more(); !any) return fail(any.error());
            }
            if (!*any) break;
            const StepRecord& logged = page[at++];
            if (logged.step != next_step)
                return fail(ErrorCode::Corrupt, fmt::format("step {} is missing from the log", next_step));
            TRY(match(proposal, logged));
            records.push_back(logged);
            if (!logged.repeated)
                known.remember(logged.schedule_hash, logged.step, logged.outcome, may_become_best(proposal));
            if (logged.best) take_best(logged, proposal.result);
            ++next_step;
        }
        if (records.size() < batch.size()) {
            open_batch = std::move(batch);
            open_done = std::move(records);
            open_reference = before;
            return {};
        }
        observe(records);
    }
}

}  // namespace cubinlab
