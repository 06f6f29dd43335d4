// SPDX-License-Identifier: GPL-3.0-or-later
// Clock, temperature, power and throttle reasons from libnvidia-ml, opened at run time. Where the library or
// a reading is missing, its value stays absent and nothing else changes.
#pragma once
#include <optional>
#include <string>

namespace cubinlab {

struct GpuState {
    std::optional<unsigned> sm_clock_mhz, temperature_c, power_mw;
    unsigned long long throttle_reasons = 0;  // NVML's bit set; 0: none or unknown
    bool throttled() const;                   // slowed by heat or power, not merely idle
};

class Nvml {
  public:
    Nvml() = default;
    // `pci` as cuDeviceGetPCIBusId gives it: NVML's own numbering ignores CUDA_VISIBLE_DEVICES.
    static Nvml open(const std::string& pci);
    bool available() const { return device_ != nullptr; }
    GpuState read() const;
    bool throttled() const;              // one reading, cheaper than all
    std::string driver_version() const;  // "580.159.04", empty if unknown

  private:
    unsigned long long throttle_reasons() const;
    void* library_ = nullptr;
    void* device_ = nullptr;
};

}  // namespace cubinlab
