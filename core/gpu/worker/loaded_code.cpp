// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/loaded_code.h"

#include <algorithm>

#include "core/binary/code_identity.h"

namespace cubinlab {
namespace {

constexpr std::size_t kHeaderSize = 64, kTablePlace = 40, kSectionHeaderSize = 64;

bool holds(std::span<const std::byte> image, std::size_t at, const std::vector<std::byte>& bytes) {
    const Bytes there = part_of(image, at, bytes.size());
    return std::equal(there.begin(), there.end(), bytes.begin(), bytes.end());
}

std::vector<std::byte> copy_of(Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

}  // namespace

bool LoadedCode::same_layout(std::span<const std::byte> image) const {
    return !header_.empty() && image.size() == image_size_ && holds(image, 0, header_) &&
           holds(image, headers_at_, headers_);
}

void LoadedCode::find(std::span<const std::byte> image) {
    header_.clear();
    offset_ = size_ = 0;
    const auto elf = ElfImage::read(image, {});
    if (!elf) return;
    for (const CodeLocation& place : kernels_in(*elf)) {
        if (place.name != kernel_) continue;
        const ElfSection& text = elf->sections[place.section];
        offset_ = text.offset;
        size_ = text.bytes.size();
    }
    image_size_ = image.size();
    headers_at_ = load<std::uint64_t>(image, kTablePlace);
    header_ = copy_of(part_of(image, 0, kHeaderSize));
    headers_ = copy_of(part_of(image, headers_at_, elf->sections.size() * kSectionHeaderSize));
}

Hash128 LoadedCode::hash(std::span<const std::byte> image) {
    if (!same_layout(image)) find(image);
    if (size_ == 0) return {};
    return hash_bytes(part_of(image, offset_, size_));
}

}  // namespace cubinlab
