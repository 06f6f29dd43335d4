// SPDX-License-Identifier: GPL-3.0-or-later
// Source lines from .debug_line (DWARF 2..4). The operands of DW_LNE_set_address are relocated by
// .rel[a].debug_line against the kernel's symbol, which identifies the sequences of the kernel.
#include <algorithm>
#include <charconv>
#include <map>

#include "core/binary/cubin.h"
#include "core/binary/elf_image.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostNameBytes = std::size_t{64} << 20;  // of all lines together
constexpr std::size_t kLongestPath = 1024;                     // bytes; longer paths are dropped

std::uint64_t unsigned_leb(ByteCursor& at) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !at.done(); shift += 7) {
        const auto byte = at.take<std::uint8_t>();
        if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
        if ((byte & 0x80) == 0) break;
    }
    return value;
}

std::int64_t signed_leb(ByteCursor& at) {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0x80;
    while (!at.done() && (byte & 0x80) != 0) {
        byte = at.take<std::uint8_t>();
        if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
        shift = std::min(shift + 7, 70u);
    }
    if (shift < 64 && (byte & 0x40) != 0) value |= ~0ull << shift;
    return static_cast<std::int64_t>(value);
}

// Relocated set_address operands of the kernel: offset of the operand in .debug_line -> code offset.
using AddressMap = std::map<std::size_t, std::uint64_t>;

AddressMap kernel_addresses(const ElfImage& elf, const ElfSection& lines, std::size_t text_index) {
    AddressMap out;
    for (const ElfSection& s : elf.sections) {
        if (!s.relocates() || s.info >= elf.sections.size() || &elf.sections[s.info] != &lines) continue;
        for_each_relocation(s, [&](const ElfRelocation& r) {
            const ElfSymbol* symbol = elf.symbol(r.symbol);
            if (!symbol || symbol->section != text_index) return;
            if (part_of(lines.bytes, r.place, 8).empty()) return;
            const std::uint64_t addend = r.addend.value_or(load<std::uint64_t>(lines.bytes, r.place));
            out[r.place] = symbol->value + addend;
        });
    }
    return out;
}

// Parts of a path in the file.
struct FileName {
    std::string_view folder, name;
};
struct Row {
    std::uint32_t line = 0;
    FileName file;
};

class LineProgram {
  public:
    // Keeps rows with an offset below `code_size`.
    LineProgram(const AddressMap& addresses, std::size_t code_size)
        : addresses_(addresses), code_size_(code_size) {}

    // Reads one unit; returns false at the first invalid one.
    bool run(ByteCursor& section) {
        const auto length = section.take<std::uint32_t>();
        unit_start_ = section.position();
        ByteCursor unit = section.take_unit(length);
        if (length == 0 || length >= 0xfffffff0u) return false;
        if (!read_header(unit)) return false;
        while (!unit.done())
            step(unit);
        return true;
    }
    const std::map<std::uint32_t, Row>& rows() const { return rows_; }

  private:
    bool read_header(ByteCursor& unit) {
        const auto version = unit.take<std::uint16_t>();
        if (version < 2 || version > 4) return false;
        const auto header_length = unit.take<std::uint32_t>();
        const std::size_t program = unit.position() + header_length;
        min_length_ = unit.take<std::uint8_t>();
        if (version >= 4) unit.take<std::uint8_t>();
        unit.take<std::uint8_t>();  // default_is_stmt
        line_base_ = unit.take<std::int8_t>();
        line_range_ = unit.take<std::uint8_t>();
        opcode_base_ = unit.take<std::uint8_t>();
        if (line_range_ == 0 || opcode_base_ == 0) return false;
        operand_counts_.assign(opcode_base_, 0);
        for (std::size_t i = 1; i < opcode_base_; ++i)
            operand_counts_[i] = unit.take<std::uint8_t>();
        std::vector<std::string_view> folders{""};
        for (std::string_view folder = unit.take_text(); !folder.empty(); folder = unit.take_text())
            folders.push_back(folder);
        files_.assign(1, {});
        for (std::string_view name = unit.take_text(); !name.empty(); name = unit.take_text()) {
            const std::uint64_t folder = unsigned_leb(unit);
            unsigned_leb(unit);
            unsigned_leb(unit);
            const bool relative = name[0] != '/' && folder > 0 && folder < folders.size();
            files_.push_back({relative ? folders[folder] : std::string_view(), name});
        }
        unit.go_to(program);
        reset();
        return true;
    }

    void reset() {
        address_ = 0;
        line_ = 1;
        file_ = 1;
        in_kernel_ = false;
    }

