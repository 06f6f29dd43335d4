// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the agent module that need no LibTorch.
#include "core/agent/advantage.h"
#include "core/search/agents/searcher_settings.h"
#include "core/search/agents/cuasmrl_settings.h"
#include "core/search/engine/searcher.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("advantages of a rollout worked out by hand") {
    const std::vector<double> reward = {1, 2, 3};
    const std::vector<double> value = {0.5, 1, 1.5};
    SECTION("one episode that goes on") {
        const auto a = estimate_advantages(reward, value, {false, false, false}, 2, 0.5, 0.5);
        // delta: 1 + .5*1 - .5 = 1;  2 + .5*1.5 - 1 = 1.75;  3 + .5*2 - 1.5 = 2.5;  gamma*lambda = .25
        CHECK(a.advantage[2] == Approx(2.5));
        CHECK(a.advantage[1] == Approx(1.75 + 0.25 * 2.5));
        CHECK(a.advantage[0] == Approx(1 + 0.25 * (1.75 + 0.25 * 2.5)));
        CHECK(a.target[1] == Approx(a.advantage[1] + 1));
    }
    SECTION("an end in the middle cuts what comes after") {
        const auto a = estimate_advantages(reward, value, {false, true, false}, 2, 0.5, 0.5);
        CHECK(a.advantage[1] == Approx(2 - 1));
        CHECK(a.advantage[0] == Approx(1 + 0.25 * 1));
    }
    SECTION("lambda 1, gamma 1, no value: the sum of the rewards to come") {
        const auto a =
            estimate_advantages(reward, std::vector<double>{0, 0, 0}, {false, false, true}, 9, 1, 1);
        CHECK(a.advantage[0] == Approx(6));
        CHECK(a.target[2] == Approx(3));
    }
}

TEST_CASE("the defaults are the paper's") {
    const auto s = required(PpoSettings::parse("{}"));
    CHECK(s->learning_rate == 2.5e-4);
    CHECK(s->rollout == 64);
    CHECK(s->horizon == 32);
    CHECK(s->minibatch == 8);
    CHECK(s->epochs == 4);
    CHECK(s->gamma == 0.99);
    CHECK(s->gae_lambda == 0.95);
    CHECK(s->clip == 0.2);
    CHECK(s->entropy == 0.01);
    CHECK(s->value == 0.5);
    CHECK(s->max_grad_norm == 0.5);
    CHECK(s->total_steps == 64000);
}

TEST_CASE("settings survive their text") {
    const auto s = required(PpoSettings::parse(R"({"network":"paper","rollout":128,"learning_rate":0.001})"));
    const auto again = required(PpoSettings::parse(s->json()));
    CHECK(again->network == NetworkKind::Paper);
    CHECK(again->rollout == 128);
    CHECK(again->json() == s->json());
}

TEST_CASE("the list of agents shows each one's settings, those of the neural agents without LibTorch too") {
    for (const SearcherDescription& description : searcher_descriptions()) {
        INFO(description.name);
        CHECK(description.settings_json.size() > 2);
        if (description.name == "ppo-cuasmrl") CHECK(PpoSettings::parse(description.settings_json));
    }
}

TEST_CASE("a wrong setting is named") {
    const std::pair<const char*, const char*> cases[] = {{"", "JSON object"},
                                                         {"[1]", "JSON object"},
                                                         {R"({"rolout":64})", "rolout"},
                                                         {R"({"rollout":0})", "rollout"},
                                                         {R"({"rollout":"x"})", "rollout"},
                                                         {R"({"network":"big"})", "network"},
                                                         {R"({"gamma":1.5})", "gamma"},
                                                         {R"({"minibatch":65})", "minibatch"},
                                                         {R"({"epochs":2.5})", "epochs"},
                                                         {R"({"failure_reward":1})", "failure_reward"},
                                                         {"{", "JSON object"}};
    for (const auto& [text, named] : cases) {
        INFO(text);
        const auto s = PpoSettings::parse(text);
        REQUIRE_FALSE(s);
        CHECK(s.error().code == ErrorCode::BadUse);
        CHECK(s.error().message().find(named) != std::string::npos);
    }
}
