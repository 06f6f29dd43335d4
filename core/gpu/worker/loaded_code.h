// SPDX-License-Identifier: GPL-3.0-or-later
// The hash of the kernel's instruction words in the bytes that the driver loads. It is stored with the
// measurement (Outcome::code_hash), so that every figure names the code that was measured.
//
//   LoadedCode code("softmax");
//   outcome.code_hash = code.hash(image);     // equals Schedule::hash() of the candidate
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
    // Zero if the image has no such kernel.
    Hash128 hash(std::span<const std::byte> image);

  private:
    bool same_layout(std::span<const std::byte> image) const;
    void find(std::span<const std::byte> image);

    std::string kernel_;
    // Layout of the last image that was parsed. Candidates of a search have the same layout, so it is parsed once.
    std::size_t image_size_ = 0, headers_at_ = 0;
    std::vector<std::byte> header_, headers_;
    std::size_t offset_ = 0, size_ = 0;
};

}  // namespace cubinlab
