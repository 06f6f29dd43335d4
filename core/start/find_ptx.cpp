// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/start/find_ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/binary/ptx_choice.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostText = std::size_t{32} << 20;  // bytes, as core/ptx reads
constexpr std::size_t kMostGroupFile = 1 << 20;           // bytes

// Whether ptxas compiles a text of this target for the architecture: `a` is for that architecture alone, `f` for its family.
bool compiles_for(const Arch& target, const Arch& arch) {
    if (target.accelerated) return target.sm == arch.sm && arch.accelerated;
    if (target.family) return target.sm <= arch.sm && target.sm / 10 == arch.sm / 10;
    return target.sm <= arch.sm;
}

// Why the text is no source of this kernel; empty: it is.
std::string why_not(const std::string& text, const KernelChoice& kernel) {
    const std::vector<std::string> entries = ptx_entries(text);
    if (std::ranges::find(entries, kernel.kernel) == entries.end())
        return fmt::format("has no entry \"{}\"", kernel.kernel);
    const std::optional<Arch> target = Arch::parse(ptx_target(text));
    const Arch& arch = kernel.cubin->arch();
    if (!target) return "has no .target";
    if (!compiles_for(*target, arch))
        return fmt::format("is for {} and cannot be compiled for {}", target->name(), arch.name());
    return {};
}

std::optional<PtxSource> usable(const fs::path& path, const KernelChoice& kernel) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;
    auto text = read_text(path, kMostText);
    if (!text || !why_not(*text, kernel).empty()) return std::nullopt;
    return PtxSource{std::move(*text), path.string()};
}

// Of several texts the one of the same member and the closest architecture, then the next in the file.
std::optional<PtxSource> in_container(const Container& container, const KernelChoice& kernel) {
    const Image& own = container.images()[kernel.image];
    using Rank = std::tuple<bool, int, bool, std::size_t>;
    std::vector<std::pair<Rank, const Image*>> found;
    for (const Image& image : container.images()) {
        if (image.kind != ImageKind::Ptx || image.file != own.file || image.unpacked > kMostText) continue;
        if (image.arch && image.arch->sm > kernel.cubin->arch().sm) continue;
        const std::size_t away = image.index > own.index ? image.index - own.index : own.index - image.index;
        found.push_back({{image.member != own.member || image.source != own.source,
                          image.arch ? -image.arch->sm : 0, !(image.arch && image.arch->accelerated), away},
                         &image});
    }
    std::ranges::sort(found, {}, [](const auto& one) { return one.first; });
    for (const auto& [rank, image] : found) {
        auto text = ptx_text(container, *image);
        if (text && why_not(*text, kernel).empty()) return PtxSource{std::move(*text), image->text()};
    }
    return std::nullopt;
}

// "a/__grp__add.json" names "add.ptx" with the path that it had when it was made.
std::optional<PtxSource> in_triton_group(const fs::path& cubin, const KernelChoice& kernel) {
    const fs::path group = cubin.parent_path() / fmt::format("__grp__{}.json", cubin.stem().string());
    const auto text = read_text(group, kMostGroupFile);
    const auto json = text ? parse_json_or_discard(*text) : nlohmann::json();
    const auto paths = json.is_object() ? json.find("child_paths") : json.end();
    if (paths == json.end() || !paths->is_object()) return std::nullopt;
    for (const auto& [name, path] : paths->items()) {
        if (!name.ends_with(".ptx") || !path.is_string()) continue;
        const fs::path file = path.get<std::string>();
        for (const fs::path& at : {cubin.parent_path() / file.filename(), file})
            if (auto found = usable(at, kernel)) return found;
    }
    return std::nullopt;
}

std::optional<PtxSource> next_to(const fs::path& file, const KernelChoice& kernel) {
    std::vector<fs::path> names = {fs::path(file).replace_extension(".ptx")};
    const fs::path stem = file.stem();
    if (stem.extension().string().starts_with(".sm_"))
        names.push_back(file.parent_path() / fs::path(stem).replace_extension(".ptx"));
    for (const fs::path& name : names)
        if (auto found = usable(name, kernel)) return found;
    return in_triton_group(file, kernel);
}

std::vector<fs::path> triton_caches() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return fs::path(value != nullptr ? value : "");
    };
    std::vector<fs::path> out = {variable("TRITON_CACHE_DIR")};
    if (const fs::path own = variable("TORCHINDUCTOR_CACHE_DIR"); !own.empty()) out.push_back(own / "triton");
    if (const fs::path home = variable("HOME"); !home.empty()) out.push_back(home / ".triton" / "cache");
    std::error_code error;
    for (fs::directory_iterator it(fs::temp_directory_path(error), error), end; !error && it != end;
         it.increment(error))
        if (it->path().filename().string().starts_with("torchinductor_"))
            out.push_back(it->path() / "triton");
    std::erase_if(out, [](const fs::path& path) { return path.empty(); });
    return out;
}

}  // namespace

std::optional<PtxSource> ptx_in_triton_caches(std::span<const std::byte> cubin, const std::string& kernel) {
    constexpr std::size_t kMostFiles = 200'000;
    std::size_t seen = 0;
    for (const fs::path& cache : triton_caches()) {
        std::error_code error;
        for (fs::recursive_directory_iterator it(cache, fs::directory_options::skip_permission_denied, error),
             end;
             !error && it != end && ++seen < kMostFiles; it.increment(error)) {
            const fs::path& file = it->path();
            std::error_code none;
            if (file.extension() != ".cubin" || it->file_size(none) != cubin.size()) continue;
            const auto bytes = read_file(file, cubin.size());
            if (!bytes || !std::ranges::equal(*bytes, cubin)) continue;
            const fs::path text = fs::path(file).replace_extension(".ptx");
            auto ptx = read_text(text, kMostText);
            if (!ptx) continue;
            const std::vector<std::string> entries = ptx_entries(*ptx);
            if (std::ranges::find(entries, kernel) != entries.end())
                return PtxSource{std::move(*ptx), text.string()};
        }
    }
    return std::nullopt;
}

Result<std::optional<PtxSource>> find_ptx(const Container& container, const KernelChoice& kernel,
                                          const fs::path& stated) {
    if (!stated.empty()) {
        auto text = TRY(read_text(stated, kMostText));
        const std::string why = why_not(text, kernel);
        if (!why.empty()) return fail(ErrorCode::BadInput, why, stated.string());
        return PtxSource{std::move(text), stated.string()};
    }
    if (auto found = in_container(container, kernel)) return found;
    return next_to(container.images()[kernel.image].file, kernel);
}

}  // namespace cubinlab
