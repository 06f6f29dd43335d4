// SPDX-License-Identifier: GPL-3.0-or-later
// Captured memory (NAME.memory): what parses is written again, and its regions have their contents.
#include "core/gpu/protocol/captured_memory.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto memory = CapturedMemory::parse(fuzz::bytes_of(data, size));
    if (!memory) return 0;
    const auto again = CapturedMemory::parse(memory->serialise());
    if (!again || again->serialise() != memory->serialise()) __builtin_trap();
    for (std::size_t i = 0; i < memory->regions.size(); ++i) {
        if (memory->regions[i].size > std::uint64_t{1} << 18) continue;
        for (const bool after : {false, true})
            if (memory->contents(i, after).size() != memory->regions[i].size) __builtin_trap();
    }
    return 0;
}
