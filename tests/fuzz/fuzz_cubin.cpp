// SPDX-License-Identifier: GPL-3.0-or-later
// Cubins: reader, attribute and line tables, relocations, decoder, flow graph, pins, writer.
#include "core/schedule/cubin_writer.h"
#include "core/schedule/schedule.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = fuzz::bytes_of(data, size);
    const auto cubin = Cubin::parse({bytes.begin(), bytes.end()}, "input");
    if (!cubin) return 0;
    constexpr std::size_t kMost = 4;
    std::size_t looked_at = 0;
    for (const KernelInfo& info : (*cubin)->kernels()) {
        (void)(*cubin)->code(info);
        if (++looked_at > kMost) continue;
        (void)(*cubin)->source_lines(info);
        if (!(*cubin)->arch().decodable()) continue;
        const auto kernel = Kernel::load(*cubin, info.name);
        if (!kernel) continue;
        const auto writer = CubinWriter::create(*kernel);
        if (!writer) continue;
        // The schedule of the file itself gives the file itself.
        const std::vector<std::byte> image = writer->image(Schedule(*kernel));
        if (!std::equal(image.begin(), image.end(), bytes.begin(), bytes.end())) __builtin_trap();
    }
    return 0;
}
