// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a run: an outcome's one list of fields, and its form as JSON.
#include "core/result/outcome_json.h"
#include "tests/support/catch.h"
#include "tests/support/filled_outcome.h"

using namespace cubinlab;
using nlohmann::json;

TEST_CASE("an outcome as JSON and back is the same in every field") {
    const Outcome filled = test::filled_outcome();
    const std::string text = test::text_of(filled);
    CHECK(test::text_of(read_outcome(json::parse(text))) == text);
    CHECK(test::text_of(Outcome{}) != text);
}

TEST_CASE("every field has a name of its own") {
    std::vector<std::string> names;
    const Outcome any;
    visit_fields(any, [&](const char* field, const auto&) {
        CHECK(std::find(names.begin(), names.end(), field) == names.end());
        names.emplace_back(field);
    });
}

TEST_CASE("JSON of an outcome may lack everything but the figure") {
    json written = json::parse(test::text_of(test::filled_outcome()));
    for (const char* later : {"pairs", "detail", "device", "set_aside", "alpha", "energy_mj", "states"})
        written.erase(later);
    const Outcome read = read_outcome(written);
    CHECK(read.ok());
    CHECK(read.states.empty());
    CHECK(read.alpha == 0);
    written.erase("low");
    CHECK_THROWS(read_outcome(written));
}

TEST_CASE("raw samples can be left out") {
    const auto brief = outcome_json(test::filled_outcome(), RawSamples::LeftOut);
    CHECK_FALSE(brief.contains("log_ratio_samples"));
    CHECK_FALSE(brief.contains("states"));
    CHECK(brief.at("verdict") == "FASTER");
}

TEST_CASE("readings of the GPU are four numbers each, by name") {
    const std::vector<float> numbers = {1980, 41, 310, 0, 1965, 42, 315, 4};
    const auto readings = required(readings_from(numbers));
    REQUIRE(readings->size() == 2);
    CHECK(readings->at(1).sm_clock_mhz == 1965);
    CHECK(readings->at(1).temperature_c == 42);
    CHECK(readings->at(1).power_w == 315);
    CHECK(readings->at(1).throttle_reasons == 4);
    CHECK(flat(*readings) == numbers);
    CHECK_FALSE(readings_from(std::span(numbers).first(7)));
}

TEST_CASE("words for outcomes and verdicts are read back") {
    for (int i = 0; i <= static_cast<int>(OutcomeKind::Error); ++i) {
        const auto kind = static_cast<OutcomeKind>(i);
        CHECK(parse_outcome(to_string(kind)) == kind);
    }
    CHECK_FALSE(parse_outcome("fine"));
    CHECK(parse_verdict("FASTER") == Verdict::Faster);
    CHECK_FALSE(parse_verdict("faster"));
}
