// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/captured_space.h"

#include <fmt/format.h>

#include <algorithm>

namespace cubinlab {
namespace {

constexpr std::uint64_t kReserveStep = 32 << 20;
constexpr std::uint64_t kPiece = 2 << 20;

using Range = CapturedSpace::Range;

std::uint64_t down(std::uint64_t value, std::uint64_t step) {
    return value / step * step;
}
std::uint64_t up(std::uint64_t value, std::uint64_t step) {
    return (value + step - 1) / step * step;
}

// Rounds ranges out to multiples of `step` and joins adjacent ones.
std::vector<Range> rounded(const std::vector<Range>& exact, std::uint64_t step) {
    std::vector<Range> out;
    for (const Range& range : exact) {
        const std::uint64_t first = down(range.address, step), end = up(range.address + range.size, step);
        if (!out.empty() && first <= out.back().address + out.back().size) {
            out.back().size = std::max(out.back().size, end - out.back().address);
        } else {
            out.push_back({first, end - first});
        }
    }
    return out;
}

}  // namespace

Result<std::unique_ptr<CapturedSpace>> CapturedSpace::reserve(const cu::Api& api, int device,
                                                              std::vector<CapturedMemory> sets) {
    if (!api.address_reserve || !api.address_free || !api.memory_create || !api.memory_release ||
        !api.memory_map || !api.memory_unmap || !api.memory_access)
        return fail(ErrorCode::Unsupported,
                    "this driver cannot place memory at given addresses (cuMemAddressReserve is missing)");
    std::unique_ptr<CapturedSpace> out(new CapturedSpace(api));
    out->sets_ = std::move(sets);
    for (const CapturedMemory& set : out->sets_) {
        bool same = set.regions.size() == out->sets_.front().regions.size();
        for (std::size_t i = 0; same && i < set.regions.size(); ++i) {
            const CapturedRegion &a = set.regions[i], &b = out->sets_.front().regions[i];
            same = a.size == b.size && a.kind == b.kind && a.symbol == b.symbol &&
                   (a.kind == RegionKind::Symbol || a.address == b.address);
        }
        if (!same)
            return fail(ErrorCode::BadInput,
                        "its sets do not lie at the same addresses; give each a workload of its own",
                        "captured");
    }
    TRY(out->map_all(device));
    return out;
}

Status CapturedSpace::map_all(int device) {
    std::vector<Range> exact;
    for (const CapturedRegion& region : sets_.front().regions)
        if (region.kind != RegionKind::Symbol) exact.push_back({region.address, region.size});
    std::sort(exact.begin(), exact.end(),
              [](const Range& a, const Range& b) { return a.address < b.address; });
    for (std::size_t i = 1; i < exact.size(); ++i)
        if (exact[i - 1].address + exact[i - 1].size > exact[i].address)
            return fail(ErrorCode::BadInput, "has regions that overlap", "captured");
    for (const Range& wanted : rounded(exact, kReserveStep)) {
        cu::CUdeviceptr given = 0;
        CUBINLAB_CU(api_, address_reserve, &given, wanted.size, 0, wanted.address, 0);
        reserved_.push_back({given, wanted.size});
        if (given != wanted.address)
            return fail(
                ErrorCode::Worker,
                fmt::format("the addresses {:#x} to {:#x} of the captured program are taken in this process",
                            wanted.address, wanted.address + wanted.size),
                "captured");
    }
    const cu::AllocationProp prop{.location_id = device};
    const cu::AccessDesc access{.location_id = device};
    for (const Range& piece : rounded(exact, kPiece)) {
        unsigned long long handle = 0;
        CUBINLAB_CU(api_, memory_create, &handle, piece.size, &prop, 0);
        if (const auto r = api_.memory_map(piece.address, piece.size, 0, handle, 0); r != cu::kSuccess) {
            api_.memory_release(handle);
            return fail(cu::failure(api_, r, "memory_map"));
        }
        mapped_.push_back({piece.address, piece.size, handle});
        CUBINLAB_CU(api_, memory_access, piece.address, piece.size, &access, 1);
        std::uint64_t at = piece.address;
        for (const Range& range : exact) {
            if (range.address + range.size <= piece.address || range.address >= piece.address + piece.size)
                continue;
            // Digests read 16 bytes at a time; the rest of the last 16 bytes belongs to the region.
            if (range.address > at) slack_.push_back({at, down(range.address, 16) - at});
            at = up(range.address + range.size, 16);
        }
        if (at < piece.address + piece.size) slack_.push_back({at, piece.address + piece.size - at});
    }
    std::erase_if(slack_, [](const Range& range) { return range.size == 0 || range.size > (1ull << 60); });
    return {};
}

CapturedSpace::~CapturedSpace() {
    for (const Mapping& mapping : mapped_) {
        api_.memory_unmap(mapping.address, mapping.size);
        api_.memory_release(mapping.handle);
    }
    for (const Range& range : reserved_)
        api_.address_free(range.address, range.size);
}

}  // namespace cubinlab
