// SPDX-License-Identifier: GPL-3.0-or-later
// The files that the tests of the command line use most.
#pragma once
#include <fstream>
#include <iterator>
#include <string>

namespace cubinlab::test {

inline const std::string kSamples = CUBINLAB_SAMPLES;
inline const std::string kBmm = kSamples + "/bmm_mma.cubin";
inline const std::string kSoftmax = kSamples + "/softmax.cubin";

inline std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace cubinlab::test
