// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of option values as they are typed: CLI11 alone takes "-1" for a large unsigned number, and "nan"
// for seconds.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cubinlab::cli {

// Empty: fine; else what is expected.
using Check = std::function<std::string(const std::string&)>;
Check whole(std::uint64_t low, std::uint64_t high);
Check real(double low, double high);
Check one_of(std::vector<std::string> values);
Check not_empty();

// The word of `known` that `typed` may have been meant for; empty: none is near.
std::string nearest(const std::string& typed, const std::vector<std::string>& known);

}  // namespace cubinlab::cli
