// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/capsule.h"

#include <algorithm>
#include <string_view>

#include "core/base/byte_view.h"
#include "core/binary/eiattr.h"
#include "core/binary/elf_image.h"

namespace cubinlab {
namespace {

constexpr std::size_t kHeader = 12;  // index of the code's section, a constant, the number of instructions
constexpr std::uint32_t kMagic = 0xc0000001;
constexpr std::size_t kTail = 2;

// By the first byte; 0: a prefix of unknown meaning, or another record.
std::size_t record_size(std::uint8_t first) {
    switch (first) {
        case 0x01:
        case 0x03:
        case 0x31:
            return 16;
        case 0x02:
            return 32;
        case 0x11:
            return 8;
        case 0x32:
        case 0x41:
        case 0x42:
            return 4;
        default:
            return 0;
    }
}

bool is_nop(const Instruction& i) {
    return (i.opcode & 0x1ff) == 0x118;
}

}  // namespace

// Empty: each bit and record belongs to one instruction.
std::string Capsule::read(const Kernel& kernel) {
    const Bytes bytes(section_);
    if (bytes.size() < kHeader + kTail || load<std::uint32_t>(bytes, 4) != kMagic)
        return "it does not begin as known ones do";
    for (InstrId id = 0; id < kernel.size(); ++id)
        if (!is_nop(kernel.instruction(id))) slots_.push_back({id});
    // The copies of these attributes, and relocations, count something else than words.
    for (const InfoAttribute& a : kernel.info().attributes)
        if (offset_layout(a.code) != OffsetLayout::None && a.code != eiattr::kExitOffsets)
            return "an attribute names words of this kernel, and its copy in the capsule counts them in an "
                   "unknown way";
    if (!kernel.info().relocations.empty()) return "this kernel has relocations";
    if (load<std::uint32_t>(bytes, 8) != slots_.size())
        return "it does not count the instructions of this kernel one by one";
    std::size_t at = kHeader + (slots_.size() + 31) / 32 * 4;
    if (at > bytes.size() - kTail) return "it is shorter than its header says";
    std::size_t clear = 0, records = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        slots_[i].bit = (load<std::uint8_t>(bytes, kHeader + i / 8) >> (i % 8) & 1) != 0;
        clear += slots_[i].bit ? 0 : 1;
    }
    for (Slot& slot : slots_) {
        if (slot.bit || at >= bytes.size() - kTail) continue;
        slot.record_size = record_size(load<std::uint8_t>(bytes, at));
        if (slot.record_size == 0 || slot.record_size > bytes.size() - kTail - at)
            return "it has records of an unknown kind";
        slot.record = at;
        at += slot.record_size;
        ++records;
    }
    // The branch to itself behind the last EXIT has a clear bit and no record.
    const bool whole = at == bytes.size() - kTail && records + 1 == clear;
    if (!whole || slots_.empty() || slots_.back().bit || slots_.back().record != 0)
        return "it does not have one record for each clear bit";
    return {};
}

Bytes capsule_section(Bytes file, std::string_view kernel) {
    const auto image = ElfImage::read(file, "");
    const ElfSection* section = image ? image->find(".nv.capmerc.text." + std::string(kernel)) : nullptr;
    return section == nullptr ? Bytes() : section->bytes;
}

Capsule Capsule::of(const Kernel& kernel) {
    Capsule out;
    if (!kernel.arch().needs_edit_test()) return out;
    const Bytes file = kernel.cubin().bytes();
    const Bytes section = capsule_section(file, kernel.name());
    if (section.empty()) return out;
    out.section_.assign(section.begin(), section.end());
    out.offset_ = static_cast<std::size_t>(section.data() - file.data());
    out.why_kept_ = out.read(kernel);
    return out;
}

std::vector<std::byte> Capsule::bytes(const Schedule& schedule) const {
    std::vector<std::byte> out = section_;
    std::vector<const Slot*> order;
    for (const Slot& slot : slots_)
        order.push_back(&slot);
    std::stable_sort(order.begin(), order.end(), [&](const Slot* a, const Slot* b) {
        return schedule.position_of(a->id) < schedule.position_of(b->id);
    });
    std::size_t at = kHeader + (slots_.size() + 31) / 32 * 4;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto mask = static_cast<std::byte>(1u << (i % 8));
        std::byte& packed = out[kHeader + i / 8];
        packed = order[i]->bit ? packed | mask : packed & ~mask;
        if (order[i]->record == 0) continue;
        const auto from = section_.begin() + static_cast<std::ptrdiff_t>(order[i]->record);
        std::copy_n(from, order[i]->record_size, out.begin() + static_cast<std::ptrdiff_t>(at));
        at += order[i]->record_size;
    }
    return out;
}

}  // namespace cubinlab
