// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/starts/order_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>

#include "core/base/parse_number.h"
#include "core/search/moves/rng.h"

namespace cubinlab {
namespace {

using ptx::OpKind;
using Features = std::array<float, kFeatures>;

constexpr std::size_t kNear = 14, kLoadsAhead = 5, kMatrixAhead = 3;  // candidates of a decision
constexpr std::size_t kMostDecisions = 24;                            // that are stored
constexpr float kKeepsBase = -14.0F;  // the untrained weight of `later`
constexpr std::size_t kLater = kStaticFeatures;

constexpr std::size_t kOut = kFeatures, kBias = kOut + kHidden, kRows = kBias + kHidden;

float log_part(double value, double most) {
    return static_cast<float>(std::log2(1 + value) / most);
}

bool loads(OpKind kind) {
    return kind == OpKind::Load || kind == OpKind::Copy;
}

class Building {
  public:
    Building(const ptx::OrderFacts& facts, std::span<const float> weights, const OrderTask& task)
        : facts_(facts), order_(facts.order), weights_(weights), task_(task), rng_(task.seed), place_(order_.units.size()) {}

    BuiltOrder run() {
        const std::size_t units = order_.units.size();
        base_places();
        out_.keys.assign(units, 0);
        gradient_.assign(task_.gradient ? kOrderWeights : 0, 0.0);
        ready_at_.assign(units, 0);
        ready_since_.assign(units, 0);
        last_read_.resize(facts_.values.size());
        for (std::size_t v = 0; v < facts_.values.size(); ++v)
            last_read_[v] = facts_.values[v].reads;
        waits_ = order_.predecessors;
        for (std::uint32_t b = 0; b < order_.blocks.size(); ++b)
            block(b);
        finish();
        return std::move(out_);
    }

  private:
    // Places of the units in the base order.
    void base_places() {
        std::vector<std::uint32_t> waits = order_.predecessors;
        using Entry = std::pair<double, std::uint32_t>;
        std::uint32_t next = 0;
        const auto key = [&](std::uint32_t u) {
            return static_cast<double>(u) + (u < task_.base.size() ? task_.base[u] : 0);
        };
        for (const ptx::Block& block : order_.blocks) {
            std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
            for (std::uint32_t u = block.first; u < block.first + block.count; ++u)
                if (waits[u] == 0) ready.emplace(key(u), u);
            while (!ready.empty()) {
                const std::uint32_t u = ready.top().second;
                ready.pop();
                place_[u] = next++;
                each_successor(u, [&](std::uint32_t s) {
                    if (--waits[s] == 0) ready.emplace(key(s), s);
                });
            }
        }
    }
    template <class Visit>
    void each_successor(std::uint32_t u, Visit visit) const {
        for (std::uint32_t s = order_.successor_begin[u]; s < order_.successor_begin[u + 1]; ++s)
            visit(order_.successors[s]);
    }
    bool active(std::uint32_t place) const { return place - task_.first < task_.count; }

    void block(std::uint32_t index) {
        const ptx::Block& block = order_.blocks[index];
        const bool any = block.first < task_.first + task_.count && task_.first < block.first + block.count;
        if (any) begin(index);
        ready_.clear();
        for (std::uint32_t u = block.first; u < block.first + block.count; ++u)
            if (waits_[u] == 0) add_ready(u);
        for (std::uint32_t at = block.first; !ready_.empty(); ++at) {
            const std::uint32_t base = ready_.front();
            const std::uint32_t u = any && active(place_[base]) && ready_.size() > 1 ? decide(base) : base;
            out_.keys[u] = static_cast<std::int16_t>(
                std::clamp(static_cast<std::int64_t>(at) - static_cast<std::int64_t>(u), std::int64_t{-32000}, std::int64_t{32000}));
            issue(u, any);
        }
    }
    void begin(std::uint32_t index) {
        const ptx::Block& block = order_.blocks[index];
        block_ = &block;
        depth_ = facts_.loop_depth[index];
        time_ = 0;
        issued_ = 0;
        last_ = ~0u;
        last_of_.fill(0);
        pressure_ = 0;
        longest_ = 1;
        std::vector<std::uint32_t> in;
        for (std::uint32_t u = block.first; u < block.first + block.count; ++u) {
            longest_ = std::max(longest_, facts_.units[u].before + facts_.units[u].after);
            for (const std::uint32_t v : facts_.units[u].reads)
                if (facts_.values[v].comes_in) in.push_back(v);
        }
        std::ranges::sort(in);
        in.erase(std::unique(in.begin(), in.end()), in.end());
        for (const std::uint32_t v : in)
            pressure_ += static_cast<float>(facts_.values[v].registers);
        static_.assign(block.count, {});
        known_.assign(block.count, false);
        nth_load_.assign(block.count, 0);
        std::size_t seen = 0;
        for (std::uint32_t i = 0; i < block.count; ++i)
            if (loads(order_.units[block.first + i].kind)) nth_load_[i] = static_cast<float>(seen++);
        for (float& nth : nth_load_)
            nth /= static_cast<float>(std::max<std::size_t>(1, seen));
    }
    void add_ready(std::uint32_t u) {
        const auto at = std::ranges::lower_bound(ready_, place_[u], {}, [&](std::uint32_t other) { return place_[other]; });
        ready_.insert(at, u);
        ready_since_[u] = issued_;
    }

