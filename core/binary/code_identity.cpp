// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/code_identity.h"

#include <algorithm>

#include "core/binary/eiattr.h"
#include "core/binary/stable_name.h"

namespace cubinlab {
namespace {

constexpr std::uint8_t kFunction = 2, kEntry = 0x10;  // symbol type; STO_CUDA_ENTRY

// Hash input. Each field of variable size has its length, so that different kernels have different inputs.
class Canonical {
  public:
    void number(std::uint64_t value) {
        const auto* raw = reinterpret_cast<const std::byte*>(&value);
        out_.insert(out_.end(), raw, raw + sizeof value);
    }
    void bytes(Bytes bytes) {
        number(bytes.size());
        out_.insert(out_.end(), bytes.begin(), bytes.end());
    }
    void text(std::string_view text) { bytes(std::as_bytes(std::span(text))); }
    Hash128 hash() const { return hash_bytes(out_); }

  private:
    std::vector<std::byte> out_;
};

struct Place {
    std::uint64_t at, type, addend;
    std::string_view symbol;
    friend auto operator<=>(const Place&, const Place&) = default;
};

std::uint32_t registers_of(Bytes image, const ElfImage& elf, std::size_t section) {
    const std::uint32_t in_header = elf.sections[section].info >> 24;
    const ElfSection* info = elf.find(".nv.info");
    if (!info || info->no_bits()) return in_header;
    const auto attributes = parse_attributes(*info, {});
    if (!attributes) return in_header;
    for (const InfoAttribute& a : *attributes) {
        if (a.code != eiattr::kRegCount || a.payload_size != 8) continue;
        const ElfSymbol* symbol = elf.symbol(load<std::uint32_t>(image, a.payload_offset));
        if (symbol && symbol->section == section && symbol->value == 0)
            return load<std::uint32_t>(image, a.payload_offset + 4);
    }
    return in_header;
}

std::vector<Place> relocations_of(const ElfImage& elf, std::size_t section) {
    std::vector<Place> out;
    for (const ElfSection& s : elf.sections) {
        if (s.info != section || !s.relocates()) continue;
        for_each_relocation(s, [&](const ElfRelocation& r) {
            const ElfSymbol* symbol = elf.symbol(r.symbol);
            out.push_back(
                {r.place, r.type, r.addend.value_or(0), symbol ? symbol->name : std::string_view()});
        });
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

std::vector<CodeLocation> kernels_in(const ElfImage& elf) {
    std::vector<CodeLocation> out;
    for (const ElfSymbol& symbol : elf.symbols) {
        if (symbol.type != kFunction || (symbol.other & kEntry) == 0 || symbol.value != 0) continue;
        if (symbol.section == 0 || symbol.section >= elf.sections.size()) continue;
        const ElfSection& text = elf.sections[symbol.section];
        if (text.no_bits() || !text.executable() || text.bytes.empty()) continue;
        out.push_back({symbol.name, symbol.section});
    }
    std::sort(out.begin(), out.end(),
              [](const CodeLocation& a, const CodeLocation& b) { return a.section < b.section; });
    return out;
}

namespace {

// Names that no source program can give: `$` and a leading double underscore are the compiler's.
bool is_compiler_table(std::string_view name) {
    return name.starts_with("_$_str") || name.starts_with("__cudart_i2opi_");
}

// True if the initialised data of a section are compiler tables to its end.
bool holds_tables_alone(const ElfImage& elf, std::size_t section) {
    constexpr std::uint8_t kObject = 1;
    std::uint64_t end = 0;
    for (const ElfSymbol& symbol : elf.symbols) {
        if (symbol.section != section || symbol.type != kObject) continue;
        if (!is_compiler_table(symbol.name)) return false;
        end = std::max(end, symbol.value + symbol.size);
    }
    return end == elf.sections[section].size;
}

}  // namespace

bool has_module_data(const ElfImage& elf) {
    for (std::size_t i = 0; i < elf.sections.size(); ++i) {
        const ElfSection& s = elf.sections[i];
        if (s.size == 0 || !(s.name.starts_with(".nv.global") || s.name == ".nv.constant3")) continue;
        if (s.name != ".nv.global.init" || !holds_tables_alone(elf, i)) return true;
    }
    return false;
}

int sm_of(const ElfImage& elf) {
    return static_cast<int>(elf.abi_version >= 8 ? elf.flags >> 8 & 0xff : elf.flags & 0xff);
}

Hash128 code_identity(Bytes image, const ElfImage& elf, std::size_t section) {
    Canonical out;
    out.text("cubinlab code 1");
    out.number(static_cast<std::uint64_t>(sm_of(elf)));
    out.bytes(elf.sections[section].bytes);
    out.number(registers_of(image, elf, section));
    const std::vector<Place> places = relocations_of(elf, section);
    out.number(places.size());
    for (const Place& place : places) {
        out.number(place.at);
        out.number(place.type);
        out.number(place.addend);
        out.text(stable_name(place.symbol));
    }
    // Constant banks by number: ".nv.constant2.NAME". The name of the kernel is not part of the identity.
    std::vector<std::pair<std::string_view, const ElfSection*>> banks;
    for (const ElfSection& s : elf.sections) {
        constexpr std::string_view kBank = ".nv.constant";
        if (s.info != section || !s.name.starts_with(kBank)) continue;
        const std::string_view rest = s.name.substr(kBank.size());
        banks.emplace_back(rest.substr(0, rest.find('.')), &s);
    }
    std::sort(banks.begin(), banks.end());
    for (const auto& [bank, s] : banks) {
        out.text(bank);
        out.number(s->size);
        out.bytes(s->bytes);
    }
    return out.hash();
}

}  // namespace cubinlab
