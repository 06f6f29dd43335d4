// SPDX-License-Identifier: GPL-3.0-or-later
// Hill climbing from the best schedule: every proposal is an edit of it, and only a confirmed improvement
// moves it. First a sweep of what usually pays (stalls above need, producers as early as they go, hottest
// loops first), then random edits whose classes are drawn by their past success. No words are proposed twice;
// when drawing finds nothing new, every single edit that is left is listed, and after those nothing is left.
#include <algorithm>
#include <unordered_set>

#include "core/search/built_in_searchers.h"
#include "core/search/neighbourhood.h"

namespace cubinlab {
namespace {

class GreedySearcher final : public Searcher {
  public:
    GreedySearcher(const SearchContext& context, const Settings& settings)
        : edits_(static_cast<unsigned>(settings.at("edits"))),
          checker_(context.checker),
          around_(context),
          rng_(context.seed),
          best_{context.start, 0, 0, 0} {
        tried_.insert(context.start.hash());
        credit_ = kClassPrior;
    }

    std::string name() const override { return "greedy"; }

    std::vector<Proposal> propose(std::size_t n) override {
        pending_.clear();
        classes_.clear();
        while (pending_.size() < n) {
            int kind = -1;
            auto next = sweep();
            if (!next) next = draw(kind);
            if (!next) next = enumerate();
            if (!next) break;
            pending_.push_back({best_.step, std::move(next->mutation), std::move(next->result)});
            classes_.push_back(kind);
        }
        return pending_;
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const double from = best_.log_speedup;
        for (std::size_t i = 0; i < observations.size() && i < pending_.size(); ++i) {
            const Observation& seen = observations[i];
            result.reward.push_back(reward_of(seen.outcome, from));
            result.accepted.push_back(seen.best);
            if (classes_[i] >= 0) {
                double& credit = credit_[static_cast<std::size_t>(classes_[i])];
                credit = 0.98 * credit + (seen.best ? 0.5 : 0.0);
            }
            if (!seen.best) continue;
            best_ = {pending_[i].result, seen.step, seen.outcome.log_speedup, seen.outcome.low};
            enumerated_ = 0;
            queue_.clear();
        }
        return result;
    }

  private:
    bool is_new(const Edited& edited) { return tried_.insert(edited.result.hash()).second; }

    std::optional<Edited> sweep() {
        const std::vector<InstrId>& hot = around_.by_heat();
        const std::vector<InstrId>& producers = around_.producers();
        while (swept_ < hot.size()) {
            auto edited = around_.stall_by(best_.schedule, hot[swept_++], -1);
            if (edited && is_new(*edited)) return edited;
        }
        while (swept_ < hot.size() + producers.size()) {
            const InstrId id = producers[swept_++ - hot.size()];
            const SlotRange slots = checker_->slots(best_.schedule, id);
            auto edited = around_.move_to(best_.schedule, id, slots.lowest);
            if (edited && is_new(*edited)) return edited;
        }
        return std::nullopt;
    }

    // A class by its credit; the floor keeps every class alive.
    EditClass class_by_credit() {
        std::array<double, kEditClasses> shares = credit_;
        for (std::size_t i = 0; i < kEditClasses; ++i)
            shares[i] += 0.15 * kClassPrior[i];
        return draw_class(shares, rng_);
    }

    std::optional<Edited> draw(int& kind) {
        for (int tries = 0; tries < 200; ++tries) {
            // Now and then several edits at once: single ones alone get stuck.
            const bool several = edits_ > 1 && rng_.chance(0.25);
            const EditClass one = class_by_credit();
            auto edited = several ? around_.draw_some(best_.schedule, edits_, rng_)
                                  : around_.draw(best_.schedule, one, rng_);
            if (!edited || !is_new(*edited)) continue;
            kind = several ? -1 : static_cast<int>(one);
            return edited;
        }
        return std::nullopt;
    }

    std::optional<Edited> enumerate() {
        const std::vector<InstrId>& hot = around_.by_heat();
        while (true) {
            while (!queue_.empty()) {
                Mutation mutation = std::move(queue_.back());
                queue_.pop_back();
                auto result = mutation.applied(best_.schedule);
                if (!result) continue;
                Edited edited{std::move(mutation), std::move(*result)};
                if (is_new(edited)) return edited;
            }
            if (enumerated_ >= hot.size()) return std::nullopt;
            queue_ = around_.all_of(best_.schedule, hot[enumerated_++]);
        }
    }

    unsigned edits_;
    CheckerPtr checker_;
    Neighbourhood around_;
    Rng rng_;
    Standing best_;
    std::unordered_set<Hash128> tried_;
    std::array<double, kEditClasses> credit_{};
    std::vector<Proposal> pending_;
    std::vector<int> classes_;  // of pending_; -1: not drawn by class
    std::size_t swept_ = 0;
    std::size_t enumerated_ = 0;
    std::vector<Mutation> queue_;  // of best_.schedule
};

}  // namespace

const std::vector<SettingRange>& greedy_settings() {
    static const std::vector<SettingRange> known = {{"edits", 3, 1, 16}};
    return known;
}

std::unique_ptr<Searcher> make_greedy(const SearchContext& context, const Settings& settings) {
    return std::make_unique<GreedySearcher>(context, settings);
}

}  // namespace cubinlab
