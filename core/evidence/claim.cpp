// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/claim.h"

#include <fmt/format.h>

#include "core/base/bounded_json.h"
#include "core/evidence/measured_code.h"
#include "core/evidence/measured_shapes.h"
#include "core/evidence/standalone_checks.h"
#include "core/evidence/step_measurement.h"
#include "core/evidence/stored_figures.h"
#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {

// Who may make a claim that says something: what is below, after its checks.
class ClaimChecks {
  public:
    static Claim passed(ClaimParts parts, const Kernel& original, const Schedule& schedule) {
        parts.code = code_kind_of(original, schedule);
        parts.original = original.hash();
        return Claim(std::move(parts), schedule.hash());
    }
    // In the name of another claim, which says what the original is.
    static Claim passed(ClaimParts parts, const Schedule& schedule) {
        if (parts.original == Hash128()) return passed(std::move(parts), *schedule.kernel(), schedule);
        if (parts.code != CodeKind::Recompiled) parts.code = code_kind_of(*schedule.kernel(), schedule);
        return Claim(std::move(parts), schedule.hash());
    }
};

namespace {

Result<StepRecord> read_record(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                               StepId step) {
    if (step == 0) {
        auto start = TRY(reader.schedule_at(kernel, run.id, 0));
        StepRecord record;
        record.schedule_hash = start.hash();
        return record;
    }
    return reader.step(run.id, step);
}

enum class Of { Step, StepAndMeasurements };

Result<Claim> checked(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run, StepId step,
                      const std::string& session, Of of) {
    auto record = TRY(read_record(reader, kernel, run, step));
    // A claim says of such a run that it is against the original.
    if (run.start_run == 0 && run.start_hash != Schedule(kernel).hash())
        return fail(
            ErrorCode::Corrupt,
            fmt::format("run {} says that it started from the original, but its start is another schedule",
                        run.id),
            session);
    if (step != 0 && seen_to_fail(record.outcome.kind))
        return fail(ErrorCode::Refused,
                    fmt::format("not exported: in run {} step {} gave {}: {}", run.id, step,
                                to_string(record.outcome.kind), record.outcome.detail),
                    session);
    auto measured = TRY(reader.measurements(run.id));
    const MeasurementRecord* failed = failed_measurement(measured, step);
    if (failed != nullptr && seen_to_fail(failed->outcome.kind))
        return fail(refusal_to_export(*failed, session));
    TRY(check_measurement_figures(measured, step));
    TRY(check_measured_code(reader, run, measured, step));
    auto unchecked = TRY(check_step_figure(reader, kernel, run, step));
    ClaimParts parts = parts_of(run, record, session);
    parts.unchecked = std::move(unchecked);
    if (of == Of::StepAndMeasurements && !measured.empty()) {
        auto workload = TRY(reader.workload_json(run.id));
        if (workload.empty()) workload = TRY(reader.workload_json());  // what `measure` takes for such a run
        TRY(check_measured_shapes(measured, step, workload));
        parts = with_measurements(std::move(parts), measured, step, shapes_in(workload));
        if (failed != nullptr) put_without_figure(parts, without_figure(*failed));
    }
    const auto schedule = TRY(reader.schedule_at(kernel, run.id, step));
    const auto original = TRY(reader.kernel());
    if (schedule.kernel()->hash() != original->hash())
        parts.start = TRY(start_of(reader, original, schedule.kernel()->hash()));
    return ClaimChecks::passed(std::move(parts), *original, schedule);
}

Result<Claim> in_session(Result<Claim> claim, const std::string& session) {
    if (claim || !claim.error().where.empty()) return claim;
    Error error = claim.error();
    error.where = session;
    return fail(std::move(error));
}

}  // namespace

Result<Claim> claim_of(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run, StepId step,
                       const std::string& session) {
    return in_session(checked(reader, kernel, run, step, session, Of::StepAndMeasurements), session);
}

Result<Claim> own_claim_of(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run, StepId step,
                           const std::string& session) {
    return in_session(checked(reader, kernel, run, step, session, Of::Step), session);
}

Result<Start> start_of(SessionReader& reader, const KernelPtr& original, const Hash128& code) {
    const auto record = TRY(reader.start_with_code(original, code));
    if (!record || !record->kernel)
        return fail(ErrorCode::NotFound, "the session has no start with the code " + code.hex());
    const std::string_view text(reinterpret_cast<const char*>(record->recipe.data()), record->recipe.size());
    auto start = TRY(start_from_json(parse_json_or_discard(text)));
    if (start.cubin != record->kernel->cubin().file_hash())
        return fail(ErrorCode::Corrupt, "a start of the session names another cubin than is stored with it");
    start.decisions.clear();  // no part of what is claimed
    return start;
}

Result<Claim> claim_of_outcome(const Kernel& original, const Schedule& schedule, const RunInfo& run,
                               const StepRecord& record, const std::string& session,
                               std::optional<Start> start) {
    auto unchecked = check_lone_figure(original, schedule, run, record);
    if (!unchecked) return in_session(fail(unchecked.error()), session);
    ClaimParts parts = parts_of(run, record, session);
    parts.unchecked = std::move(*unchecked);
    parts.start = std::move(start);
    return ClaimChecks::passed(std::move(parts), original, schedule);
}

Result<Claim> claim_of_comparison(const Schedule& schedule, const ShapesComparison& measured,
                                  const Claim& of) {
    const Outcome& o = measured.outcome;
    if (!o.ok())
        return fail(ErrorCode::Refused, fmt::format("re-measured: {} {}", to_string(o.kind), o.detail));
    TRY(check_comparison(measured));
    for (const Comparison& shape : measured.shapes)
        TRY(check_measured_code(shape.outcome, schedule.hash(), "the measurement"));
    ClaimParts parts = of.parts();
    const EvaluatorInfo& machine = measured.first().machine;
    put_measured(parts, machine.device, cache_of(machine), shape_figure({}, o), measured.figures());
    parts.compared_inputs = measured.outputs_equal() ? measured.first().details.input_sets : 0;
    return ClaimChecks::passed(std::move(parts), schedule);
}

Claim claim_without_figure(const Schedule& schedule, const ShapesComparison& measured, const Claim& of) {
    ClaimParts parts = of.parts();
    put_without_figure(parts, measured.without_figure());
    return ClaimChecks::passed(std::move(parts), schedule);
}

}  // namespace cubinlab
