// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/kernel_rename.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <span>

#include "core/binary/code_identity.h"
#include "core/binary/elf_image.h"

namespace cubinlab {
namespace {

constexpr std::size_t kElfHeaderBytes = 64, kSectionBytes = 64, kSegmentBytes = 56, kSymbolBytes = 24;
constexpr std::uint32_t kSymbolTable = 2;
constexpr std::uint64_t kMostAlignment = 1 << 20;

bool is_identifier(std::string_view name) {
    const auto part = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
               c == '$' || c == '%';
    };
    return !name.empty() && std::ranges::all_of(name, part) && !(name[0] >= '0' && name[0] <= '9');
}

// ".rela.text" of ".rela.text.K": the kinds of sections that belong to one kernel.
bool is_kernel_section(std::string_view kind) {
    static constexpr std::array kCopies = {std::string_view(".nv.capmerc"), std::string_view(".nv.merc"),
                                           std::string_view(".rela"), std::string_view(".rel")};
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view copy : kCopies)
            if (kind.size() > copy.size() && kind.starts_with(copy) && kind[copy.size()] == '.') {
                kind.remove_prefix(copy.size());
                again = true;
            }
    }
    constexpr std::string_view kConstant = ".nv.constant";
    if (kind.starts_with(kConstant)) {  // .nv.constant0, .nv.constant.optimizer
        kind.remove_prefix(kConstant.size());
        const bool number =
            !kind.empty() && std::ranges::all_of(kind, [](char c) { return c >= '0' && c <= '9'; });
        return number || kind == ".optimizer";
    }
    return kind == ".text" || kind == ".nv.info" || kind == ".nv.shared" || kind == ".nv.local";
}

class Renaming {
  public:
    Renaming(std::string_view from, std::string_view to) : from_(from), to_(to) {}

    // Of a section, of its symbol, or of a symbol.
    std::string operator()(std::string_view name) const {
        if (name == from_) return std::string(to_);
        if (name.size() > from_.size() + 1 && name[0] == '.') {
            const std::string_view kind = name.substr(0, name.size() - from_.size() - 1);
            if (belongs(name) && is_kernel_section(kind)) return fmt::format("{}.{}", kind, to_);
        }
        const std::string own = fmt::format("${}$", from_);
        if (name.starts_with(own)) return fmt::format("${}${}", to_, name.substr(own.size()));
        return std::string(name);
    }
    // True for a section whose name ends with the kernel's and whose kind is not known.
    bool unknown(const ElfSection& section) const {
        return section.name.size() > from_.size() + 1 && section.name[0] == '.' && belongs(section.name) &&
               section.name != ".nv.info" && (*this)(section.name) == section.name && from_ != to_;
    }

  private:
    bool belongs(std::string_view name) const {
        return name.ends_with(from_) && name[name.size() - from_.size() - 1] == '.';
    }
    std::string_view from_, to_;
};

// A string table with new contents, and where each name went.
struct RenamedTable {
    std::string bytes;
    std::map<std::uint32_t, std::uint32_t> moved;  // offset of a name -> its new offset
};

// `used`: offsets of the names that the file refers to. Names may be ends of others.
RenamedTable renamed_table(Bytes table, const std::vector<std::uint32_t>& used, const Renaming& renaming) {
    RenamedTable out;
    const std::string_view text(reinterpret_cast<const char*>(table.data()), table.size());
    std::vector<std::uint32_t> left = used;
    std::ranges::sort(left);
    left.erase(std::unique(left.begin(), left.end()), left.end());
    std::vector<std::uint32_t> alone;  // names that need a string of their own
    auto next = left.begin();
    for (std::size_t first = 0; first < text.size();) {
        const std::size_t end = std::min(text.find('\0', first), text.size());
        out.bytes += renaming(text.substr(first, end - first));
        for (; next != left.end() && *next <= end; ++next) {
            const std::string name = renaming(text.substr(*next, end - *next));
            if (out.bytes.ends_with(name))
                out.moved[*next] = static_cast<std::uint32_t>(out.bytes.size() - name.size());
            else
                alone.push_back(*next);
        }
        if (end < text.size()) out.bytes += '\0';
        first = end + 1;
    }
    for (const std::uint32_t offset : alone) {
        out.moved[offset] = static_cast<std::uint32_t>(out.bytes.size());
        out.bytes += renaming(text.substr(offset, text.find('\0', offset) - offset)) + '\0';
    }
    return out;
}

