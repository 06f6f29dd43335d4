// SPDX-License-Identifier: GPL-3.0-or-later
// What a measured schedule was worth, by the single edits of it that were tried: most do nothing.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace cubinlab {

inline constexpr std::size_t kLeastSiblings = 6;  // edits of a schedule whose median says what it is worth

// The upper one of the two in the middle. Not of nothing.
inline double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace cubinlab
