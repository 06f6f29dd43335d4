// SPDX-License-Identifier: GPL-3.0-or-later
// The one way tests include Catch2: version 2.13 (Debian 12) and version 3 spell their headers differently.
#pragma once
#include <string>

#ifdef CATCH2_V2
#include <catch2/catch.hpp>
inline auto contains_text(const std::string& part) { return Catch::Matchers::Contains(part); }
#else
#include <catch2/catch_all.hpp>
using Catch::Approx;
inline auto contains_text(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }
#endif
