// SPDX-License-Identifier: GPL-3.0-or-later
// A policy that builds an order of PTX units. Among the units that are ready it draws the next one by a softmax over scores.
// A small network computes the scores; it is the same for every unit and every kernel.
//
//   score(f) = linear . f + out . max(0, hidden f + bias)         f: features of a ready unit, about 0 to 1 each
//
// An order is built around another one, its base: outside a range of positions the base is kept. The untrained policy prefers
// only the base's next unit, so it draws orders near the base.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ptx/order_facts.h"
#include "core/start/start.h"

namespace cubinlab {

// In the order of the weights. `about` completes "prefers units that ...".
struct OrderFeature {
    const char* name;
    const char* about;
};
inline constexpr std::array kOrderFeatures = {
    // Of a unit.
    OrderFeature{"global_load", "load global memory"},
    OrderFeature{"other_load", "load other memory"},
    OrderFeature{"matrix", "are matrix instructions"},
    OrderFeature{"store", "store"},
    OrderFeature{"copy", "copy asynchronously to shared memory"},
    OrderFeature{"warp", "exchange values in the warp"},
    OrderFeature{"fence", "are fences"},
    OrderFeature{"latency", "have long latencies"},
    OrderFeature{"critical", "have long chains of latencies behind them"},
    OrderFeature{"depth", "have long chains of latencies before them"},
    OrderFeature{"uses", "have many readers"},
    OrderFeature{"first_use", "are read late"},
    OrderFeature{"feeds_load", "compute what a load needs"},
    OrderFeature{"feeds_matrix", "compute what a matrix instruction needs"},
    OrderFeature{"defines", "write many registers"},
    OrderFeature{"position", "come late in the text of their block"},
    OrderFeature{"nth_load", "are late among the loads of their block"},
    OrderFeature{"in_loop", "lie in loops"},
    // Of the moment.
    OrderFeature{"later", "the base order has later"},
    OrderFeature{"frees", "free registers"},
    OrderFeature{"grows", "need more registers than they free"},
    OrderFeature{"under_pressure", "need more registers while many are in use"},
    OrderFeature{"waits", "would wait for an operand"},
    OrderFeature{"like_last", "are of the same kind as the last one"},
    OrderFeature{"since_like", "come long after the last one of their kind"},
    OrderFeature{"reads_last", "read what the last one wrote"},
    OrderFeature{"ready_for", "have been ready for long"},
};
inline constexpr std::size_t kStaticFeatures = 18;  // the first ones
inline constexpr std::size_t kFeatures = kOrderFeatures.size(), kHidden = 24;
static_assert(kStaticFeatures < kFeatures);

// linear, out, bias, hidden by row.
inline constexpr std::size_t kOrderWeights = kFeatures + 2 * kHidden + kHidden * kFeatures;
using OrderWeights = std::vector<float>;  // kOrderWeights of them
OrderWeights untrained_weights();

// A unit that was drawn although another one is next in the base.
struct OrderDecision {
    std::uint32_t unit = 0, instead = 0;
    struct Part {
        std::uint32_t feature = 0;
        float share = 0;  // of the difference of the two scores
    };
    std::array<Part, 2> parts = {};  // the largest
    friend bool operator==(const OrderDecision&, const OrderDecision&) = default;
};
inline bool operator==(const OrderDecision::Part& a, const OrderDecision::Part& b) {
    return a.feature == b.feature && a.share == b.share;
}
// As a start stores them. Errors: BadInput.
std::string text_of(std::span<const OrderDecision> decisions);
Result<std::vector<OrderDecision>> decisions_from(std::string_view text);

struct OrderTask {
    OrderKeys base;
    std::uint32_t first = 0, count = 0;  // positions of the base that are decided
    std::uint64_t seed = 0;
    bool best = false;      // takes the highest score instead of drawing
    bool gradient = false;  // BuiltOrder::gradient is wanted
};
struct BuiltOrder {
    OrderKeys keys;
    std::vector<float> gradient;  // of the log probability of the decisions, by weight, divided by the root of their number
    std::array<float, kFeatures> prefers = {};  // mean over the decisions: the policy's expectation minus the untrained policy's
    std::size_t decided = 0;                     // decisions with more than one ready unit
    std::vector<OrderDecision> decisions;        // the clearest ones
};

// The same arguments give the same order. Any thread may call it.
BuiltOrder build_order(const ptx::OrderFacts& facts, std::span<const float> weights, const OrderTask& task);

}  // namespace cubinlab
