// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/cli/base/output.h"
#include "app/cli/base/stop_on_signal.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/file.h"
#include "core/base/number_of.h"
#include "core/base/scratch_folder.h"
#include "core/gpu/client/nsight_compute.h"
#include "core/sass/decoder.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/profile_schedules.h"

namespace cubinlab::cli {

struct ProfileOptions : Common {
    std::string a, b, workload, ncu, worker;
    std::vector<std::string> imports;
    int device = 0;
};

namespace {

constexpr std::size_t kMostLines = 20, kMostOfAnEdit = 4;

struct Side {
    std::string file;
    std::shared_ptr<const Cubin> cubin;
    Schedule schedule;
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

Json reasons_json(const ProfiledSchedule& side) {
    Json out = Json::array();
    for (const ReasonShare& r : reasons_beside(side.profile, side.explanation))
        out.push_back(
            {{"name", r.name}, {"measured_as", r.measured}, {"samples", r.samples}, {"modelled", r.cycles}});
    return out;
}

Json side_json(const std::string& file, const ProfiledSchedule& side) {
    const LineAgreement agree = lines_agree(side.profile, side.explanation);
    return {{"file", file},
            {"column", side.profile.column},
            {"samples", side.profile.total},
            {"reasons", reasons_json(side)},
            {"line_correlation", agree.correlation},
            {"common_of_ten", agree.common_of_ten}};
}

void print_side(const std::string& file, const ProfiledSchedule& side) {
    print_line(fmt::format("{}: {:.0f} samples ({})", file, side.profile.total, side.profile.column));
    print_line(fmt::format("  {:<16} {:>9} {:>9}  {}", "", "measured", "modelled", "of Nsight Compute"));
    for (const ReasonShare& r : reasons_beside(side.profile, side.explanation))
        print_line(fmt::format("  {:<16} {:>7.1f} % {:>7.1f} %  {}", r.name, 100 * r.samples, 100 * r.cycles,
                               r.measured));
    const LineAgreement agree = lines_agree(side.profile, side.explanation);
    print_line(
        fmt::format("  by line: correlation {:.2f}; {} of the ten lines with most samples are among the "
                    "model's ten",
                    agree.correlation, agree.common_of_ten));
}

std::string text_of(const Kernel& kernel, InstrId id) {
    return render(kernel.arch(), kernel.instruction(id).word, static_cast<std::uint32_t>(id * kWordBytes));
}

void print_hot_lines(const Kernel& kernel, const ProfiledSchedule& side) {
    std::vector<InstrId> ids(kernel.size());
    for (InstrId id = 0; id < ids.size(); ++id)
        ids[id] = id;
    const auto& lines = side.profile.by_instr;
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
        "lines whose samples changed most: A, B, change (~: within three standard deviations)");
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
    sides.push_back({options.a, a.cubin, Schedule(loaded)});
    if (options.b.empty()) return sides;
    auto b = TRY(open_counterpart(options.b, a));
    auto schedule = TRY(Schedule::match(loaded, *b.cubin));
    sides.push_back({options.b, b.cubin, std::move(schedule)});
    return sides;
}

// Measured here, or read from what was given.
Result<std::vector<Profile>> profiles_of(const ProfileOptions& options, const Kernel& kernel,
                                         const std::vector<Side>& sides, std::stop_token stop) {
    std::vector<Profile> out;
    for (std::size_t i = 0; i < sides.size() && !options.imports.empty(); ++i) {
        Profile profile = TRY(imported(options, i, sides[i].schedule, stop));
        out.push_back(std::move(profile));
    }
    if (!out.empty()) return out;
    const ScratchFolder scratch = TRY(ScratchFolder::make());
    std::vector<ScheduleFile> files;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        std::filesystem::path file = TRY(cubin_file(sides[i], scratch, i));
        files.push_back({sides[i].schedule, std::move(file)});
    }
    return profile_files(
        files, options.workload.empty() ? workload_file_of(kernel) : std::filesystem::path(options.workload),
        {options.ncu, options.worker, options.device}, stop);
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
    auto profiles = TRY(profiles_of(options, *kernel, sides, stop.token()));
    std::vector<Schedule> schedules;
    for (const Side& side : sides)
        schedules.push_back(side.schedule);
    const ProfiledSchedules profiled = explain_profiles(schedules, std::move(profiles), workload);
    const bool both = sides.size() == 2;
    if (options.json) {
        Json out = {{"kernel", kernel->name()}, {"a", side_json(sides[0].file, profiled.sides[0])}};
        out["b"] = both ? side_json(sides[1].file, profiled.sides[1]) : Json(nullptr);
        out["lines"] = Json::array();
        for (const LineSamples& line : profiled.change.lines)
            out["lines"].push_back(line_json(*kernel, profiled.change, line));
        out["edits"] = edits_json(profiled.change);
        return print_document(out);
    }
    for (std::size_t i = 0; i < sides.size(); ++i)
        print_side(sides[i].file, profiled.sides[i]);
    if (both)
        print_change(*kernel, profiled.change);
    else
        print_hot_lines(*kernel, profiled.sides[0]);
    return 0;
}

void add_profile(CommandTable& table) {
    auto [sub, options] =
        table.add("profile", "warp-state samples by line, of one schedule or two, with Nsight Compute",
                  run_profile_command);
    sub->add_option("A", options.a, kAnyFile)->required();
    sub->add_option("B", options.b, "a reschedule of A to compare with");
    sub->add_option("--workload", options.workload, "default: NAME.workload.json next to A");
    sub->add_option("--ncu", options.ncu, "Nsight Compute's program; default: ncu on PATH");
    sub->add_option("--import", options.imports,
                    "read this report (.ncu-rep) or source page (.csv) instead; twice: A's and B's")
        ->allow_extra_args(false);
    sub->add_option(
        "--worker", options.worker,
        "command that starts a bench worker on this machine; default: the one next to the program");
    sub->add_option("--device", options.device, "GPU number")->check(whole(0, 1023));
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
