// SPDX-License-Identifier: GPL-3.0-or-later
// Hill climbing from the best schedule: every proposal is an edit of it. The climb moves to a confirmed
// improvement, or to a schedule with an exact and equal figure: the search drifts between equal schedules,
// because the next improvement is often not next to the first of them. It starts with a sweep of edits that
// usually pay (lower stalls, producers as early as possible, hottest loops first), then draws random edits.
// Their number and classes are drawn by past success, also combinations of edits that measured better without
// becoming best. No schedule is proposed twice. When no new edit is drawn, all remaining single edits are
// enumerated; after these the search is exhausted.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "core/legality/hazard_checker.h"
#include "core/search/agents/sub_searcher.h"
#include "core/search/moves/edit_pool.h"
#include "core/search/moves/neighbourhood.h"

namespace cubinlab {
namespace {

// Sizes of a proposal in edits. kCombine: edits of the pool instead of new ones.
constexpr std::array<unsigned, 5> kSizes = {1, 2, 3, 5, 8};
constexpr std::size_t kCombine = kSizes.size();
constexpr std::array<double, kSizes.size() + 1> kSizePrior = {1, 0.3, 0.3, 0.2, 0.1, 0.3};

// The origin of a proposal, which gets credit if the proposal becomes best.
struct Origin {
    int kind = -1;  // EditClass of a single edit
    int size = -1;  // index in kSizes, or kCombine
};

class GreedySearcher final : public SubSearcher {
  public:
    GreedySearcher(const SearchContext& context, const Settings& settings)
        : most_(static_cast<unsigned>(settings.at("edits"))),
          checker_(context.checker),
          around_(context),
          dice_{Rng(context.seed), kClassPrior, kSizePrior},
          start_hash_(context.start.hash()),
          best_{context.start} {
        tried_.insert(start_hash_);
    }

    std::string name() const override { return "greedy"; }
    const SearchPoint& here() const override { return best_; }
    // Sweep position, credits, pool and tried schedules are kept.
    void restart_from(const SearchPoint& point) override {
        best_ = point;
        if (point.step != 0) tried_.insert(point.schedule.hash());
        merge_ = {};
        enumerated_ = 0;
        queue_.clear();
        forget_ahead();
    }
    void update_estimate(StepId step, double log_speedup) override {
        if (step == best_.step) best_.speedup.log = log_speedup;
    }

    std::vector<Proposal> propose(std::size_t n) override {
        pending_.clear();
        origins_.clear();
        while (pending_.size() < n) {
            Origin origin;
            auto next = merge();
            if (!next) next = sweep(swept_, Tried{tried_}, false);
            if (!next) next = draw(dice_, origin, Tried{tried_}, false);
            if (!next) next = enumerate();
            if (!next) break;
            pending_.push_back({best_.step, std::move(next->mutation), std::move(next->result)});
            origins_.push_back(origin);
        }
        forget_ahead();
        return pending_;
    }

    // Assumes that no proposal of the current batch becomes best, which is nearly always true.
    void prefetch(std::size_t n) override {
        const bool done = !drawn_ahead_.empty() || !swept_ahead_.empty();
        if (done || !merge_.empty() || pending_.empty()) return;
        Dice dice = dice_;
        for (const Origin& origin : origins_)
            credit(dice, origin, false, 0);
        std::unordered_set<Hash128> made;
        std::size_t swept = swept_;
        for (std::size_t i = 0; i < n; ++i) {
            Origin origin;
            auto next = sweep(swept, Tried{tried_, made}, true);
            if (!next) next = draw(dice, origin, Tried{tried_, made}, true);
            if (!next) return;
        }
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const std::size_t count = std::min(observations.size(), pending_.size());
        const double from = best_.speedup.log;
        std::size_t chosen = count;
        EditPool winners;
        for (std::size_t i = 0; i < count; ++i) {
            const Outcome& outcome = observations[i].outcome;
            const bool best = observations[i].best;
            result.reward.push_back(reward_of(outcome, from));
            credit(dice_, origins_[i], best, best ? outcome.speedup.log - from : 0);
            const bool equal = outcome.ok() && observations[i].exact && outcome.speedup.log == from;
            result.accepted.push_back(best || (equal && chosen == count));
            if (best || (equal && chosen == count)) chosen = i;
            // About a standard error below the figure: of many equal ones the luckiest is no winner.
            const double sure = outcome.speedup.log - from - (outcome.speedup.high - outcome.speedup.low) / 4;
            if (outcome.ok() && sure > 0) winners.add(pending_[i].mutation, sure);
        }
        if (chosen == count) {
            pool_.add_all(winners);
            return result;
        }
        const Observation& seen = observations[chosen];
        winners.forget(pending_[chosen].mutation);
        pool_.forget(pending_[chosen].mutation);
        pool_.add_all(winners);
        best_ = {pending_[chosen].result, seen.step, seen.outcome.speedup};
        if (!winners.empty()) merge_ = std::move(winners);
        enumerated_ = 0;
        queue_.clear();
        forget_ahead();
        return result;
    }

