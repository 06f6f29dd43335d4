// SPDX-License-Identifier: GPL-3.0-or-later
// Captured memory as the input sets of a bench.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/gpu/worker/gpu_arena.h"

namespace cubinlab {
namespace {

constexpr std::uint64_t kPage = CapturedMemory::kPageBytes;

// The pages of a region to restore: those that the launch of a set changed, and those in which sets differ.
std::vector<bool> pages_that_vary(const CapturedSpace& space, std::size_t region) {
    const auto& sets = space.sets();
    std::vector<bool> out(sets.front().regions[region].before.size());
    for (const CapturedMemory& set : sets)
        for (const CapturedRegion::Changed& changed : set.regions[region].changed)
            out[changed.page] = true;
    for (std::size_t page = 0; page < out.size(); ++page) {
        const auto first = sets.front().page(sets.front().regions[region].before[page]);
        for (std::size_t i = 1; i < sets.size() && !out[page]; ++i) {
            const auto other = sets[i].page(sets[i].regions[region].before[page]);
            out[page] = first.size() != other.size() ||
                        (!first.empty() && std::memcmp(first.data(), other.data(), first.size()) != 0);
        }
    }
    return out;
}

// Runs of pages that are restored or not: (first byte, bytes, restored).
template <class F>
void for_each_run(const std::vector<bool>& vary, std::uint64_t size, F each) {
    for (std::size_t first = 0; first < vary.size();) {
        std::size_t end = first;
        while (end < vary.size() && vary[end] == vary[first])
            ++end;
        const std::uint64_t from = first * kPage, to = std::min<std::uint64_t>(end * kPage, size);
        each(from, to - from, vary[first]);
        first = end;
    }
}

std::uint64_t up16(std::uint64_t value) {
    return (value + 15) / 16 * 16;
}

// The digest of a region starts at the first multiple of 16.
DigestRegion digested(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t first = up16(address), end = up16(address + size);
    return {first, (end - first) / 8};
}

}  // namespace

Result<GpuArena> GpuArena::create_captured(GpuDevice& device, const Workload& workload,
                                           const CapturedLaunch& launch, const CapturedSpace& space,
                                           std::size_t set) {
    GpuArena out;
    out.shares_memory_ = true;
    TRY(out.place_captured(device, space, set));
    out.bind_params(workload);
    const auto& params = launch.sets[set].params;
    for (std::size_t i = 0; i < params.size() && i < out.values_.size(); ++i)
        if (params[i].size() == out.values_[i].size())
            std::copy(params[i].begin(), params[i].end(), out.values_[i].begin());
    out.find_captured_inputs();
    return out;
}

void GpuArena::find_captured_inputs() {
    std::set<std::uint64_t> starts;
    for (const std::vector<std::byte>& value : values_)
        for (std::size_t at = 0; at + 8 <= value.size(); at += 8) {
            std::uint64_t address = 0;
            std::memcpy(&address, value.data() + at, sizeof address);
            starts.insert(address);
        }
    const auto pointed_at = [&](RegionUse use) {
        std::vector<DigestRegion> out;
        for (const std::uint64_t start : starts) {
            const auto next = starts.upper_bound(start);
            for (const ArenaRegion& run : regions_) {
                const std::uint64_t first = up16(start), end = run.memory.address + run.memory.words * 8;
                if (run.use != use || first < run.memory.address || first >= end) continue;
                const std::uint64_t last = next == starts.end() ? end : std::min(end, *next);
                if (first < last) out.push_back({first, (last - first) / 16 * 2});
            }
        }
        // Where the end of a buffer is not known, the range is too long: the others are in the L2 after it.
        std::stable_sort(out.begin(), out.end(), [](const DigestRegion& a, const DigestRegion& b) { return a.words > b.words; });
        return out;
    };
    inputs_ = pointed_at(RegionUse::Input);
    if (inputs_.empty()) inputs_ = pointed_at(RegionUse::Output);
}

Status GpuArena::place_captured(GpuDevice& device, const CapturedSpace& space, std::size_t set) {
    const cu::Api& api = device.api();
    const CapturedMemory& memory = space.sets()[set];
    // First the copies to restore from.
    std::vector<std::vector<bool>> vary;
    std::uint64_t total = 16;
    for (std::size_t i = 0; i < memory.regions.size(); ++i) {
        const CapturedRegion& region = memory.regions[i];
        vary.push_back(pages_that_vary(space, i));
        if (region.kind == RegionKind::Symbol) {
            symbols_.push_back({region.symbol, total, region.size});
            total += up16(region.size);
            continue;
        }
        for_each_run(vary[i], region.size, [&](std::uint64_t from, std::uint64_t size, bool varies) {
            if (!varies) return;
            pristine_.push_back({total, region.address + from, size});
            total += up16(size);
        });
    }
    memory_ = TRY(DeviceMemory::allocate(api, total));
    total_ = total;
    std::size_t copy = 0, symbol = 0;
    // The memory: written once for all sets; pages that vary are restored before each launch.
    if (set == 0) {
        for (const CapturedSpace::Range& range : space.slack())
            CUBINLAB_CU(api, fill32_async, range.address, kGuardWord, range.size / 4, device.stream());
        TRY(device.synchronize());
    }
    for (std::size_t i = 0; i < memory.regions.size(); ++i) {
        const CapturedRegion& region = memory.regions[i];
        std::vector<std::byte> before = memory.contents(i, false);
        if (region.kind == RegionKind::Symbol) {
            CUBINLAB_CU(api, copy_to_device, memory_.address() + symbols_[symbol++].from, before.data(),
                        before.size());
            continue;
        }
        // A digest ends at a multiple of 16 after the last byte; the padding is zero.
        std::vector<std::byte> after = memory.contents(i, true);
        after.resize(up16(region.address + region.size) - region.address);
        before.resize(after.size());
        if (set == 0) CUBINLAB_CU(api, copy_to_device, region.address, before.data(), before.size());
        Status status;
        for_each_run(vary[i], region.size, [&](std::uint64_t from, std::uint64_t size, bool varies) {
            if (!status) return;
            const DigestRegion part = digested(region.address + from, size);
            if (part.words > 0) {
                regions_.push_back({varies ? RegionUse::Output : RegionUse::Input, -1, part});
                captured_after_.push_back(
                    digest_of(std::span(after).subspan(part.address - region.address, part.words * 8)));
            }
            if (!varies) return;
            status = [&]() -> Status {
                CUBINLAB_CU(api, copy_to_device, memory_.address() + pristine_[copy].from,
                            before.data() + from, size);
                return {};
            }();
            ++copy;
        });
        if (!status) return status;
        device.heartbeat().progress.fetch_add(1);
    }
    for (const CapturedSpace::Range& range : space.slack()) {
        regions_.push_back({RegionUse::Guard, -1, digested(range.address, range.size / 16 * 16)});
        captured_after_.push_back({});  // not compared with the program's result
    }
    CUBINLAB_CU(api, ctx_synchronize);
    return {};
}

Status GpuArena::restore_symbols(GpuDevice& device, const LoadedKernel& kernel) const {
    for (const Symbol& symbol : symbols_) {
        cu::CUdeviceptr address = 0;
        std::size_t size = 0;
        CUBINLAB_CU(device.api(), module_global, &address, &size, kernel.module(), symbol.name.c_str());
        if (size != symbol.bytes)
            return fail(ErrorCode::BadInput,
                        fmt::format("has {} bytes, {} were captured", size, symbol.bytes), symbol.name);
        CUBINLAB_CU(device.api(), copy_device_async, address, memory_.address() + symbol.from, size,
                    device.stream());
    }
    return {};
}

}  // namespace cubinlab
