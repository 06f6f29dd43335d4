// SPDX-License-Identifier: GPL-3.0-or-later
// What a session measured of cache hints alone: steps from the original that change nothing but hints.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/result/cache.h"
#include "core/result/speedup.h"
#include "core/store/session.h"

namespace cubinlab {

struct HintEffect {
    std::string hints;  // "24 loads evict_first, 8 stores evict_first"
    Speedup speedup;    // of the step's own measurement against the original
    Verdict verdict = Verdict::Unclear;
    std::optional<Cache> cache;
    std::string device;
};

// The highest gain first, at most `most`; of equal hints the last measurement. Reads the first steps of each run, where
// agents try hints. Errors: those of the reader.
Result<std::vector<HintEffect>> hint_effects(SessionReader& reader, const Kernel& kernel, std::size_t most);

}  // namespace cubinlab
