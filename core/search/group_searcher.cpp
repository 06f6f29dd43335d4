// SPDX-License-Identifier: GPL-3.0-or-later
// Group tests: most edits that help are worth far less than one comparison can show, so a climb that asks of
// each edit whether it is an improvement stops early. Here a round draws a pool of edits of the present
// schedule, tests each once and drops what clearly loses, then tests random halves of the rest together, and
// a linear fit with shrinkage says what each is worth (core/search/group_fit.h). All edits above a standard
// error are taken at once.
//
// What a round takes is a decision, not a claim: every test is a comparison with the run's start, the present
// schedule moves by estimates, and each round estimates the present schedule anew from all of its tests. Where
// nothing gains it may drift to an equal schedule, since the next gain is often not next to the first of them; what
// falls clearly behind the best goes back to it.
// What is claimed is chosen apart (core/search/finalists.h).
//
// How many subsets a round tests follows what rounds bring: half as many again where a round moved nothing,
// since the gains that are left are then below what it can see, fewer where it did.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/search/arm.h"
#include "core/search/finalists.h"
#include "core/search/group_fit.h"
#include "core/search/neighbourhood.h"
#include "core/search/promising.h"

namespace cubinlab {
namespace {

constexpr int kStaleRounds = 8;
constexpr Look kTest{};
constexpr Look kCloser{Effort::Promote, {8, 3}};
constexpr double kDriftsTo = 0.004;   // and how far below the best that may lead
constexpr double kCloserNoise = 0.4;  // of a closer look, in those of a test

enum class Phase { Singles, Subsets, Combine };

struct PoolEdit {
    Mutation mutation;
    int kind = 0;      // EditClass
    bool open = true;  // not discarded
};

// What a pending proposal tests.
struct Tested {
    std::vector<std::uint8_t> edits;
    bool combination = false;
};

// A test that looked good, to be looked at closer.
struct BestTest {
    Proposal proposal;
    std::vector<std::uint8_t> edits;
    double value = 0;
};

// Where the search may go on after a round.
struct Candidate {
    Standing at;
    std::vector<std::uint8_t> edits;
};

class GroupSearcher final : public Arm {
  public:
    GroupSearcher(const SearchContext& context, const Settings& settings)
        : checker_(context.checker),
          pool_size_(static_cast<std::size_t>(settings.at("pool"))),
          subsets_(static_cast<std::size_t>(settings.at("subsets"))),
          take_above_(settings.at("take_above")),
          longest_(settings.at("longest")),
          drift_(settings.at("drift")),
          most_best_(static_cast<std::size_t>(settings.at("best_tests"))),
          around_(context),
          rng_(context.seed),
          here_{context.start, 0, 0, 0},
          top_(here_),
          finalists_(context.start),
          credit_(kClassPrior) {}

    std::string name() const override { return "group"; }
    const Standing& here() const override { return here_; }
    void go_on_from(const Standing& standing) override {
        here_ = standing;
        pool_.clear();
        carried_.clear();
        candidates_.clear();
        best_tests_.clear();
        length_ = 1;
        if (standing.log_speedup > top_.log_speedup) top_ = standing;
    }

    std::vector<Proposal> propose(std::size_t n) override {
        finalists_.reopen();
        pending_.clear();
        tested_.clear();
        if (pool_.empty() && !exact_)
            if (auto claim = finalists_.claim_if_due(top_)) {
                pending_.push_back(std::move(*claim));
                claiming_ = true;
                return pending_;
            }
        // Rounds that tested nothing new mean that nothing is left.
        while (n > 0 && pending_.empty() && stale_rounds_ < kStaleRounds) {
            if (pool_.empty()) begin_round();
            fill(n);
            // The next phase needs what this one will have seen.
            if (pending_.empty()) advance();
        }
        return pending_;
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const std::size_t count = std::min(observations.size(), pending_.size());
        const Standing from = here_;
        for (const Observation& seen : observations)
            result.reward.push_back(reward_of(seen.outcome, from.log_speedup));
        if (finalists_.closing()) {
            finalists_.observe_closing(observations);
        } else if (claiming_) {
            claiming_ = false;
            if (count > 0) finalists_.seen_claim(pending_[0], observations[0]);
        } else {
            for (std::size_t i = 0; i < count; ++i)
                note(i, observations[i]);
            if (phase_done()) advance();
        }
        for (std::size_t i = 0; i < count; ++i)
            result.accepted.push_back(here_.step != from.step && here_.step == observations[i].step);
        if (told_) {
            result.metrics.push_back({"explained", fit_.explained});
            result.metrics.push_back({"taken", static_cast<double>(taken_)});
            told_ = false;
        }
        return result;
    }