    void row() {
        if (!in_kernel_ || address_ >= code_size_ || line_ == 0 || line_ > 0xffffffffu) return;
        rows_[static_cast<std::uint32_t>(address_)] = {static_cast<std::uint32_t>(line_),
                                                       file_ < files_.size() ? files_[file_] : FileName{}};
    }

    void step(ByteCursor& unit) {
        const auto opcode = unit.take<std::uint8_t>();
        if (opcode >= opcode_base_) {
            const unsigned adjusted = opcode - opcode_base_;
            address_ += std::uint64_t{adjusted / line_range_} * min_length_;
            line_ += static_cast<std::uint64_t>(std::int64_t{line_base_} +
                                                static_cast<std::int64_t>(adjusted % line_range_));
            return row();
        }
        switch (opcode) {
            case 0:
                return extended(unit);
            case 1:
                return row();
            case 2:
                address_ += unsigned_leb(unit) * min_length_;
                return;
            case 3:
                line_ += static_cast<std::uint64_t>(signed_leb(unit));
                return;
            case 4:
                file_ = unsigned_leb(unit);
                return;
            case 8:
                address_ += std::uint64_t{(255u - opcode_base_) / line_range_} * min_length_;
                return;
            case 9:
                address_ += unit.take<std::uint16_t>();
                return;
            default:
                for (unsigned i = 0; i < operand_counts_[opcode]; ++i)
                    unsigned_leb(unit);
        }
    }

    void extended(ByteCursor& unit) {
        const std::uint64_t length = unsigned_leb(unit);
        const std::size_t operand = unit.position() + 1;
        const auto opcode = unit.take<std::uint8_t>();
        if (opcode == 1) reset();
        if (opcode == 2) {
            const auto found = addresses_.find(unit_start_ + operand);
            in_kernel_ = found != addresses_.end();
            address_ = in_kernel_ ? found->second : 0;
        }
        // 0x90 and 0x91 are NVIDIA extensions: the inlined call of the next row. The row itself is kept.
        const std::size_t rest = unit.left() + 1;  // including the opcode; an empty unit ends here anyway
        unit.go_to(length > rest ? unit.position() + rest : operand - 1 + static_cast<std::size_t>(length));
    }

    const AddressMap& addresses_;
    std::size_t code_size_;
    std::size_t unit_start_ = 0;  // in .debug_line
    std::map<std::uint32_t, Row> rows_;
    std::vector<std::uint8_t> operand_counts_;
    std::vector<FileName> files_;
    std::uint8_t min_length_ = 1, line_range_ = 1, opcode_base_ = 1;
    std::int8_t line_base_ = 0;
    std::uint64_t address_ = 0, file_ = 1, line_ = 1;  // unsigned: hostile steps wrap
    bool in_kernel_ = false;
};

// nvcc writes the bytes of non-ASCII characters as three octal digits: "\303\274" is u with diaeresis.
std::string without_escapes(std::string_view name) {
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        unsigned byte = 0;
        const char* digits = name.data() + i + 1;
        if (name[i] == '\\' && i + 3 < name.size() &&
            std::from_chars(digits, digits + 3, byte, 8).ptr == digits + 3 && byte >= 0x80 && byte <= 0xff) {
            out += static_cast<char>(byte);
            i += 3;
        } else {
            out += name[i];
        }
    }
    return out;
}

std::string path_of(const FileName& file) {
    if (file.folder.size() + file.name.size() > kLongestPath) return {};
    const std::string name = without_escapes(file.name);
    return file.folder.empty() ? name : without_escapes(file.folder) + "/" + name;
}

}  // namespace

std::vector<SourceLine> Cubin::source_lines(const KernelInfo& kernel) const {
    const auto elf = ElfImage::read(bytes_, where_);
    if (!elf) return {};
    const ElfSection* lines = elf->find(".debug_line");
    if (!lines) return {};
    std::size_t text = 0;
    for (std::size_t i = 1; i < elf->sections.size(); ++i)
        if (elf->sections[i].executable() && elf->sections[i].offset == kernel.code_offset) text = i;
    const AddressMap addresses = kernel_addresses(*elf, *lines, text);
    if (text == 0 || addresses.empty()) return {};
    LineProgram program(addresses, kernel.code_size);
    ByteCursor section(lines->bytes);
    while (!section.done())
        if (!program.run(section)) break;
    std::vector<SourceLine> out;
    std::size_t budget = kMostNameBytes;
    for (const auto& [offset, row] : program.rows()) {
        std::string path = path_of(row.file);
        if (path.size() > budget) path.clear();
        budget -= path.size();
        out.push_back({offset, row.line, std::move(path)});
    }
    return out;
}

}  // namespace cubinlab
