// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace cubinlab::test {

inline const std::string kSoftmax = std::string(CUBINLAB_SAMPLES) + "/softmax.cubin";

std::vector<std::byte> bytes_of(const std::string& path);
// A kernel's file with the first edit of a stall count by `change` that is legal, or is not.
std::vector<std::byte> edited(const std::string& file, const std::string& kernel, int change, bool legal);
std::vector<std::byte> edited_softmax(int change, bool legal);

}  // namespace cubinlab::test
