// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/minimise.h"

#include <algorithm>
#include <optional>

namespace cubinlab {
namespace {

class Minimiser {
  public:
    Minimiser(const CheckerPtr& checker, Evaluator& evaluator, std::stop_token stop)
        : checker_(checker), evaluator_(evaluator), stop_(std::move(stop)), original_(checker->kernel()) {}

    std::uint64_t evaluations() const { return evaluations_; }
    const Schedule& original() const { return original_; }

    Result<Outcome> measure(const Schedule& schedule, Effort effort) {
        ++evaluations_;
        auto outcomes = TRY(evaluator_.evaluate(std::span(&schedule, 1), original_, effort, stop_));
        return outcomes.front();
    }

    // The original with these edits; empty if they do not apply or the result is not legal.
    std::optional<Schedule> build(const std::vector<Edit>& edits) const {
        Schedule schedule = original_;
        if (!Mutation{edits}.apply(schedule) || !checker_->check(schedule).empty()) return std::nullopt;
        return schedule;
    }

    Result<bool> keeps_gain(const std::vector<Edit>& edits, double needed) {
        const auto schedule = build(edits);
        if (!schedule) return false;
        auto outcome = TRY(measure(*schedule, Effort::Refine));
        return outcome.ok() && outcome.speedup.log >= needed;
    }

    Result<std::vector<Edit>> shrink(std::vector<Edit> edits, double needed) {
        std::size_t chunk = std::max<std::size_t>(1, edits.size() / 2);
        for (;;) {
            bool dropped = false;
            for (std::size_t first = 0;
                 first < edits.size() && edits.size() > 1 && !stop_.stop_requested();) {
                std::vector<Edit> fewer = edits;
                const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(first);
                fewer.erase(begin,
                            begin + static_cast<std::ptrdiff_t>(std::min(chunk, edits.size() - first)));
                auto kept = TRY(fewer.empty() ? Result<bool>(false) : keeps_gain(fewer, needed));
                if (kept) {
                    edits = std::move(fewer);
                    dropped = true;
                } else {
                    first += chunk;
                }
            }
            if (stop_.stop_requested() || (chunk == 1 && !dropped)) return edits;
            if (chunk > 1) chunk = (chunk + 1) / 2;
        }
    }

  private:
    CheckerPtr checker_;
    Evaluator& evaluator_;
    std::stop_token stop_;
    Schedule original_;
    std::uint64_t evaluations_ = 0;
};

}  // namespace

Result<Minimised> minimise(const CheckerPtr& checker, Evaluator& evaluator, const Schedule& winner,
                           const MinimiseSettings& settings, std::stop_token stop) {
    Minimiser work(checker, evaluator, stop);
    auto gain = TRY(work.measure(winner, Effort::Confirm));
    if (!gain.ok() || gain.speedup.low <= 0)
        return fail(ErrorCode::Refused,
                    "the schedule shows no gain over the original, so there is nothing to minimise");
    const Mutation all = difference(work.original(), winner);
    auto edits = TRY(work.shrink(all.edits, settings.keep * gain.speedup.log));
    auto schedule = work.build(edits);
    if (!schedule) {
        // No reduction is legal, and the difference itself is only legal in another order.
        schedule = winner;
        edits = all.edits;
    }
    auto outcome = TRY(work.measure(*schedule, Effort::Confirm));
    return Minimised{std::move(*schedule), Mutation{std::move(edits)}, all.edits.size(),
                     work.evaluations(),   std::move(outcome),         std::move(gain)};
}

}  // namespace cubinlab
