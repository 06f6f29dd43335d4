// SPDX-License-Identifier: GPL-3.0-or-later
// One line of `bench`, and the parts that have a file of their own.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace cubinlab::cli {

struct BenchRow {
    std::string what, kernel, unit;
    double value = 0;
    double budget = 0;
    bool within() const { return value <= budget; }  // no number is not
};

// The command's: 1 where a budget is over.
inline int bench_code(const std::vector<BenchRow>& rows) {
    return std::all_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.within(); }) ? 0 : 1;
}

// Checker and full check, both modes, of large kernels made from a sample (synthetic_kernel.h): time, peak
// memory, and how the time grows with the size. Each in a process of its own, whose peak is its own.
Result<std::vector<BenchRow>> bench_scale(const std::filesystem::path& sample);

}  // namespace cubinlab::cli
