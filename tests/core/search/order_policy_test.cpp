// SPDX-License-Identifier: GPL-3.0-or-later
// The policy that builds orders of PTX: every order is proven by the checker of orders, whatever the weights are; the same
// arguments give the same order; its gradient and its training follow rewards.
#include "core/search/starts/order_policy.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/ptx/order_check.h"
#include "core/search/starts/order_learner.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

struct Subject {
    std::string name;
    ptx::Module module;
    std::shared_ptr<const ptx::OrderFacts> facts;
};

Subject subject_of(std::string name, std::string text) {
    Subject out{std::move(name), *required(ptx::parse(std::move(text))), nullptr};
    out.facts = std::make_shared<const ptx::OrderFacts>(
        *required(ptx::order_facts(out.module, out.module.entries.front().name)));
    return out;
}

std::vector<Subject> samples() {
    std::vector<Subject> out;
    for (const auto& entry : std::filesystem::directory_iterator(CUBINLAB_SAMPLES))
        if (entry.path().extension() == ".ptx")
            out.push_back(subject_of(entry.path().filename().string(), *required(read_text(entry.path()))));
    std::ranges::sort(out, {}, &Subject::name);
    return out;
}

OrderWeights random_weights(std::uint64_t seed) {
    Rng rng(seed);
    OrderWeights out(kOrderWeights);
    for (float& w : out)
        w = static_cast<float>(2 * rng.unit() - 1);
    return out;
}

OrderTask whole(const Subject& on, std::uint64_t seed) {
    OrderTask out;
    out.count = static_cast<std::uint32_t>(on.facts->order.units.size());
    out.seed = seed;
    return out;
}

std::string text_of(const Subject& on, const OrderKeys& keys) {
    return *required(ptx::reorder(on.module, on.facts->order, *required(keys_for(keys, on.facts->order.units.size()))));
}

constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<6>;
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<4>;
	ld.param.u64 	%rd1, [k_param_0];
	ld.param.u32 	%r1, [k_param_1];
	mov.u32 	%r2, 0;
$L_loop:
	mul.wide.s32 	%rd2, %r2, 4;
	add.s64 	%rd3, %rd1, %rd2;
	ld.global.f32 	%f1, [%rd3];
	ex2.approx.f32 	%f2, %f1;
	add.f32 	%f3, %f2, %f1;
	st.global.f32 	[%rd3], %f3;
	add.s32 	%r2, %r2, 1;
	setp.lt.s32 	%p1, %r2, %r1;
	@%p1 bra 	$L_loop;
	ret;
}
)";

// Mean place of the loads of global memory, as a part of all units.
double place_of_loads(const Subject& on, const OrderKeys& keys) {
    double sum = 0, number = 0;
    const std::size_t units = on.facts->order.units.size();
    for (std::size_t u = 0; u < units; ++u) {
        if (on.facts->order.units[u].kind != ptx::OpKind::Load || !on.facts->units[u].global) continue;
        sum += static_cast<double>(u) + (u < keys.size() ? keys[u] : 0);
        ++number;
    }
    return sum / number / static_cast<double>(units);
}

}  // namespace

TEST_CASE("what a policy sees of a loop, worked out by hand") {
    const Subject on = subject_of("k", kPtx);
    const auto& [order, units, values, depth] = *on.facts;
    REQUIRE(order.units.size() == 11);  // the branch, the label and the return stay
    CHECK(depth == std::vector<std::uint32_t>{0, 1});
    const std::size_t wide = 3, add = 4, load = 5, ex2 = 6, sum = 7, store = 8, step = 9;
    CHECK(order.units[load].kind == ptx::OpKind::Load);
    CHECK(units[load].global);
    CHECK(units[wide].feeds_load);
    CHECK(units[add].feeds_load);
    CHECK_FALSE(units[sum].feeds_load);
    CHECK(units[load].first_use == 1);
    CHECK(units[wide].first_use == 1);
    CHECK(units[store].first_use == 0);
    CHECK(units[store].after == 0);
    CHECK(units[sum].after == units[sum].latency);
    CHECK(units[load].after == units[load].latency + units[ex2].latency + units[sum].latency);
    CHECK(units[ex2].before == units[wide].latency + units[add].latency + units[load].latency);
    CHECK(units[ex2].latency > units[sum].latency);
    const auto& address = values[units[add].writes.front()];
    CHECK(address.registers == 2);
    CHECK(address.reads == 2);  // load and store
    CHECK_FALSE(address.outside);
    const auto& counter = values[units[step].writes.front()];
    CHECK(counter.comes_in);
    CHECK(counter.outside);
}

TEST_CASE("every order that a policy builds is proven, whatever its weights are") {
    for (const Subject& on : samples()) {
        INFO(on.name);
        OrderKeys base;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            OrderTask task = whole(on, seed);
            task.base = base;  // around the order before
            task.best = seed == 3;
            const auto built = build_order(*on.facts, seed == 1 ? untrained_weights() : random_weights(seed), task);
            CHECK(built.decided > 0);
            const auto proven = ptx::check_order(on.module.text, text_of(on, built.keys));
            if (!proven) FAIL(proven.error().message());
            base = built.keys;
        }
        CHECK(text_of(on, base) != on.module.text);
    }
}