    std::vector<Proposal> close(std::size_t) override {
        finalists_.offer(top_);
        pending_ = finalists_.close();
        tested_.clear();
        return pending_;
    }

  private:
    void begin_round() {
        phase_ = Phase::Singles;
        ++stale_rounds_;  // until something new is put forward
        fit_ = {};
        tests_.clear();
        best_tests_.clear();
        next_ = 0;
        made_ = 0;
        std::unordered_set<Hash128> seen = {here_.schedule.hash()};
        std::vector<PoolEdit> kept = std::move(carried_);
        carried_.clear();
        for (PoolEdit& edit : kept)
            add(seen, around_.apply(here_.schedule, std::move(edit.mutation)), edit.kind);
        sweep(seen);
        for (std::size_t tries = 0; pool_.size() < pool_size_ && tries < 40 * pool_size_; ++tries) {
            std::array<double, kEditClasses> shares = credit_;
            for (std::size_t k = 0; k < kEditClasses; ++k)
                shares[k] += 0.3 * kClassPrior[k];
            const EditClass kind = draw_class(shares, rng_);
            add(seen, around_.draw(here_.schedule, kind, rng_), static_cast<int>(kind));
        }
    }

    void add(std::unordered_set<Hash128>& seen, std::optional<Edited> edited, int kind) {
        if (!edited || pool_.size() >= pool_size_ || !seen.insert(edited->result.hash()).second) return;
        pool_.push_back({std::move(edited->mutation), kind});
    }

    // A third of the pool is what usually pays, hottest first: a stall one lower, a producer a few places up.
    void sweep(std::unordered_set<Hash128>& seen) {
        const std::vector<InstrId>& hot = around_.by_heat();
        const std::vector<InstrId>& producers = around_.producers();
        const std::size_t until = pool_.size() + pool_size_ / 3;
        while (pool_.size() < std::min(until, pool_size_) && swept_ < hot.size() + producers.size()) {
            const std::size_t at = swept_++;
            if (at % 2 == 0 && at / 2 < producers.size()) {
                const InstrId id = producers[at / 2];
                const Position here = here_.schedule.position_of(id);
                const Position room = here - checker_->slots(here_.schedule, id).lowest;
                const Position up = std::min<Position>(room, 1 + rng_.below(6));
                add(seen, around_.move_to(here_.schedule, id, here - up),
                    static_cast<int>(EditClass::LoadEarlier));
            }
            if (at < hot.size())
                add(seen, around_.stall_by(here_.schedule, hot[at], -1), static_cast<int>(EditClass::Stall));
        }
    }

    void fill(std::size_t n) {
        if (phase_ == Phase::Singles)
            while (next_ < pool_.size() && pending_.size() < n)
                put({static_cast<std::uint8_t>(next_++)}, false);
        if (phase_ == Phase::Subsets)
            for (; made_ < wanted_subsets() && pending_.size() < n; ++made_)
                put(random_subset(), false);
        if (phase_ == Phase::Combine)
            while (!combinations_.empty() && pending_.size() < n) {
                std::vector<std::uint8_t> edits = std::move(combinations_.back());
                combinations_.pop_back();
                put(std::move(edits), true);
            }
        if (phase_ == Phase::Combine)
            for (; !best_tests_.empty() && pending_.size() < n; best_tests_.pop_back()) {
                BestTest& best = best_tests_.back();
                best.proposal.look = kCloser;
                pending_.push_back(std::move(best.proposal));
                tested_.push_back({std::move(best.edits), true});
            }
    }

    // Applies those of `edits` that are legal one after the other.
    void put(std::vector<std::uint8_t> edits, bool combination) {
        std::optional<Edited> all;
        std::vector<std::uint8_t> in;
        for (const std::uint8_t e : edits) {
            auto one = around_.apply(all ? all->result : here_.schedule, pool_[e].mutation);
            if (!one) continue;
            append_edit(all, std::move(*one));
            in.push_back(e);
        }
        if (!all || all->result == here_.schedule) return;
        if (proposed_.insert(all->result.hash()).second) stale_rounds_ = 0;
        pending_.push_back({here_.step, std::move(all->mutation), std::move(all->result), false,
                            combination ? kCloser : kTest});
        std::sort(in.begin(), in.end());
        tested_.push_back({std::move(in), combination});
    }

