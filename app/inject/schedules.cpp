// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/schedules.h"

#include <dirent.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <span>

#include "app/inject/settings.h"
#include "app/inject/tally.h"
#include "core/binary/stable_name.h"

namespace cubinlab::inject {
namespace {

constexpr std::size_t kMostText = 256u << 20;

std::string read_all(const std::string& path) {
    std::string out;
    std::FILE* file = std::fopen(path.c_str(), "rbe");
    if (!file) return out;
    char chunk[1 << 16];
    for (std::size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0 && out.size() < kMostText;)
        out.append(chunk, n);
    std::fclose(file);
    return out;
}

std::vector<CodeSwap> read_folder(const std::string& folder) {
    std::vector<CodeSwap> out;
    std::vector<std::string> names;
    DIR* entries = ::opendir(folder.c_str());
    if (!entries) {
        note("the folder of schedules cannot be read: " + folder);
        return out;
    }
    constexpr std::string_view kEnding = ".schedule";
    while (const dirent* entry = ::readdir(entries)) {
        const std::string_view name = entry->d_name;
        if (name.size() > kEnding.size() && name.substr(name.size() - kEnding.size()) == kEnding)
            names.emplace_back(name);
    }
    ::closedir(entries);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
        auto swap = CodeSwap::parse(read_all(folder + "/" + name), name);
        if (!swap) {
            note("left out: " + swap.error().message());
            continue;
        }
        if (swap->is_whole()) {
            const std::string bytes = read_all(folder + "/" + swap->cubin);
            const auto raw = std::as_bytes(std::span(bytes));
            if (const auto taken = swap->take_cubin({raw.begin(), raw.end()}); !taken) {
                note("left out: " + taken.error().message());
                continue;
            }
        }
        const bool twice = std::any_of(
            out.begin(), out.end(), [&](const CodeSwap& other) { return other.original == swap->original; });
        if (twice) note("left out: " + name + " replaces the same code as another schedule");
        if (!twice) out.push_back(std::move(*swap));
    }
    if (out.empty()) note("the folder of schedules holds none: " + folder);
    return out;
}

// A kernel that is named like one of a schedule and was compiled to other code.
void note_other_code(std::string_view name) {
    static const auto* const wanted = [] {
        auto* out = new std::set<std::string>;
        for (const CodeSwap& swap : schedules())
            out->insert(stable_name(swap.kernel));
        return out;
    }();
    if (wanted->contains(stable_name(name)))
        note("same name, other code: " + std::string(name) + " is not the kernel that the schedule was made for");
}

}  // namespace

const std::vector<CodeSwap>& schedules() {
    static const auto* const all = new std::vector<CodeSwap>(
        settings().schedules.empty() ? std::vector<CodeSwap>() : read_folder(settings().schedules));
    return *all;
}

Swapped swap_in(Bytes elf) {
    Swapped out;
    const std::vector<CodeSwap>& all = schedules();
    if (all.empty()) return out;
    auto image = ElfImage::read(elf, {});
    if (!image) return out;
    for (const CodeLocation& place : kernels_in(*image)) {
        const std::size_t size = image->sections[place.section].bytes.size();
        // Hash only kernels whose code is as long as that of a schedule.
        std::optional<Hash128> identity;
        bool done = false;
        for (const CodeSwap& swap : all) {
            if (swap.size != size) continue;
            if (!identity) identity = code_identity(elf, *image, place.section);
            if (*identity != swap.original) continue;
            if (swap.is_whole()) {
                out.instead.push_back({std::string(place.name), &swap});
                break;
            }
            if (out.image.empty()) out.image.assign(elf.begin(), elf.end());
            auto own = ElfImage::read(out.image, {});
            if (!own || !swap.apply(out.image, *own, place.section)) continue;
            out.kernels.emplace_back(place.name);
            done = true;
            if (CodeSwap::name_in_text(place.name) != swap.kernel)
                note("same code, other name: " + swap.kernel + " is there as " + std::string(place.name));
        }
        const bool taken = !out.instead.empty() && out.instead.back().kernel == place.name;
        if (!done && !taken) note_other_code(place.name);
    }
    if (out.kernels.empty()) out.image.clear();
    return out;
}

bool has_module_data(Bytes elf) {
    const auto image = ElfImage::read(elf, {});
    return !image || has_module_data(*image);
}

}  // namespace cubinlab::inject
