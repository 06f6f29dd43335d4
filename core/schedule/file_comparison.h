// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that a cubin differs from the original only in the schedules of its kernels and the tables that
// follow moved words. Constants, register counts, symbols and the file size must be equal.
//
//   FileComparison file(*original, *candidate);
//   file.accept_schedule(schedule);             // for each kernel: its schedule in the candidate
//   if (auto offset = file.difference()) ...    // first unexplained byte
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/schedule/schedule.h"

namespace cubinlab {

class FileComparison {
  public:
    // Both must outlive the comparison.
    FileComparison(const Cubin& original, const Cubin& candidate);

    // Accepts the bytes of this schedule of a kernel of the original.
    void accept_schedule(const Schedule& schedule);
    // Ignores a kernel of the original: its code, its capsule, its attributes and the relocations of its words.
    void ignore_kernel(const KernelInfo& info);

    std::optional<std::size_t> difference() const;  // file offset, bytes

  private:
    void accept(std::size_t offset, std::size_t size);
    std::span<const std::byte> original_;
    std::span<const std::byte> candidate_;
    std::vector<std::byte> expected_;
};

}  // namespace cubinlab
