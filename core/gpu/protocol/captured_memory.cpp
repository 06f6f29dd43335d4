// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/captured_memory.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "core/base/byte_view.h"
#include "core/base/hash.h"

namespace cubinlab {
namespace {

constexpr std::string_view kMagic("CUBINLAB-MEMORY 1\n\0\0\0\0\0\0", 24);
constexpr std::uint64_t kMostRegions = 1 << 16;
constexpr std::uint64_t kMostName = 1 << 16;
// No page is kept twice, so each takes some bytes of the packed pages.
constexpr std::uint64_t kMostGrowth = 8192;

std::uint64_t pages_of(std::uint64_t bytes) {
    return (bytes + CapturedMemory::kPageBytes - 1) / CapturedMemory::kPageBytes;
}

tl::unexpected<Error> damaged(const char* what) {
    return fail(ErrorCode::BadInput, std::string("is not a captured memory file: ") + what, "memory file");
}

class Out {
  public:
    void number(std::uint64_t value) {
        const auto* raw = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), raw, raw + sizeof value);
    }
    std::vector<std::byte> bytes;
};

bool all_zero(std::span<const std::byte> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

std::uint64_t CapturedMemory::bytes() const {
    std::uint64_t out = 0;
    for (const CapturedRegion& region : regions)
        out += region.size;
    return out;
}

std::span<const std::byte> CapturedMemory::page(std::uint64_t kept) const {
    if (kept == CapturedRegion::kZeros) return {};
    return part_of(pages, kept * kPageBytes, kPageBytes);
}

std::vector<std::byte> CapturedMemory::contents(std::size_t index, bool after) const {
    const CapturedRegion& region = regions[index];
    std::vector<std::byte> out(region.size);
    const auto put = [&](std::uint64_t at, std::uint64_t kept) {
        const std::uint64_t from = at * kPageBytes;
        const std::size_t n = std::min<std::uint64_t>(kPageBytes, region.size - from);
        const auto bytes = page(kept);
        if (bytes.empty()) {
            std::memset(out.data() + from, 0, n);
        } else {
            std::memcpy(out.data() + from, bytes.data(), n);
        }
    };
    for (std::size_t i = 0; i < region.before.size(); ++i)
        put(i, region.before[i]);
    if (after)
        for (const CapturedRegion::Changed& changed : region.changed)
            put(changed.page, changed.kept);
    return out;
}

Result<CapturedMemory> CapturedMemory::parse(std::span<const std::byte> file) {
    if (file.size() < kMagic.size() || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0)
        return damaged("it does not begin as one");
    ByteCursor at(file);
    at.go_to(kMagic.size());
    const auto take = [&] { return at.take<std::uint64_t>(); };
    if (take() != kPageBytes) return damaged("pages of another size");
    const std::uint64_t count = take(), kept = take();
    if (count > kMostRegions || kept > kMostBytes / kPageBytes) return damaged("too large");
    CapturedMemory out;
    std::uint64_t total = 0;
    const auto known = [&](std::uint64_t page) { return page < kept || page == CapturedRegion::kZeros; };
    for (std::uint64_t i = 0; i < count && !at.failed(); ++i) {
        CapturedRegion region;
        region.address = take();
        region.size = take();
        const std::uint64_t kind = take(), name = take();
        if (kind > static_cast<std::uint64_t>(RegionKind::Symbol) || name > kMostName)
            return damaged("a region");
        region.kind = static_cast<RegionKind>(kind);
        const Bytes text = at.take_bytes((name + 7) / 8 * 8);
        if (text.size() < name) return damaged("it is truncated");
        region.symbol.assign(reinterpret_cast<const char*>(text.data()), name);
        if (region.size == 0 || region.size > kMostBytes || (total += region.size) > kMostBytes)
            return damaged("a region's size");
        if (region.address + region.size < region.address) return damaged("a region's address");
        const std::uint64_t pages = take();
        if (pages != pages_of(region.size) || pages > at.left() / 8) return damaged("a region's pages");
        for (std::uint64_t k = 0; k < pages; ++k) {
            region.before.push_back(take());
            if (!known(region.before.back())) return damaged("a page's number");
        }
        const std::uint64_t changed = take();
        if (changed > at.left() / 16) return damaged("a region's changes");
        for (std::uint64_t k = 0; k < changed; ++k) {
            CapturedRegion::Changed one;
            one.page = take();
            one.kept = take();
            if (one.page >= pages || !known(one.kept)) return damaged("a changed page's number");
            region.changed.push_back(one);
        }
        out.regions.push_back(std::move(region));
    }
    const std::uint64_t packed = take();
    const Bytes frame = at.take_bytes(packed);
    if (at.failed()) return damaged("it is truncated");
    const std::uint64_t unpacked = kept * kPageBytes;
    if (unpacked > 0) {
        if (unpacked / kMostGrowth > packed) return damaged("its pages grow too much");
        if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != unpacked) return damaged("its pages");
        out.pages.resize(unpacked);
        const std::size_t n = ZSTD_decompress(out.pages.data(), out.pages.size(), frame.data(), frame.size());
        if (ZSTD_isError(n) != 0 || n != unpacked) return damaged("its packed pages");
    }
    return out;
}

