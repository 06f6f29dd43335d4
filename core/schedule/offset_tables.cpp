// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/offset_tables.h"

#include <algorithm>

#include "core/binary/eiattr.h"

namespace cubinlab {
namespace {

std::size_t record_size(OffsetLayout layout) {
    switch (layout) {
        case OffsetLayout::List:
        case OffsetLayout::CoopOffsets:
            return 4;
        case OffsetLayout::Mbarrier:
            return 16;
        default:
            return 0;
    }
}

std::vector<const InfoAttribute*> with_layout(const KernelInfo& info, OffsetLayout layout) {
    std::vector<const InfoAttribute*> out;
    for (const InfoAttribute& a : info.attributes)
        if (a.format == 4 && offset_layout(a.code) == layout) out.push_back(&a);
    return out;
}

// The n-th offset list belongs to the n-th mask list; null if the file does not pair them.
const InfoAttribute* coop_masks(const KernelInfo& info, const InfoAttribute& offsets) {
    const auto lists = with_layout(info, OffsetLayout::CoopOffsets);
    const auto masks = with_layout(info, OffsetLayout::CoopMasks);
    const auto at = std::find(lists.begin(), lists.end(), &offsets);
    const std::size_t index = static_cast<std::size_t>(at - lists.begin());
    if (lists.size() != masks.size() || masks[index]->payload_size != offsets.payload_size) return nullptr;
    return masks[index];
}

bool understood(const KernelInfo& info, const InfoAttribute& a) {
    const OffsetLayout layout = offset_layout(a.code);
    if (layout == OffsetLayout::None || layout == OffsetLayout::CoopMasks) return true;
    // Its targets are positions, not words, and start blocks; its BRX is pinned.
    if (layout == OffsetLayout::IndirectBranch) return a.format == 4 && a.payload_size % 4 == 0;
    const std::size_t stride = record_size(layout);
    if (a.format != 4 || stride == 0 || a.payload_size % stride != 0) return false;
    return layout != OffsetLayout::CoopOffsets || coop_masks(info, a) != nullptr;
}

}  // namespace

std::vector<OffsetTable> find_offset_tables(std::span<const std::byte> bytes, const KernelInfo& info) {
    std::vector<OffsetTable> tables;
    for (const InfoAttribute& a : info.attributes) {
        if (!understood(info, a) || record_size(offset_layout(a.code)) == 0) continue;
        OffsetTable t;
        t.code = a.code;
        t.offset = a.payload_offset;
        t.stride = record_size(offset_layout(a.code));
        t.count = a.payload_size / t.stride;
        if (const InfoAttribute* masks = a.code == eiattr::kCoopGroupOffsets ? coop_masks(info, a) : nullptr)
            t.partner_offset = masks->payload_offset;
        for (std::size_t i = 1; i < t.count; ++i)
            if (load<std::uint32_t>(bytes, t.offset + i * t.stride) <
                load<std::uint32_t>(bytes, t.offset + (i - 1) * t.stride))
                t.ascending = false;
        if (t.count != 0) tables.push_back(t);
    }
    return tables;
}

std::vector<UnpatchedValue> find_unpatched_values(std::span<const std::byte> bytes, const KernelInfo& info) {
    std::vector<UnpatchedValue> values;
    auto consider = [&](std::uint8_t code, std::uint32_t value) {
        if (value % kWordBytes == 0 && value < info.code_size) values.push_back({code, value});
    };
    for (const InfoAttribute& a : info.attributes) {
        if (understood(info, a)) continue;
        if (a.format == 2 || a.format == 3) consider(a.code, a.value);
        const std::size_t step = a.payload_size % 4 == 0 ? 4 : 1;  // odd size: the alignment is unknown
        for (std::size_t i = 0; i + 4 <= a.payload_size; i += step)
            consider(a.code, load<std::uint32_t>(bytes, a.payload_offset + i));
    }
    return values;
}

bool relocation_follows_word(std::uint32_t type) {
    switch (type) {
        case 56:  // ABS32_LO_32
        case 57:  // ABS32_HI_32
        case 58:  // ABS47_34
        case 59:  // ABS16_32
        case 64:  // CONST_FIELD19_40
        case 66:  // CONST_FIELD21_38
        case 74:  // ABS24_40
        case 75:  // ABS55_16_34
            return true;
        default:
            return false;
    }
}

}  // namespace cubinlab
