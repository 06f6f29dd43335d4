// SPDX-License-Identifier: GPL-3.0-or-later
// A session file, any bytes of it.
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/session_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    cubinlab::fuzz::read_session(cubinlab::fuzz::bytes_of(data, size));
    return 0;
}
