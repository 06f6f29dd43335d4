// SPDX-License-Identifier: GPL-3.0-or-later
// How long a run goes on.
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
    std::optional<std::chrono::milliseconds> time;       // of running, pauses left out; not deterministic
    static Result<Budget> parse(std::string_view text);  // "60s", "5m", "5000steps"
    std::string text() const;
};

}  // namespace cubinlab
