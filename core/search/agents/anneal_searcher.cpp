// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated annealing as in SIP (arXiv 2403.16863): one walker, Metropolis acceptance on the log speed-up,
// geometric cooling by evaluations. Decisions use the LOWER end of each interval, so that noise is not
// accepted as a gain; for the model both ends are equal.
#include <algorithm>
#include <cmath>

#include "core/search/agents/built_in_searchers.h"
#include "core/search/agents/search_point.h"
#include "core/search/moves/neighbourhood.h"

namespace cubinlab {
namespace {

class AnnealSearcher final : public Searcher {
  public:
    AnnealSearcher(const SearchContext& context, const Settings& settings)
        : settings_(settings),
          around_(context),
          rng_(context.seed),
          tickets_(~context.seed),
          here_{context.start},
          best_(here_) {}

    std::string name() const override { return "anneal"; }

    std::vector<Proposal> propose(std::size_t n) override {
        const auto edits = static_cast<unsigned>(settings_.at("edits"));
        return pending_ = around_.drawn(here_.schedule, here_.step, edits, n, rng_);
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const double from = here_.speedup.log;
        for (std::size_t i = 0; i < observations.size() && i < pending_.size(); ++i) {
            const Observation& seen = observations[i];
            const bool take = accepts(seen);
            result.reward.push_back(reward_of(seen.outcome, from));
            result.accepted.push_back(take);
            if (take) here_ = {pending_[i].result, seen.step, seen.outcome.speedup};
            if (seen.best) {
                best_ = here_;
                since_best_ = 0;
            } else if (++since_best_ >= settings_.at("restart_after")) {
                here_ = best_;
                since_best_ = 0;
            }
            ++evaluations_;
        }
        result.metrics.push_back({"temperature", temperature()});
        return result;
    }

  private:
    double temperature() const {
        const double hot = settings_.at("start_temperature"), cold = settings_.at("end_temperature");
        const double progress = std::min(1.0, evaluations_ / settings_.at("evaluations"));
        return hot * std::pow(cold / hot, progress);
    }

    bool accepts(const Observation& seen) {
        // One number per observation, so that the sequence does not depend on outcomes. A separate generator
        // from that of proposals, since a resumed run proposes more of a batch that the budget cut short.
        const double ticket = tickets_.unit();
        if (!seen.outcome.ok()) return false;
        if (seen.best) return true;
        const double change = seen.outcome.speedup.low - here_.speedup.low;
        return change > 0 || ticket < std::exp(change / temperature());
    }

    Settings settings_;
    Neighbourhood around_;
    Rng rng_;
    Rng tickets_;  // decides the acceptance of slower schedules
    SearchPoint here_, best_;
    std::vector<Proposal> pending_;
    double evaluations_ = 0;
    double since_best_ = 0;
};

const std::vector<SettingRange>& anneal_settings() {
    static const std::vector<SettingRange> known = {{"evaluations", 5000, 1, 1e9},
                                                    {"start_temperature", 0.006, 1e-9, 1},
                                                    {"end_temperature", 0.0001, 1e-9, 1},
                                                    {"edits", 2, 1, 16},
                                                    {"restart_after", 500, 1, 1e9}};
    return known;
}

}  // namespace

extern const BuiltInSearcher built_in_anneal{
    "anneal", "Simulated annealing",
    "One walker that may accept losses while it is hot; the temperature falls with the evaluations.",
    anneal_settings, [](const SearchContext& context, const Settings& settings) -> std::unique_ptr<Searcher> {
        return std::make_unique<AnnealSearcher>(context, settings);
    }};

}  // namespace cubinlab
