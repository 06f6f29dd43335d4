// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"

using namespace cubinlab;
using nlohmann::json;

TEST_CASE("a document of UTF-8 is written as it is, in ASCII") {
    CHECK(json_text(json{{"a", "\u00e4\u202e"}}, -1) == R"({"a":"\u00e4\u202e"})");
    CHECK(json_text(json::array({"x"}), -1) == R"(["x"])");
}

TEST_CASE("texts that are no UTF-8 keep every byte, by their place in the document") {
    const std::string file = "s\xff.db", lone = "\xed\xa0\x80", cut = "\xe2\x82";
    const json document = {
        {"session", file}, {"runs", {{{"a/b", lone}, {"run", 1}}, {{"a/b", "fine"}}}}, {"list", {"x", cut}}};
    const std::string text = json_text(document, 2);
    for (const char c : text)
        CHECK(static_cast<unsigned char>(c) < 0x80);
    const json read = json::parse(text);
    CHECK(read["session"] == "s\ufffd.db");
    REQUIRE(read[kNotUtf8].size() == 3);
    CHECK(read[kNotUtf8]["/session"] == "73ff2e6462");
    CHECK(read[kNotUtf8]["/runs/0/a~1b"] == "eda080");
    CHECK(read[kNotUtf8]["/list/1"] == "e282");
    for (const auto& [at, bytes] : read[kNotUtf8].items())
        CHECK(read.contains(json::json_pointer(at)));
}
