// SPDX-License-Identifier: GPL-3.0-or-later
// Measured schedules of one kernel, for scoring a model's order: each as edits, with two independent figures
// against the kernel's original (two halves of the measurement, taken at different times). JSON; format in
// resources/docs/laboratory.md. What `cubinlab-lab rank` writes and `cubinlab fit` reads.
//
//   auto file = read_rank_file("bmm_mma.rank.json");
//   auto schedules = file->schedules(kernel);          // one for each row, in order
//   score(file->measured(), cycles)                    // core/jobs/rank_score.h
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/model/sm_model.h"
#include "core/schedule/mutation.h"

namespace cubinlab {

// Mean log speed-up against the original over `loads` fresh module loads, and its standard error.
struct RankHalf {
    double mean = 0, error = 0;
    int loads = 0;
};

struct RankRow {
    bool near_good = false;  // of which schedule the edits are: the good one, else the original
    Mutation edits;          // empty: that schedule itself
    RankHalf a, b;
};

struct RankFile {
    std::string kernel, cubin;  // cubin: file name, no folder
    Hash128 code;               // of the original's words
    std::string device, driver, cache = "hot";
    double original_us = 0;
    SmModelSettings launch;             // threads, grid and shared memory of the workload
    Mutation good;                      // from the original to the good schedule; empty: there is none
    std::uint64_t failed = 0;           // candidates that did not run well, not in the rows
    std::vector<std::string> failures;  // what was seen, a few of them
    std::vector<RankRow> rows;

    // Errors: BadInput (another kernel's code, edits that do not apply).
    Result<std::vector<Schedule>> schedules(const KernelPtr& kernel) const;
};

Result<RankFile> read_rank_file(const std::filesystem::path& path);
std::string to_text(const RankFile& file);

}  // namespace cubinlab
