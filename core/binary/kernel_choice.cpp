// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/binary/kernel_label.h"
#include "core/binary/kernel_list.h"
#include "core/binary/name_search.h"

namespace cubinlab {
namespace {

constexpr std::string_view kRegex = "regex:";
constexpr std::size_t kMostListed = 12;  // kernels that a message lists
constexpr std::size_t kMostNameTold = 160;

std::string without_spaces(std::string_view text) {
    std::string out(text);
    std::erase(out, ' ');
    return out;
}

std::string clipped(std::string_view text) {
    return text.size() <= kMostNameTold ? std::string(text)
                                        : std::string(text.substr(0, kMostNameTold)) + "...";
}

Result<std::vector<std::size_t>> matching_regex(const std::vector<KernelEntry>& kernels,
                                                const std::string& pattern) {
    auto expression = TRY(NameSearch::of(pattern));
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        auto found = expression.finds(kernels[i].name);
        if (found && !*found) found = expression.finds(kernels[i].demangled);
        if (!found) return fail(found.error());
        if (*found) out.push_back(i);
    }
    return out;
}

// The kernels of the container that match the query.
Result<std::vector<ImageContents>> queried(const Container& container, const KernelQuery& query,
                                           std::stop_token stop) {
    const std::optional<Arch> arch = TRY(queried_arch(query.arch));
    std::vector<ImageContents> out;
    std::vector<std::string> archs;
    bool any = false;
    for (const Image& image : container.images()) {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "was stopped", container.where().string());
        if (!matches_image(image, query.image)) continue;
        any = true;
        // The code may be for an older architecture than its entry: only the cubin has the answer.
        if (arch && image.arch && image.kind != ImageKind::Elf) continue;
        ImageContents contents = contents_of(container, image);
        const std::string name = contents.arch ? contents.arch->name() : "";
        if (!name.empty() && !contents.kernels.empty() &&
            std::find(archs.begin(), archs.end(), name) == archs.end())
            archs.push_back(name);
        if (arch && (!contents.arch || !(*contents.arch == *arch))) continue;
        out.push_back(std::move(contents));
    }
    if (!any)
        return fail(ErrorCode::NotFound,
                    fmt::format("has no image '{}' (1 to {}, see `cubinlab info`)", query.image,
                                container.images().size()),
                    container.where().string());
    if (arch && out.empty())
        return fail(ErrorCode::NotFound,
                    fmt::format("has no code for {}; there is {}", arch->name(),
                                archs.empty() ? "none at all" : fmt::format("{}", fmt::join(archs, ", "))),
                    container.where().string());
    return out;
}

std::vector<KernelEntry> all_of(const std::vector<ImageContents>& images) {
    std::vector<KernelEntry> out;
    for (const ImageContents& image : images)
        out.insert(out.end(), image.kernels.begin(), image.kernels.end());
    return out;
}

// A program keeps the input of the device linker. If the linked code is present, it is the code that runs.
void prefer_linked(std::vector<KernelEntry>& kernels) {
    std::vector<KernelEntry> kept;
    for (const KernelEntry& k : kernels) {
        const bool linked_elsewhere =
            k.relocatable && std::any_of(kernels.begin(), kernels.end(), [&](const KernelEntry& other) {
                return !other.relocatable && other.name == k.name && other.arch == k.arch;
            });
        if (!linked_elsewhere) kept.push_back(k);
    }
    kernels = std::move(kept);
}

std::string told(const Container& container, const std::vector<KernelEntry>& kernels) {
    std::string out;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kernels.size(), kMostListed); ++i)
        names.push_back(kernels[i].demangled);
    const std::vector<std::string> labels = kernel_labels(names);
    const bool one = container.images().size() == 1;  // no need to name the image
    for (std::size_t i = 0; i < labels.size(); ++i)
        out += one ? (i == 0 ? "" : "; ") + clipped(labels[i])
                   : fmt::format("{}{} ({}, image {}{})", i == 0 ? "" : "; ", clipped(labels[i]),
                                 kernels[i].arch.name(), kernels[i].image + 1,
                                 container.images()[kernels[i].image].member.empty()
                                     ? ""
                                     : ", " + clipped(container.images()[kernels[i].image].member));
    if (kernels.size() > kMostListed) out += fmt::format("; and {} more", kernels.size() - kMostListed);
    return out;
}

// Describes the differences between the candidates.
std::string how_to_choose(const std::vector<KernelEntry>& kernels) {
    const auto differ = [&](auto of) {
        return std::any_of(kernels.begin(), kernels.end(),
                           [&](const KernelEntry& k) { return !(of(k) == of(kernels.front())); });
    };
    std::vector<std::string> out;
    if (differ([](const KernelEntry& k) { return k.name; })) out.emplace_back("--kernel NAME");
    if (differ([](const KernelEntry& k) { return k.arch.name(); })) out.emplace_back("--arch sm_XX");
    if (out.empty()) out.emplace_back("--image N");
    return fmt::format("{}", fmt::join(out, " and "));
}

