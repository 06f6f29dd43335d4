// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a worker loads: those of schedules of the original, and of starts, which are other compilations with
// kernels of their own.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/schedule/cubin_writer.h"

namespace cubinlab {

// Threads of a pool may share one.
class CubinImages {
  public:
    explicit CubinImages(KernelPtr original) : original_(std::move(original)) {}

    std::span<const std::byte> original() const { return original_->cubin().bytes(); }
    // Where code of the architecture cannot be edited, `schedule` is as its kernel was compiled (asserted).
    std::vector<std::byte> of(const Schedule& schedule) const;

  private:
    const CubinWriter& writer(const KernelPtr& kernel) const;

    struct Writers {
        std::mutex mutex;
        std::map<KernelPtr, CubinWriter> of_kernel;  // those with edited schedules: few
    };
    KernelPtr original_;
    std::unique_ptr<Writers> writers_ = std::make_unique<Writers>();
};

}  // namespace cubinlab