  private:
    // The state that determines the next drawn edit, in addition to the schedule.
    struct Dice {
        Rng rng;
        std::array<double, kEditClasses> credit;
        std::array<double, kSizePrior.size()> size_credit;
    };

    // A schedule is proposed once. A prefetch has its own set.
    class Tried {
      public:
        explicit Tried(std::unordered_set<Hash128>& tried) : all_(tried), made_(tried) {}
        Tried(std::unordered_set<Hash128>& tried, std::unordered_set<Hash128>& made)
            : all_(tried), made_(made) {}
        bool is_new(const Edited& edited) const {
            const Hash128 words = edited.result.hash();
            return (&all_ == &made_ || !all_.contains(words)) && made_.insert(words).second;
        }

      private:
        std::unordered_set<Hash128>& all_;
        std::unordered_set<Hash128>& made_;
    };

    // Prefetched edits of best_, by all inputs of the draw, so that proposals are the same without a prefetch.
    struct DrawnBy {
        std::array<std::uint64_t, 4> rng;
        std::uint64_t chain;  // hash of the draws from best_ to the edited schedule; 0: best_
        EditClass kind;
        auto operator<=>(const DrawnBy&) const = default;
    };
    struct Drawn {
        std::optional<Edited> edited;
        Rng rng;  // after it
    };
    void forget_ahead() {
        drawn_ahead_.clear();
        swept_ahead_.clear();
    }
    static constexpr double kLeastGain = 1e-6;  // log speed-up
    static constexpr int kMostCombined =
        6;  // draws for one proposal: all combinations of a few edits are soon tried

    // A refined figure may be lower than the estimate of the schedule before. That is no gain: a negative
    // share would exclude the other sizes.
    void credit(Dice& dice, const Origin& origin, bool best, double gain) {
        gain = std::max(gain, 0.0);
        if (origin.size >= 0) {
            // In units of the usual gain, so that a size with larger gains gets more credit.
            if (best) usual_gain_ = std::max(kLeastGain, usual_gain_ + 0.1 * (gain - usual_gain_));
            double& size = dice.size_credit[static_cast<std::size_t>(origin.size)];
            size = 0.98 * size + (best ? 0.3 * std::min(3.0, gain / usual_gain_) : 0.0);
        }
        if (origin.kind < 0) return;
        double& kind = dice.credit[static_cast<std::size_t>(origin.kind)];
        kind = 0.98 * kind + (best ? 0.5 : 0.0);
    }

    // After a batch with a new best: all other winners of the batch together, then the better half.
    std::optional<Edited> merge() {
        while (!merge_.empty()) {
            auto edited = merge_.largest(around_, best_.schedule, merge_.size());
            merge_.keep(merge_.size() / 2);
            if (edited && Tried{tried_}.is_new(*edited)) return edited;
        }
        return std::nullopt;
    }

    std::optional<Edited> sweep_edit(std::size_t at) const {
        const std::vector<InstrId>& hot = around_.by_heat();
        if (at < hot.size()) return around_.stall_by(best_.schedule, hot[at], -1);
        const InstrId id = around_.producers()[at - hot.size()];
        const Position here = best_.schedule.position_of(id);
        return around_.move_to(
            best_.schedule, id,
            here - room_above(*checker_, best_.schedule, id, static_cast<Position>(best_.schedule.size())));
    }

    // `ahead`: a prefetch, which stores its results.
    std::optional<Edited> sweep(std::size_t& at, const Tried& tried, bool ahead) {
        const std::size_t end = around_.by_heat().size() + around_.producers().size();
        while (at < end) {
            const std::size_t now = at++;
            const auto known = swept_ahead_.find(now);
            auto edited = known != swept_ahead_.end() ? known->second : sweep_edit(now);
            if (ahead && known == swept_ahead_.end()) swept_ahead_.emplace(now, edited);
            if (edited && tried.is_new(*edited)) return edited;
        }
        return std::nullopt;
    }

    // Draws a class or a size by its credit; a floor keeps all of them possible.
    static EditClass class_by_credit(Dice& dice) {
        std::array<double, kEditClasses> shares = dice.credit;
        for (std::size_t i = 0; i < kEditClasses; ++i)
            shares[i] += 0.15 * kClassPrior[i];
        return draw_class(shares, dice.rng);
    }

