// SPDX-License-Identifier: GPL-3.0-or-later
// The limit of a run: a number of steps or a time.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace cubinlab {

struct Budget {
    std::optional<std::uint64_t> steps;                  // evaluated candidates
    std::optional<std::chrono::milliseconds> time;       // running time without pauses; not deterministic
    static Result<Budget> parse(std::string_view text);  // "60s", "5m", "5000steps"
    std::string text() const;
};

}  // namespace cubinlab
