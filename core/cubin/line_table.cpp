// SPDX-License-Identifier: GPL-3.0-or-later
// Source lines from .debug_line: a DWARF 2..4 line program. Its DW_LNE_set_address operands are relocated by
// .rel[a].debug_line against the kernel's symbol, which is how a sequence is known to be the kernel's.
#include <algorithm>
#include <map>

#include "core/cubin/cubin.h"
#include "core/cubin/elf_image.h"

namespace cubinlab {
namespace {

// Reads within [position, end); after a read that does not fit it stays at the end and gives zeros.
class Cursor {
  public:
    Cursor(std::span<const std::byte> bytes, std::size_t first, std::size_t end)
        : bytes_(bytes), at_(first), end_(end) {}

    bool done() const { return at_ >= end_; }
    std::size_t position() const { return at_; }
    void go_to(std::size_t position) { at_ = std::clamp(position, std::size_t{0}, end_); }
    void limit(std::size_t end) { end_ = std::min(end, end_); }

    template <class T>
    T take() {
        if (end_ - at_ < sizeof(T)) {
            at_ = end_;
            return {};
        }
        const T value = load<T>(bytes_, at_);
        at_ += sizeof(T);
        return value;
    }
    std::uint64_t unsigned_leb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; !done(); shift += 7) {
            const auto byte = take<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
            if ((byte & 0x80) == 0) break;
        }
        return value;
    }
    std::int64_t signed_leb() {
        std::uint64_t value = 0;
        unsigned shift = 0;
        std::uint8_t byte = 0x80;
        while (!done() && (byte & 0x80) != 0) {
            byte = take<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
            shift += 7;
        }
        if (shift < 64 && (byte & 0x40) != 0) value |= ~0ull << shift;
        return static_cast<std::int64_t>(value);
    }
    std::string text() {
        std::string out;
        while (!done())
            if (const char c = take<char>(); c != 0)
                out += c;
            else
                break;
        return out;
    }

  private:
    std::span<const std::byte> bytes_;
    std::size_t at_, end_;
};

// Where set_address operands are relocated against the kernel: file offset of the operand -> code offset.
using AddressMap = std::map<std::size_t, std::uint64_t>;

AddressMap kernel_addresses(std::span<const std::byte> bytes, const ElfImage& elf, const ElfSection& lines,
                            std::size_t text_index) {
    AddressMap out;
    for (const ElfSection& s : elf.sections) {
        const bool rela = s.type == kSectionRela;
        if ((!rela && s.type != kSectionRel) || s.info >= elf.sections.size() ||
            &elf.sections[s.info] != &lines)
            continue;
        const std::size_t step = rela ? 24 : 16;
        for (std::size_t at = 0; at + step <= s.size; at += step) {
            const auto place = load<std::uint64_t>(bytes, s.offset + at);
            const std::uint64_t symbol = load<std::uint64_t>(bytes, s.offset + at + 8) >> 32;
            if (place > lines.size || lines.size - place < 8 || symbol >= elf.symbols.size()) continue;
            if (elf.symbols[symbol].section != text_index) continue;
            const std::size_t operand = lines.offset + place;
            const std::uint64_t addend =
                rela ? load<std::uint64_t>(bytes, s.offset + at + 16) : load<std::uint64_t>(bytes, operand);
            out[operand] = elf.symbols[symbol].value + addend;
        }
    }
    return out;
}

class LineProgram {
  public:
    LineProgram(std::span<const std::byte> bytes, const AddressMap& addresses)
        : bytes_(bytes), addresses_(addresses) {}

    // One unit; false at the first that is not understood.
    bool run(Cursor& section) {
        const auto length = section.take<std::uint32_t>();
        const std::size_t end = section.position() + length;
        Cursor unit = section;
        unit.limit(end);
        section.go_to(end);
        if (length == 0 || length >= 0xfffffff0u) return false;
        if (!read_header(unit)) return false;
        while (!unit.done())
            step(unit);
        return true;
    }
    std::map<std::uint32_t, SourceLine> take_rows() { return std::move(rows_); }

