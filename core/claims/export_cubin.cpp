// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/export_cubin.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/analysis/hazard_checker.h"
#include "core/analysis/schedule_diff.h"
#include "core/base/file.h"
#include "core/base/output_file.h"
#include "core/claims/own_outputs.h"
#include "core/measure/bench_types.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab {
namespace {

Status prove(const Schedule& schedule, const std::string& where) {
    auto checker = HazardChecker::create(schedule.kernel());
    if (!checker) return fail(checker.error());
    const Legality hazards = (*checker)->check(schedule);
    if (hazards.empty()) return {};
    return fail(ErrorCode::Refused,
                fmt::format("not exported, the schedule is illegal ({} finding{}): {}", hazards.size(),
                            hazards.size() == 1 ? "" : "s", hazards.front().explanation),
                where);
}

// What was written is what was meant: read it back as any user would and prove it again.
Result<Schedule> verify_file(const Schedule& schedule, const std::filesystem::path& path) {
    auto cubin = Cubin::open(path);
    if (!cubin) return fail(cubin.error());
    auto info = (*cubin)->kernel(schedule.kernel()->name());
    if (!info) return fail(info.error());
    auto reread = Schedule::match(schedule.kernel(), (*cubin)->code(**info));
    if (!reread) return fail(reread.error());
    if (reread->hash() != schedule.hash())
        return fail(ErrorCode::Corrupt, "the written file does not hold the schedule that was exported",
                    path.string());
    if (auto legal = prove(*reread, path.string()); !legal) return fail(legal.error());
    return reread;
}

}  // namespace

std::string stamp_of(const Provenance& p) {
    std::string of =
        p.against_start ? ", against the schedule that the run started from, not the original" : "";
    if (p.evaluator == "gpu") {
        if (!p.unchecked.empty()) of += "; not checked against samples: " + p.unchecked;
        const std::string figure = fmt::format("{:.4f}x [{:.4f}, {:.4f}]", std::exp(p.log_speedup),
                                               std::exp(p.low), std::exp(p.high));
        if (!p.confirmed) return fmt::format("screened, not confirmed: {} on {}{}", figure, p.device, of);
        return fmt::format("measured: {} {} on {}{}", figure, p.verdict, p.device, of);
    }
    if (!p.unchecked.empty()) of += "; not checked: " + p.unchecked;
    if (p.evaluator == "model")
        return fmt::format("modelled, unmeasured ({:.4f}x in modelled cycles{})", std::exp(p.log_speedup),
                           of);
    return "unmeasured";
}

bool is_confirmed(const Outcome& outcome) {
    // Sessions of before schema 2 do not say; what has few pairs was a screening.
    if (outcome.alpha > 0) return outcome.alpha <= kConfirmAlpha;
    return outcome.pairs >= 20;
}

Provenance provenance_of(const RunInfo& run, const StepRecord& record, const std::filesystem::path& session) {
    Provenance p;
    p.evaluator = to_string(run.evaluator.kind);
    p.device = run.evaluator.device;
    p.log_speedup = record.outcome.log_speedup;
    p.low = record.outcome.low;
    p.high = record.outcome.high;
    p.verdict = to_string(record.outcome.verdict);
    p.confirmed = is_confirmed(record.outcome);
    p.against_start = run.start_run != 0;
    p.session = session.string();
    p.run = run.id;
    p.step = record.step;
    // The start schedule, and a step that never ran well, have no figure of their own.
    if (record.step == 0 || !record.outcome.ok()) p.evaluator = "none";
    return p;
}

Result<ExportReport> export_cubin(const Schedule& schedule, const std::filesystem::path& path,
                                  const Provenance& provenance) {
    if (!schedule.kernel()->arch().editable())
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} cubins can be viewed, not exported", schedule.kernel()->arch().name()));
    if (same_file(path, schedule.kernel()->cubin().where()))
        return fail(ErrorCode::BadUse, "is the input file, which is never overwritten; choose another name",
                    path.string());
    if (auto legal = prove(schedule, path.string()); !legal) return fail(legal.error());
    auto writer = CubinWriter::create(schedule.kernel());
    if (!writer) return fail(writer.error());
    const std::vector<std::byte> image = writer->image(schedule);
    if (auto written = write_file(path, image); !written) return fail(written.error());
    auto reread = verify_file(schedule, path);
    if (!reread) return fail(reread.error());

    // Counted in the file, where two equal words that changed places have not moved: as `diff` counts.
    const ScheduleDiff diff = diff_schedules(Schedule(schedule.kernel()), *reread);
    ExportReport report{path, schedule.hash(), diff.moved, diff.control, stamp_of(provenance)};
    const nlohmann::json stamp = {
        {"format", kProvenanceFormat},
        {"kernel", schedule.kernel()->name()},
        {"original_code_hash", schedule.kernel()->hash().hex()},
        {"code_hash", report.code_hash.hex()},
        {"file_hash", hash_bytes(image).hex()},
        {"stamp", report.stamp},
        {"unchecked", provenance.unchecked},
        {"evaluator", provenance.evaluator},
        {"device", provenance.device},
        {"verdict", provenance.evaluator != "gpu" ? "UNMEASURED"
                    : provenance.confirmed        ? provenance.verdict
                                                  : "UNCONFIRMED"},
        {"against", provenance.against_start ? "the start of the run" : "the original"},
        {"log_speedup", provenance.log_speedup},
        {"log_speedup_interval", {provenance.low, provenance.high}},
        {"session", std::filesystem::path(provenance.session).filename().string()},
        {"run", provenance.run},
        {"step", provenance.step},
        {"moved", report.moved},
        {"control_changed", report.control_changed},
    };
    if (auto ok = write_text(stamp_file(path), stamp.dump(2) + "\n"); !ok) return fail(ok.error());
    return report;
}

}  // namespace cubinlab
