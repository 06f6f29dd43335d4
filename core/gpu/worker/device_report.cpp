// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/device_report.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/gpu/worker/gpu_device.h"
#include "core/gpu/worker/gpu_digest.h"
#include "core/gpu/worker/nvml.h"

namespace cubinlab {

int print_device(int device_index, const char* program) {
    const auto report = [program](const Error& error) {
        fmt::print(stderr, "{}: {}\n", program, error.message());
        return exit_code(error.code);
    };
    WorkerHeartbeat heartbeat;
    auto device = GpuDevice::open(device_index, heartbeat);
    if (!device) return report(device.error());
    const DeviceFacts& d = (*device)->facts();
    const Nvml nvml = Nvml::open(d.pci);
    const GpuState state = nvml.read();
    fmt::print("{}: sm_{}, {} multiprocessors, L2 {} MiB, {} MHz, driver {} {}, pci {}, free {} of {} MiB\n",
               d.name, d.sm, d.multiprocessors, d.l2_bytes >> 20, d.clock_khz / 1000, nvml.driver_version(),
               d.driver, d.pci, d.free_bytes >> 20, d.memory_bytes >> 20);
    fmt::print("nvml: {}, SM clock {} MHz, {} C, {} mW, throttle reasons {:#x}\n",
               nvml.available() ? "available" : "absent", state.sm_clock_mhz.value_or(0),
               state.temperature_c.value_or(0), state.power_mw.value_or(0), state.throttle_reasons);
    auto digester = GpuDigester::create(**device);
    if (!digester) return report(digester.error());
    fmt::print("digest kernel: {}\n",
               (*digester)->on_device() ? "assembled, agrees with the host" : (*digester)->note());
    return 0;
}

}  // namespace cubinlab
