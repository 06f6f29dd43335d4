// SPDX-License-Identifier: GPL-3.0-or-later
// How a run is kept, and gone on with: its state after a batch, and the steps that the log has after it.
#include <algorithm>

#include <fmt/format.h>

#include "core/search/run_history.h"
#include "core/search/search_state.h"
#include "core/search/tune_run_impl.h"

namespace cubinlab {
namespace {

constexpr std::uint64_t kStateForm = 2;
constexpr std::size_t kResumePage = 4096;
constexpr std::size_t kMostSettings = std::size_t{1}
                                      << 16;  // told whole; longer ones (schedules in them) by their hash
constexpr int kMostEndSteps = 64;             // of one end of a run; close() has twelve rounds

std::string told(const std::string& settings) {
    return settings.size() <= kMostSettings ? settings : hash_bytes(settings.data(), settings.size()).hex();
}

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

// Everything that decides what follows a batch. What the log has is not stored again.
std::vector<std::byte> TuneRun::Impl::state_bytes() const {
    StateWriter own;
    if (!searcher->save_state(own)) return {};
    StateWriter out;
    out.number(kStateForm);
    out.text(searcher->name());
    out.text(told(context.settings_json));
    out.number(context.seed);
    out.number(settings.batch);
    out.hash(context.start.hash());
    out.number(context.locked.size());
    out.number(static_cast<std::uint64_t>(summary.best_step));
    out.flag(by_looks);
    known.save(out);
    out.append(own);
    return out.bytes();
}

Status TuneRun::Impl::keep_state() {
    const std::vector<std::byte> bytes = state_bytes();
    if (bytes.empty()) return {};
    state_at = next_step - 1;
    if (bytes.size() > kMostStateBytes) return {};
    return sink->state(state_at, bytes);
}

// On an error nothing has changed but what prepare() made.
Status TuneRun::Impl::restore(const SavedState& saved, RunHistory& history) {
    StateReader in(saved.bytes, saved.step, context, history);
    in.same(kStateForm);
    const bool ours =
        in.text(256) == searcher->name() && in.text(kMostSettings) == told(context.settings_json) &&
        in.number(~std::uint64_t{0}) == context.seed && in.number(~std::uint64_t{0}) == settings.batch &&
        in.hash() == context.start.hash() && in.number(~std::uint64_t{0}) == context.locked.size();
    if (!ours) in.wrong("it is of another run");
    const StepId best = in.step();
    const bool looked = in.flag();
    Incumbent found = incumbent;
    if (in.good() && best != 0) {
        auto record = history.steps_at({&best, 1});
        auto schedule = history.schedule_at(best);
        if (!record || !schedule || record->empty() || !record->front().best ||
            !context.checker->legal(*schedule))
            in.wrong("its best step is none");
        else
            found = {std::move(*schedule), without_raw(record->front().outcome), best};
    }
    KnownOutcomes restored = known;
    restored.restore(in, history);
    TRY(searcher->restore_state(in));
    incumbent = std::move(found);
    summary.best_step = best;
    by_looks = looked;
    known = std::move(restored);
    state_at = saved.step;
    next_step = saved.step + 1;
    return {};
}

Status TuneRun::Impl::resume(RunHistory& history) {
    if (next_step != 1 || !open_batch.empty())
        return fail(ErrorCode::BadUse, "a run can be resumed only before it starts");
    TRY(prepare());
    auto saved = TRY(history.state());
    if (saved && saved->step > history.last())
        return fail(
            ErrorCode::Corrupt,
            fmt::format("the log ends at step {}, but the run's state was kept after step {}: steps are "
                        "missing from its end; start a new run instead",
                        history.last(), saved->step));
    // A state that does not fit costs time, nothing else: then all steps are proposed again.
    if (saved) (void)restore(*saved, history);
    return propose_again(history);
}

// A step of an earlier end of the run: a look at a finalist or a claim, which the agent is not told of again.
Status TuneRun::Impl::pass_over(const StepRecord& logged, RunHistory& history) {
    if (logged.step != next_step)
        return fail(ErrorCode::Corrupt, fmt::format("step {} is missing from the log", next_step));
    if (logged.best) {
        auto schedule = TRY(history.schedule_at(logged.step));
        if (!context.checker->legal(schedule))
            return fail(ErrorCode::Corrupt, fmt::format("step {} is not a legal schedule", logged.step));
        take_best(logged, schedule);
    }
    ++next_step;
    return {};
}

// The steps after the state: the searcher proposes them once more, and each must be what the log has.
Status TuneRun::Impl::propose_again(RunHistory& history) {
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
        // As much at once as the run asked for, whatever its budget then cut off.
        std::vector<Proposal> batch = searcher->propose(settings.batch);
        if (batch.empty())
            return fail(ErrorCode::Corrupt, "the log has steps after the agent had nothing left to try",
                        fmt::format("step {}", page[at].step));
        by_looks = by_looks || std::any_of(batch.begin(), batch.end(), [](const Proposal& proposal) {
                       return proposal.look.has_value();
                   });
        const Incumbent before = incumbent;
        std::vector<StepRecord> records;
        for (const Proposal& proposal : batch) {
            if (any = more(); !any) return fail(any.error());
            // The end of an earlier part of the run, inside a batch where that part's budget cut it.
            for (int passed = 0; *any && !promoter.exact() && by_looks && passed < kMostEndSteps &&
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
                known.remember(logged.schedule_hash, next_step, logged.outcome, may_become_best(proposal));
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