    std::vector<std::uint8_t> open_edits() const {
        std::vector<std::uint8_t> out;
        for (std::size_t i = 0; i < pool_.size(); ++i)
            if (pool_[i].open) out.push_back(static_cast<std::uint8_t>(i));
        return out;
    }

    // About half of what is left, in random order: of two that exclude each other either may come first.
    std::vector<std::uint8_t> random_subset() {
        std::vector<std::uint8_t> out;
        for (const std::uint8_t e : open_edits())
            if (rng_.chance(0.5)) out.push_back(e);
        for (std::size_t i = out.size(); i > 1; --i)
            std::swap(out[i - 1], out[rng_.below(static_cast<std::uint32_t>(i))]);
        return out;
    }

    void note(std::size_t i, const Observation& seen) {
        const Tested& test = tested_[i];
        if (!seen.outcome.ok()) {
            // Whatever it was, an edit that fails alone is not tried again.
            if (test.edits.size() == 1) pool_[test.edits[0]].open = false;
            return;
        }
        const double value = seen.outcome.log_speedup;
        exact_ = exact_ || seen.outcome.low == seen.outcome.high;
        tests_.push_back({test.edits, value, 0});
        const Standing standing{pending_[i].result, seen.step, value, seen.outcome.low};
        if (test.combination || (exact_ && seen.best)) candidates_.push_back({standing, test.edits});
        if (!test.combination && !exact_) keep_best_test(pending_[i], test, standing);
    }

    std::size_t wanted_subsets() const {
        return static_cast<std::size_t>(static_cast<double>(subsets_) * length_);
    }

    bool phase_done() const {
        if (pool_.empty()) return false;
        if (phase_ == Phase::Singles) return next_ >= pool_.size();
        if (phase_ == Phase::Subsets) return made_ >= wanted_subsets();
        return combinations_.empty() && best_tests_.empty();
    }

    void advance() {
        if (phase_ == Phase::Singles) {
            discard();
            phase_ = open_edits().size() < 2 ? Phase::Combine : Phase::Subsets;
            if (phase_ == Phase::Combine) combine();
        } else if (phase_ == Phase::Subsets) {
            phase_ = Phase::Combine;
            combine();
        } else {
            end_round();
        }
    }

    // An edit that lost by more than one test's noise is not worth a place in the subsets.
    void discard() {
        fit_ = fit_groups(tests_, pool_.size());
        for (const GroupTest& test : tests_)
            if (test.edits.size() == 1 && test.value < base() - fit_.noise) pool_[test.edits[0]].open = false;
    }

    void combine() {
        fit_ = fit_groups(tests_, pool_.size());
        told_ = true;
        std::vector<std::uint8_t> order = open_edits();
        std::sort(order.begin(), order.end(), [&](std::uint8_t a, std::uint8_t b) {
            return fit_.effect[a] != fit_.effect[b] ? fit_.effect[a] > fit_.effect[b] : a < b;
        });
        const auto above = [&](double errors) {
            std::vector<std::uint8_t> out;
            for (const std::uint8_t e : order)
                if (fit_.effect[e] > errors * fit_.error[e] && fit_.effect[e] > 0) out.push_back(e);
            return out;
        };
        const std::vector<std::uint8_t> sure = above(take_above_), positive = above(0.0);
        taken_ = sure.size();
        combinations_.clear();
        const auto offer = [&](const std::vector<std::uint8_t>& edits) {
            if (!edits.empty() &&
                std::find(combinations_.begin(), combinations_.end(), edits) == combinations_.end())
                combinations_.push_back(edits);
        };
        offer(positive);
        offer(above(2.0 * take_above_));
        offer(sure);
        if (combinations_.empty() && best_tests_.empty()) end_round();
    }

    // Effects of edits seldom add up on a GPU: halves of edits of which none loses alone scatter by a percent, far more
    // than a test's noise. The best that were seen are candidates as they are.
    void keep_best_test(const Proposal& proposal, const Tested& test, const Standing& standing) {
        if (standing.log_speedup <= here_.log_speedup - drift_) return;
        const auto at = std::find_if(best_tests_.begin(), best_tests_.end(), [&](const BestTest& other) {
            return other.value < standing.log_speedup;
        });
        best_tests_.insert(at, {proposal, test.edits, standing.log_speedup});
        if (best_tests_.size() > most_best_) best_tests_.pop_back();
    }

