// SPDX-License-Identifier: GPL-3.0-or-later
// One line of `bench`, and the parts that have a file of their own.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace cubinlab::cli {

struct BenchRow {
    std::string what, kernel, unit;
    double value = 0;
    double budget = 0;
};

// Checker and full check, both modes, of large kernels made from a sample (synthetic_kernel.h): time, peak
// memory, and how the time grows with the size. Each in a process of its own, whose peak is its own.
Result<std::vector<BenchRow>> bench_scale(const std::filesystem::path& sample);

}  // namespace cubinlab::cli
