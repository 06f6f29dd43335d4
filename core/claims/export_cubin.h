// SPDX-License-Identifier: GPL-3.0-or-later
// Writing a schedule as a cubin that can be trusted: proven legal before, re-opened and proven again after,
// and stamped with where its figures come from. The stamp is a second file, NAME.cubin.provenance.json,
// because the cubin itself differs from the original in nothing but the schedule.
//
//   auto report = export_cubin(schedule, "best.cubin", provenance);
//   report->stamp      // "measured: 1.032x [1.029, 1.035] on NVIDIA H200" or "modelled, unmeasured"
#pragma once
#include <filesystem>
#include <string>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/schedule/schedule.h"
#include "core/store/session.h"

namespace cubinlab {

struct Provenance {
    std::string evaluator = "none";  // "gpu", "model", "none"
    std::string device;
    double log_speedup = 0, low = 0, high = 0;  // against the original, unless:
    bool against_start = false;  // against the schedule that the run started from, which is not the original
    std::string verdict = "UNCLEAR";
    // False: the figure is that of a screening or a promotion, made on data that helped to choose the
    // schedule.
    bool confirmed = true;
    // Why the figure could not be checked against what it was made of (stored_figures.h); empty: it was, or
    // it was made just now.
    std::string unchecked;
    std::string session;  // path
    RunId run = 0;
    StepId step = 0;
};

struct ExportReport {
    std::filesystem::path path;
    Hash128 code_hash;
    std::size_t moved = 0;
    std::size_t control_changed = 0;
    std::string stamp;
};

std::string stamp_of(const Provenance& provenance);

// Refused if the schedule is not legal; Unsupported for view-only architectures.
Result<ExportReport> export_cubin(const Schedule& schedule, const std::filesystem::path& path,
                                  const Provenance& provenance);

// Whether an outcome is a figure over fresh loads at no more than kConfirmAlpha.
bool is_confirmed(const Outcome& outcome);
// Provenance of a step of a logged run. Whoever exports asks check_step_figure first and puts its answer into
// `unchecked`.
Provenance provenance_of(const RunInfo& run, const StepRecord& record, const std::filesystem::path& session);

}  // namespace cubinlab
