// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <charconv>

#include "core/sass/disassembler.h"

namespace cubinlab {
namespace {

constexpr std::string_view kMagic = "cubinlab-listing 1 ";

std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

// Advances `text` past the header line of this kernel; false if there is none.
bool find_kernel(std::string_view& text, std::string_view kernel, Hash128& hash) {
    while (!text.empty()) {
        std::string_view line = take_line(text);
        if (!line.starts_with(kMagic)) continue;
        line.remove_prefix(kMagic.size());
        const std::size_t space = line.rfind(' ');
        if (space == std::string_view::npos || line.substr(0, space) != kernel) continue;
        const auto found = Hash128::from_hex(line.substr(space + 1));
        if (!found) continue;
        hash = *found;
        return true;
    }
    return false;
}

}  // namespace

std::string write_stored_listing(const KernelInfo& kernel, Hash128 code_hash,
                                 const std::vector<std::string>& lines) {
    std::string out = fmt::format("{}{} {}\n", kMagic, kernel.name, code_hash.hex());
    for (std::size_t i = 0; i < lines.size(); ++i)
        out += fmt::format("{:04x}\t{}\n", i * kWordBytes, lines[i]);
    return out;
}

Result<std::vector<std::string>> read_stored_listing(std::string_view text, std::string_view kernel,
                                                     Hash128 code_hash) {
    auto bad = [&](std::string what) { return fail(ErrorCode::BadInput, std::move(what), "stored listing"); };
    if (!text.starts_with(kMagic)) return bad("does not start with \"cubinlab-listing 1\"");
    Hash128 hash;
    if (!find_kernel(text, kernel, hash)) return bad(fmt::format("contains no kernel \"{}\"", kernel));
    if (hash != code_hash) return bad("was made for other code (its hash differs)");
    std::vector<std::string> lines;
    while (!text.empty() && !text.starts_with(kMagic)) {
        const std::string_view line = take_line(text);
        const std::size_t tab = line.find('\t');
        std::uint64_t offset = 0;
        const char* end = line.data() + std::min(tab, line.size());
        const auto [stop, error] = std::from_chars(line.data(), end, offset, 16);
        if (tab == std::string_view::npos || error != std::errc{} || stop != end ||
            offset != lines.size() * kWordBytes)
            return bad(fmt::format("has a line that is not \"OFFSET<TAB>TEXT\" with offset {:04x}",
                                   lines.size() * kWordBytes));
        lines.emplace_back(line.substr(tab + 1));
    }
    return lines;
}

std::filesystem::path default_listing_path(const std::filesystem::path& cubin) {
    std::filesystem::path out = cubin;
    return out.replace_extension(".listing");
}

}  // namespace cubinlab
