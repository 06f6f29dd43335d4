// SPDX-License-Identifier: GPL-3.0-or-later
// The value of a start and its text form.
#include "core/start/start.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

Start filled() {
    return {Hash128{1, 2},         "13.0.88",    "sm_90a", {"-O1", "--register-usage-level=0"}, true,
            {0, 0, -3, 700, 0, 5}, Hash128{3, 4}};
}

}  // namespace

TEST_CASE("a start and its JSON are each other's inverse, and every field counts") {
    const Start start = filled();
    const nlohmann::json json = to_json(start);
    CHECK(*required(start_from_json(json)) == start);
    CHECK(*required(start_from_json(to_json(Start()))) == Start());
    for (const auto& [field, value] : json.items()) {
        INFO(field);
        nlohmann::json without = json, wrong = json;
        without.erase(field);
        wrong[field] = 7;
        for (const auto& bad : {without, wrong}) {
            const auto read = start_from_json(bad);
            REQUIRE_FALSE(read);
            CHECK(read.error().where == field);
        }
    }
    CHECK_FALSE(start_from_json(nlohmann::json::array()));
}

TEST_CASE("keys and their text are each other's inverse, without zeros at the end") {
    CHECK(keys_text(OrderKeys{3, -2, 0, 0, 0, 7, 0, 0}) == "3,-2,*3,7");
    CHECK(keys_text({}) == "");
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        OrderKeys keys = random_keys(seed, 300, seed % 5 == 0 ? 0.4 : 20000);
        while (!keys.empty() && keys.back() == 0)
            keys.pop_back();
        CHECK(*required(parse_keys(keys_text(keys))) == keys);
    }
    for (const char* bad : {"x", "1,,2", "*0", "*-1", "40000", "*99999999", "1.5", "*", ",1"})
        CHECK_FALSE(parse_keys(bad));
}

TEST_CASE("random keys are the same on every machine and have the spread that was asked for") {
    const OrderKeys keys = random_keys(7, 20'000, 30);
    CHECK(OrderKeys(keys.begin(), keys.begin() + 8) == random_keys(7, 8, 30));
    CHECK(keys != random_keys(8, 20'000, 30));
    double sum = 0, squares = 0;
    for (const std::int16_t key : keys) {
        sum += key;
        squares += static_cast<double>(key) * key;
    }
    CHECK(std::abs(sum / 20'000) < 1);
    CHECK(std::sqrt(squares / 20'000) == Approx(30).epsilon(0.03));
}

TEST_CASE("keys become one number a unit, and the missing ones keep their place") {
    CHECK(*required(keys_for(OrderKeys{0, -5}, 4)) == std::vector<double>{0, -4, 2, 3});
    CHECK_FALSE(keys_for(OrderKeys{1, 2, 3}, 2));
}
