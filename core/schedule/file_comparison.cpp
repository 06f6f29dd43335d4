// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/file_comparison.h"

#include <algorithm>

#include "core/schedule/capsule.h"
#include "core/schedule/cubin_writer.h"

namespace cubinlab {

FileComparison::FileComparison(const Cubin& original, const Cubin& candidate)
    : original_(original.bytes()),
      candidate_(candidate.bytes()),
      expected_(original_.begin(), original_.end()) {}

void FileComparison::accept_schedule(const Schedule& schedule) {
    auto writer = CubinWriter::create(schedule.kernel());
    if (!writer) return;  // no difference is accepted
    const std::vector<std::byte> image = writer->image(schedule);
    for (std::size_t i = 0; i < image.size() && i < expected_.size(); ++i)
        if (image[i] != original_[i]) expected_[i] = image[i];
}

void FileComparison::ignore_kernel(const KernelInfo& info) {
    accept(info.code_offset, info.code_size);
    for (const InfoAttribute& a : info.attributes)
        accept(a.payload_offset, a.payload_size);
    for (const TextRelocation& r : info.relocations)
        accept(r.entry_offset, sizeof r.target);
    const Bytes capsule = capsule_section(original_, info.name);
    if (!capsule.empty()) accept(static_cast<std::size_t>(capsule.data() - original_.data()), capsule.size());
}

void FileComparison::accept(std::size_t offset, std::size_t size) {
    const std::size_t end = std::min({offset + size, expected_.size(), candidate_.size()});
    for (std::size_t i = offset; i < end; ++i)
        expected_[i] = candidate_[i];
}

std::optional<std::size_t> FileComparison::difference() const {
    const auto [mine, theirs] =
        std::mismatch(expected_.begin(), expected_.end(), candidate_.begin(), candidate_.end());
    if (mine == expected_.end() && theirs == candidate_.end()) return std::nullopt;
    return static_cast<std::size_t>(mine - expected_.begin());
}

}  // namespace cubinlab
