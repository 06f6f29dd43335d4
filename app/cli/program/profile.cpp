// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/kernel/kernel_input.h"
#include "app/cli/program/profile.h"
#include "core/base/file.h"
#include "core/base/number_of.h"
#include "core/base/scratch_folder.h"
#include "core/gpu/client/nsight_compute.h"
#include "core/gpu/protocol/workload.h"
#include "core/sass/decoder.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/explain_settings.h"
#include "core/tuning/profile_change.h"
#include "core/tuning/profile_report.h"

namespace cubinlab::cli {
namespace {

constexpr std::size_t kMostLines = 20, kMostOfAnEdit = 4;

struct Side {
    std::string file;
    std::shared_ptr<const Cubin> cubin;
    std::optional<Schedule> schedule;
    std::optional<Profile> profile;
    std::optional<Explanation> explanation;
};

// A cubin that lies in a program, library or cache is profiled from a copy of its own.
Result<std::filesystem::path> cubin_file(const Side& side, const ScratchFolder& scratch, std::size_t number) {
    const Bytes bytes = side.cubin->bytes();
    const auto there = read_file(side.file, bytes.size() + 1);
    if (there && std::equal(there->begin(), there->end(), bytes.begin(), bytes.end())) return side.file;
    const std::filesystem::path copy = scratch.path() / fmt::format("{}.cubin", number);
    TRY(write_file(copy, bytes));
    return copy;
}

// From the files that were given, in their order; the last one serves both sides.
Result<Profile> imported(const ProfileOptions& options, std::size_t side, const Schedule& schedule,
                         std::stop_token stop) {
    const std::size_t file = std::min(side, options.imports.size() - 1);
    auto text = TRY(source_page_of(options.imports[file], options.ncu, stop));
    const bool shared = options.imports.size() == 1 && side == 1;
    auto profile = profile_of(text, schedule, shared ? 1 : 0);
    if (!profile && shared) profile = profile_of(text, schedule);
    if (profile) return profile;
    Error error = profile.error();
    error.where = options.imports[file];
    return fail(error);
}

Json reasons_json(const Side& side) {
    Json out = Json::array();
    for (const ReasonShare& r : reasons_beside(*side.profile, *side.explanation))
        out.push_back(
            {{"name", r.name}, {"measured_as", r.measured}, {"samples", r.samples}, {"modelled", r.cycles}});
    return out;
}

Json side_json(const Side& side) {
    const LineAgreement agree = lines_agree(*side.profile, *side.explanation);
    return {{"file", side.file},
            {"column", side.profile->column},
            {"samples", side.profile->total},
            {"reasons", reasons_json(side)},
            {"line_correlation", agree.correlation},
            {"common_of_ten", agree.common_of_ten}};
}

void print_side(const Side& side) {
    print_line(fmt::format("{}: {:.0f} samples ({})", side.file, side.profile->total, side.profile->column));
    print_line(fmt::format("  {:<16} {:>9} {:>9}  {}", "", "measured", "modelled", "of Nsight Compute"));
    for (const ReasonShare& r : reasons_beside(*side.profile, *side.explanation))
        print_line(fmt::format("  {:<16} {:>7.1f} % {:>7.1f} %  {}", r.name, 100 * r.samples, 100 * r.cycles,
                               r.measured));
    const LineAgreement agree = lines_agree(*side.profile, *side.explanation);
    print_line(
        fmt::format("  by line: correlation {:.2f}; {} of the ten lines with most samples are among the "
                    "model's ten",
                    agree.correlation, agree.common_of_ten));
}

std::string text_of(const Kernel& kernel, InstrId id) {
    return render(kernel.arch(), kernel.instruction(id).word, static_cast<std::uint32_t>(id * kWordBytes));
}

void print_hot_lines(const Kernel& kernel, const Side& side) {
    std::vector<InstrId> ids(kernel.size());
    for (InstrId id = 0; id < ids.size(); ++id)
        ids[id] = id;
    const auto& lines = side.profile->by_instr;
    std::stable_sort(ids.begin(), ids.end(),
                     [&](InstrId a, InstrId b) { return lines[a].samples > lines[b].samples; });
    print_line("  lines with most samples");
    for (std::size_t i = 0; i < ids.size() && i < kMostLines && lines[ids[i]].samples > 0; ++i)
        print_line(fmt::format("    {:04x} {:>8.0f}  {:<18} {}", ids[i] * kWordBytes, lines[ids[i]].samples,
                               lines[ids[i]].reasons.empty() ? "" : lines[ids[i]].reasons.front().first,
                               text_of(kernel, ids[i])));
}

Json line_json(const Kernel& kernel, const ProfileChange& change, const LineSamples& l) {
    Json edits = Json::array();
    for (const PlacedEdit& placed : l.edits)
        edits.push_back({{"edit", placed.edit},
                         {"offset", change.edits[placed.edit].instr * kWordBytes},
                         {"place", to_string(placed.place)},
                         {"text", change.edits[placed.edit].text}});
    return {{"offset", l.instr * kWordBytes},
            {"text", text_of(kernel, l.instr)},
            {"a", l.a},
            {"b", l.b},
            {"change", l.change()},
            {"clear", l.clear()},
            {"reason", l.reason},
            {"reason_a", l.reason_a},
            {"reason_b", l.reason_b},
            {"edits", std::move(edits)}};
}

Json edits_json(const ProfileChange& change) {
    Json out = Json::array();
    for (const EditSamples& edit : change.edits) {
        Json lines = Json::array();
        for (const std::size_t line : edit.lines)
            lines.push_back(change.lines[line].instr * kWordBytes);
        out.push_back(
            {{"offset", edit.instr * kWordBytes}, {"text", edit.text}, {"lines", std::move(lines)}});
    }
    return out;
}

void print_line_samples(const Kernel& kernel, const LineSamples& l, const char* indent) {
    print_line(fmt::format("{}{:04x} {:>7.0f} {:>7.0f} {:>+8.0f}{} {:<18} {:>6.0f} -> {:<6.0f} {}", indent,
                           l.instr * kWordBytes, l.a, l.b, l.change(), l.clear() ? ' ' : '~', l.reason,
                           l.reason_a, l.reason_b, text_of(kernel, l.instr)));
}

void print_change(const Kernel& kernel, const ProfileChange& change) {
    print_line(
        "lines whose samples changed most: A, B, change (~: under three square roots of both together)");
    for (std::size_t i = 0; i < change.lines.size() && i < kMostLines; ++i) {
        print_line_samples(kernel, change.lines[i], "  ");
        for (const PlacedEdit& placed : change.lines[i].edits)
            print_line("         " + text_of(change, placed));
    }
    const std::size_t edits = change.edits.size();
    print_line(fmt::format("{} of the difference, with the lines at which each is: A, B, change",
                           number_of(edits, "edit")));
    for (std::size_t e = 0; e < edits && e < kMostLines; ++e) {
        const EditSamples& edit = change.edits[e];
        print_line(fmt::format("  edit at 0x{:04x}: {}{}", edit.instr * kWordBytes, edit.text,
                               edit.lines.empty() ? " (no samples there)" : ""));
        for (std::size_t i = 0; i < edit.lines.size() && i < kMostOfAnEdit; ++i)
            print_line_samples(kernel, change.lines[edit.lines[i]], "      ");
    }
    if (edits > kMostLines)
        print_line(fmt::format("  and {} more (--json has them all)", edits - kMostLines));
}

Result<std::vector<Side>> sides_of(const ProfileOptions& options, KernelPtr* kernel) {
    auto a = TRY(open_kernel(options.a, options));
    TRY(check_linked(*a.cubin));
    auto loaded = TRY(Kernel::load(a.cubin, a.kernel));
    *kernel = loaded;
    std::vector<Side> sides;
    sides.push_back({options.a, a.cubin, Schedule(loaded), {}, {}});
    if (options.b.empty()) return sides;
    auto b = TRY(open_counterpart(options.b, a));
    auto schedule = TRY(Schedule::match(loaded, *b.cubin));
    sides.push_back({options.b, b.cubin, std::move(schedule), {}, {}});
    return sides;
}

// Measured here, or read from what was given.
Status fill(const ProfileOptions& options, const Kernel& kernel, std::vector<Side>& sides,
            std::stop_token stop) {
    std::filesystem::path ncu;
    if (options.imports.empty()) {
        ncu = TRY(find_ncu(options.ncu));
    }
    auto scratch = TRY(ScratchFolder::make());
    for (std::size_t i = 0; i < sides.size(); ++i) {
        Side& side = sides[i];
        Result<Profile> profile = fail(ErrorCode::BadUse, "");
        if (options.imports.empty()) {
            auto file = TRY(cubin_file(side, scratch, i));
            std::filesystem::path workload = options.workload;
            if (workload.empty()) workload = workload_file_of(kernel);
            auto text = TRY(
                profile_launch({ncu, options.worker, file, workload, kernel.name(), options.device}, stop));
            profile = profile_of(text, *side.schedule);
        } else {
            profile = imported(options, i, *side.schedule, stop);
        }
        if (!profile) return fail(profile.error());
        side.profile = std::move(*profile);
    }
    return {};
}

}  // namespace

Result<int> run_profile_command(const ProfileOptions& options) {
    StopOnSignal stop;
    KernelPtr kernel;
    auto sides = TRY(sides_of(options, &kernel));
    auto workload = TRY(find_workload(*kernel, options.workload));
    if (options.imports.empty() && !workload)
        return fail(ErrorCode::BadUse,
                    "no workload: give --workload, or write one with `cubinlab workload init`", options.a);
    TRY(fill(options, *kernel, sides, stop.token()));
    const ExplainSettings settings = explain_settings(*kernel, workload);
    const Explainer explainer(kernel, settings.model);
    for (Side& side : sides)
        side.explanation = explainer.explain(*side.schedule);
    const Side& a = sides.front();
    const Side& other = sides.back();  // A itself where there is no B
    const ProfileChange change = compare_profiles(*a.schedule, *a.profile, *other.schedule, *other.profile);
    if (options.json) {
        Json out = {{"kernel", kernel->name()}, {"a", side_json(a)}};
        out["b"] = sides.size() == 2 ? side_json(sides.back()) : Json(nullptr);
        out["lines"] = Json::array();
        for (const LineSamples& line : change.lines)
            out["lines"].push_back(line_json(*kernel, change, line));
        out["edits"] = edits_json(change);
        return print_document(out);
    }
    for (const Side& side : sides)
        print_side(side);
    if (sides.size() == 2)
        print_change(*kernel, change);
    else
        print_hot_lines(*kernel, a);
    return 0;
}

}  // namespace cubinlab::cli
