// SPDX-License-Identifier: GPL-3.0-or-later
// `cubinlab patch make` and `cubinlab patch apply`: a schedule as text that applies to a rebuilt kernel.
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/base/number_of.h"
#include "core/base/output_file.h"
#include "core/evidence/export_cubin.h"
#include "core/evidence/output_provenance.h"
#include "core/evidence/schedule_patch.h"

namespace cubinlab::cli {

struct PatchMakeOptions : Common {
    std::string original, tuned, out;
    bool force = false;
};

struct PatchApplyOptions : Common {
    std::string patch, rebuilt, out;
    bool force = false;
    bool all = false;  // write nothing unless every block fits
};

namespace {

constexpr std::size_t kMostPatch = std::size_t{256} << 20;  // bytes

// The stamp next to the tuned cubin, if it belongs to this file.
std::string stamp_beside(const Cubin& tuned) {
    const nlohmann::json stamp = read_stamp(tuned.where());
    return json_or(stamp, "file_hash", "") == tuned.file_hash().hex() ? json_or(stamp, "stamp", "") : "";
}

Result<SchedulePatch> make(const PatchMakeOptions& options, std::vector<std::filesystem::path>& inputs) {
    auto original = TRY(open_kernel(options.original, options));
    auto tuned = TRY(open_counterpart(options.tuned, original));
    inputs = {options.original, options.tuned, original.cubin->where(), tuned.cubin->where()};
    auto kernel = TRY(Kernel::load(original.cubin, original.kernel));
    auto schedule = Schedule::match(kernel, *tuned.cubin);
    if (!schedule) return fail(schedule.error().code, schedule.error().what, options.tuned);
    auto checker = TRY(HazardChecker::create(kernel));
    auto patch = make_patch(*checker, *schedule);
    if (patch) patch->stamp = stamp_beside(*tuned.cubin);
    return patch;
}

struct Rebuilt {
    KernelChoice choice;
    std::string note;  // what is there instead of the patch's kernel; empty: the kernel itself
};

// The kernel that the user names, or else the one of the patch: by its code, then by its name.
Result<Rebuilt> rebuilt_of(const PatchApplyOptions& options, const SchedulePatch& patch) {
    auto container = TRY(Container::open(options.rebuilt));
    KernelQuery query = query_of(options);
    if (!query.kernel.empty()) {
        auto choice = TRY(choose_kernel(*container, query));
        return Rebuilt{std::move(choice), {}};
    }
    if (query.arch.empty() && container->images().size() > 1) query.arch = patch.arch;
    const SoughtKernel sought{patch.kernel, patch.original_code};
    auto found = TRY(choose_kernel_again(*container, query, sought));
    std::string note = instead_of(sought, found.choice.kernel, found.by);
    return Rebuilt{std::move(found.choice), std::move(note)};
}

}  // namespace

Result<int> run_patch_make(const PatchMakeOptions& options) {
    std::vector<std::filesystem::path> inputs;
    auto patch = TRY(make(options, inputs));
    const std::string text = patch_text(patch);
    std::string replaced;
    if (!options.out.empty()) {
        replaced = TRY(check_output({options.out, inputs, {}, options.force, text.size() + 4096}));
        TRY(write_text(options.out, text));
    } else if (!options.json) {
        print_text(text);
        return 0;
    }
    if (options.json) {
        Json document = {{"original", options.original},  {"tuned", options.tuned},
                         {"kernel", patch.kernel},        {"arch", patch.arch},
                         {"blocks", patch.blocks.size()}, {"out", options.out},
                         {"replaced", replaced}};
        if (options.out.empty()) document["patch"] = Json::parse(text);
        return print_document(document);
    }
    print_line(wrote_text(options.out, replaced) +
               fmt::format(": {} of {}", number_of(patch.blocks.size(), "block"), patch.kernel));
    return 0;
}

Result<int> run_patch_apply(const PatchApplyOptions& options) {
    auto text = TRY(read_text(options.patch, kMostPatch));
    auto patch = read_patch(text);
    if (!patch) return fail(patch.error().code, patch.error().message(), options.patch);
    auto [input, found_note] = TRY(rebuilt_of(options, *patch));
    auto kernel = TRY(Kernel::load(input.cubin, input.kernel));
    std::string replaced;
    if (!options.out.empty()) {
        OutputFile file{
            options.out, {options.patch, options.rebuilt, input.cubin->where()}, {}, options.force};
        file.bytes = input.cubin->bytes().size() + 4096;
        replaced = TRY(check_cubin_output(file, kernel->hash()));
    }
    auto checker = TRY(HazardChecker::create(kernel));
    auto applied = TRY(apply_patch(*patch, *checker));
    std::size_t fits = 0;
    for (const AppliedBlock& b : applied.blocks)
        fits += b.fate == BlockFate::Applied || b.fate == BlockFate::Already ? 1 : 0;
    const bool whole = fits == applied.blocks.size();
    const bool write = !options.out.empty() && applied.applied > 0 && (whole || !options.all);
    if (write) TRY(export_cubin(applied.schedule, options.out, Claim()));
    if (!found_note.empty()) print_progress(printable("note: " + found_note));
    const std::size_t own = note_self_check(kernel);
    const int code = whole ? 0 : 1;
    const std::string not_written = options.out.empty() || write ? ""
                                    : applied.applied == 0
                                        ? "no block of the patch applies, so nothing was written"
                                        : "not every block fits, so nothing was written (--all)";
    if (options.json) {
        Json blocks = Json::array();
        for (const AppliedBlock& b : applied.blocks)
            blocks.push_back(
                {{"at", b.at}, {"now_at", b.now_at}, {"fate", to_string(b.fate)}, {"why", b.why}});
        return print_document({{"patch", options.patch},
                               {"rebuilt", options.rebuilt},
                               {"kernel", kernel->name()},
                               {"same_code", patch->original_code == kernel->hash()},
                               {"found", found_note},
                               {"blocks", blocks},
                               {"original_findings", own},
                               {"applied", applied.applied},
                               {"fits", fits},
                               {"out", write ? options.out : ""},
                               {"replaced", write ? replaced : ""},
                               {"note", not_written}},
                              code);
    }
    print_line(fmt::format("{}: {} of {} blocks fit{}", kernel->name(), fits, applied.blocks.size(),
                           patch->original_code == kernel->hash() ? ", the code has not changed" : ""));
    for (const AppliedBlock& b : applied.blocks)
        print_line(b.why.empty()
                       ? fmt::format("  block {:#06x}: {}, at {:#06x} now", b.at, to_string(b.fate), b.now_at)
                       : fmt::format("  block {:#06x}: {}: {}", b.at, to_string(b.fate), b.why));
    if (write) print_line(wrote_text(options.out, replaced) + ": proven, unmeasured");
    if (!not_written.empty()) print_line(options.out + ": " + not_written);
    return code;
}

void add_patch(CommandTable& table) {
    auto* group = table.add_group("patch", "schedules as text, for rebuilt kernels");
    {
        auto [sub, options] =
            table.add("make", "write the changes of TUNED as a patch", run_patch_make, group);
        sub->add_option("ORIGINAL", options.original, kAnyFile)->required();
        sub->add_option("TUNED", options.tuned, "its reschedule")->required();
        sub->add_option("--out", options.out, "file to write; default: standard output");
        add_force(sub, options.force);
        add_kernel_choice(sub, options);
    }
    {
        auto [sub, options] = table.add("apply", "apply a patch to a rebuilt kernel, and prove the result",
                                        run_patch_apply, group);
        sub->add_option("PATCH", options.patch, "file that patch make wrote")->required();
        sub->add_option("REBUILT", options.rebuilt, kAnyFile)->required();
        sub->add_option("--out", options.out, "cubin to write; default: only report which blocks fit");
        sub->add_flag("--all", options.all, "write nothing unless every block fits");
        add_force(sub, options.force);
        add_untested_architecture(sub);
        add_kernel_choice(sub, options);
    }
}

}  // namespace cubinlab::cli