    // The first ready units of the base order, and the first loads and matrix instructions behind them.
    void gather() {
        candidates_.clear();
        std::size_t more_loads = kLoadsAhead, more_matrix = kMatrixAhead;
        for (std::size_t i = 0; i < ready_.size() && (i < kNear || more_loads + more_matrix > 0); ++i) {
            const OpKind kind = order_.units[ready_[i]].kind;
            std::size_t* more = loads(kind) ? &more_loads : kind == OpKind::Matrix ? &more_matrix : nullptr;
            if (i >= kNear && (!more || *more == 0)) continue;
            if (i >= kNear) --*more;
            candidates_.push_back(ready_[i]);
        }
    }

    struct Static {
        std::array<float, kStaticFeatures> features;
        std::array<float, kHidden> hidden;  // their part, with the bias
        float linear = 0;
    };
    const Static& static_of(std::uint32_t u) {
        const std::uint32_t i = u - block_->first;
        Static& out = static_[i];
        if (known_[i]) return out;
        known_[i] = true;
        const ptx::Unit& unit = order_.units[u];
        const ptx::UnitFacts& f = facts_.units[u];
        const auto is = [&](OpKind kind) { return unit.kind == kind ? 1.0F : 0.0F; };
        out.features = {is(OpKind::Load) * (f.global ? 1.0F : 0.0F),
                        is(OpKind::Load) * (f.global ? 0.0F : 1.0F),
                        is(OpKind::Matrix),
                        is(OpKind::Store),
                        is(OpKind::Copy),
                        is(OpKind::Warp),
                        is(OpKind::Fence),
                        log_part(f.latency, 9),
                        f.after / longest_,
                        f.before / longest_,
                        log_part(unit.uses, 5),
                        f.first_use == 0 ? 1.0F : std::min(1.0F, log_part(f.first_use, 10)),
                        f.feeds_load ? 1.0F : 0.0F,
                        f.feeds_matrix ? 1.0F : 0.0F,
                        registers(f.writes) / 8,
                        static_cast<float>(i) / static_cast<float>(block_->count),
                        nth_load_[i],
                        static_cast<float>(std::min(depth_, 2u)) / 2};
        for (std::size_t k = 0; k < kStaticFeatures; ++k)
            out.linear += weights_[k] * out.features[k];
        for (std::size_t h = 0; h < kHidden; ++h) {
            out.hidden[h] = weights_[kBias + h];
            for (std::size_t k = 0; k < kStaticFeatures; ++k)
                out.hidden[h] += weights_[kRows + h * kFeatures + k] * out.features[k];
        }
        return out;
    }
    float registers(std::span<const std::uint32_t> values) const {
        return std::accumulate(values.begin(), values.end(), 0.0F, [&](float sum, std::uint32_t v) {
            return sum + static_cast<float>(facts_.values[v].registers);
        });
    }
    // Registers that a unit frees, and registers that it newly occupies.
    std::pair<float, float> change(std::uint32_t u) const {
        float frees = 0, takes = 0;
        for (const std::uint32_t v : facts_.units[u].reads)
            if (last_read_[v] == 1 && !facts_.values[v].outside) frees += static_cast<float>(facts_.values[v].registers);
        for (const std::uint32_t v : facts_.units[u].writes)
            if (!facts_.values[v].comes_in && (facts_.values[v].reads > 0 || facts_.values[v].outside))
                takes += static_cast<float>(facts_.values[v].registers);
        return {frees, takes};
    }
    bool reads_last(std::uint32_t u) const {
        if (last_ == ~0u) return false;
        const auto& written = facts_.units[last_].writes;
        return std::ranges::any_of(facts_.units[u].reads,
                                   [&](std::uint32_t v) { return std::ranges::find(written, v) != written.end(); });
    }
    static std::size_t kind_of(OpKind kind) { return std::min<std::size_t>(static_cast<std::size_t>(kind), 7); }

