// SPDX-License-Identifier: GPL-3.0-or-later
// Clock, temperature, power, energy and throttle reasons from libnvidia-ml, opened at run time. Where the
// library or a reading is missing, its value stays absent and nothing else changes.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/result/outcome.h"

namespace cubinlab {

struct GpuState {
    std::optional<unsigned> sm_clock_mhz, temperature_c, power_mw;
    unsigned long long throttle_reasons = 0;  // NVML's bit set; 0: none or unknown
    bool throttled() const;                   // slowed by heat or power, not merely idle
    GpuReading reading() const;
};

class Nvml {
  public:
    Nvml() = default;
    // `pci` as cuDeviceGetPCIBusId gives it: NVML's own numbering ignores CUDA_VISIBLE_DEVICES.
    static Nvml open(const std::string& pci);
    bool available() const { return device_ != nullptr; }
    GpuState read() const;
    unsigned long long throttle_reasons() const;          // one reading, cheaper than all
    std::optional<unsigned long long> energy_mj() const;  // counter since the driver was loaded
    std::string driver_version() const;                   // "580.159.04", empty if unknown

  private:
    void* library_ = nullptr;
    void* device_ = nullptr;
};

// Reads the state every 100 ms on a thread of its own, so that no candidate pays for it. What throttled
// meanwhile is kept until somebody asks.
class GpuMonitor {
  public:
    explicit GpuMonitor(const Nvml& nvml);
    GpuState latest() const;
    // Reasons seen since the last call, all of them together.
    unsigned long long take_reasons();

  private:
    const Nvml& nvml_;
    mutable std::mutex mutex_;
    GpuState latest_;
    unsigned long long seen_ = 0;
    std::jthread thread_;
};

}  // namespace cubinlab