std::string why_none(const std::vector<ImageContents>& images) {
    std::vector<std::string> remarks;
    for (const ImageContents& image : images)
        if (!image.remark.empty() &&
            std::find(remarks.begin(), remarks.end(), image.remark) == remarks.end() &&
            remarks.size() < kMostListed)
            remarks.push_back(image.remark);
    const bool ptx = std::any_of(remarks.begin(), remarks.end(),
                                 [](const std::string& remark) { return remark.starts_with("PTX"); });
    return remarks.empty()
               ? "contains no kernel"
               : fmt::format("contains no kernel: {}{}", fmt::join(remarks, "; "),
                             ptx ? "; ptxas makes SASS of it: open the .ptx itself" : "");
}

// A kernel that the query means and that no name leads to.
std::optional<UnusableKernel> unusable_named(const std::vector<ImageContents>& images, const std::string& query) {
    for (const ImageContents& image : images)
        for (const UnusableKernel& one : image.unusable) {
            if (one.name.empty()) continue;
            KernelEntry entry;
            entry.name = one.name;
            entry.demangled = demangled(one.name);
            auto found = matching({entry}, query);
            if (found && !found->empty()) return one;
        }
    return std::nullopt;
}

Result<KernelChoice> opened(const Container& container, std::size_t image, std::string kernel) {
    const Image& from = container.images()[image];
    auto cubin = TRY(container.cubin(from));
    return KernelChoice{std::move(cubin), std::move(kernel), image, from.triton};
}

// A single image outside any container is read once; errors are those of a cubin.
Result<std::optional<KernelChoice>> from_plain_cubin(const Container& container, const KernelQuery& query,
                                                     bool need_kernel) {
    const Image& only = container.images().front();
    if (container.images().size() != 1 || only.kind != ImageKind::Elf || !query.image.empty() ||
        !query.arch.empty())
        return std::optional<KernelChoice>{};
    auto choice = TRY(opened(container, 0, {}));
    const Cubin& cubin = *choice.cubin;
    if (query.kernel.empty() && !need_kernel) return std::optional<KernelChoice>{std::move(choice)};
    const bool of_several = query.kernel.empty() && cubin.kernels().size() > 1;
    if (!query.kernel.starts_with(kRegex) && !of_several)
        if (auto exact = cubin.kernel(query.kernel);
            exact || query.kernel.empty() || exact.error().code == ErrorCode::Refused) {
            if (!exact) return fail(exact.error());
            choice.kernel = (*exact)->name;
            return std::optional<KernelChoice>{std::move(choice)};
        }
    return std::optional<KernelChoice>{};
}

}  // namespace

Result<std::optional<Arch>> queried_arch(const std::string& query) {
    if (query.empty()) return std::optional<Arch>();
    auto arch = Arch::parse(query);
    if (!arch)
        return fail(ErrorCode::BadUse, fmt::format("'{}' is not an architecture (sm_90a)", query), "--arch");
    return arch;
}

bool matches_image(const Image& image, const std::string& query) {
    if (query.empty()) return true;
    if (const auto number = parse_number<std::size_t>(query)) return image.index + 1 == *number;
    return image.member.find(query) != std::string::npos || image.source.find(query) != std::string::npos;
}

bool operator==(const KernelQuery& a, const KernelQuery& b) {
    return a.kernel == b.kernel && a.arch == b.arch && a.image == b.image;
}

Result<std::vector<std::size_t>> matching(const std::vector<KernelEntry>& kernels, const std::string& query) {
    if (query.starts_with(kRegex)) return matching_regex(kernels, query.substr(kRegex.size()));
    const auto all_that = [&](auto is) {
        std::vector<std::size_t> out;
        for (std::size_t i = 0; i < kernels.size(); ++i)
            if (is(kernels[i])) out.push_back(i);
        return out;
    };
    if (query.empty()) return all_that([](const KernelEntry&) { return true; });
    // The name in the file, then what a user types: "saxpy<float,4>" for "void demo::saxpy<float, 4>(...)".
    using Names = std::vector<std::string> (*)(const KernelEntry&);
    static constexpr Names ways[] = {
        [](const KernelEntry& k) { return std::vector{k.name}; },
        [](const KernelEntry& k) { return std::vector{k.demangled}; },
        [](const KernelEntry& k) { return std::vector{std::string(short_name(k.demangled))}; },
        [](const KernelEntry& k) { return std::vector{std::string(short_name(k.demangled, true))}; },
        [](const KernelEntry& k) {
            const std::string_view name = short_name(k.demangled);
            return std::vector{unqualified(name), unqualified(name, Qualifiers::OfTemplates),
                               unqualified(short_name(k.demangled, true))};
        }};
    for (const bool spaces : {true, false}) {
        const std::string typed = spaces ? query : without_spaces(query);
        for (const Names names : ways) {
            auto out = all_that([&](const KernelEntry& k) {
                return std::ranges::any_of(names(k), [&](const std::string& name) {
                    return (spaces ? name : without_spaces(name)) == typed;
                });
            });
            if (!out.empty()) return out;
        }
    }
    // As a JSON document has it.
    return all_that([&](const KernelEntry& k) { return as_utf8(k.name) == as_utf8(query); });
}

