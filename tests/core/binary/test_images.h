// SPDX-License-Identifier: GPL-3.0-or-later
// Cubins of the repository as the images of synthetic containers.
#pragma once
#include "core/base/file.h"
#include "tests/core/binary/container_writer.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

inline Buffer bytes_of(const std::string& path) {
    auto bytes = read_file(path);
    INFO(path);
    REQUIRE(bytes);
    return *bytes;
}
inline Buffer softmax() {  // sm_90a or sm_90, one kernel
    return bytes_of(CUBINLAB_SAMPLES "/softmax.cubin");
}
inline Buffer bmm_for(const std::string& arch) {  // one kernel, of sm_80, sm_86, sm_89
    return bytes_of(CUBINLAB_TEST_DATA "/cubins/bmm_mma." + arch + ".cubin");
}

}  // namespace cubinlab::test
