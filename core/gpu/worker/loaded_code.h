// SPDX-License-Identifier: GPL-3.0-or-later
// Which code an image brings to the GPU: the hash of the kernel's words in the very bytes that the driver is given. It goes
// with what is measured of them (Outcome::code_hash), so that a figure names the schedule that it is of.
//
//   LoadedCode code("softmax");
//   outcome.code_hash = code.hash(image);     // Schedule::hash() of what was meant to be measured
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/hash.h"

namespace cubinlab {

class LoadedCode {
  public:
    explicit LoadedCode(std::string kernel) : kernel_(std::move(kernel)) {}
    // Zero where the image holds no such kernel.
    Hash128 hash(std::span<const std::byte> image);

  private:
    bool same_layout(std::span<const std::byte> image) const;
    void find(std::span<const std::byte> image);

    std::string kernel_;
    // Of the image that was looked into last. Candidates of a search differ in words, so they are looked into once.
    std::size_t image_size_ = 0, headers_at_ = 0;
    std::vector<std::byte> header_, headers_;
    std::size_t offset_ = 0, size_ = 0;
};

}  // namespace cubinlab
