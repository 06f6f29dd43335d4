// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/install_cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/output_file.h"
#include "core/binary/kernel_match.h"
#include "core/binary/unpack.h"
#include "core/evidence/output_provenance.h"
#include "core/evidence/recompiled_kernel.h"
#include "core/gpu/client/edit_gate.h"
#include "core/insight/schedule_diff.h"
#include "core/legality/hazard_checker.h"
#include "core/schedule/cubin_writer.h"
#include "core/schedule/file_comparison.h"

namespace cubinlab {
namespace {

constexpr const char* kFormat = "cubinlab-installed 1";

// What is next to a file that a schedule was installed into.
struct InstallRecord {
    Hash128 original;   // of the kept file
    Hash128 installed;  // of the file as it was left
    Hash128 replaced;   // of the file before that: what is there if the install was interrupted
    std::string text;   // for people: what and where
    // The file is a state that this program made, or the original.
    bool knows(Hash128 file) const { return file == installed || file == replaced || file == original; }
};

std::filesystem::path backup_of(const std::filesystem::path& file) {
    return file.string() + ".cubinlab-original";
}

std::filesystem::path record_of(const std::filesystem::path& file) {
    return file.string() + ".cubinlab-installed.json";
}

Result<std::optional<InstallRecord>> read_record(const std::filesystem::path& file) {
    auto text = read_text(record_of(file), 1 << 20);
    if (!text && text.error().code == ErrorCode::NotFound) return std::optional<InstallRecord>{};
    if (!text) return fail(text.error());
    const nlohmann::json document = parse_json_or_discard(*text);
    const auto hash = [&](const char* name) -> std::optional<Hash128> {
        return Hash128::from_hex(json_or(document, name, ""));
    };
    const auto original = hash("original_hash"), installed = hash("installed_hash"),
               replaced = hash("replaced_hash");
    if (!original || !installed || !replaced || document.value("format", nlohmann::json()) != kFormat)
        return fail(ErrorCode::BadInput, "is not a record of an installed schedule", record_of(file).string());
    return std::optional(InstallRecord{*original, *installed, *replaced, json_or(document, "what", "")});
}

Status write_record(const std::filesystem::path& file, const InstallRecord& record) {
    const nlohmann::json document = {{"format", kFormat},
                                 {"file", file.filename().string()},
                                 {"original_hash", record.original.hex()},
                                 {"installed_hash", record.installed.hex()},
                                 {"replaced_hash", record.replaced.hex()},
                                 {"what", record.text}};
    return write_text(record_of(file),
                      document.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

namespace fs = std::filesystem;
constexpr std::size_t kMostFile = std::size_t{4} << 30;  // bytes of a target

// What takes the place of one image.
struct Replacement {
    std::vector<std::byte> bytes;
    std::vector<InstalledKernel> kernels;
};

// One kernel that differs: proven against what lies there, and its patches.
Result<std::optional<InstalledKernel>> reschedule_with(const std::shared_ptr<const Cubin>& there,
                                                       const KernelInfo& info, const std::vector<Word>& words,
                                                       std::vector<BytePatch>& patches) {
    if (words == there->code(info)) return std::optional<InstalledKernel>{};
    auto kernel = TRY(Kernel::load(there, info.name));
    auto schedule = TRY(Schedule::match(kernel, words));
    const Legality hazards = TRY(legality_of(schedule));
    if (!hazards.empty())
        return fail(ErrorCode::Refused, "is not a legal reschedule of the existing image " + summary_of(hazards),
                    info.name);
    TRY(edited_code_may_be_written(kernel->arch()));
    auto writer = TRY(CubinWriter::create(kernel));
    auto changed = writer.patches(schedule);
    patches.insert(patches.end(), std::make_move_iterator(changed.begin()),
                   std::make_move_iterator(changed.end()));
    const ScheduleDiff diff = diff_schedules(Schedule(kernel), schedule);
    return std::optional<InstalledKernel>{InstalledKernel{info.name, diff.moved, diff.control}};
}

// `only`: this kernel alone is taken over; empty: all that differ.
Result<Replacement> reschedule_image(const std::shared_ptr<const Cubin>& there, const Cubin& tuned,
                                     const std::string& only) {
    if (!there->arch().editable())
        return fail(ErrorCode::Unsupported, fmt::format("{} code can be viewed, not replaced: {}",
                                                        there->arch().name(), there->arch().why_view_only()));
    if (there->bytes().size() != tuned.bytes().size())
        return fail(ErrorCode::Refused,
                    fmt::format("is {} bytes long, what lies there {}: only the cubin of this very "
                                "image, rescheduled, fits",
                                tuned.bytes().size(), there->bytes().size()));
    Replacement out;
    std::vector<BytePatch> patches;
    for (const KernelInfo& info : there->kernels()) {
        if (!only.empty() && info.name != only) continue;
        const KernelInfo* const mine = TRY(tuned.kernel(info.name));
        auto kernel = TRY(reschedule_with(there, info, tuned.code(*mine), patches));
        if (kernel) out.kernels.push_back(std::move(*kernel));
    }
    out.bytes = apply_patches(there->bytes(), patches);
    // Nothing else may differ between the two: constants, registers, attributes and lengths are those that lie there.
    auto written = TRY(Cubin::parse(out.bytes, there->where()));
    FileComparison same(*written, tuned);
    if (!only.empty())
        for (const KernelInfo& info : written->kernels())
            if (info.name != only) same.ignore_kernel(info);
    if (const auto offset = same.difference())
        return fail(
            ErrorCode::Refused,
            fmt::format("differs from the existing image outside the schedule, first at byte {:#x}",
                        *offset));
    return out;
}

// A kernel of another build, under another name or in a file whose rest differs: its own words in the order of the tuned ones, proven against
// what lies there. Everything else of the file stays.
Result<Replacement> reschedule_elsewhere(const std::shared_ptr<const Cubin>& there, const std::string& name,
                                         const Cubin& tuned, const std::string& tuned_name) {
    if (!there->arch().editable())
        return fail(ErrorCode::Unsupported, there->arch().name() + " code can be viewed, not replaced");
    const KernelInfo* const info = TRY(there->kernel(name));
    const KernelInfo* const mine = TRY(tuned.kernel(tuned_name));
    if (const std::string other = other_resource(*there, *info, tuned, *mine); !other.empty())
        return fail(ErrorCode::Refused, "has other " + other + " than " + name);
    Replacement out;
    std::vector<BytePatch> patches;
    auto kernel = TRY(reschedule_with(there, *info, tuned.code(*mine), patches));
    if (kernel) out.kernels.push_back(std::move(*kernel));
    out.bytes = apply_patches(there->bytes(), patches);
    return out;
}

struct Chosen {
    std::shared_ptr<const Container> container;
    Image image;
    std::shared_ptr<const Cubin> cubin;
    std::string kernel;  // its name there
    std::string note;    // what is there instead of the tuned cubin's kernel
};

std::string remedy_for_packed(const Image& image) {
    return fmt::format(
        "the code lies there packed ({}), where bytes of equal length have no place: build the program with "
        "nvcc "
        "-compress-mode=none, or leave the file and use `cubinlab run --with`",
        to_string(image.packing));
}

struct Fitting {
    Image image;
    std::string kernel;
    FoundBy by = FoundBy::NameAndCode;
};

// The image that this cubin is a schedule of.
Result<Chosen> choose_target(const fs::path& file, const Cubin& tuned, const std::string& kernel,
                             const InstallOptions& options) {
    auto container = TRY(Container::open(file));
    const std::string wanted = kernel.empty() ? tuned.kernels().front().name : kernel;
    const auto wished = TRY(queried_arch(options.query.arch));
    const KernelInfo* const mine = TRY(tuned.kernel(wanted));
    const SoughtKernel sought{wanted, std::nullopt, instructions_hash(tuned, *mine)};
    // Its own architecture decides where the user says nothing; a file that cannot tell the `a` asks.
    std::vector<Fitting> fitting;
    std::string other;
    std::optional<Error> first;
    for (const Image& image : container->images()) {
        if (image.kind != ImageKind::Elf || !matches_image(image, options.query.image)) continue;
        auto cubin = container->cubin(image, true);
        if (!cubin) continue;
        auto found = find_again(**cubin, sought);
        // Another kernel of its name alone is none that it could be a schedule of.
        if (!found || found->by == FoundBy::StableName) {
            if (!found && found.error().code != ErrorCode::NotFound) first = found.error();
            if (found)
                first = Error{ErrorCode::Refused, instead_of(sought, found->kernel->name, found->by),
                              file.string()};
            continue;
        }
        const std::string arch = (*cubin)->arch().name();
        if (!((*cubin)->arch() == wished.value_or(tuned.arch()))) {
            other += (other.empty() ? "" : ", ") + arch;
            continue;
        }
        fitting.push_back({image, found->kernel->name, found->by});
    }
    if (fitting.empty() && first && other.empty()) return fail(*first);
    if (fitting.empty())
        return fail(ErrorCode::NotFound,
                    fmt::format("contains no kernel {} for {}, by its name or its code{}", wanted,
                                options.query.arch.empty() ? tuned.arch().name() : options.query.arch,
                                other.empty() ? "" : "; there is " + other),
                    file.string());
    // A Triton cache holds several compilations of one kernel: the one that it is a schedule of.
    if (std::ranges::any_of(fitting, [](const Fitting& f) { return f.by == FoundBy::NameAndCode; }))
        std::erase_if(fitting, [](const Fitting& f) { return f.by != FoundBy::NameAndCode; });
    // What was found by its name, if there is such a one.
    if (std::ranges::any_of(fitting, [](const Fitting& f) { return f.by != FoundBy::Code; }))
        std::erase_if(fitting, [](const Fitting& f) { return f.by == FoundBy::Code; });
    // A program keeps what its code was linked from; what runs is the linked code.
    if (fitting.size() > 1 &&
        std::ranges::any_of(fitting, [](const Fitting& f) { return !f.image.device_linked_from; }))
        std::erase_if(fitting, [](const Fitting& f) { return f.image.device_linked_from; });
    if (fitting.size() > 1) {
        std::string names;
        for (const Fitting& one : fitting)
            names += (names.empty() ? "" : "; ") + one.image.text();
        return fail(ErrorCode::BadUse,
                    fmt::format("{} images contain it, choose one with --image N: {}", fitting.size(), names),
                    file.string());
    }
    const Image& image = fitting.front().image;
    if (image.packing != Packing::Raw)
        return fail(ErrorCode::Unsupported, remedy_for_packed(image), file.string());
    auto cubin = TRY(container->cubin(image));
    return Chosen{container, image, cubin, fitting.front().kernel,
                  instead_of(sought, fitting.front().kernel, fitting.front().by)};
}

bool is_whole_file(const Image& image) {
    std::error_code error;
    return !image.in_fatbin && image.offset == 0 && fs::file_size(image.file, error) == image.stored;
}

// A recompiled kernel instead of an image that holds its original alone.
Result<Replacement> recompiled_image(const Chosen& chosen, const RecompiledKernel& proven,
                                     const Cubin& tuned) {
    const Bytes there = chosen.cubin->bytes(), mine = tuned.bytes();
    Replacement out{{mine.begin(), mine.end()}, {}};
    if (std::ranges::equal(there, mine)) return out;
    const Kernel& original = *proven.original;
    const KernelInfo* const info = TRY(chosen.cubin->kernel(chosen.kernel));
    const auto refused = [](std::string why) {
        return fail(ErrorCode::Refused,
                    std::move(why) +
                        "; `cubinlab run --with` takes recompiled kernels in any program, "
                        "`run --deploy` without CubinLab at hand");
    };
    if (chosen.kernel != original.name() ||
        instructions_hash(*chosen.cubin, *info) != instructions_hash(original.cubin(), original.info()))
        return refused("what lies there is not the original that it was compiled instead of");
    if (chosen.cubin->kernels().size() != 1)
        return refused(
            fmt::format("is recompiled code, which replaces a whole image, and the image holds {} kernels",
                        chosen.cubin->kernels().size()));
    const auto at = TRY(Kernel::load(chosen.cubin, chosen.kernel));
    TRY(check_fits(*at, *proven.schedule.kernel(), proven.workload));
    if (!is_whole_file(chosen.image)) {
        if (mine.size() > there.size())
            return refused(fmt::format("is recompiled code of {} bytes, and its place in the file has {}",
                                       mine.size(), there.size()));
        out.bytes.resize(there.size());
    }
    const ScheduleDiff diff = diff_schedules(Schedule(proven.schedule.kernel()), proven.schedule);
    out.kernels.push_back({chosen.kernel, diff.moved, diff.control});
    return out;
}

// Triton finds the files of an entry by absolute paths, which a moved or copied cache does not change.
std::string stale_group(const fs::path& cubin) {
    fs::path group = cubin;
    group.replace_filename("__grp__" + cubin.stem().string() + ".json");
    auto text = read_text(group, 1 << 20);
    const nlohmann::json group_json = text ? parse_json_or_discard(*text) : nlohmann::json();
    if (!group_json.is_object() || !group_json.contains("child_paths") ||
        !group_json["child_paths"].is_object())
        return {};
    const auto path = group_json["child_paths"].find(cubin.filename().string());
    if (path == group_json["child_paths"].end() || !path->is_string()) return {};
    const fs::path named = path->get<std::string>();
    if (same_file(named, cubin)) return {};
    return fmt::format(
        "Triton takes this entry's files from {} (its cache was moved or copied): install there, or it "
        "will not use this one",
        named.parent_path().string());
}

// What is kept beside the file is of this very file, or there is nothing yet. `first`: it is to be kept now.
Status check_kept(const fs::path& file, Hash128 now, const InstallOptions& options, bool& first) {
    auto record = TRY(read_record(file));
    std::error_code error;
    const bool kept = fs::exists(backup_of(file), error);
    first = !(record && kept && now != record->original && record->knows(now));
    if (!first || (!record && !kept) || options.force) return {};
    // An install that was interrupted before the file was written.
    if (auto original = read_file(backup_of(file), kMostFile); original && hash_bytes(*original) == now)
        return {};
    return fail(
        ErrorCode::BadUse,
        fmt::format(
            "beside it {} keeps another build's original: remove it, or give --force to let this file's "
            "take its place",
            backup_of(file).filename().string()),
        file.string());
}

}  // namespace

Result<InstallReport> install_cubin(const fs::path& cubin, const fs::path& target,
                                    const InstallOptions& options) {
    auto source = TRY(Container::open(cubin));
    auto tuned = TRY(choose_image(*source, {}));
    const nlohmann::json stamp = read_stamp(cubin);
    TRY(check_code_kind(stamp, options.most, cubin));
    std::optional<RecompiledKernel> recompiled;
    if (is_recompiled(stamp)) recompiled = TRY(prove_recompiled(*tuned.cubin, stamp, cubin));
    const std::string slower = slower_by(stamp);
    if (!slower.empty() && !options.accept_slower)
        return fail(
            ErrorCode::Refused,
            "is " + slower + " by the figures stored beside it; --accept-slower installs it all the same",
            cubin.string());
    // An export of ours is a schedule of one kernel: the rest of its file is the original's.
    std::string only = options.query.kernel.empty() ? json_or(stamp, "kernel", "") : options.query.kernel;
    if (!only.empty()) {
        auto named = TRY(choose_kernel(*source, {only, {}, {}}));
        only = named.kernel;
    }
    // What is sought is the original, or any schedule of it.
    auto chosen =
        TRY(choose_target(target, recompiled ? recompiled->original->cubin() : *tuned.cubin, only, options));
    std::error_code error;
    const fs::path file = fs::canonical(chosen.image.file, error);
    if (error) return fail(ErrorCode::Io, error.message(), chosen.image.file.string());
    if (same_file(cubin, file)) return fail(ErrorCode::BadUse, "is the tuned cubin itself", file.string());
    const std::string& mine = only.empty() ? tuned.cubin->kernels().front().name : only;
    const bool elsewhere = chosen.kernel != mine;
    if (elsewhere && only.empty() && tuned.cubin->kernels().size() > 1)
        return fail(ErrorCode::BadUse,
                    "holds several kernels, and " + chosen.note + ": choose one with --kernel",
                    cubin.string());
    auto made = recompiled  ? recompiled_image(chosen, *recompiled, *tuned.cubin)
                : elsewhere ? reschedule_elsewhere(chosen.cubin, chosen.kernel, *tuned.cubin, mine)
                            : reschedule_image(chosen.cubin, *tuned.cubin, only);
    const bool rebuilt = !made && !recompiled && !elsewhere && !only.empty();
    if (rebuilt)
        if (auto in_rebuilt = reschedule_elsewhere(chosen.cubin, chosen.kernel, *tuned.cubin, mine); in_rebuilt) {
            made = std::move(in_rebuilt);
            chosen.note = "the file is another build: its other contents stay";
        }
    if (!made)
        return fail(made.error().code,
                    made.error().message() + (chosen.note.empty() ? "" : "; " + chosen.note), cubin.string());
    InstallReport report{file,
                         backup_of(file),
                         chosen.image.text(),
                         recompiled ? CodeKind::Recompiled : CodeKind::Reschedule,
                         made->kernels,
                         {}};
    if (elsewhere || rebuilt) report.notes.push_back(chosen.note);
    if (!slower.empty())
        report.notes.push_back("it is " + slower +
                               " by the figures stored beside it: " + json_or(stamp, "stamp", ""));
    if (chosen.image.triton)
        if (std::string note = stale_group(file); !note.empty()) report.notes.push_back(std::move(note));
    if (made->kernels.empty()) return report;

    auto bytes = TRY(read_file(file, kMostFile));
    const Hash128 before = hash_bytes(bytes);
    const Bytes read = chosen.cubin->bytes();
    const Bytes place = part_of(bytes, chosen.image.offset, read.size());
    if (!std::equal(place.begin(), place.end(), read.begin(), read.end()))
        return fail(ErrorCode::Busy, "has changed while it was read; try again", file.string());
    bool first = true;
    TRY(check_kept(file, before, options, first));
    // The new file, and at first the kept one, beside the file itself.
    TRY(check_output({record_of(file),
                      {},
                      [](const fs::path&) { return std::string("a record"); },
                      true,
                      2 * bytes.size() + 4096}));
    InstallRecord record{before,
                         {},
                         before,
                         fmt::format("{} {} in {}", recompiled ? "recompiled" : "a schedule of",
                                     made->kernels.front().name, report.image)};
    if (first) {
        TRY(write_file(backup_of(file), bytes));
    } else if (auto earlier = read_record(file); earlier && *earlier) {
        record.original = (*earlier)->original;
    }
    if (recompiled && is_whole_file(chosen.image))
        bytes = std::move(made->bytes);
    else
        std::ranges::copy(made->bytes, bytes.begin() + static_cast<std::ptrdiff_t>(chosen.image.offset));
    record.installed = hash_bytes(bytes);
    // The record goes first: a file without one cannot be distinguished from another build.
    TRY(write_record(file, record));
    TRY(write_file(file, bytes));
    return report;
}

Result<fs::path> undo_install(const fs::path& target, bool force) {
    std::error_code error;
    fs::path file = fs::canonical(target, error);
    if (error) return fail(ErrorCode::NotFound, error.message(), target.string());
    if (fs::is_directory(file, error)) {
        std::vector<fs::path> found;
        for (fs::recursive_directory_iterator it(file, fs::directory_options::skip_permission_denied, error),
             end;
             !error && it != end; it.increment(error)) {
            const std::string name = it->path().filename().string();
            constexpr std::string_view kRecord = ".cubinlab-installed.json";
            if (name.ends_with(kRecord))
                found.push_back(it->path().parent_path() / name.substr(0, name.size() - kRecord.size()));
        }
        if (found.size() > 1)
            return fail(ErrorCode::BadUse,
                        fmt::format("{} files in it hold installed schedules; name one: {} ...", found.size(),
                                    found.front().string()),
                        target.string());
        if (found.size() == 1) file = found.front();
    }
    auto record = TRY(read_record(file));
    if (!record)
        return fail(ErrorCode::NotFound, "it has no installed schedule to undo", file.string());
    auto now = read_file(file, kMostFile);
    if (!now && now.error().code != ErrorCode::NotFound) return fail(now.error());
    auto kept = TRY(read_file(backup_of(file), kMostFile));
    if (hash_bytes(kept) != record->original)
        return fail(ErrorCode::Corrupt, "is not the original that was kept; nothing was changed",
                    backup_of(file).string());
    // An undo or an install that was interrupted leaves the original in place already.
    const Hash128 hash = now ? hash_bytes(*now) : Hash128{};
    if (!(now && record->knows(hash)) && !force)
        return fail(ErrorCode::Refused,
                    "has changed since the schedule was installed (rebuilt?); --force puts the kept original "
                    "in its place",
                    file.string());
    if (hash != record->original) TRY(write_file(file, kept));
    fs::remove(record_of(file), error);
    fs::remove(backup_of(file), error);
    return file;
}

}  // namespace cubinlab