    std::size_t size_by_credit(Dice& dice, bool combine) const {
        std::array<double, kSizePrior.size()> shares{};
        double sum = 0;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const bool allowed = i == kCombine ? combine && most_ > 1 : kSizes[i] <= most_;
            sum += shares[i] = allowed ? dice.size_credit[i] + 0.3 * kSizePrior[i] : 0;
        }
        double ticket = dice.rng.unit() * sum;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            if (ticket < shares[i]) return i;
            ticket -= shares[i];
        }
        return 0;
    }

    // An edit of the schedule that `chain` identifies; updates `chain` for the edited one.
    std::optional<Edited> draw_one(const Schedule& schedule, std::uint64_t& chain, EditClass kind, Rng& rng,
                                   bool ahead) {
        const DrawnBy by{rng.state(), chain, kind};
        const auto known = drawn_ahead_.find(by);
        std::optional<Edited> edited;
        if (known != drawn_ahead_.end()) {
            edited = known->second.edited;
            rng = known->second.rng;
        } else {
            edited = around_.draw(schedule, kind, rng);
            if (ahead) drawn_ahead_.emplace(by, Drawn{edited, rng});
        }
        if (edited) chain = Rng(chain ^ by.rng[0] ^ static_cast<std::uint64_t>(kind)).next() | 1;
        return edited;
    }

    std::optional<Edited> several(Dice& dice, unsigned count, bool ahead) {
        std::optional<Edited> all;
        std::uint64_t chain = 0;
        for (unsigned found = 0, tries = 0; found < count && tries < 64; ++tries) {
            const EditClass kind = class_by_credit(dice);
            auto one = draw_one(all ? all->result : best_.schedule, chain, kind, dice.rng, ahead);
            if (!one) continue;
            ++found;
            append_edit(all, std::move(*one));
        }
        if (all && all->result == best_.schedule) return std::nullopt;
        return all;
    }

    std::optional<Edited> draw(Dice& dice, Origin& origin, const Tried& tried, bool ahead) {
        int combined = 0;
        for (int tries = 0; tries < 200; ++tries) {
            const std::size_t size = size_by_credit(dice, pool_.size() > 1 && combined < kMostCombined);
            int kind = -1;
            std::optional<Edited> edited;
            if (size == kCombine) {
                ++combined;
                edited = pool_.some(around_, best_.schedule, dice.rng);
            } else if (size == 0) {
                const EditClass one = class_by_credit(dice);
                kind = static_cast<int>(one);
                std::uint64_t chain = 0;
                edited = draw_one(best_.schedule, chain, one, dice.rng, ahead);
            } else {
                edited = several(dice, kSizes[size], ahead);
            }
            if (!edited || !tried.is_new(*edited)) continue;
            origin = {kind, static_cast<int>(size)};
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
                if (Tried{tried_}.is_new(edited)) return edited;
            }
            if (enumerated_ >= hot.size()) return std::nullopt;
            queue_ = around_.all_of(best_.schedule, hot[enumerated_++]);
        }
    }

    unsigned most_;
    CheckerPtr checker_;
    Neighbourhood around_;
    Dice dice_;
    Hash128 start_hash_;
    SearchPoint best_;
    std::unordered_set<Hash128> tried_;
    std::map<DrawnBy, Drawn> drawn_ahead_;
    std::map<std::size_t, std::optional<Edited>> swept_ahead_;  // by position in the sweep
    double usual_gain_ = 0.001;
    std::vector<Proposal> pending_;
    std::vector<Origin> origins_;  // of pending_
    EditPool pool_, merge_;
    std::size_t swept_ = 0;
    std::size_t enumerated_ = 0;
    std::vector<Mutation> queue_;  // of best_.schedule
};

}  // namespace

const std::vector<SettingRange>& greedy_settings() {
    static const std::vector<SettingRange> known = {{"edits", 8, 1, 16}};
    return known;
}

std::unique_ptr<SubSearcher> make_greedy_searcher(const SearchContext& context, const Settings& settings) {
    return std::make_unique<GreedySearcher>(context, settings);
}

extern const BuiltInSearcher built_in_greedy{
    "greedy", "Greedy hill climbing",
    "Edits the best schedule and keeps an edit only when it is confirmed to be faster.", greedy_settings,
    [](const SearchContext& context, const Settings& settings) -> std::unique_ptr<Searcher> {
        return make_greedy_searcher(context, settings);
    }};

}  // namespace cubinlab
