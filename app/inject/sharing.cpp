// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/sharing.h"

#include <cstring>
#include <string_view>

#include "core/binary/elf_image.h"

namespace cubinlab::inject {
namespace {

constexpr std::uint32_t kWholeAddress = 2;  // R_CUDA_64: 64 bits, symbol and addend
constexpr std::uint8_t kObject = 1;

bool holds_variables(std::string_view section) {
    return section.starts_with(".nv.global");
}

// True if kernels read what a relocation of this section changes: code and tables of constants. Nothing reads
// the initial values of the second load's own variables, or its debug sections.
bool kernels_read(std::string_view section) {
    return section.starts_with(".text") || section.starts_with(".nv.constant");
}

// Shortens a section in the section table.
void shorten(std::vector<std::byte>& image, std::size_t section, std::uint64_t size) {
    constexpr std::size_t kTable = 40, kEntry = 64,
                          kSize = 32;  // e_shoff; a section's header, and sh_size in it
    std::uint64_t table = 0;
    std::memcpy(&table, image.data() + kTable, 8);
    std::memcpy(image.data() + table + section * kEntry + kSize, &size, 8);
}

}  // namespace

SharedImage share_variables(Bytes elf, const AddressOf& address_of) {
    SharedImage out;
    const auto refuse = [&out](std::string why) {
        out.image.clear();
        out.why_not = std::move(why);
        return out;
    };
    auto image = ElfImage::read(elf, {});
    if (!image) return refuse("its image cannot be read");
    out.image.assign(elf.begin(), elf.end());
    for (const ElfSymbol& symbol : image->symbols)
        if (symbol.type == kObject && symbol.size > 0 && symbol.section < image->sections.size() &&
            image->sections[symbol.section].name == ".nv.constant3")
            out.constants.emplace_back(symbol.name);
    std::string why;
    for (std::size_t number = 0; number < image->sections.size(); ++number) {
        const ElfSection& section = image->sections[number];
        if (!section.relocates() || section.info >= image->sections.size()) continue;
        const ElfSection& target = image->sections[section.info];
        if (!kernels_read(target.name)) continue;
        const std::size_t entry = section.type == kSectionRela ? 24 : 16;
        std::size_t kept = 0;  // entries that stay, moved together
        for_each_relocation(section, [&](const ElfRelocation& r) {
            const auto keep = [&] {
                std::memmove(out.image.data() + section.offset + kept++ * entry,
                             out.image.data() + r.entry_offset, entry);
            };
            const ElfSymbol* symbol = image->symbol(r.symbol);
            if (!symbol || symbol->section >= image->sections.size() ||
                !holds_variables(image->sections[symbol->section].name) || !why.empty())
                return keep();
            const std::string name(symbol->name);
            if (symbol->type != kObject || r.type != kWholeAddress ||
                !target.name.starts_with(".nv.constant") || r.place + 8 > target.bytes.size()) {
                why = "its code holds the address of " + (name.empty() ? "a variable" : name) +
                      " in another way";
                return;
            }
            const auto address = address_of(name);
            if (!address) {
                why = "the driver does not say where its variable " + name + " lies";
                return;
            }
            std::uint64_t addend = 0;
            if (r.addend)
                addend = *r.addend;
            else
                std::memcpy(&addend, target.bytes.data() + r.place, 8);
            const std::uint64_t value = *address + addend;
            std::memcpy(out.image.data() + target.offset + r.place, &value, 8);
        });
        if (!why.empty()) return refuse(why);
        shorten(out.image, number, kept * entry);
    }
    return out;
}

}  // namespace cubinlab::inject
