// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/proven_swap.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/binary/container.h"
#include "core/binary/kernel_match.h"
#include "core/evidence/output_provenance.h"
#include "core/evidence/recompiled_kernel.h"
#include "core/gpu/client/edit_gate.h"
#include "core/legality/hazard_checker.h"
#include "core/schedule/cubin_writer.h"
#include "core/schedule/file_comparison.h"
#include "core/store/session.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

struct Original {
    std::shared_ptr<const Cubin> cubin;
    std::string from;
};

Result<std::vector<Original>> originals_for(const fs::path& tuned, const std::vector<fs::path>& given,
                                            const nlohmann::json& stamp) {
    std::vector<Original> out;
    for (const fs::path& path : given) {
        auto container = TRY(Container::open(path));
        for (const Image& image : container->images()) {
            if (image.kind != ImageKind::Elf) continue;
            auto cubin = container->cubin(image, true);
            if (cubin) out.push_back({*cubin, fmt::format("{}, {}", path.string(), image.text())});
        }
        if (out.empty())
            return fail(ErrorCode::BadInput, "holds no cubin that could be the original", path.string());
    }
    if (!given.empty()) return out;
    const std::string session = json_or(stamp, "session", "");
    if (session.empty())
        return fail(
            ErrorCode::NotFound,
            "says nothing of its original (no provenance file beside it); name the original with --original",
            tuned.string());
    for (const fs::path& folder : {tuned.parent_path(), fs::path(".")}) {
        const fs::path path = folder / fs::path(session).filename();
        std::error_code error;
        if (!fs::exists(path, error)) continue;
        auto reader = TRY(SessionReader::open(path));
        auto kernel = TRY(reader->kernel());
        out.push_back({kernel->cubin_ptr(), path.string()});
        return out;
    }
    return fail(ErrorCode::NotFound,
                fmt::format("its session {} is neither beside it nor here; name the original with --original",
                            session),
                tuned.string());
}

Error refused(const fs::path& tuned, std::string why) {
    return {ErrorCode::Refused, "is no proven reschedule of the original: " + std::move(why), tuned.string()};
}

// All kernels of `tuned` against one candidate for its original.
Result<std::vector<ProvenSwap>> prove(const Cubin& tuned, const Original& original, const fs::path& path,
                                      const nlohmann::json& stamp) {
    if (!(original.cubin->arch().sm == tuned.arch().sm))
        return fail(refused(path, fmt::format("it is {}, the original {}", tuned.arch().name(),
                                              original.cubin->arch().name())));
    if (original.cubin->bytes().size() != tuned.bytes().size())
        return fail(refused(path, fmt::format("the file has {} bytes, the original {}", tuned.bytes().size(),
                                              original.cubin->bytes().size())));
    FileComparison file(*original.cubin, tuned);
    std::vector<ProvenSwap> out;
    for (const KernelInfo& info : tuned.kernels()) {
        auto kernel = Kernel::load(original.cubin, info.name);
        if (!kernel) return fail(refused(path, kernel.error().message()));
        auto schedule = Schedule::match(*kernel, tuned.code(info));
        if (!schedule) return fail(refused(path, schedule.error().message()));
        file.accept_schedule(*schedule);
        if (schedule->hash() == (*kernel)->hash()) continue;
        if (!(*kernel)->arch().editable())
            return fail(
                refused(path, fmt::format("{} code can be viewed, not edited: {}", (*kernel)->arch().name(),
                                          (*kernel)->arch().why_view_only())));
        if (const Legality hazards = TRY(legality_of(*schedule)); !hazards.empty())
            return fail(refused(path, fmt::format("{}: {}", info.name, hazards.front().explanation)));
        TRY(edited_code_may_be_written((*kernel)->arch()));
        auto swap = CodeSwap::between(original.cubin->bytes(), tuned.bytes(), info.name);
        if (!swap) return fail(refused(path, swap.error().message()));
        out.push_back({std::move(*swap), json_or(stamp, "stamp", ""), original.from, slower_by(stamp)});
    }
    if (const auto offset = file.difference())
        return fail(refused(
            path,
            fmt::format("it differs outside the schedules of its kernels, first at byte {:#x}", *offset)));
    return out;
}