TEST_CASE("outside its range an order is that of its base, and the same arguments give the same order") {
    const auto all = samples();
    const Subject& on = all.front();
    const auto base = build_order(*on.facts, random_weights(5), whole(on, 1));
    OrderTask none = whole(on, 2);
    none.base = base.keys;
    none.count = 0;
    CHECK(build_order(*on.facts, random_weights(6), none).keys == base.keys);
    CHECK(build_order(*on.facts, random_weights(5), whole(on, 1)).keys == base.keys);
    CHECK(build_order(*on.facts, random_weights(5), whole(on, 3)).keys != base.keys);

    // One that prefers the base's next unit above all keeps it.
    OrderWeights keeps = untrained_weights();
    for (float& w : keeps)
        w *= 1e4F;
    OrderTask same = whole(on, 2);
    same.base = base.keys;
    const auto kept = build_order(*on.facts, keeps, same);
    CHECK(kept.keys == base.keys);
    CHECK(kept.decisions.empty());
}

TEST_CASE("the untrained policy prefers nothing, and decisions survive their text") {
    const auto all = samples();
    const auto untrained = build_order(*all.front().facts, untrained_weights(), whole(all.front(), 4));
    for (const float p : untrained.prefers)
        CHECK(std::abs(p) < 1e-4F);
    const auto built = build_order(*all.front().facts, random_weights(9), whole(all.front(), 4));
    REQUIRE_FALSE(built.decisions.empty());
    const std::string text = cubinlab::text_of(built.decisions);
    const auto read = required(decisions_from(text));
    REQUIRE(read->size() == built.decisions.size());
    CHECK(cubinlab::text_of(*read) == text);
    CHECK(read->front().unit == built.decisions.front().unit);
    CHECK(decisions_from("")->empty());
    for (const char* bad : {"1", "1>2", "1>2,load", "1>2,matrix:0.1,nothing:1", "x>2,matrix:0.1,matrix:1"})
        CHECK(decisions_from(bad).error().code == ErrorCode::BadInput);
}

TEST_CASE("training follows what pays, by both methods, and the same outcomes give the same weights") {
    const Subject on = subject_of("rmsnorm.ptx", *required(read_text(std::string(CUBINLAB_SAMPLES) + "/rmsnorm.ptx")));
    struct Trained {
        double first = 0, last = 0, prefers = 0;  // mean place of the loads, preference for them
        OrderWeights weights;
    };
    const auto train = [&](bool evolution, double rate, std::uint64_t seed, std::size_t updates) {
        ConstructSettings settings;
        settings.rate = rate;
        settings.evolution = evolution;
        OrderLearner learner(on.facts, settings, seed);
        Trained out;
        for (std::size_t update = 0; update < updates; ++update) {
            double sum = 0;
            for (std::size_t i = 0; i < OrderLearner::kEpisodes; ++i) {
                BuiltEpisode episode = learner.build(learner.draw({}));
                const double place = place_of_loads(on, episode.order.keys);
                sum += place;
                learner.add(std::move(episode), -place);
            }
            (update == 0 ? out.first : out.last) = sum;
            std::vector<SearchMetric> metrics;
            learner.learn(metrics);
            REQUIRE(metrics.size() == kFeatures + 1);
            CHECK(metrics.front().name == "prefers_global_load");
            out.prefers = metrics.front().value;
        }
        out.weights = learner.weights();
        return out;
    };
    for (const bool evolution : {false, true}) {
        INFO(evolution);
        const Trained trained = train(evolution, 0.05, 1, 30);
        CHECK(trained.last < trained.first);
        CHECK(trained.prefers > 0);
        const OrderWeights weights = train(evolution, 0.05, 1, 3).weights;
        CHECK(train(evolution, 0.05, 1, 3).weights == weights);
        CHECK(train(evolution, 0.05, 2, 3).weights != weights);
        CHECK(train(evolution, 0, 1, 3).weights == untrained_weights());
    }
}

TEST_CASE("settings of the policy") {
    const auto none = required(construct_settings("{}"));
    CHECK_FALSE(none->on);
    CHECK(none->weights == untrained_weights());
    const OrderWeights weights = random_weights(3);
    const std::string text = settings_with(weights);
    const auto read = required(construct_settings(text));
    CHECK(read->on);
    REQUIRE(read->weights.size() == kOrderWeights);
    for (std::size_t i = 0; i < kOrderWeights; ++i)
        CHECK(std::abs(read->weights[i] - weights[i]) < 1e-5F);
    CHECK(settings_with(read->weights) == text);  // written again they stay as they are
    CHECK(without_weights(text) == R"({"construct":1})");
    for (const char* bad : {R"({"construct_weights":[1,2]})", R"({"construct_weights":"x"})"})
        CHECK(construct_settings(bad).error().code == ErrorCode::BadUse);
}