Result<KernelChoice> choose_kernel(const Container& container, const KernelQuery& query,
                                   std::stop_token stop) {
    auto plain = TRY(from_plain_cubin(container, query, true));
    if (plain) return std::move(*plain);
    auto images = TRY(queried(container, query, stop));
    const std::vector<KernelEntry> all = all_of(images);
    const std::string where = container.where().string();
    if (all.empty()) return fail(ErrorCode::BadInput, why_none(images), where);
    auto found = TRY(matching(all, query.kernel));
    std::vector<KernelEntry> left;
    for (const std::size_t i : found)
        left.push_back(all[i]);
    prefer_linked(left);
    if (left.empty())
        if (const auto bad = unusable_named(images, query.kernel))
            return fail(ErrorCode::Refused,
                        fmt::format("the kernel \"{}\" cannot be used: {}", bad->name, bad->why), where);
    if (left.empty())
        return fail(ErrorCode::NotFound,
                    fmt::format("has no kernel \"{}\"; there are: {}", query.kernel, told(container, all)),
                    where);
    if (left.size() > 1)
        return fail(ErrorCode::BadUse,
                    query.kernel.empty()
                        ? fmt::format("has {} kernels, choose one with {}: {}", left.size(),
                                      how_to_choose(left), told(container, left))
                        : fmt::format("\"{}\" means {} kernels, choose one with {}: {}", query.kernel,
                                      left.size(), how_to_choose(left), told(container, left)),
                    where);
    return opened(container, left.front().image, left.front().name);
}

Result<KernelFoundAgain> choose_kernel_again(const Container& container, const KernelQuery& query,
                                             const SoughtKernel& sought) {
    auto images = TRY(queried(container, {{}, query.arch, query.image}, {}));
    struct Found {
        std::size_t image = 0;
        std::string name;
        FoundBy by = FoundBy::StableName;
        bool relocatable = false;
    };
    std::vector<Found> best;
    std::optional<Error> first;
    for (const ImageContents& contents : images) {
        if (contents.kernels.empty()) continue;
        auto cubin = container.cubin(container.images()[contents.image]);
        if (!cubin) continue;
        auto found = find_again(**cubin, sought);
        if (!found) {
            if (!first || first->code == ErrorCode::NotFound) first = found.error();
            continue;
        }
        if (!best.empty() && found->by > best.front().by) continue;
        if (!best.empty() && found->by < best.front().by) best.clear();
        best.push_back({contents.image, found->kernel->name, found->by, contents.relocatable});
    }
    if (best.empty() && first) return fail(*first);
    if (best.empty()) return fail(ErrorCode::BadInput, why_none(images), container.where().string());
    if (std::ranges::any_of(best, [](const Found& one) { return !one.relocatable; }))
        std::erase_if(best, [](const Found& one) { return one.relocatable; });
    if (best.size() > 1) {
        // The same name in several images, or several names with this code: the user chooses.
        auto choice = TRY(choose_kernel(container, {best.front().name, query.arch, query.image}));
        return KernelFoundAgain{std::move(choice), best.front().by};
    }
    auto choice = TRY(opened(container, best.front().image, best.front().name));
    return KernelFoundAgain{std::move(choice), best.front().by};
}

Result<KernelChoice> choose_image(const Container& container, const KernelQuery& query) {
    if (!query.kernel.empty()) return choose_kernel(container, query);
    auto plain = TRY(from_plain_cubin(container, query, false));
    if (plain) return std::move(*plain);
    auto images = TRY(queried(container, query, {}));
    std::vector<const ImageContents*> with_code;
    for (const ImageContents& image : images)
        if (!image.kernels.empty()) with_code.push_back(&image);
    // The output of the device linker replaces its input.
    if (std::any_of(with_code.begin(), with_code.end(),
                    [](const ImageContents* i) { return !i->relocatable; }))
        std::erase_if(with_code, [](const ImageContents* i) { return i->relocatable; });
    if (with_code.size() == 1) return opened(container, with_code.front()->image, {});
    const std::string where = container.where().string();
    if (with_code.empty()) return fail(ErrorCode::BadInput, why_none(images), where);
    const std::vector<KernelEntry> all = all_of(images);
    return fail(ErrorCode::BadUse,
                fmt::format("has {} images with kernels, choose one with --image N, --arch or --kernel: {}",
                            with_code.size(), told(container, all)),
                where);
}

}  // namespace cubinlab