  private:
    bool read_header(Cursor& unit) {
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
        std::vector<std::string> folders{""};
        for (std::string folder = unit.text(); !folder.empty(); folder = unit.text())
            folders.push_back(std::move(folder));
        files_.assign(1, "");
        for (std::string name = unit.text(); !name.empty(); name = unit.text()) {
            const std::uint64_t folder = unit.unsigned_leb();
            unit.unsigned_leb();
            unit.unsigned_leb();
            const bool relative = name[0] != '/' && folder > 0 && folder < folders.size();
            files_.push_back(relative ? folders[folder] + "/" + name : name);
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
        if (!in_kernel_ || address_ > 0xffffffffu || line_ == 0 || line_ > 0xffffffffu) return;
        const auto offset = static_cast<std::uint32_t>(address_);
        rows_[offset] = {offset, static_cast<std::uint32_t>(line_),
                         file_ < files_.size() ? files_[file_] : ""};
    }

    void step(Cursor& unit) {
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
                address_ += unit.unsigned_leb() * min_length_;
                return;
            case 3:
                line_ += static_cast<std::uint64_t>(unit.signed_leb());
                return;
            case 4:
                file_ = unit.unsigned_leb();
                return;
            case 8:
                address_ += std::uint64_t{(255u - opcode_base_) / line_range_} * min_length_;
                return;
            case 9:
                address_ += unit.take<std::uint16_t>();
                return;
            default:
                for (unsigned i = 0; i < operand_counts_[opcode]; ++i)
                    unit.unsigned_leb();
        }
    }

    void extended(Cursor& unit) {
        const std::uint64_t length = unit.unsigned_leb();
        const std::size_t operand = unit.position() + 1;
        const auto opcode = unit.take<std::uint8_t>();
        if (opcode == 1) reset();
        if (opcode == 2) {
            const auto found = addresses_.find(operand);
            in_kernel_ = found != addresses_.end();
            address_ = in_kernel_ ? found->second : 0;
        }
        // 0x90 and 0x91 are NVIDIA's: the inlined call that the next row stands in. The row itself is kept.
        unit.go_to(length > bytes_.size() ? bytes_.size() : operand - 1 + static_cast<std::size_t>(length));
    }

    std::span<const std::byte> bytes_;
    const AddressMap& addresses_;
    std::map<std::uint32_t, SourceLine> rows_;
    std::vector<std::uint8_t> operand_counts_;
    std::vector<std::string> files_;
    std::uint8_t min_length_ = 1, line_range_ = 1, opcode_base_ = 1;
    std::int8_t line_base_ = 0;
    std::uint64_t address_ = 0, file_ = 1, line_ = 1;  // unsigned: hostile steps wrap
    bool in_kernel_ = false;
};

}  // namespace

std::vector<SourceLine> Cubin::source_lines(const KernelInfo& kernel) const {
    const auto elf = ElfImage::read(bytes_, where_);
    if (!elf) return {};
    const ElfSection* lines = elf->find(".debug_line");
    if (!lines || lines->no_bits()) return {};
    std::size_t text = 0;
    for (std::size_t i = 1; i < elf->sections.size(); ++i)
        if (elf->sections[i].executable() && elf->sections[i].offset == kernel.code_offset) text = i;
    const AddressMap addresses = kernel_addresses(bytes_, *elf, *lines, text);
    if (text == 0 || addresses.empty()) return {};
    LineProgram program(bytes_, addresses);
    Cursor section(bytes_, lines->offset, lines->offset + lines->size);
    while (!section.done())
        if (!program.run(section)) break;
    std::vector<SourceLine> out;
    for (auto& [offset, row] : program.take_rows())
        if (offset < kernel.code_size) out.push_back(std::move(row));
    return out;
}

}  // namespace cubinlab
