// SPDX-License-Identifier: GPL-3.0-or-later
// One HTML file that tells a run to someone who has neither the program nor the GPU: verdict with interval,
// who produced the figures, machine, kernel, reward chart, the edits that make up the result, the listing
// before and after, provenance. Nothing outside the file is referred to, every text is escaped, and it says
// so where a figure is modelled, not measured.
#pragma once
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/evidence/claim.h"
#include "core/evidence/run_curve.h"
#include "core/schedule/schedule.h"
#include "core/search/moves/minimise.h"
#include "core/search/engine/tune_run.h"
#include "core/store/session.h"

namespace cubinlab {

struct ReportData {
    std::filesystem::path session;
    RunInfo run;
    KernelPtr kernel;
    std::vector<std::string> lines;  // display text by InstrId
    std::string listing_origin;
    RunCurve curve;
    Schedule start, best;
    std::optional<StepRecord> best_record;
    std::vector<MeasurementRecord> measurements;  // of the best step
    std::vector<NoteRecord> notes;
    std::optional<Minimised> minimised;  // the edits that carry the gain against the original
    double minimised_keep = 0.95;        // the share of it that they carry
    std::string not_minimised;           // why there are none
    std::string made;                    // ISO 8601, UTC
    std::string version;                 // of the program that makes the report
    Claim claim{};                       // of the best step by itself
    std::string refused{};               // why nothing may be claimed of it; empty: `claim` may
};

// Reads what a report needs, all but `minimised`, which takes an evaluator (core/tuning/session_report.h). run
// 0: the newest with a step. NotFound, Corrupt as SessionReader; Corrupt where a figure that the report would
// show does not follow from what it was made of.
Result<ReportData> read_report_data(SessionReader& reader, const std::filesystem::path& session, RunId run,
                                    std::stop_token stop = {});
std::string report_html(const ReportData& data);

// Written whole or not at all. Returns the file's size in bytes.
Result<std::size_t> write_report(ReportData data, const std::filesystem::path& out,
                                 const std::string& version);

}  // namespace cubinlab
