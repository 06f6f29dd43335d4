// SPDX-License-Identifier: GPL-3.0-or-later
// Clock, temperature, power, energy and throttle reasons from libnvidia-ml, opened at run time. If the
// library or a reading is missing, its value is empty.
#pragma once
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/result/outcome.h"

namespace cubinlab {

struct GpuState {
    std::optional<unsigned> sm_clock_mhz, temperature_c, power_mw;
    unsigned long long throttle_reasons = 0;  // NVML's bit set; 0: none or unknown
    bool throttled() const;                   // slowed by temperature or power; not if only idle
    GpuReading reading() const;
};

class Nvml {
  public:
    Nvml() = default;
    // `pci`: from cuDeviceGetPCIBusId, since NVML's device numbers ignore CUDA_VISIBLE_DEVICES.
    static Nvml open(const std::string& pci);
    bool available() const { return device_ != nullptr; }
    GpuState read() const;
    unsigned long long throttle_reasons() const;          // cheaper than read()
    std::optional<unsigned long long> energy_mj() const;  // counter since the driver was loaded
    std::string driver_version() const;                   // "580.159.04"; empty: unknown

  private:
    void* library_ = nullptr;
    void* device_ = nullptr;
};

// Reads the state every 100 ms on its own thread, so that no candidate pays for it. Keeps the throttle
// reasons that it sees until take_reasons().
class GpuMonitor {
  public:
    explicit GpuMonitor(const Nvml& nvml);
    GpuState latest() const;
    // All reasons seen since the last call.
    unsigned long long take_reasons();

  private:
    const Nvml& nvml_;
    mutable std::mutex mutex_;
    GpuState latest_;
    unsigned long long seen_ = 0;
    std::jthread thread_;
};

}  // namespace cubinlab
