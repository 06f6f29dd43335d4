// SPDX-License-Identifier: GPL-3.0-or-later
// Maps the memory of a captured launch at its original addresses, so that pointers inside it stay valid. The
// driver takes an address only as a hint. If it returns another address, this process cannot run the
// workload; the client then starts a new worker, which has another layout.
//
//   reserve in steps of 32 MiB (the driver returns only multiples), map the 2 MiB pieces that hold data,
//   fill the rest of these pieces with the guard pattern
//
// Used in the worker.
#pragma once
#include <memory>
#include <vector>

#include "core/gpu/protocol/captured_memory.h"
#include "core/gpu/worker/cuda_api.h"

namespace cubinlab {

class CapturedSpace {
  public:
    // Call it before a context exists, if possible. Errors: Worker (an address is in use), Unsupported (the
    // driver has no virtual memory), BadInput (the sets have different addresses).
    static Result<std::unique_ptr<CapturedSpace>> reserve(const cu::Api& api, int device,
                                                          std::vector<CapturedMemory> sets);
    ~CapturedSpace();
    CapturedSpace(const CapturedSpace&) = delete;
    CapturedSpace& operator=(const CapturedSpace&) = delete;

    const std::vector<CapturedMemory>& sets() const { return sets_; }
    struct Range {
        std::uint64_t address = 0, size = 0;
    };
    // The mapped ranges outside the regions.
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
