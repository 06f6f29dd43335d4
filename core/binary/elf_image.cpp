// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/elf_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace cubinlab {
namespace {

static_assert(std::endian::native == std::endian::little, "cubins are little-endian and are read in place");

constexpr std::size_t kHeaderSize = 64;
constexpr std::size_t kSectionHeaderSize = 64;
constexpr std::size_t kSegmentHeaderSize = 56;
constexpr std::size_t kSymbolSize = 24;
constexpr std::uint16_t kMachineCuda = 190;
constexpr std::uint32_t kSectionSymbols = 2;
// With more sections than 16 bits can count (about 20,000 kernels), section 0 has the count, and a separate
// table has the section of each symbol.
constexpr std::uint32_t kSectionIndices = 18;
constexpr std::uint16_t kIndexElsewhere = 0xffff;
constexpr std::size_t kMostSymbols = std::size_t{1} << 22;

bool fits(std::size_t offset, std::size_t size, std::size_t total) {
    return offset <= total && size <= total - offset;
}

bool starts_with(Bytes bytes, std::string_view magic) {
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

Error foreign_file(Bytes bytes, const std::string& where) {
    using namespace std::string_view_literals;
    auto bad = [&](std::string what) { return Error{ErrorCode::BadInput, std::move(what), where}; };
    if (bytes.empty()) return bad("is empty");
    if (starts_with(bytes, "\x50\xed\x55\xba"sv))
        return bad("is a fatbin, which holds cubins; take one out with `cubinlab extract`");
    if (starts_with(bytes, "//"sv) || starts_with(bytes, ".version"sv))
        return bad("looks like PTX text; assemble it with `ptxas -arch=sm_XX FILE -o FILE.cubin`");
    if (starts_with(bytes, "!<arch>"sv))
        return bad("is a library archive; take a cubin out with `cubinlab extract`");
    return bad("is not a cubin (no ELF header)");
}

Status check_header(Bytes bytes, const std::string& where) {
    using namespace std::string_view_literals;
    if (!starts_with(bytes,
                     "\x7f"
                     "ELF"sv))
        return fail(foreign_file(bytes, where));
    auto bad = [&](std::string what) { return fail(ErrorCode::BadInput, std::move(what), where); };
    if (bytes.size() < kHeaderSize) return bad("is truncated inside the ELF header");
    if (load<std::uint8_t>(bytes, 4) != 2)
        return bad("is a 32-bit ELF file; cubins that can be opened are 64-bit");
    if (load<std::uint8_t>(bytes, 5) != 1) return bad("is a big-endian ELF file, not a cubin");
    const auto machine = load<std::uint16_t>(bytes, 18);
    if (machine != kMachineCuda)
        return bad(
            fmt::format("is an ELF file for another machine ({}), not a cubin; a host program's cubins come "
                        "out with `cubinlab extract`",
                        machine));
    return {};
}

// The driver loads segments; checking them detects a file that is truncated after its sections.
Status check_segments(Bytes bytes, const std::string& where) {
    const auto table = load<std::uint64_t>(bytes, 32);
    const std::size_t count = load<std::uint16_t>(bytes, 56);
    if (count == 0) return {};
    if (load<std::uint16_t>(bytes, 54) != kSegmentHeaderSize)
        return fail(ErrorCode::BadInput, "has program headers of an unknown size", where);
    bool inside = fits(table, count * kSegmentHeaderSize, bytes.size());
    for (std::size_t i = 0; inside && i < count; ++i) {
        const std::size_t at = table + i * kSegmentHeaderSize;
        inside = fits(load<std::uint64_t>(bytes, at + 8), load<std::uint64_t>(bytes, at + 32), bytes.size());
    }
    if (!inside) return fail(ErrorCode::BadInput, "is truncated: a segment ends outside the file", where);
    return {};
}

// Names of one string table. Names may share suffixes, but a table whose names take far more bytes than the
// file is rejected before they are copied.
class NameTable {
  public:
    NameTable(Bytes table, std::size_t budget, const std::string& where)
        : table_(table), budget_(budget), where_(where) {}

    Result<std::string_view> at(std::size_t offset) {
        if (offset >= table_.size())
            return fail(ErrorCode::BadInput, "has a name outside its string table", where_);
        const Bytes rest = table_.subspan(offset);
        const char* first = reinterpret_cast<const char*>(rest.data());
        const std::size_t room = std::min(rest.size(), budget_ + 1);
        const void* end = std::memchr(first, 0, room);
        if (!end && room < rest.size()) return overlapping();
        if (!end) return fail(ErrorCode::BadInput, "has a name that does not end", where_);
        const std::string_view name(first, static_cast<const char*>(end));
        if (name.size() > budget_) return overlapping();
        budget_ -= name.size();
        return name;
    }

  private:
    tl::unexpected<Error> overlapping() const {
        return fail(ErrorCode::BadInput, "has names that overlap so much that they are longer than the file",
                    where_);
    }
    Bytes table_;
    std::size_t budget_;  // bytes of names that may still be returned
    const std::string& where_;
};

std::size_t name_budget(Bytes file) {
    return 4 * file.size() + 4096;
}

// Sections that are patched or read repeatedly must not overlap others: a patch would damage them, and a file
// that names the same bytes a thousand times would cost a thousand times its size. (Files for sm_100 do share
// constant banks and sections that are not read here.)
bool needs_own_bytes(const ElfSection& s) {
    return s.executable() || s.relocates() || s.type == kSectionSymbols || s.name.starts_with(".nv.info");
}

Result<std::vector<ElfSection>> read_sections(Bytes bytes, const std::string& where) {
    auto bad = [&](std::string what) { return fail(ErrorCode::BadInput, std::move(what), where); };
    const auto table = load<std::uint64_t>(bytes, 40);
    const auto entry_size = load<std::uint16_t>(bytes, 58);
    std::uint64_t count = load<std::uint16_t>(bytes, 60);
    std::uint64_t names_index = load<std::uint16_t>(bytes, 62);
    if (table != 0 && fits(table, kSectionHeaderSize, bytes.size())) {
        if (count == 0) count = load<std::uint64_t>(bytes, table + 32);
        if (names_index == kIndexElsewhere) names_index = load<std::uint32_t>(bytes, table + 40);
    }
    if (count == 0) return bad("has no section table");
    if (entry_size != kSectionHeaderSize)
        return bad(fmt::format("has section headers of {} bytes instead of 64", entry_size));
    if (count > bytes.size() / kSectionHeaderSize || !fits(table, count * kSectionHeaderSize, bytes.size()))
        return bad(fmt::format(
            "is truncated: its section table has {} entries and begins at byte {}, the file has {}", count,
            table, bytes.size()));
    std::vector<ElfSection> sections(count);
    std::vector<std::uint32_t> name_offsets(count);
    for (std::size_t i = 1; i < count; ++i) {  // section 0 stays empty
        const std::size_t at = table + i * kSectionHeaderSize;
        ElfSection& s = sections[i];
        name_offsets[i] = load<std::uint32_t>(bytes, at);
        s.type = load<std::uint32_t>(bytes, at + 4);
        s.flags = load<std::uint64_t>(bytes, at + 8);
        s.offset = load<std::uint64_t>(bytes, at + 24);
        s.size = load<std::uint64_t>(bytes, at + 32);
        s.link = load<std::uint32_t>(bytes, at + 40);
        s.info = load<std::uint32_t>(bytes, at + 44);
        if (s.no_bits()) continue;
        if (!fits(s.offset, s.size, bytes.size()))
            return bad(
                fmt::format("is truncated: section {} ends outside the file of {} bytes", i, bytes.size()));
        s.bytes = part_of(bytes, s.offset, s.size);
    }
    if (names_index >= count || sections[names_index].bytes.empty()) return bad("has no section names");
    NameTable names(sections[names_index].bytes, name_budget(bytes), where);
    for (std::size_t i = 1; i < count; ++i) {
        sections[i].name = TRY(names.at(name_offsets[i]));
    }
    return sections;
}

Status check_overlap(Bytes bytes, const std::vector<ElfSection>& sections, const std::string& where) {
    struct Range {
        std::size_t first, end;
        std::string_view name;
        bool strict;
    };
    const auto table = load<std::uint64_t>(bytes, 40);
    std::vector<Range> ranges{{0, kHeaderSize, "ELF header", true},
                              {table, table + sections.size() * kSectionHeaderSize, "section table", true}};
    const auto segments = load<std::uint64_t>(bytes, 32);
    if (const std::size_t count = load<std::uint16_t>(bytes, 56); count != 0)
        ranges.push_back({segments, segments + count * kSegmentHeaderSize, "program headers", true});
    for (const ElfSection& s : sections)
        if (!s.bytes.empty())
            ranges.push_back({s.offset, s.offset + s.bytes.size(), s.name, needs_own_bytes(s)});
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
    std::size_t strict_end = 0, any_end = 0;
    for (const Range& r : ranges) {
        if (r.first < strict_end || (r.strict && r.first < any_end))
            return fail(ErrorCode::BadInput, fmt::format("has overlapping sections (at {})", r.name), where);
        any_end = std::max(any_end, r.end);
        if (r.strict) strict_end = std::max(strict_end, r.end);
    }
    return {};
}

Result<std::vector<ElfSymbol>> read_symbols(Bytes bytes, const std::vector<ElfSection>& sections,
                                            const std::string& where) {
    std::vector<ElfSymbol> symbols;
    const auto table = std::find_if(sections.begin(), sections.end(),
                                    [](const ElfSection& s) { return s.type == kSectionSymbols; });
    if (table == sections.end()) return symbols;
    if (table->link == 0 || table->link >= sections.size() || sections[table->link].no_bits())
        return fail(ErrorCode::BadInput, "has a symbol table without names", where);
    const std::size_t count = table->bytes.size() / kSymbolSize;
    if (count > kMostSymbols)
        return fail(ErrorCode::BadInput,
                    fmt::format("has {} symbols; at most {} are read", count, kMostSymbols), where);
    const auto number = static_cast<std::uint32_t>(table - sections.begin());
    const auto indices = std::find_if(sections.begin(), sections.end(), [number](const ElfSection& s) {
        return s.type == kSectionIndices && s.link == number;
    });
    NameTable names(sections[table->link].bytes, name_budget(bytes), where);
    symbols.reserve(count);
    for (ByteCursor at(table->bytes); at.left() >= kSymbolSize;) {
        ElfSymbol symbol;
        const auto name_offset = at.take<std::uint32_t>();
        if (!sections[table->link].bytes.empty()) {
            symbol.name = TRY(names.at(name_offset));
        }
        symbol.type = at.take<std::uint8_t>() & 0xf;
        symbol.other = at.take<std::uint8_t>();
        symbol.section = at.take<std::uint16_t>();
        if (symbol.section == kIndexElsewhere && indices != sections.end()) {
            if ((symbols.size() + 1) * 4 > indices->bytes.size())
                return fail(ErrorCode::BadInput, "has a symbol without a section", where);
            symbol.section = load<std::uint32_t>(indices->bytes, symbols.size() * 4);
        } else if (symbol.section >= 0xff00) {
            symbol.section |= 0xffff0000;  // absolute, common: above every section number
        }
        symbol.value = at.take<std::uint64_t>();
        symbol.size = at.take<std::uint64_t>();
        symbols.push_back(symbol);
    }
    return symbols;
}

}  // namespace

Result<ElfImage> ElfImage::read(Bytes bytes, const std::string& where) {
    TRY(check_header(bytes, where));
    ElfImage image;
    image.os_abi = load<std::uint8_t>(bytes, 7);
    image.abi_version = load<std::uint8_t>(bytes, 8);
    image.flags = load<std::uint32_t>(bytes, 48);
    auto sections = TRY(read_sections(bytes, where));
    TRY(check_segments(bytes, where));
    TRY(check_overlap(bytes, sections, where));
    auto symbols = TRY(read_symbols(bytes, sections, where));
    image.sections = std::move(sections);
    image.symbols = std::move(symbols);
    return image;
}

const ElfSection* ElfImage::find(std::string_view name) const {
    for (const ElfSection& s : sections)
        if (s.name == name) return &s;
    return nullptr;
}

}  // namespace cubinlab