class KernelRenamer {
  public:
    KernelRenamer(Bytes file, const ElfImage& elf, const Renaming& renaming)
        : elf_(elf), renaming_(renaming), out_(file.begin(), file.end()) {}

    Result<std::vector<std::byte>> rename() {
        const auto symbols = std::ranges::find(elf_.sections, kSymbolTable, &ElfSection::type);
        const auto at_symbols = static_cast<std::size_t>(symbols - elf_.sections.begin());
        const std::size_t section_names = names_index();
        TRY(check_table(section_names));
        TRY(check_table(symbols->link));
        // The table that lies behind the other is replaced first, so that offsets of `elf_` stay valid.
        std::vector<std::size_t> tables = {section_names, symbols->link};
        if (tables[0] == tables[1]) tables.pop_back();
        std::ranges::sort(tables, std::greater{}, [&](std::size_t i) { return elf_.sections[i].offset; });
        for (const std::size_t table : tables) {
            std::vector<std::uint32_t> used;
            if (table == section_names)
                for (std::size_t i = 1; i < elf_.sections.size(); ++i)
                    used.push_back(get<std::uint32_t>(section_header(i)));
            if (table == symbols->link)
                for (std::size_t i = 0; i < elf_.symbols.size(); ++i)
                    used.push_back(get<std::uint32_t>(symbol_entry(at_symbols, i)));
            const RenamedTable renamed = renamed_table(elf_.sections[table].bytes, used, renaming_);
            TRY(replace(table, renamed.bytes));
            if (table == section_names)
                for (std::size_t i = 1; i < elf_.sections.size(); ++i)
                    point(section_header(i), renamed);
            if (table == symbols->link)
                for (std::size_t i = 0; i < elf_.symbols.size(); ++i)
                    point(symbol_entry(at_symbols, i), renamed);
        }
        return std::move(out_);
    }

  private:
    template <class T>
    T get(std::size_t at) const {
        return load<T>(out_, at);
    }
    template <class T>
    void put(std::size_t at, T value) {
        if (at <= out_.size() && sizeof value <= out_.size() - at)
            std::memcpy(out_.data() + at, &value, sizeof value);
    }
    std::size_t section_header(std::size_t i) const { return get<std::uint64_t>(40) + i * kSectionBytes; }
    std::size_t segment_header(std::size_t i) const { return get<std::uint64_t>(32) + i * kSegmentBytes; }
    std::size_t segments() const { return get<std::uint16_t>(56); }
    std::size_t symbol_entry(std::size_t table, std::size_t i) const {
        return get<std::uint64_t>(section_header(table) + 24) + i * kSymbolBytes;
    }
    std::size_t names_index() const {
        constexpr std::uint16_t kElsewhere = 0xffff;  // then the header of section 0 has it
        const auto index = get<std::uint16_t>(62);
        return index == kElsewhere ? get<std::uint32_t>(section_header(0) + 40) : index;
    }
    void point(std::size_t at, const RenamedTable& table) { put(at, table.moved.at(get<std::uint32_t>(at))); }

    Status check_table(std::size_t index) const {
        const ElfSection& table = elf_.sections[index];
        const auto overlaps = [&](std::size_t first, std::size_t size) {
            return size != 0 && first < table.offset + table.size && table.offset < first + size;
        };
        bool alone = !overlaps(0, kElfHeaderBytes) &&
                     !overlaps(section_header(0), elf_.sections.size() * kSectionBytes) &&
                     !overlaps(segment_header(0), segments() * kSegmentBytes);
        for (std::size_t i = 1; i < elf_.sections.size(); ++i)
            alone =
                alone && (i == index || !overlaps(elf_.sections[i].offset, elf_.sections[i].bytes.size()));
        if (alone) return {};
        return fail(ErrorCode::BadInput, "has a string table that overlaps other contents");
    }

    // The largest alignment that a section asks for: offsets that move by a multiple of it stay aligned.
    Result<std::size_t> alignment() const {
        std::uint64_t most = 1;
        for (std::size_t i = 1; i < elf_.sections.size(); ++i)
            most = std::max(most, get<std::uint64_t>(section_header(i) + 48));
        if (!std::has_single_bit(most) || most > kMostAlignment)
            return fail(ErrorCode::BadInput, "has a section with an alignment that is not a small power of two");
        return static_cast<std::size_t>(most);
    }

