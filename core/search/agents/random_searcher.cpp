// SPDX-License-Identifier: GPL-3.0-or-later
// A walk of random legal edits that returns to the best known schedule every `walk` steps: the baseline that
// any other method has to beat.
#include "core/search/agents/built_in_searchers.h"
#include "core/search/agents/search_point.h"
#include "core/search/moves/neighbourhood.h"

namespace cubinlab {

double reward_of(const Outcome& outcome, double parent_log_speedup) {
    return outcome.ok() ? 100.0 * (outcome.speedup.log - parent_log_speedup) : -1.0;
}

namespace {

class RandomSearcher final : public Searcher {
  public:
    RandomSearcher(const SearchContext& context, const Settings& settings)
        : edits_(static_cast<unsigned>(settings.at("edits"))),
          walk_(static_cast<unsigned>(settings.at("walk"))),
          around_(context),
          rng_(context.seed),
          here_{context.start},
          best_(here_) {}

    std::string name() const override { return "random"; }

    std::vector<Proposal> propose(std::size_t n) override {
        return pending_ = around_.drawn(here_.schedule, here_.step, edits_, n, rng_);
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const double from = here_.speedup.log;
        for (std::size_t i = 0; i < observations.size() && i < pending_.size(); ++i) {
            const Observation& seen = observations[i];
            result.reward.push_back(reward_of(seen.outcome, from));
            result.accepted.push_back(seen.outcome.ok());
            if (!seen.outcome.ok()) continue;
            here_ = {pending_[i].result, seen.step, seen.outcome.speedup};
            if (seen.best) best_ = here_;
        }
        walked_ += static_cast<unsigned>(observations.size());
        if (walked_ >= walk_) {
            here_ = best_;
            walked_ = 0;
        }
        return result;
    }

  private:
    unsigned edits_, walk_;
    Neighbourhood around_;
    Rng rng_;
    SearchPoint here_, best_;
    std::vector<Proposal> pending_;
    unsigned walked_ = 0;
};

const std::vector<SettingRange>& random_settings() {
    static const std::vector<SettingRange> known = {{"edits", 2, 1, 16}, {"walk", 32, 1, 100000}};
    return known;
}

}  // namespace

extern const BuiltInSearcher built_in_random{
    "random", "Random walk",
    "Random legal edits from the best schedule: the baseline for every other method.", random_settings,
    [](const SearchContext& context, const Settings& settings) -> std::unique_ptr<Searcher> {
        return std::make_unique<RandomSearcher>(context, settings);
    }};

}  // namespace cubinlab
