// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/export_cubin.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/output_file.h"
#include "core/evidence/measured_shapes.h"
#include "core/evidence/output_provenance.h"
#include "core/gpu/client/edit_gate.h"
#include "core/insight/schedule_diff.h"
#include "core/legality/hazard_checker.h"
#include "core/schedule/capsule.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab {
namespace {

// Code as a compiler made it is its own proof, on any architecture.
Status prove(const Schedule& schedule, const std::string& where) {
    if (schedule.hash() == schedule.kernel()->hash()) return {};
    const Legality hazards = TRY(legality_of(schedule));
    if (hazards.empty()) return {};
    return fail(ErrorCode::Refused, "not exported, the schedule is illegal " + summary_of(hazards), where);
}

// What was written is what was meant: read it back as any user would and prove it again.
Status verify_file(const Schedule& schedule, const std::filesystem::path& path) {
    auto cubin = TRY(Cubin::open(path));
    auto reread = TRY(Schedule::match(schedule.kernel(), *cubin));
    if (reread.hash() != schedule.hash())
        return fail(ErrorCode::Corrupt, "the written file does not hold the schedule that was exported",
                    path.string());
    return prove(reread, path.string());
}

Hash128 original_of(const ClaimParts& parts, const Schedule& schedule) {
    return parts.original == Hash128() ? schedule.kernel()->hash() : parts.original;
}

bool is_edited(const Schedule& schedule) {
    return schedule.hash() != schedule.kernel()->hash();
}

// Deterministic, unlike the machines that passed.
std::string capsule_note(const Schedule& schedule) {
    const Capsule capsule = Capsule::of(*schedule.kernel());
    bool moved = false;
    for (InstrId id = 0; id < schedule.size() && !moved; ++id)
        moved = schedule.moved(id);
    if (!capsule.present() || !moved) return {};
    if (capsule.follows()) return "; the capsule describes the new order";
    return "; the capsule describes the compiled order: " + capsule.why_kept();
}

}  // namespace

std::string edited_note(const Schedule& schedule) {
    const Arch& arch = schedule.kernel()->arch();
    if (!arch.needs_edit_test() || !is_edited(schedule)) return {};
    return "; " + edit_test_note(arch) + capsule_note(schedule);
}

bool is_edited_note(const Schedule& schedule, std::string_view note) {
    const Arch& arch = schedule.kernel()->arch();
    if (!arch.needs_edit_test() || !is_edited(schedule)) return note.empty();
    const std::string end = capsule_note(schedule);
    if (!note.starts_with("; ") || !note.ends_with(end)) return false;
    note.remove_prefix(2);
    note.remove_suffix(end.size());
    return is_edit_test_note(arch, note);
}

nlohmann::json provenance(const Schedule& schedule, const ExportReport& report, const ClaimParts& parts,
                          std::span<const std::byte> image) {
    const bool recompiled = original_of(parts, schedule) != schedule.kernel()->hash();
    const ClaimLevel level = level_of(parts);
    nlohmann::json out = {
        {"format", kProvenanceFormat},
        {"kernel", schedule.kernel()->name()},
        {"original_code_hash", original_of(parts, schedule).hex()},
        {"code_hash", report.code_hash.hex()},
        {"file_hash", hash_bytes(image).hex()},
        {"code", to_string(recompiled ? CodeKind::Recompiled : code_kind_of(*schedule.kernel(), schedule))},
        {"stamp", report.stamp},
        {"assumed", parts.assumed},
        {"unchecked", parts.unchecked},
        {"evaluator", parts.evaluator ? to_string(*parts.evaluator) : "none"},
        {"device", parts.device},
        {"cache", to_string(parts.cache)},
        {"verdict", level == ClaimLevel::Measured   ? to_string(parts.verdict)
                    : level == ClaimLevel::Screened ? "UNCONFIRMED"
                                                    : "UNMEASURED"},
        {"against", parts.against_start ? "the start of the run" : "the original"},
        {"log_speedup", parts.speedup.log},
        {"log_speedup_interval", {parts.speedup.low, parts.speedup.high}},
        {"session", std::filesystem::path(parts.session).filename().string()},
        {"run", parts.run},
        {"step", parts.step},
        {"moved", report.moved},
        {"control_changed", report.control_changed},
    };
    if (parts.start) out["start"] = to_json(*parts.start);
    if (recompiled) out["compared_inputs"] = parts.compared_inputs;
    if (!parts.shapes.empty()) out["shapes"] = shapes_json(parts.shapes);
    if (!parts.without_figure.empty()) out["without_figure"] = parts.without_figure;
    return out;
}

Result<ExportReport> export_cubin(const Schedule& schedule, const std::filesystem::path& path,
                                  const Claim& claim) {
    if (!schedule.kernel()->arch().editable() && schedule.hash() != schedule.kernel()->hash())
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} cubins can be viewed, not exported: {}", schedule.kernel()->arch().name(),
                                schedule.kernel()->arch().why_view_only()));
    if (same_file(path, schedule.kernel()->cubin().where()))
        return fail(ErrorCode::BadUse, "is the input file, which is never overwritten; choose another name",
                    path.string());
    if (!claim.is_of(schedule.hash()))
        return fail(ErrorCode::Refused, "the claim belongs to another schedule", path.string());
    TRY(prove(schedule, path.string()));
    if (is_edited(schedule)) TRY(edited_code_may_be_written(schedule.kernel()->arch()));
    const auto image = TRY(cubin_image(schedule));
    auto written = TRY(Cubin::parse(image, path.string()));
    const Schedule reread = TRY(Schedule::match(schedule.kernel(), *written));

    // Counted in the file, where two equal words that changed places have not moved: as `diff` counts.
    const ScheduleDiff diff = diff_schedules(Schedule(schedule.kernel()), reread);
    ExportReport report{path, schedule.hash(), diff.moved, diff.control,
                        claim.stamp() + edited_note(schedule)};
    // A file name need not be UTF-8.
    const std::string text = provenance(schedule, report, claim.parts(), image)
                                 .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                             "\n";
    // The stamp goes first: alone it is in nobody's way, a cubin alone would be a stranger's to the next export.
    const FileToWrite both[] = {{stamp_file(path), std::as_bytes(std::span(text))}, {path, image}};
    TRY(write_files(both));
    TRY(verify_file(schedule, path));
    return report;
}

}  // namespace cubinlab
