// SPDX-License-Identifier: GPL-3.0-or-later
// Workload files: parsed, held against a kernel, and parsed again from what is stored of them.
#include "core/gpu/protocol/workload.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto workload = Workload::parse(fuzz::text_of(data, size), "folder/input.workload.json");
    if (!workload) return 0;
    KernelInfo kernel;
    kernel.name = workload->kernel;
    kernel.params = {{0, 0, 8}, {1, 8, 8}, {2, 16, 4}};
    (void)workload->validate_against(kernel);
    (void)workload->threads();
    for (const Param& param : workload->params)
        if (const auto* buffer = std::get_if<BufferParam>(&param)) (void)buffer->bytes();
    if (!Workload::parse(workload->json)) __builtin_trap();
    return 0;
}