std::vector<std::byte> CapturedMemory::serialise() const {
    Out out;
    out.bytes.resize(kMagic.size());
    std::memcpy(out.bytes.data(), kMagic.data(), kMagic.size());
    out.number(kPageBytes);
    out.number(regions.size());
    out.number(pages.size() / kPageBytes);
    for (const CapturedRegion& region : regions) {
        out.number(region.address);
        out.number(region.size);
        out.number(static_cast<std::uint64_t>(region.kind));
        out.number(region.symbol.size());
        const auto* name = reinterpret_cast<const std::byte*>(region.symbol.data());
        out.bytes.insert(out.bytes.end(), name, name + region.symbol.size());
        out.bytes.resize((out.bytes.size() + 7) / 8 * 8);
        out.number(region.before.size());
        for (const std::uint64_t page : region.before)
            out.number(page);
        out.number(region.changed.size());
        for (const CapturedRegion::Changed& changed : region.changed) {
            out.number(changed.page);
            out.number(changed.kept);
        }
    }
    std::vector<std::byte> packed(ZSTD_compressBound(pages.size()));
    constexpr int kLevel = 3;
    const std::size_t n = ZSTD_compress(packed.data(), packed.size(), pages.data(), pages.size(), kLevel);
    packed.resize(ZSTD_isError(n) != 0 ? 0 : n);
    out.number(packed.size());
    out.bytes.insert(out.bytes.end(), packed.begin(), packed.end());
    return out.bytes;
}

std::uint64_t MemoryBuilder::keep(std::span<const std::byte> page) {
    if (all_zero(page)) return CapturedRegion::kZeros;
    constexpr std::uint64_t kSize = CapturedMemory::kPageBytes;
    if ((used_ + 1) * 2 > slots_.size()) {
        auto old = std::move(slots_);
        slots_.assign(std::max<std::size_t>(1024, old.size() * 2), {0, CapturedRegion::kZeros});
        for (const auto& slot : old) {
            if (slot.second == CapturedRegion::kZeros) continue;
            std::size_t at = slot.first & (slots_.size() - 1);
            while (slots_[at].second != CapturedRegion::kZeros)
                at = (at + 1) & (slots_.size() - 1);
            slots_[at] = slot;
        }
    }
    std::vector<std::byte> whole;
    if (page.size() < kSize) {
        whole.assign(page.begin(), page.end());
        whole.resize(kSize);
        page = whole;
    }
    const std::uint64_t hash = hash_bytes(page).lo;
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].second != CapturedRegion::kZeros; at = (at + 1) & (slots_.size() - 1))
        if (slots_[at].first == hash &&
            std::memcmp(memory.pages.data() + slots_[at].second * kSize, page.data(), kSize) == 0)
            return slots_[at].second;
    const std::uint64_t kept = memory.pages.size() / kSize;
    memory.pages.insert(memory.pages.end(), page.begin(), page.end());
    slots_[at] = {hash, kept};
    ++used_;
    return kept;
}

}  // namespace cubinlab
