// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a schedule to a cubin: the original image with moved words and updated attribute entries,
// relocations and capsule (core/schedule/capsule.h), otherwise unchanged. Patches are byte ranges, so a candidate for the GPU worker has a few
// kilobytes.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/schedule/capsule.h"
#include "core/schedule/offset_tables.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

struct BytePatch {
    std::size_t offset = 0;  // file offset
    std::vector<std::byte> bytes;
};

class CubinWriter {
  public:
    // Unsupported, with the reason, if code of the architecture cannot be edited. Kernel pins the words that
    // an attribute of unknown layout may name, so they need no patch.
    static Result<CubinWriter> create(KernelPtr kernel);

    // Ranges that differ from the file, by offset. The schedule must be of this kernel.
    std::vector<BytePatch> patches(const Schedule& schedule) const;
    std::vector<std::byte> image(const Schedule& schedule) const;  // the whole file
    const Capsule& capsule() const { return capsule_; }

  private:
    explicit CubinWriter(KernelPtr kernel);
    void patch_words(const Schedule& schedule, std::vector<BytePatch>& patches) const;
    void patch_table(const OffsetTable& table, const Schedule& schedule,
                     std::vector<BytePatch>& patches) const;
    void patch_relocations(const Schedule& schedule, std::vector<BytePatch>& patches) const;
    KernelPtr kernel_;
    std::vector<OffsetTable> tables_;
    Capsule capsule_;
};

// The whole file of a schedule. Code that is as it was compiled needs no writer, so it can have any architecture. Errors:
// Unsupported, those of CubinWriter::create.
Result<std::vector<std::byte>> cubin_image(const Schedule& schedule);

// Drops patches that reach outside `base` (asserted: they belong to another file).
std::vector<std::byte> apply_patches(std::span<const std::byte> base, const std::vector<BytePatch>& patches);

}  // namespace cubinlab
