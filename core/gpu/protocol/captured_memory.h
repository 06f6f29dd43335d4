// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of a captured launch: every allocation with its address, its contents before the launch, and the pages
// that the launch changed. `cubinlab capture` writes it as one file, which is sent to the worker unchanged:
//
//   "CUBINLAB-MEMORY 1\n" and 6 zero bytes
//   u64 page bytes, u64 regions, u64 pages kept
//   each region: u64 address, u64 size, u64 kind, u64 name bytes, the name padded to 8; u64 pages of the region, a u64
//                number of a kept page each (all ones: zeros); u64 changed pages, pairs of u64 (page, kept page)
//   u64 packed bytes, the kept pages one behind another as a zstd frame
//
// The last page of a region is padded with zeros. Equal pages are stored once. See resources/docs/workloads.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

enum class RegionKind : std::uint8_t { Device, Managed, Host, Symbol };

struct CapturedRegion {
    static constexpr std::uint64_t kZeros = ~0ull;
    std::uint64_t address = 0;
    std::uint64_t size = 0;  // bytes
    RegionKind kind = RegionKind::Device;
    std::string symbol;  // a variable or constant of the module; `address` is not used then
    std::vector<std::uint64_t> before;  // by page: index of the kept page, or kZeros
    struct Changed {
        std::uint64_t page = 0, kept = 0;
    };
    std::vector<Changed> changed;
};

struct CapturedMemory {
    static constexpr std::uint64_t kPageBytes = 64 << 10;
    static constexpr std::uint64_t kMostBytes = 1ull << 36;  // of all regions

    std::vector<CapturedRegion> regions;
    std::vector<std::byte> pages;  // the kept pages

    std::uint64_t bytes() const;
    std::span<const std::byte> page(std::uint64_t kept) const;  // empty for kZeros
    // Contents of region `index` before the launch, or after it.
    std::vector<std::byte> contents(std::size_t index, bool after) const;

    // `file` is not trusted. Errors: BadInput.
    static Result<CapturedMemory> parse(std::span<const std::byte> file);
    std::vector<std::byte> serialise() const;
};

// Builds a CapturedMemory page by page and keeps equal pages once.
class MemoryBuilder {
  public:
    // Index of the kept page, kZeros if all bytes are zero. `page`: at most CapturedMemory::kPageBytes.
    std::uint64_t keep(std::span<const std::byte> page);
    CapturedMemory memory;

  private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> slots_;  // hash, kept page: open addressing
    std::size_t used_ = 0;
};

}  // namespace cubinlab
