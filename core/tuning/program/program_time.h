// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU time of all kernels of a program with the tuned kernels and with the original ones, from a run that alternates
// both forms for some hundred launches each (CUBINLAB_AB_ALL, resources/docs/inject.md). It includes what a tuned
// kernel does to the caches of the kernels behind it.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/result/speedup.h"
#include "core/tuning/program/preloaded_program.h"

namespace cubinlab {

struct ProgramTime {
    Speedup speedup;                        // of the time of all kernels; 95 % interval over pairs of stretches
    std::size_t pairs = 0;                  // of stretches
    double original_us = 0, tuned_us = 0;   // of one stretch, the mean
    std::uint64_t counted = 0, timed = 0;   // launches that count; all that were timed
    double empty_us = 0;                    // of two events alone, subtracted from each launch
};

inline constexpr std::size_t kLeastStretchPairs = 4;

// Over all processes. Empty: fewer than kLeastStretchPairs pairs.
std::optional<ProgramTime> time_of_program(const PreloadedRun& run);
// What is missing if time_of_program() is empty: "2 of 4 pairs of stretches after 3,100 launches outside of graphs; about
// 1,600 more launches are needed".
std::string missing_time_of_program(const PreloadedRun& run);
nlohmann::ordered_json to_json(const ProgramTime& time);
std::optional<ProgramTime> program_time_in(const nlohmann::json& document);
// "+2.31 % [+1.95, +2.67] over 14 pairs of stretches, 1,234 us, original 1,263 us"
std::string text_of(const ProgramTime& time);

// Pairs of launches of one kernel in the program, of all processes: ln(original / tuned).
std::optional<Speedup> speedup_in_program(const PreloadedRun& run, const std::string& kernel);

}  // namespace cubinlab
