// SPDX-License-Identifier: GPL-3.0-or-later
// From a schedule to a cubin: the original image with the moved words, the attribute entries and relocations
// that name them, and nothing else changed. Patches are byte ranges, so that a candidate travels to the GPU
// worker as a few kilobytes.
#pragma once
#include <cstddef>
#include <vector>

#include "core/schedule/schedule.h"

namespace cubinlab {

struct BytePatch {
    std::size_t offset = 0;            // file offset
    std::vector<std::byte> bytes;
};

class CubinWriter {
  public:
    // Fails (Unsupported, with the reason) where an attribute of unknown layout holds values that could be
    // code offsets of movable words; such words are pinned by Kernel instead wherever that is enough.
    static Result<CubinWriter> create(KernelPtr kernel);

    std::vector<BytePatch> patches(const Schedule& schedule) const;   // only ranges that differ from the file
    std::vector<std::byte> image(const Schedule& schedule) const;     // the whole file

  private:
    explicit CubinWriter(KernelPtr kernel) : kernel_(std::move(kernel)) {}
    KernelPtr kernel_;
};

std::vector<std::byte> apply_patches(std::span<const std::byte> base, const std::vector<BytePatch>& patches);

}  // namespace cubinlab
