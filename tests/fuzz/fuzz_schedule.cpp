// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules as the preloaded library reads them: what parses is written again as it was understood, and changes a cubin
// only into the code that it names.
#include "core/base/file.h"
#include "core/binary/code_swap.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto original = read_file(CUBINLAB_SAMPLES "/softmax.cubin");
    if (!original) __builtin_trap();
    const auto swap = CodeSwap::parse(fuzz::text_of(data, size), "input");
    if (!swap) return 0;
    const std::string text = swap->text();
    const auto again = CodeSwap::parse(text, "input");
    if (!again || again->text() != text) __builtin_trap();
    std::vector<std::byte> image = *original;
    const auto elf = ElfImage::read(image, "softmax");
    if (!elf) __builtin_trap();
    for (const CodeLocation& place : kernels_in(*elf)) {
        const bool applied = swap->apply(image, *elf, place.section);
        if (!applied && image != *original) __builtin_trap();
        if (applied && code_identity(image, *elf, place.section) != swap->tuned) __builtin_trap();
    }
    return 0;
}
