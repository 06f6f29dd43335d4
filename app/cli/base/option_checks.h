// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of option values as the user types them: CLI11 alone reads "-1" as a large unsigned number, and
// accepts "nan" as seconds.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cubinlab::cli {

// Returns an error message; empty: the value is valid.
using Check = std::function<std::string(const std::string&)>;
Check whole(std::uint64_t low, std::uint64_t high);
Check real(double low, double high);
Check one_of(std::vector<std::string> values);
Check not_empty();

// The word of `known` closest to `typed`; empty: none is close.
std::string nearest(const std::string& typed, const std::vector<std::string>& known);

}  // namespace cubinlab::cli
