// SPDX-License-Identifier: GPL-3.0-or-later
// Documents from others: nesting and numbers of values are limited before anything is built of them.
#include "core/base/bounded_json.h"

#include <string>

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

std::vector<std::byte> bytes_of(const std::vector<int>& values) {
    std::vector<std::byte> out;
    for (const int value : values)
        out.push_back(static_cast<std::byte>(value));
    return out;
}

std::string nested(std::size_t depth, char open = '[', char close = ']') {
    return std::string(depth, open) + std::string(depth, close);
}

bool mentions(const Result<nlohmann::json>& result, std::string_view part) {
    return !result && result.error().what.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("JSON is nested 64 deep and no deeper") {
    CHECK(parse_json(nested(64)));
    CHECK(mentions(parse_json(nested(65)), "nested more than 64"));
    CHECK(mentions(parse_json(nested(3000000)), "nested"));
    CHECK(mentions(parse_json(std::string(3000000, '{')), "nested"));
    CHECK(parse_json_or_discard(nested(3000000)).is_discarded());
    CHECK(mentions(parse_json(nested(3000000), JsonComments::Allowed), "nested"));
}

TEST_CASE("brackets in texts and comments do not count") {
    const std::string text = "\"" + std::string(1000, '[') + "\\\"[\"";
    CHECK(parse_json(text));
    const std::string commented =
        "// " + std::string(1000, '[') + "\n/* " + std::string(1000, '{') + " */ [1] // \"";
    CHECK(parse_json(commented, JsonComments::Allowed));
    CHECK_FALSE(parse_json(commented));
    // A text that would hide what follows it, if a comment's quote opened one.
    CHECK(mentions(parse_json("// \"\n" + nested(65), JsonComments::Allowed), "nested"));
    CHECK(mentions(parse_json("\"//\"" + nested(65), JsonComments::Allowed), "nested"));
}

TEST_CASE("JSON of more than a million values is refused") {
    std::string many = "[0";
    for (int i = 0; i < 1 << 20; ++i)
        many += ",0";
    CHECK(mentions(parse_json(many + "]"), "values"));
    CHECK_FALSE(parse_json("[1, 2"));
    CHECK_FALSE(parse_json(""));
    CHECK(parse_json("{\"a\": [1, 2.5, null, true]}"));
}

TEST_CASE("CBOR: what our writer makes is read, anything else refused") {
    const nlohmann::json document = {{"n", -5},
                                     {"x", 2.5},
                                     {"list", {1, 300, 70000, 5000000000}},
                                     {"t", "text \u00e9"},
                                     {"none", nullptr}};
    const auto encoded = nlohmann::json::to_cbor(document);
    const auto parsed = required(parse_cbor(std::as_bytes(std::span(encoded))));
    CHECK(*parsed == document);
    CHECK(mentions(parse_cbor(std::vector<std::byte>(3000000, std::byte{0x81})), "nested"));
    CHECK(mentions(parse_cbor(std::vector<std::byte>(3000000, std::byte{0x9f})), "length"));
    CHECK(mentions(parse_cbor(bytes_of({0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})), "truncated"));
    CHECK(mentions(parse_cbor(bytes_of({0x5b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})), "truncated"));
    CHECK(mentions(parse_cbor(bytes_of({0x62, 0xc3, 0x28})), "UTF-8"));
    CHECK(mentions(parse_cbor(bytes_of({0x63, 0xed, 0xa0, 0x80})), "UTF-8"));  // half of a surrogate pair
    CHECK(mentions(parse_cbor(bytes_of({0xc1, 0x00})), "tag"));
    CHECK(mentions(parse_cbor(bytes_of({0x01, 0x01})), "behind its end"));
    CHECK(mentions(parse_cbor({}), "truncated"));
}

TEST_CASE("a whole number is read as it stands or not at all") {
    CHECK(whole_number<std::uint32_t>(4'294'967'295u) == 4'294'967'295u);
    CHECK(whole_number<std::int8_t>(-128) == -128);
    CHECK(whole_number<std::uint64_t>(0) == 0);
    for (const char* text :
         {"300444444444444444444444444444", "1e30", "-1", "0.5", "4294967296", "\"7\"", "null", "true"}) {
        INFO(text);
        CHECK_THROWS(whole_number<std::uint32_t>(nlohmann::json::parse(text)));
    }
}

TEST_CASE("a key's value is taken where it has the type of its default, else the default") {
    const nlohmann::json object = nlohmann::json::parse(
        R"({"text": "a", "whole": 300, "negative": -1, "real": 2.5, "flag": true, "list": ["x"], "null": null})");
    CHECK(json_or(object, "text", "none") == "a");
    CHECK(json_or(object, "whole", "none") == "none");
    CHECK(json_or(object, "absent", "none") == "none");
    CHECK(json_or(object, "whole", std::uint64_t{7}) == 300);
    CHECK(json_or(object, "whole", std::uint8_t{7}) == 7);
    CHECK(json_or(object, "negative", std::uint64_t{7}) == 7);
    CHECK(json_or(object, "real", 7) == 7);
    CHECK(json_or(object, "flag", 7) == 7);
    CHECK(json_or(object, "real", 0.0) == 2.5);
    CHECK(json_or(object, "whole", 0.0) == 300.0);
    CHECK(json_or(object, "null", 1.5) == 1.5);
    CHECK(json_or(object, "flag", false));
    CHECK_FALSE(json_or(object, "whole", false));
    CHECK(json_or(object, "list", std::vector<std::string>{}) == std::vector<std::string>{"x"});
    CHECK(json_or(object, "text", std::vector<std::string>{}).empty());
    CHECK(json_or(nlohmann::json::parse("[1]"), "text", "none") == "none");
    CHECK(json_or(nlohmann::json(), "text", "none") == "none");
}