    Features features_of(std::uint32_t u, std::size_t rank) {
        Features out;
        std::ranges::copy(static_of(u).features, out.begin());
        const auto [frees, takes] = change(u);
        const float grows = takes - frees;
        const OpKind kind = order_.units[u].kind;
        const std::array<float, kFeatures - kStaticFeatures> moment = {
            log_part(static_cast<double>(rank), 5),
            frees / 8,
            grows / 8,
            std::min(pressure_ / 128, 2.0F) * grows / 8,
            log_part(std::max(0.0F, ready_at_[u] - time_), 9),
            last_ != ~0u && order_.units[last_].kind == kind ? 1.0F : 0.0F,
            log_part(static_cast<double>(issued_ - last_of_[kind_of(kind)]), 10),
            reads_last(u) ? 1.0F : 0.0F,
            log_part(static_cast<double>(issued_ - ready_since_[u]), 10),
        };
        std::ranges::copy(moment, out.begin() + kStaticFeatures);
        return out;
    }
    float score(std::uint32_t u, const Features& f, std::array<float, kHidden>& hidden) {
        const Static& known = static_of(u);
        float out = known.linear;
        hidden = known.hidden;
        for (std::size_t k = kStaticFeatures; k < kFeatures; ++k)
            out += weights_[k] * f[k];
        for (std::size_t h = 0; h < kHidden; ++h) {
            for (std::size_t k = kStaticFeatures; k < kFeatures; ++k)
                hidden[h] += weights_[kRows + h * kFeatures + k] * f[k];
            out += weights_[kOut + h] * std::max(0.0F, hidden[h]);
        }
        return out;
    }

    static void to_probabilities(std::vector<double>& scores) {
        const double most = *std::ranges::max_element(scores);
        double sum = 0;
        for (double& s : scores)
            sum += s = std::exp(s - most);
        for (double& s : scores)
            s /= sum;
    }

    std::uint32_t decide(std::uint32_t base) {
        gather();
        const std::size_t n = candidates_.size();
        features_.resize(n);
        hidden_.resize(n);
        chance_.resize(n);
        prior_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            features_[i] = features_of(candidates_[i], i);
            chance_[i] = score(candidates_[i], features_[i], hidden_[i]);
            prior_[i] = static_cast<double>(kKeepsBase) * features_[i][kLater];
        }
        const auto best = static_cast<std::size_t>(std::ranges::max_element(chance_) - chance_.begin());
        to_probabilities(chance_);
        to_probabilities(prior_);
        std::size_t drawn = best;
        if (!task_.best) {
            double at = rng_.unit();
            for (drawn = 0; drawn + 1 < n && at >= chance_[drawn]; ++drawn)
                at -= chance_[drawn];
        }
        ++out_.decided;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < kFeatures; ++k)
                out_.prefers[k] += static_cast<float>(chance_[i] - prior_[i]) * features_[i][k];
        if (task_.gradient)
            for (std::size_t i = 0; i < n; ++i)
                add_gradient(i, (i == drawn ? 1.0 : 0.0) - chance_[i]);
        if (candidates_[drawn] != base) note(drawn, base);
        return candidates_[drawn];
    }
    void add_gradient(std::size_t i, double by) {
        const Features& f = features_[i];
        for (std::size_t k = 0; k < kFeatures; ++k)
            gradient_[k] += by * f[k];
        for (std::size_t h = 0; h < kHidden; ++h) {
            if (hidden_[i][h] <= 0) continue;
            gradient_[kOut + h] += by * hidden_[i][h];
            const double through = by * weights_[kOut + h];
            gradient_[kBias + h] += through;
            for (std::size_t k = 0; k < kFeatures; ++k)
                gradient_[kRows + h * kFeatures + k] += through * f[k];
        }
    }
    // The difference of the scores by feature, each hidden unit as far as it is active for the one that was drawn.
    void note(std::size_t drawn, std::uint32_t base) {
        OrderDecision out{.unit = candidates_[drawn], .instead = base};
        std::array<OrderDecision::Part, kFeatures> parts;
        for (std::uint32_t k = 0; k < kFeatures; ++k) {
            float weight = weights_[k];
            for (std::size_t h = 0; h < kHidden; ++h)
                if (hidden_[drawn][h] > 0) weight += weights_[kOut + h] * weights_[kRows + h * kFeatures + k];
            parts[k] = {k, weight * (features_[drawn][k] - features_[0][k])};
        }
        std::ranges::stable_sort(parts, std::greater(), &OrderDecision::Part::share);
        std::copy_n(parts.begin(), out.parts.size(), out.parts.begin());
        out_.decisions.push_back(out);
    }

