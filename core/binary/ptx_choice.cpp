// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/ptx_choice.h"

#include <fmt/format.h>

#include <algorithm>

namespace cubinlab {
namespace {

bool part_of_name(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || c == '%';
}

}  // namespace

Result<std::string> ptx_text(const Container& container, const Image& image) {
    auto bytes = TRY(container.bytes(image));
    std::string out(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    while (!out.empty() && out.back() == '\0')
        out.pop_back();
    return out;
}

std::string ptx_target(std::string_view text) {
    constexpr std::string_view kTarget = ".target";
    std::size_t at = text.find(kTarget);
    if (at == std::string_view::npos) return {};
    at = text.find_first_not_of(" \t", at + kTarget.size());
    if (at == std::string_view::npos) return {};
    const std::string_view first = text.substr(at, text.find_first_of(", \t\r\n", at) - at);
    return first.starts_with("sm_") ? std::string(first) : std::string();
}

std::vector<std::string> ptx_entries(std::string_view text) {
    std::vector<std::string> out;
    constexpr std::string_view kEntry = ".entry";
    for (std::size_t at = text.find(kEntry); at != std::string_view::npos; at = text.find(kEntry, at)) {
        at += kEntry.size();
        std::size_t first = at;
        while (first < text.size() && (text[first] == ' ' || text[first] == '\t' || text[first] == '\n'))
            ++first;
        std::size_t end = first;
        while (end < text.size() && part_of_name(text[end]))
            ++end;
        if (first != at && end != first) out.emplace_back(text.substr(first, end - first));
        at = end;
    }
    return out;
}

Result<PtxChoice> choose_ptx(const Container& container, const KernelQuery& query) {
    const std::optional<Arch> arch = TRY(queried_arch(query.arch));
    const std::string where = container.where().string();
    std::vector<KernelEntry> all;
    std::vector<std::size_t> images;
    for (const Image& image : container.images()) {
        if (image.kind != ImageKind::Ptx || !matches_image(image, query.image)) continue;
        if (arch && image.arch && !(*image.arch == *arch)) continue;
        auto text = TRY(ptx_text(container, image));
        images.push_back(image.index);
        for (const std::string& name : ptx_entries(text)) {
            KernelEntry k;
            k.image = image.index;
            k.name = name;
            k.demangled = demangled(name);
            k.arch = image.arch.value_or(Arch{});
            all.push_back(std::move(k));
        }
    }
    if (images.empty())
        return fail(ErrorCode::NotFound, "contains no PTX" + (arch ? " for " + arch->name() : ""), where);
    PtxChoice out;
    if (!query.kernel.empty() || images.size() > 1) {
        auto found = TRY(matching(all, query.kernel));
        std::vector<std::size_t> of;
        std::string texts;
        for (const std::size_t i : found) {
            if (!of.empty() && of.back() == all[i].image) continue;
            of.push_back(all[i].image);
            texts += (texts.empty() ? "" : "; ") + container.images()[all[i].image].text();
        }
        if (of.empty())
            return fail(ErrorCode::NotFound, fmt::format("has no PTX of a kernel \"{}\"", query.kernel),
                        where);
        if (of.size() > 1)
            return fail(
                ErrorCode::BadUse,
                fmt::format("has {} PTX texts that contain it, choose one with --image N: {}", of.size(), texts),
                where);
        out.image = of.front();
        if (found.size() == 1) out.kernel = all[found.front()].name;
    } else {
        out.image = images.front();
    }
    out.text = TRY(ptx_text(container, container.images()[out.image]));
    return out;
}

}  // namespace cubinlab
