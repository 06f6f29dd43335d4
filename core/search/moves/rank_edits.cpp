// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/rank_edits.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <limits>
#include <utility>

namespace cubinlab {
namespace {

// The original with some of the edits, in their order.
std::optional<Schedule> built(const KernelPtr& kernel, const Mutation& all, const std::vector<bool>& with) {
    Mutation some;
    for (std::size_t i = 0; i < all.edits.size(); ++i)
        if (with[i]) some.edits.push_back(all.edits[i]);
    Schedule schedule(kernel);
    if (!some.apply(schedule)) return std::nullopt;
    return schedule;
}

class Ranker {
  public:
    Ranker(const CheckerPtr& checker, Evaluator& evaluator, const Mutation& edits, std::stop_token stop)
        : checker_(checker), evaluator_(evaluator), stop_(std::move(stop)) {
        out_.kernel = checker->kernel();
        out_.edits = edits;
    }

    Result<EditRanking> rank() {
        group();
        TRY(measure_own());
        order();
        TRY(measure_together());
        return std::move(out_);
    }

  private:
    std::size_t count() const { return out_.edits.edits.size(); }

    std::optional<Schedule> legal(const std::vector<bool>& with) const {
        auto schedule = built(out_.kernel, out_.edits, with);
        if (!schedule || !checker_->check(*schedule).empty()) return std::nullopt;
        return schedule;
    }

    std::vector<bool> all_but(std::initializer_list<std::size_t> left_out) const {
        std::vector<bool> with(count(), true);
        for (const std::size_t i : left_out)
            with[i] = false;
        return with;
    }

    // The edit nearest in the list without which `edit` can be taken away; difference() lists related edits close to
    // each other, but for the control codes, which come last.
    std::optional<std::size_t> partner_of(std::size_t edit) const {
        constexpr std::size_t kNearest = 24;
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < count(); ++i)
            if (i != edit) others.push_back(i);
        const InstrId instr = out_.edits.edits[edit].instr;
        const auto far = [&](std::size_t i) {
            const Edit& other = out_.edits.edits[i];
            const auto apart = [&](InstrId id) {
                return id == kNone
                           ? std::numeric_limits<std::int64_t>::max()
                           : std::abs(static_cast<std::int64_t>(id) - static_cast<std::int64_t>(instr));
            };
            return std::min(apart(other.instr), apart(other.anchor));
        };
        std::ranges::stable_sort(others, {}, far);
        if (others.size() > kNearest) others.resize(kNearest);
        for (const std::size_t other : others)
            if (stop_.stop_requested() || legal(all_but({edit, other}))) return other;
        return std::nullopt;
    }

    void group() {
        std::vector<std::size_t> root(count());
        for (std::size_t i = 0; i < count(); ++i)
            root[i] = i;
        const auto find = [&](std::size_t i) {
            while (root[i] != i)
                i = root[i];
            return i;
        };
        for (std::size_t i = 0; i < count() && !stop_.stop_requested(); ++i) {
            if (legal(all_but({i}))) continue;
            if (const auto other = partner_of(i)) root[find(std::max(i, *other))] = find(std::min(i, *other));
        }
        std::vector<std::size_t> place(count(), count());
        for (std::size_t i = 0; i < count(); ++i) {
            const std::size_t first = find(i);
            if (place[first] == count()) {
                place[first] = out_.groups.size();
                out_.groups.emplace_back();
            }
            out_.groups[place[first]].edits.push_back(i);
        }
    }

    Result<std::vector<Outcome>> outcomes_of(const std::vector<Schedule>& schedules) {
        if (stop_.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
        const Schedule original(out_.kernel);
        return evaluator_.evaluate(schedules, original, Effort::Refine, stop_);
    }

    Status measure_own() {
        std::vector<Schedule> schedules{*built(out_.kernel, out_.edits, all_but({}))};
        std::vector<std::size_t> which;
        for (std::size_t g = 0; g < out_.groups.size(); ++g) {
            std::vector<bool> with = all_but({});
            for (const std::size_t i : out_.groups[g].edits)
                with[i] = false;
            if (auto without = legal(with)) {
                schedules.push_back(std::move(*without));
                which.push_back(g);
            }
        }
        const auto outcomes = TRY(outcomes_of(schedules));
        const Outcome& whole = outcomes.front();
        if (!whole.ok()) return {};
        for (std::size_t i = 0; i < which.size(); ++i)
            if (const Outcome& without = outcomes[i + 1]; without.ok())
                out_.groups[which[i]].own = whole.speedup + -without.speedup;
        return {};
    }

    // Own effects first to last; a group that is not legal yet gives way to the next that is.
    void order() {
        std::ranges::stable_sort(out_.groups, std::ranges::greater{}, [](const EditGroup& group) {
            return group.own ? group.own->log : -std::numeric_limits<double>::infinity();
        });
        constexpr std::size_t kAhead = 12, kMostFarther = 2000;
        std::size_t farther = 0;
        std::vector<bool> with(count(), false);
        bool is_legal = true;
        for (std::size_t at = 0; at < out_.groups.size() && !stop_.stop_requested(); ++at) {
            std::size_t end = std::min(out_.groups.size(), at + kAhead);
            std::size_t next = at;
            for (; next < end && !legal(with_group(with, out_.groups[next])); ++next)
                // The first edits stay legal if any group permits it; the bound is for large kernels.
                if (next + 1 == end && end < out_.groups.size() && is_legal && ++farther < kMostFarther)
                    ++end;
            is_legal = next < end;
            if (next == end) next = at;
            const auto begin = out_.groups.begin();
            std::rotate(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(next),
                        begin + static_cast<std::ptrdiff_t>(next) + 1);
            with = with_group(with, out_.groups[at]);
        }
    }

    static std::vector<bool> with_group(std::vector<bool> with, const EditGroup& group) {
        for (const std::size_t i : group.edits)
            with[i] = true;
        return with;
    }

    Status measure_together() {
        std::vector<Schedule> schedules;
        std::vector<std::size_t> which;
        std::vector<bool> with(count(), false);
        for (std::size_t g = 0; g < out_.groups.size(); ++g) {
            with = with_group(with, out_.groups[g]);
            if (auto first = legal(with)) {
                schedules.push_back(std::move(*first));
                which.push_back(g);
            }
        }
        if (schedules.empty()) return {};
        const auto outcomes = TRY(outcomes_of(schedules));
        for (std::size_t i = 0; i < which.size(); ++i)
            if (outcomes[i].ok()) out_.groups[which[i]].together = outcomes[i].speedup;
        return {};
    }

    CheckerPtr checker_;
    Evaluator& evaluator_;
    std::stop_token stop_;
    EditRanking out_;
};

}  // namespace

Mutation EditRanking::edits_of(const EditGroup& group) const {
    Mutation out;
    for (const std::size_t i : group.edits)
        out.edits.push_back(edits.edits[i]);
    return out;
}

std::optional<Schedule> EditRanking::with_first(std::size_t count) const {
    std::vector<bool> with(edits.edits.size(), false);
    for (std::size_t g = 0; g < std::min(count, groups.size()); ++g)
        for (const std::size_t i : groups[g].edits)
            with[i] = true;
    return built(kernel, edits, with);
}

Result<EditRanking> rank_edits(const CheckerPtr& checker, Evaluator& evaluator, const Mutation& edits,
                               std::stop_token stop) {
    return Ranker(checker, evaluator, edits, std::move(stop)).rank();
}

}  // namespace cubinlab
