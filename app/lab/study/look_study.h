// SPDX-License-Identifier: GPL-3.0-or-later
// What looks at several candidates at once are worth: the original and one slower schedule as candidates of the
// original, each alone, four and eight together in turn. How many a second, how far apart looks at the same schedule lie,
// whether it matters which place of its group a candidate had, and whether both ways say the same of the slower one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/lab/study/phase_share.h"
#include "core/measure/gpu_client.h"

namespace cubinlab {

struct LookWay {
    std::size_t at_most = 1;  // candidates at once; 1: each alone
    std::uint64_t looks = 0, failed = 0;
    double seconds = 0;
    double deviation = 0;  // of a look at the original, log
    // Mean of looks at the original by place (alone: of the place that it would have had), and its standard error; as many
    // places as are in use.
    std::vector<double> mean_at, error_at;
    double slower = 0, slower_error = 0;  // mean look at the slower one, log; its standard error
    PhaseShare phases;
    double per_second() const { return seconds > 0 ? static_cast<double>(looks) / seconds : 0; }
    // How many looks alone say as much as a second of these: 1 / (variance * time of one).
    double worth() const { return deviation > 0 ? per_second() / (deviation * deviation) : 0; }
};

struct LookStudy {
    std::string kernel;
    double original_us = 0;
    LookShape shape;
    std::vector<LookWay> ways;  // the first: alone
};

// Batches of 16, each way in turn, until the time is used up; one of each at least.
Result<LookStudy> study_looks(GpuClient& client, const WireImage& original, const WireImage& slower,
                              double seconds, std::stop_token stop);

}  // namespace cubinlab