    // Where a candidate stands by the fit and by its own closer look, each weighed by its error.
    double estimate(const Candidate& of) const {
        if (exact_) return of.at.log_speedup;
        double predicted = base(), variance = fit_.noise * fit_.noise / 4;
        for (const std::uint8_t e : of.edits) {
            predicted += fit_.effect[e];
            variance += fit_.error[e] * fit_.error[e];
        }
        const double own = kCloserNoise * kCloserNoise * fit_.noise * fit_.noise;
        return (predicted * own + of.at.log_speedup * variance) / (own + variance);
    }

    double base() const { return fit_.base.empty() ? here_.log_speedup : fit_.base.front(); }

    void end_round() {
        learn_classes();
        keep_promising();
        if (!exact_) here_.log_speedup = base();
        if (here_.step == top_.step) top_.log_speedup = here_.log_speedup;
        const Candidate* chosen = nullptr;
        double highest = here_.log_speedup - (exact_ ? 0 : drift_);
        for (const Candidate& candidate : candidates_) {
            const double value = estimate(candidate);
            if (value <= highest) continue;
            chosen = &candidate;
            highest = value;
        }
        const bool better = chosen && highest > here_.log_speedup;
        if (chosen) {
            here_ = chosen->at;
            here_.log_speedup = highest;
        }
        if (here_.log_speedup > top_.log_speedup) {
            top_ = here_;
            finalists_.offer(here_);
        } else if (here_.log_speedup < top_.log_speedup - kDriftsTo) {
            here_ = top_;
        }
        length_ = std::clamp(better ? length_ * 0.7 : length_ * 1.5, 1.0, longest_);
        candidates_.clear();
        pool_.clear();
    }

    void learn_classes() {
        for (std::size_t e = 0; e < pool_.size() && e < fit_.effect.size(); ++e) {
            double& share = credit_[static_cast<std::size_t>(pool_[e].kind)];
            const bool paid =
                pool_[e].open && fit_.effect[e] > take_above_ * fit_.error[e] && fit_.effect[e] > 0;
            share = 0.99 * share + (paid ? 0.25 : 0.0);
        }
    }

    // Edits that look useful but were not sure enough are tested again beside new ones.
    void keep_promising() {
        for (std::size_t e = 0;
             e < pool_.size() && e < fit_.effect.size() && carried_.size() < pool_size_ / 4; ++e)
            if (pool_[e].open && fit_.effect[e] > 0.3 * fit_.error[e] &&
                fit_.effect[e] <= take_above_ * fit_.error[e])
                carried_.push_back(pool_[e]);
    }

    CheckerPtr checker_;
    std::size_t pool_size_, subsets_;
    double take_above_;
    double longest_;  // round, in times the subsets of the setting
    double drift_;    // log speed-up that a round may cost where nothing gains
    std::size_t most_best_;
    Neighbourhood around_;
    Rng rng_;
    Standing here_;
    Standing top_;  // the best so far, by estimate
    Finalists finalists_;
    Phase phase_ = Phase::Singles;
    std::vector<PoolEdit> pool_, carried_;
    std::size_t next_ = 0;  // single to test
    std::size_t made_ = 0;  // subsets tested
    std::size_t swept_ = 0;
    std::vector<GroupTest> tests_;
    GroupFit fit_;
    double length_ = 1;  // of a round, in subsets of the setting
    bool exact_ = false, claiming_ = false;
    bool told_ = false;
    std::size_t taken_ = 0;
    std::vector<std::vector<std::uint8_t>> combinations_;
    std::vector<Candidate> candidates_;
    std::vector<BestTest> best_tests_;
    std::array<double, kEditClasses> credit_;
    std::unordered_set<Hash128> proposed_;
    int stale_rounds_ = 0;  // in a row that proposed no new words
    std::vector<Proposal> pending_;
    std::vector<Tested> tested_;
};

}  // namespace

const std::vector<SettingRange>& group_settings() {
    static const std::vector<SettingRange> known = {{"pool", 48, 4, 200},      {"subsets", 40, 4, 1000},
                                                    {"take_above", 1, 0, 10},  {"longest", 3, 1, 100},
                                                    {"drift", 0.0008, 0, 0.1}, {"best_tests", 2, 0, 100}};
    return known;
}

std::unique_ptr<Arm> make_group_arm(const SearchContext& context, const Settings& settings) {
    return std::make_unique<GroupSearcher>(context, settings);
}

std::unique_ptr<Searcher> make_group(const SearchContext& context, const Settings& settings) {
    return make_group_arm(context, settings);
}

}  // namespace cubinlab
