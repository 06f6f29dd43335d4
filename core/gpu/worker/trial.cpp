// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/trial.h"

namespace cubinlab {

Result<std::vector<std::uint32_t>> run_one_warp(GpuDevice& device, std::span<const std::byte> cubin,
                                                const std::string& kernel, std::uint32_t number) {
    Workload workload;
    workload.kernel = kernel;
    workload.block = {32, 1, 1};
    auto loaded = TRY(LoadedKernel::load(device, cubin, workload));
    std::vector<std::uint32_t> out(64);
    const std::size_t bytes = out.size() * sizeof out[0];
    auto memory = TRY(DeviceMemory::allocate(device.api(), bytes));
    cu::CUdeviceptr address = memory.address();
    void* params[] = {&address, &number};
    CUBINLAB_CU(device.api(), fill32_async, address, 0u, out.size(), device.stream());
    TRY(launch(device, loaded, workload, params));
    TRY(device.synchronize());
    CUBINLAB_CU(device.api(), copy_to_host, out.data(), address, bytes);
    return out;
}

}  // namespace cubinlab
