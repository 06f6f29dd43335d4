// SPDX-License-Identifier: GPL-3.0-or-later
// Trains the policy that builds orders while a search over starts runs. An episode is one order; its reward is the log
// speed-up over the start that it was built around. After every kEpisodes outcomes the weights are updated once, so the same
// outcomes give the same weights. Rewards are ranked within an update, so outliers and the level of a kernel do not matter.
//
//   policy gradient   REINFORCE: the gradient of each episode's log probability, times its rank
//   evolution         antithetic changes of the weights, times their ranks (Salimans et al., arXiv 1703.03864)
//
//   DrawnOrder drawn = learner.draw(base_keys);     // decides
//   BuiltEpisode built = learner.build(drawn);      // any thread
//   learner.add(std::move(built), gain);            // in observe()
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/engine/searcher.h"
#include "core/search/moves/rng.h"
#include "core/search/starts/order_policy.h"

namespace cubinlab {

// Settings of `auto` (core/search/starts/construct_settings.cpp).
struct ConstructSettings {
    bool on = false;         // `construct`: the policy builds orders; otherwise only evolution over keys
    double rate = 0.02;      // `construct_rate`: learning rate; 0: the policy stays as it is
    bool evolution = false;  // `construct_evolution`: how it is trained
    double share = 0.5;      // `construct_share`: share of the orders that the policy builds
    OrderWeights weights = untrained_weights();  // `construct_weights`: an array
};
// Other settings are ignored. Errors: BadUse.
Result<ConstructSettings> construct_settings(std::string_view agent_settings);
inline constexpr const char* kConstructWeights = "construct_weights";
std::string without_weights(std::string_view agent_settings);
// Agent settings that start with these weights.
std::string settings_with(const OrderWeights& weights);

// An order that is decided but not built yet.
struct DrawnOrder {
    OrderTask task;
    std::shared_ptr<const OrderWeights> weights;
    std::uint64_t noise = 0;  // seed of the change of the weights; evolution only
    float sign = 0;           // of that change
};
struct BuiltEpisode {
    BuiltOrder order;
    std::uint64_t noise = 0;
    float sign = 0;
};

class OrderLearner {
  public:
    static constexpr std::size_t kEpisodes = 32;  // episodes of an update

    OrderLearner(std::shared_ptr<const ptx::OrderFacts> facts, ConstructSettings settings, std::uint64_t seed);

    const ConstructSettings& settings() const { return settings_; }
    DrawnOrder draw(OrderKeys base);
    BuiltEpisode build(const DrawnOrder& drawn) const;
    // `gain`: log speed-up over the base; a failure counts as the worst of its update.
    void add(BuiltEpisode episode, double gain);
    // Trains if there are enough episodes, and reports. `prefers_FEATURE` is the value that the policy expects of the feature,
    // minus the value that the untrained policy expects on the same decisions.
    void learn(std::vector<SearchMetric>& metrics);
    // Continues on another kernel with the same weights.
    void play_on(std::shared_ptr<const ptx::OrderFacts> facts) { facts_ = std::move(facts); }
    const OrderWeights& weights() const { return *weights_; }

  private:
    struct Seen {
        BuiltEpisode episode;
        double gain = 0;
    };
    std::vector<double> direction() const;

    std::shared_ptr<const ptx::OrderFacts> facts_;
    ConstructSettings settings_;
    Rng rng_;
    std::shared_ptr<const OrderWeights> weights_;
    std::vector<Seen> seen_;
    std::optional<DrawnOrder> partner_;  // the other order of an antithetic pair
    std::vector<double> first_, second_;  // moments (Adam)
    std::size_t updates_ = 0;
};

}  // namespace cubinlab
