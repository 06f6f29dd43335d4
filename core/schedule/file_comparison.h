// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a file that claims to be a schedule of another differs from it in the schedules of its kernels and
// what follows moved words, and in nothing else: constants, register counts, symbols and the file's length
// are the original's.
//
//   FileComparison file(*original, *candidate);
//   file.take(schedule);                        // of each kernel, as found in the candidate
//   if (auto offset = file.difference()) ...    // the first byte that no schedule explains
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

    // Takes the bytes that a kernel's schedule asks for; the schedule is of a kernel of the original.
    void take(const Schedule& schedule);
    // This kernel of the original is not looked at: its code, its attributes and the relocations of its words
    // may be anything.
    void leave_out(const KernelInfo& info);

    std::optional<std::size_t> difference() const;  // file offset, bytes

  private:
    void accept(std::size_t offset, std::size_t size);
    std::span<const std::byte> original_;
    std::span<const std::byte> candidate_;
    std::vector<std::byte> expected_;
};

}  // namespace cubinlab
