// SPDX-License-Identifier: GPL-3.0-or-later
// From a schedule to a cubin: the original image with the moved words, the attribute entries and relocations
// that name them, and nothing else changed. Patches are byte ranges, so that a candidate travels to the GPU
// worker as a few kilobytes.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/schedule/offset_tables.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

struct BytePatch {
    std::size_t offset = 0;  // file offset
    std::vector<std::byte> bytes;
};

class CubinWriter {
  public:
    // Fails (Unsupported, with the reason) on architectures whose code may not be edited. Words that an
    // attribute of unknown layout might name are pinned by Kernel, so they need no patch.
    static Result<CubinWriter> create(KernelPtr kernel);

    // Only ranges that differ from the file, by offset. The schedule must be of this kernel.
    std::vector<BytePatch> patches(const Schedule& schedule) const;
    std::vector<std::byte> image(const Schedule& schedule) const;  // the whole file

  private:
    explicit CubinWriter(KernelPtr kernel);
    void patch_words(const Schedule& schedule, std::vector<BytePatch>& patches) const;
    void patch_table(const OffsetTable& table, const Schedule& schedule,
                     std::vector<BytePatch>& patches) const;
    void patch_relocations(const Schedule& schedule, std::vector<BytePatch>& patches) const;
    KernelPtr kernel_;
    std::vector<OffsetTable> tables_;
};

// Patches that reach outside `base` are dropped whole (asserted: they come from another file).
std::vector<std::byte> apply_patches(std::span<const std::byte> base, const std::vector<BytePatch>& patches);

}  // namespace cubinlab