// Kernels of another build with the same instructions under other names, or the stamp's kernel in a file whose rest
// differs: the schedules are put into the original, which is then compared with itself.
Result<std::vector<ProvenSwap>> prove_elsewhere(const Cubin& tuned, const Original& original,
                                                const fs::path& path, const nlohmann::json& stamp) {
    std::vector<ProvenSwap> out;
    const std::string only = json_or(stamp, "kernel", "");
    bool renamed = false;
    for (const KernelInfo& info : tuned.kernels()) {
        if (!only.empty() && info.name != only) continue;
        const SoughtKernel sought{info.name, std::nullopt, instructions_hash(tuned, info)};
        auto found = find_again(*original.cubin, sought);
        if (!found) return fail(refused(path, found.error().message()));
        const std::string& name = found->kernel->name;
        if (found->by == FoundBy::Name || found->by == FoundBy::StableName)
            return fail(refused(path, instead_of(sought, name, found->by)));
        renamed = renamed || found->by == FoundBy::Code;
        if (const std::string other = other_resource(*original.cubin, *found->kernel, tuned, info); !other.empty())
            return fail(refused(path, name + " of the original has other " + other));
        auto kernel = TRY(Kernel::load(original.cubin, name));
        auto schedule = Schedule::match(kernel, tuned.code(info));
        if (!schedule) return fail(refused(path, schedule.error().message()));
        if (schedule->hash() == kernel->hash()) continue;
        if (!kernel->arch().editable())
            return fail(refused(path, kernel->arch().name() + " code can be viewed, not edited"));
        if (const Legality hazards = TRY(legality_of(*schedule)); !hazards.empty())
            return fail(refused(path, fmt::format("{}: {}", name, hazards.front().explanation)));
        TRY(edited_code_may_be_written(kernel->arch()));
        auto writer = TRY(CubinWriter::create(kernel));
        auto swap = CodeSwap::between(original.cubin->bytes(), writer.image(*schedule), name);
        if (!swap) return fail(refused(path, swap.error().message()));
        out.push_back({std::move(*swap), json_or(stamp, "stamp", ""),
                       original.from + (found->by == FoundBy::Code ? ", as " + name : ""), slower_by(stamp)});
    }
    if (!renamed && only.empty()) return fail(refused(path, "all its kernels have the names of the original's"));
    return out;
}

// The kernel of the original, in the files that are named, else in what the start was proven with.
Result<std::vector<ProvenSwap>> recompiled_swap(const Cubin& tuned, const nlohmann::json& stamp,
                                                const fs::path& path,
                                                const std::vector<fs::path>& originals) {
    const RecompiledKernel proven = TRY(prove_recompiled(tuned, stamp, path));
    const Kernel& original = *proven.original;
    const auto swap_from = [&](const Original& at,
                               const std::string& name) -> Result<std::vector<ProvenSwap>> {
        auto swap = TRY(CodeSwap::with_cubin(at.cubin->bytes(), name, tuned.bytes(), original.name()));
        return std::vector<ProvenSwap>{
            {std::move(swap), json_or(stamp, "stamp", ""), at.from, slower_by(stamp)}};
    };
    if (originals.empty()) return swap_from({original.cubin_ptr(), proven.from}, original.name());
    const auto named = TRY(originals_for(path, originals, stamp));
    for (const Original& at : named) {
        const auto found = find_again(*at.cubin, {original.name(), original.hash()});
        if (found && (found->by == FoundBy::NameAndCode || found->by == FoundBy::Code))
            return swap_from(at, found->kernel->name);
    }
    return fail(ErrorCode::Refused, "holds no kernel with the code of the original in " + proven.from,
                originals.front().string());
}

}  // namespace

Result<std::vector<ProvenSwap>> proven_swaps(const fs::path& given, const std::vector<fs::path>& originals,
                                             CodeKind most) {
    fs::path tuned = given;
    std::vector<fs::path> sources = originals;
    std::error_code error;
    const bool is_bundle = fs::is_directory(given, error);
    if (is_bundle) tuned = given / "candidate.cubin";
    auto cubin = TRY(Cubin::open(tuned));
    const nlohmann::json stamp = read_stamp(tuned);
    TRY(check_code_kind(stamp, most, tuned));
    if (is_recompiled(stamp)) return recompiled_swap(*cubin, stamp, tuned, originals);
    if (is_bundle && sources.empty()) sources.push_back(given / "original.cubin");
    auto candidates = TRY(originals_for(tuned, sources, stamp));
    Error last{ErrorCode::NotFound, "has no original", tuned.string()};
    // With several images the reason that counts is that of the one that could have been it.
    for (const Original& original : candidates) {
        auto proven = prove(*cubin, original, tuned, stamp);
        if (!proven && original.cubin->arch().sm == cubin->arch().sm)
            if (auto elsewhere = prove_elsewhere(*cubin, original, tuned, stamp); elsewhere)
                proven = elsewhere;
        if (proven) {
            if (!proven->empty()) return proven;
            return fail(ErrorCode::BadInput, "has the code of its original: there is nothing to replace",
                        tuned.string());
        }
        if (candidates.size() == 1 || original.cubin->bytes().size() == cubin->bytes().size() ||
            last.code == ErrorCode::NotFound)
            last = proven.error();
    }
    return fail(last);
}

Status write_schedules(const std::vector<ProvenSwap>& swaps, const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return fail(ErrorCode::Io, "cannot be made: " + error.message(), folder.string());
    for (const ProvenSwap& proven : swaps) {
        std::string name = proven.swap.kernel.substr(0, 80);
        for (char& c : name)
            if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '-';
        name += "." + proven.swap.original.hex().substr(0, 12);
        const fs::path path = folder / (name + ".schedule");
        CodeSwap swap = proven.swap;
        if (swap.is_whole()) {
            swap.cubin = name + ".cubin";
            TRY(write_file(folder / swap.cubin, swap.whole));
        }
        std::string text = swap.text();
        if (!proven.stamp.empty()) text += "# " + proven.stamp + "\n";
        TRY(write_text(path, text));
    }
    return {};
}

}  // namespace cubinlab
