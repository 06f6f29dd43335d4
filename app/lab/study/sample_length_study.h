// SPDX-License-Identifier: GPL-3.0-or-later
// What a longer timing sample buys. The original against itself, samples of several lengths in turn: how far
// apart the pairs of one load lie, whether neighbours err alike, and what the load adds. Noise that stays the
// same in microseconds however long a sample is says: one long pair instead of several short ones.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/measure/gpu_client.h"

namespace cubinlab {

struct SampleLengthRow {
    int launches = 0;      // of one sample
    double sample_us = 0;  // timed launches of one sample
    double pair_us = 0;    // what a pair takes, untimed launches included
    std::uint64_t loads = 0, pairs = 0, failed = 0;
    double pair_deviation = 0;             // within a load, log
    double load_deviation = 0;             // of a load's mean beyond what its pairs explain, log
    double neighbours = 0;                 // correlation of one pair with the next of its load
    double far = 0;                        // share of the pairs beyond four deviations
    double sample_noise_us() const;        // of one sample as a whole
    double millisecond_deviation() const;  // of as many pairs as a millisecond holds, were they independent
};

struct SampleLengthStudy {
    std::string kernel;
    double original_us = 0;
    std::vector<SampleLengthRow> rows;  // by launches
};

// Pairs of each load, by load. What a load's mean says of the load alone, see SampleLengthRow.
void describe_pairs(const std::vector<std::vector<float>>& by_load, SampleLengthRow& row);

// Rounds over all lengths until the time is used up; one at least.
Result<SampleLengthStudy> study_sample_length(GpuClient& client, std::span<const std::byte> original,
                                              double seconds, std::stop_token stop);

}  // namespace cubinlab
