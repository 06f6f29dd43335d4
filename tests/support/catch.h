// SPDX-License-Identifier: GPL-3.0-or-later
// The one way tests include Catch2: version 2.13 (Debian 12) and version 3 spell their headers differently.
#pragma once
#include <source_location>
#include <string>

#ifdef CATCH2_V2
#include <catch2/catch.hpp>
inline auto contains_text(const std::string& part) { return Catch::Matchers::Contains(part); }
#else
#include <catch2/catch_all.hpp>
using Catch::Approx;
inline auto contains_text(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }
#endif

// `result` if it holds a value; the case ends with the error and the caller's place otherwise.
template <class R>
R required(R result, std::source_location at = std::source_location::current()) {
    if (!result) {
        std::string why;
        if constexpr (requires { result.error().message(); }) why = ": " + result.error().message();
        FAIL(at.file_name() << ":" << at.line() << why);
    }
    return result;
}