    // Where contents begin that lie at `end` or behind it.
    std::size_t next_contents(std::size_t end) const {
        std::size_t next = out_.size();
        const auto note = [&](std::size_t offset, std::size_t size) {
            if (size != 0 && offset >= end) next = std::min(next, offset);
        };
        note(section_header(0), elf_.sections.size() * kSectionBytes);
        note(segment_header(0), segments() * kSegmentBytes);
        for (std::size_t i = 1; i < elf_.sections.size(); ++i)
            if (!elf_.sections[i].no_bits())
                note(get<std::uint64_t>(section_header(i) + 24), get<std::uint64_t>(section_header(i) + 32));
        return next;
    }

    Status replace(std::size_t table, const std::string& bytes) {
        const auto align = TRY(alignment());
        const std::size_t first = elf_.sections[table].offset, end = first + elf_.sections[table].size;
        const std::size_t next = next_contents(end), gap = next - end;
        // The new gap is the old one less the growth, modulo the alignment.
        const std::size_t old_size = elf_.sections[table].size;
        const std::size_t grown = (bytes.size() + align - old_size % align) % align;
        const std::size_t new_gap = gap - gap % align + (gap % align + align - grown) % align;
        const std::size_t new_next = first + bytes.size() + new_gap;
        std::vector<std::byte> file(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(first));
        const auto text = std::as_bytes(std::span(bytes));
        file.insert(file.end(), text.begin(), text.end());
        file.resize(new_next);
        file.insert(file.end(), out_.begin() + static_cast<std::ptrdiff_t>(next), out_.end());
        out_ = std::move(file);
        move_offsets(next, new_next);
        put(section_header(table) + 32, static_cast<std::uint64_t>(bytes.size()));
        return {};
    }

    // Everything that was at `next` or behind it is now at `new_next`. Segments that contain the table grow.
    void move_offsets(std::size_t next, std::size_t new_next) {
        const auto moved = [&](std::uint64_t offset) {
            return offset < next ? offset : offset - next + new_next;
        };
        for (const std::size_t at : {std::size_t{32}, std::size_t{40}})
            put(at, moved(get<std::uint64_t>(at)));
        for (std::size_t i = 1; i < elf_.sections.size(); ++i)
            put(section_header(i) + 24, moved(get<std::uint64_t>(section_header(i) + 24)));
        for (std::size_t i = 0; i < segments(); ++i) {
            const std::size_t at = segment_header(i);
            const auto offset = get<std::uint64_t>(at + 8), size = get<std::uint64_t>(at + 32);
            put(at + 8, moved(offset));
            if (size == 0 || offset >= next || offset + size < next) continue;
            const auto in_memory = get<std::uint64_t>(at + 40);
            put(at + 32, size + new_next - next);
            put(at + 40, in_memory + new_next - next);
        }
    }

    const ElfImage& elf_;
    const Renaming& renaming_;
    std::vector<std::byte> out_;
};

}  // namespace

Result<std::vector<std::byte>> rename_kernel(Bytes cubin, std::string_view from, std::string_view to) {
    if (from.empty() || !is_identifier(to))
        return fail(ErrorCode::BadUse, fmt::format("'{}' is not a name of a kernel", to));
    const ElfImage elf = TRY(ElfImage::read(cubin, std::string(from)));
    if (std::ranges::none_of(kernels_in(elf), [&](const CodeLocation& k) { return k.name == from; }))
        return fail(ErrorCode::NotFound, fmt::format("has no kernel \"{}\"", from));
    if (from == to) return std::vector<std::byte>(cubin.begin(), cubin.end());
    if (std::ranges::any_of(elf.symbols, [&](const ElfSymbol& s) { return s.name == to; }))
        return fail(ErrorCode::BadUse, fmt::format("already has a symbol \"{}\"", to));
    const Renaming renaming(from, to);
    for (const ElfSection& section : elf.sections)
        if (renaming.unknown(section))
            return fail(ErrorCode::Unsupported, "has an unknown section of the kernel",
                        std::string(section.name));
    return KernelRenamer(cubin, elf, renaming).rename();
}

}  // namespace cubinlab
