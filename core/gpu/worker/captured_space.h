// SPDX-License-Identifier: GPL-3.0-or-later
// The addresses of a captured launch, taken in this process before the kernel runs in it: pointers inside captured
// memory stay valid. The driver takes an address only as a hint; what it gives is compared, and where it differs this
// process is of no use (another one has another layout, so the client tries again).
//
//   reserve in steps of 32 MiB (a driver gives no address that is not a multiple), map just the 2 MiB pieces that hold
//   something, fill the rest of them with the guard pattern
//
// Lives in the worker.
#pragma once
#include <memory>
#include <vector>

#include "core/gpu/protocol/captured_memory.h"
#include "core/gpu/worker/cuda_api.h"

namespace cubinlab {

class CapturedSpace {
  public:
    // Before a context exists if that can be had. Errors: Worker where an address is taken, Unsupported where this
    // driver has no virtual memory, BadInput where the sets do not lie at the same addresses.
    static Result<std::unique_ptr<CapturedSpace>> reserve(const cu::Api& api, int device,
                                                          std::vector<CapturedMemory> sets);
    ~CapturedSpace();
    CapturedSpace(const CapturedSpace&) = delete;
    CapturedSpace& operator=(const CapturedSpace&) = delete;

    const std::vector<CapturedMemory>& sets() const { return sets_; }
    struct Range {
        std::uint64_t address = 0, size = 0;
    };
    // Mapped, between and around the regions.
    const std::vector<Range>& slack() const { return slack_; }

  private:
    struct Mapping {
        std::uint64_t address = 0, size = 0;
        unsigned long long handle = 0;
    };
    explicit CapturedSpace(const cu::Api& api) : api_(api) {}
    Status map_all(int device);

    const cu::Api& api_;
    std::vector<CapturedMemory> sets_;
    std::vector<Range> reserved_, slack_;
    std::vector<Mapping> mapped_;
};

}  // namespace cubinlab
