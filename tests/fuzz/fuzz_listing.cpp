// SPDX-License-Identifier: GPL-3.0-or-later
// Listings: the output of nvdisasm, and the stored kind that stands beside a cubin and in a session.
#include "core/sass/disassembler.h"
#include "core/sass/nvdisasm_text.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    (void)parse_nvdisasm(text);
    (void)read_stored_listing(text, "k", Hash128{});
    return 0;
}
