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
    // Unsupported: code of the original's architecture cannot be edited.
    static Result<CubinImages> create(KernelPtr original);

    std::span<const std::byte> original() const { return original_->cubin().bytes(); }
    std::vector<std::byte> of(const Schedule& schedule) const;

  private:
    explicit CubinImages(KernelPtr original) : original_(std::move(original)) {}
    const CubinWriter& writer(const KernelPtr& kernel) const;

    struct Writers {
        std::mutex mutex;
        std::map<KernelPtr, CubinWriter> of_kernel;  // those with edited schedules: few
    };
    KernelPtr original_;
    std::unique_ptr<Writers> writers_ = std::make_unique<Writers>();
};

}  // namespace cubinlab