    void issue(std::uint32_t u, bool decided_here) {
        std::erase(ready_, u);
        if (decided_here) {
            const auto [frees, takes] = change(u);
            pressure_ += takes - frees;
            time_ = std::max(time_ + 1, std::min(ready_at_[u], time_ + 40));
        }
        for (const std::uint32_t v : facts_.units[u].reads)
            if (last_read_[v] > 0) --last_read_[v];
        ++issued_;
        last_ = u;
        last_of_[kind_of(order_.units[u].kind)] = issued_;
        each_successor(u, [&](std::uint32_t s) {
            ready_at_[s] = std::max(ready_at_[s], time_ + facts_.units[u].latency);
            if (--waits_[s] == 0) add_ready(s);
        });
    }

    void finish() {
        const auto number = static_cast<float>(std::max<std::size_t>(1, out_.decided));
        for (float& p : out_.prefers)
            p /= number;
        for (const double g : gradient_)
            out_.gradient.push_back(static_cast<float>(g / std::sqrt(number)));
        std::ranges::stable_sort(out_.decisions, std::greater(),
                                 [](const OrderDecision& d) { return d.parts[0].share; });
        if (out_.decisions.size() > kMostDecisions) out_.decisions.resize(kMostDecisions);
        while (!out_.keys.empty() && out_.keys.back() == 0)
            out_.keys.pop_back();
    }

    const ptx::OrderFacts& facts_;
    const ptx::Order& order_;
    std::span<const float> weights_;
    const OrderTask& task_;
    Rng rng_;
    BuiltOrder out_;
    std::vector<std::uint32_t> place_;  // in the base, by unit
    std::vector<std::uint32_t> waits_;  // predecessors that are not issued, by unit
    std::vector<std::uint32_t> last_read_;  // reads that are left, by value
    std::vector<float> ready_at_;           // time at which operands are there, by unit
    std::vector<std::size_t> ready_since_;  // by unit
    std::vector<std::uint32_t> ready_;      // by place
    const ptx::Block* block_ = nullptr;
    std::uint32_t depth_ = 0, last_ = ~0u;
    std::size_t issued_ = 0;
    std::array<std::size_t, 8> last_of_ = {};  // units issued when one of a kind was, by kind
    float time_ = 0, pressure_ = 0, longest_ = 1;
    std::vector<Static> static_;
    std::vector<bool> known_;
    std::vector<float> nth_load_;
    std::vector<std::uint32_t> candidates_;
    std::vector<Features> features_;
    std::vector<std::array<float, kHidden>> hidden_;
    std::vector<double> chance_, prior_, gradient_;
};

}  // namespace

OrderWeights untrained_weights() {
    OrderWeights out(kOrderWeights, 0.0F);
    out[kLater] = kKeepsBase;
    Rng rng(17);  // hidden units must differ to learn different things
    const double spread = 1 / std::sqrt(static_cast<double>(kFeatures));
    for (std::size_t i = kRows; i < kOrderWeights; ++i)
        out[i] = static_cast<float>((2 * rng.unit() - 1) * spread);
    return out;
}

std::string text_of(std::span<const OrderDecision> decisions) {
    std::string out;
    for (const OrderDecision& d : decisions) {
        out += fmt::format("{}{}>{}", out.empty() ? "" : ";", d.unit, d.instead);
        for (const OrderDecision::Part& part : d.parts)
            out += fmt::format(",{}:{:.2f}", kOrderFeatures[part.feature].name, part.share);
    }
    return out;
}

Result<std::vector<OrderDecision>> decisions_from(std::string_view text) {
    std::vector<OrderDecision> out;
    const auto bad = [](std::string_view part) {
        return fail(ErrorCode::BadInput, fmt::format("'{}' is no decision", part.substr(0, 40)), "decisions");
    };
    const auto next = [](std::string_view& rest, char end) {
        const std::string_view part = rest.substr(0, rest.find(end));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        return part;
    };
    while (!text.empty()) {
        const std::string_view whole = next(text, ';');
        std::string_view rest = whole;
        const auto unit = parse_number<std::uint32_t>(next(rest, '>'));
        const auto instead = parse_number<std::uint32_t>(next(rest, ','));
        if (!unit || !instead) return bad(whole);
        OrderDecision decision{.unit = *unit, .instead = *instead};
        for (OrderDecision::Part& part : decision.parts) {
            const std::string_view name = next(rest, ':');
            const auto feature = std::ranges::find(kOrderFeatures, name, [](const OrderFeature& f) { return std::string_view(f.name); });
            const auto share = parse_number<float>(next(rest, ','));
            if (feature == kOrderFeatures.end() || !share) return bad(whole);
            part = {static_cast<std::uint32_t>(feature - kOrderFeatures.begin()), *share};
        }
        out.push_back(decision);
    }
    return out;
}

BuiltOrder build_order(const ptx::OrderFacts& facts, std::span<const float> weights, const OrderTask& task) {
    return Building(facts, weights, task).run();
}

}  // namespace cubinlab
