// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a run (core/evidence/run_report.h) with the edits that carry its gain, which an evaluator of
// the run's own kind judges: the model in a moment, a GPU in a minute or more.
#pragma once
#include <filesystem>
#include <optional>
#include <stop_token>

#include "core/evidence/run_report.h"
#include "core/tuning/session_workload.h"
#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {

struct ReportOptions {
    // Where the GPU judged the run, its edits are minimised on these GPUs. None: the report says why they are
    // not.
    std::optional<GpuSettings> gpu;
    InputFiles inputs = InputFiles::Beside;  // of the session's workload
};

// run 0: the newest with a step. Errors as read_report_data; Cancelled where it was stopped.
Result<ReportData> report_of_session(const std::filesystem::path& session, RunId run,
                                     std::stop_token stop = {}, const ReportOptions& options = {});

}  // namespace cubinlab
