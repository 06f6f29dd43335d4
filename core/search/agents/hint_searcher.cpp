// SPDX-License-Identifier: GPL-3.0-or-later
// Tries cache hints in three rounds: settings of the whole kernel, then of each pointer in each loop, then of single
// instructions (core/search/moves/hint_moves.h). A round ends with the clear gains of disjoint targets together; the next
// round works on what is best by then.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "core/search/agents/sub_searcher.h"
#include "core/search/moves/hint_moves.h"

namespace cubinlab {
namespace {

class HintSearcher final : public SubSearcher {
  public:
    explicit HintSearcher(const SearchContext& context)
        : context_(context), scope_(context), here_{context.start} {
        begin_round(HintLevel::Kernel);
    }

    std::string name() const override { return "hints"; }
    const SearchPoint& here() const override { return here_; }
    void restart_from(const SearchPoint& point) override {
        here_ = point;
        targets_.clear();
        begin_round(HintLevel::Kernel);
    }
    void update_estimate(StepId step, double log_speedup) override {
        if (step == here_.step) here_.speedup.log = log_speedup;
    }
    bool at_checkpoint() const override { return open_.empty() && tried_.empty(); }

    std::vector<Proposal> propose(std::size_t n) override {
        while (open_.empty() && !over_)
            end_round();
        pending_.clear();
        std::vector<Proposal> out;
        for (; out.size() < n && !open_.empty(); open_.pop_front()) {
            const Trial& trial = pending_.emplace_back(std::move(open_.front()));
            out.push_back({here_.step, trial.edited.mutation, trial.edited.result, false, kRefineRequest});
        }
        return out;
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        for (std::size_t i = 0; i < observations.size() && i < pending_.size(); ++i) {
            const Observation& seen = observations[i];
            result.reward.push_back(reward_of(seen.outcome, here_.speedup.log));
            const bool gains = seen.outcome.ok() && seen.outcome.speedup.low > here_.speedup.log;
            result.accepted.push_back(gains);
            if (!gains) continue;
            const SearchPoint at{pending_[i].edited.result, seen.step, seen.outcome.speedup};
            tried_.push_back({std::move(pending_[i]), at});
        }
        result.doing =
            fmt::format("tries cache hints of {}; best {}", subject(),
                        percent_text(best() != nullptr ? best()->speedup.log : here_.speedup.log, 1));
        return result;
    }

  private:
    struct Trial {
        HintTarget target;
        Edited edited;
    };
    struct Tried {
        Trial trial;
        SearchPoint at;
    };

    const char* subject() const {
        return level_ == HintLevel::Kernel  ? "the whole kernel"
               : level_ == HintLevel::Group ? "the accesses of one pointer"
                                            : "single instructions";
    }

    void begin_round(HintLevel level) {
        level_ = level;
        over_ = together_ = false;
        open_.clear();
        tried_.clear();
        for (const HintTarget& target : hint_targets(scope_, level)) {
            if (!targets_.insert(target).second) continue;
            for (const Eviction eviction : kProposedEvictions)
                if (auto edited = with_eviction(*context_.checker, here_.schedule, target, eviction))
                    open_.push_back({target, std::move(*edited)});
        }
    }

    // First the gains together, if there are several; then the next round from the best.
    void end_round() {
        if (!together_) {
            together_ = true;
            if (auto all = all_gains()) {
                open_.push_back(std::move(*all));
                return;
            }
        }
        if (const SearchPoint* found = best()) here_ = *found;
        if (level_ == HintLevel::Instruction)
            over_ = true;
        else
            begin_round(level_ == HintLevel::Kernel ? HintLevel::Group : HintLevel::Instruction);
    }

    const SearchPoint* best() const {
        const auto found =
            std::ranges::max_element(tried_, {}, [](const Tried& t) { return t.at.speedup.log; });
        return found == tried_.end() ? nullptr : &found->at;
    }

    // The largest gain of each instruction; empty: one gain alone.
    std::optional<Trial> all_gains() {
        std::ranges::stable_sort(tried_, std::greater{}, [](const Tried& t) { return t.at.speedup.log; });
        Trial all{{}, {{}, here_.schedule}};
        std::size_t parts = 0;
        for (const Tried& one : tried_) {
            const HintTarget& target = one.trial.target;
            if (std::ranges::find_first_of(target, all.target) != target.end()) continue;
            auto next = Edited::of(all.edited.result, one.trial.edited.mutation);
            if (!next) continue;
            all.target.insert(all.target.end(), target.begin(), target.end());
            all.edited.result = std::move(next->result);
            ++parts;
        }
        if (parts < 2) return std::nullopt;
        all.edited.mutation = difference(here_.schedule, all.edited.result);
        return all;
    }

    SearchContext context_;
    EditScope scope_;
    SearchPoint here_;
    HintLevel level_ = HintLevel::Kernel;
    bool together_ = false, over_ = false;
    std::set<HintTarget> targets_;  // that any round had
    std::deque<Trial> open_;
    std::vector<Trial> pending_;
    std::vector<Tried> tried_;  // gains of this round
};

}  // namespace

std::unique_ptr<SubSearcher> make_hint_searcher(const SearchContext& context) {
    return std::make_unique<HintSearcher>(context);
}

}  // namespace cubinlab
