// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/triton_entry.h"

#include <charconv>

#include "core/base/bounded_json.h"
#include "core/base/file.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostMetadata = 1 << 20;    // bytes
constexpr std::size_t kMostSignature = 64 << 20;  // bytes of a .ttir
constexpr std::size_t kMostParams = 4096;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n'))
        text.remove_suffix(1);
    return text;
}

// The end of the text at `at`: the first `,` or `)` outside brackets and quotes.
std::size_t end_of_item(std::string_view text, std::size_t at) {
    int depth = 0;
    for (bool quoted = false; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (depth == 0 && (c == ',' || c == ')')) return at;
        if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
        if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
    }
    return std::string_view::npos;
}

// `%name: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc(...)`
TritonParam param_of(std::string_view item) {
    TritonParam out;
    const std::size_t colon = item.find(':');
    std::string_view name = trimmed(item.substr(0, colon));
    if (name.starts_with('%')) name.remove_prefix(1);
    out.name = name;
    std::string_view rest = colon == std::string_view::npos ? "" : trimmed(item.substr(colon + 1));
    constexpr std::string_view kPointer = "!tt.ptr<";
    if (rest.starts_with(kPointer)) {
        out.pointer = true;
        std::string_view pointee = rest.substr(kPointer.size());
        pointee = pointee.substr(0, pointee.find_first_of(">,"));
        out.type = trimmed(pointee);
    } else {
        out.type = rest.substr(0, rest.find_first_of(" {"));
    }
    constexpr std::string_view kDivisible = "tt.divisibility = ";
    if (const std::size_t at = rest.find(kDivisible); at != std::string_view::npos) {
        const std::string_view digits = rest.substr(at + kDivisible.size());
        std::from_chars(digits.data(), digits.data() + digits.size(), out.divisibility);
    }
    return out;
}

template <class T>
T number(const nlohmann::json& object, const char* name, T otherwise) {
    constexpr std::int64_t kMost = std::int64_t{1} << 30;
    const auto value = json_or(object, name, std::int64_t{-1});
    return value < 0 || value > kMost ? otherwise : static_cast<T>(value);
}

}  // namespace

std::optional<std::vector<TritonParam>> triton_signature(std::string_view ttir, std::string_view name) {
    const std::string wanted = "tt.func public @" + std::string(name) + "(";
    const std::size_t found = ttir.find(wanted);
    if (found == std::string_view::npos) return std::nullopt;
    std::vector<TritonParam> out;
    for (std::size_t at = found + wanted.size(); out.size() < kMostParams;) {
        const std::size_t end = end_of_item(ttir, at);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view item = trimmed(ttir.substr(at, end - at));
        if (!item.empty()) out.push_back(param_of(item));
        if (ttir[end] == ')') return out;
        at = end + 1;
    }
    return std::nullopt;
}

std::shared_ptr<const TritonEntry> read_triton_entry(const std::filesystem::path& cubin) {
    auto text = read_text(std::filesystem::path(cubin).replace_extension(".json"), kMostMetadata);
    if (!text) return nullptr;
    const nlohmann::json json = parse_json_or_discard(*text);
    if (!json.is_object() || !json.contains("num_warps") || !json.contains("name")) return nullptr;
    auto out = std::make_shared<TritonEntry>();
    out->folder = cubin.parent_path();
    out->name = json_or(json, "name", "");
    out->num_warps = number(json, "num_warps", 0);
    out->num_ctas = number(json, "num_ctas", 1);
    out->num_stages = number(json, "num_stages", 0);
    out->shared = number<std::uint32_t>(json, "shared", 0);
    out->global_scratch = number<std::uint64_t>(json, "global_scratch_size", 0);
    out->profile_scratch = number<std::uint64_t>(json, "profile_scratch_size", 0);
    out->cooperative = json_or(json, "launch_cooperative_grid", false);
    out->launch_pdl = json_or(json, "launch_pdl", false);
    out->version = json_or(json, "triton_version", "");
    if (const auto target = json.find("target"); target != json.end() && target->is_object()) {
        out->warp_size = number(*target, "warp_size", 32);
        if (const auto arch = target->find("arch"); arch != target->end())
            out->arch = arch->is_number_integer() ? arch->dump() : json_or(*target, "arch", "");
    }
    if (auto ttir = read_text(std::filesystem::path(cubin).replace_extension(".ttir"), kMostSignature))
        if (auto params = triton_signature(*ttir, out->name)) {
            out->params = std::move(*params);
            out->has_signature = true;
        }
    return out;
}

}  // namespace cubinlab
