// SPDX-License-Identifier: GPL-3.0-or-later
// One line of `budgets`, and the functions that measure groups of lines.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace cubinlab::cli {

struct BudgetRow {
    std::string what, kernel, unit;
    double value = 0;
    double budget = 0;
    bool within() const { return value <= budget; }  // false for NaN
};

// The exit code of the command: 1 if a value exceeds its budget.
inline int budgets_code(const std::vector<BudgetRow>& rows) {
    return std::all_of(rows.begin(), rows.end(), [](const BudgetRow& row) { return row.within(); }) ? 0 : 1;
}

// Checker and full check, both modes, of large kernels that synthetic_kernel.h makes from a sample: time,
// peak memory, and growth with the size. Each check runs in its own process, to measure its own peak.
Result<std::vector<BudgetRow>> large_kernel_rows(const std::filesystem::path& sample);

}  // namespace cubinlab::cli
