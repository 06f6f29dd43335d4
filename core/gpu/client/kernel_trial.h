// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one warp of a small kernel in a fresh worker and returns what it stored. The kernel's parameters are the address of
// kTrialWords zeroed words, and a number.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {

inline constexpr std::size_t kTrialWords = 64;

struct KernelTrial {
    std::vector<std::byte> cubin;
    std::string kernel;
    std::uint32_t number = 0;
};
struct TrialAnswer {
    std::vector<std::uint32_t> words;  // kTrialWords
    std::string failure;               // the driver loads or runs it not; empty: it ran
};

// Errors: Worker (it does not answer, or not with so many words), NoGpu, Cancelled.
Result<TrialAnswer> run_trial(const GpuSettings& settings, const KernelTrial& trial,
                              const std::stop_token& stop);

}  // namespace cubinlab
