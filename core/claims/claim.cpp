// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/claim.h"

#include <fmt/format.h>

#include "core/claims/step_measurement.h"
#include "core/claims/stored_figures.h"

namespace cubinlab {
namespace {

Result<StepRecord> read_record(SessionReader& reader, const RunInfo& run, StepId step) {
    if (step == 0) return StepRecord{};
    auto rows = reader.steps(run.id, step - 1, 1);
    if (!rows) return fail(rows.error());
    if (rows->size() != 1 || rows->front().step != step)
        return fail(ErrorCode::NotFound, fmt::format("run {} has no step {}", run.id, step));
    return std::move(rows->front());
}

}  // namespace

Result<Provenance> claim_of(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run, StepId step,
                            const std::string& session) {
    const auto in_session = [&](Error error) {
        if (error.where.empty()) error.where = session;
        return fail(std::move(error));
    };
    auto record = read_record(reader, run, step);
    if (!record) return in_session(record.error());
    auto measured = reader.measurements(run.id);
    if (!measured) return in_session(measured.error());
    if (const MeasurementRecord* failed = failed_measurement(*measured, step))
        return fail(refusal_to_export(*failed, session));
    if (auto follows = check_measurement_figures(*measured, step); !follows)
        return in_session(follows.error());
    auto unchecked = check_step_figure(reader, kernel, run, step);
    if (!unchecked) return in_session(unchecked.error());
    Provenance claim = provenance_of(run, *record, session);
    claim.unchecked = std::move(*unchecked);
    return with_measurements(std::move(claim), *measured, step);
}

}  // namespace cubinlab
