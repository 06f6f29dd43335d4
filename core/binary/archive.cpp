// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/archive.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "core/base/parse_number.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMagic = 8;    // "!<arch>\n"
constexpr std::size_t kHeader = 60;  // name 16, date 12, owner 6, group 6, mode 8, size 10, "`\n"

std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

// "/123": the name at byte 123 of the long name table, up to "/\n".
std::string long_name(std::string_view table, std::size_t offset) {
    if (offset >= table.size()) return "?";
    table.remove_prefix(offset);
    std::string_view name = table.substr(0, std::min(table.find('\n'), table.size()));
    if (name.ends_with('/')) name.remove_suffix(1);
    constexpr std::size_t kMost = 4096;
    return std::string(name.substr(0, kMost));
}

}  // namespace

bool is_archive(Bytes bytes) {
    return text_of(part_of(bytes, 0, kMagic)) == "!<arch>\n";
}

bool is_thin_archive(Bytes bytes) {
    return text_of(part_of(bytes, 0, kMagic)) == "!<thin>\n";
}

Result<std::vector<ArchiveMember>> read_archive(Bytes bytes, std::size_t limit) {
    std::vector<ArchiveMember> out;
    std::string_view long_names;
    for (std::size_t at = kMagic; at + 1 < bytes.size();) {
        const std::string_view header = text_of(part_of(bytes, at, kHeader));
        if (header.size() != kHeader || header.substr(58) != "`\n")
            return fail(ErrorCode::BadInput,
                        fmt::format("is a damaged archive: no member's header at byte {}", at));
        const auto size = parse_number<std::size_t>(trimmed(header.substr(48, 10)));
        std::size_t first = at + kHeader;
        if (!size || *size > bytes.size() - first)
            return fail(
                ErrorCode::BadInput,
                fmt::format("is a damaged archive: the member at byte {} ends outside of the file", at));
        const std::size_t end = first + *size;
        at = end + end % 2;
        std::string_view name = trimmed(header.substr(0, 16));
        if (name == "//") {
            long_names = text_of(part_of(bytes, first, *size));
            continue;
        }
        if (name == "/" || name == "/SYM64/" || name.starts_with("__.SYMDEF")) continue;
        std::string full;
        const auto given = parse_number<std::size_t>(name.substr(std::min<std::size_t>(name.size(), 1)));
        const auto bsd = name.starts_with("#1/") ? parse_number<std::size_t>(name.substr(3)) : std::nullopt;
        if (bsd) {  // the name precedes the contents
            if (*bsd > end - first)
                return fail(ErrorCode::BadInput, "is a damaged archive: a name is too long");
            full = text_of(part_of(bytes, first, *bsd));
            full.erase(std::min(full.find('\0'), full.size()));
            first += *bsd;
            if (full.starts_with("__.SYMDEF")) continue;
        } else if (name.starts_with('/') && given) {
            full = long_name(long_names, *given);
        } else {
            if (name.ends_with('/')) name.remove_suffix(1);
            full = name;
        }
        if (out.size() >= limit)
            return fail(ErrorCode::BadInput,
                        fmt::format("has more members than the limit of {}", limit));
        out.push_back({std::move(full), first, end - first});
    }
    return out;
}

}  // namespace cubinlab
