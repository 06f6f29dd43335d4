// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/nvml.h"

#include <dlfcn.h>

#include <chrono>
#include <condition_variable>

namespace cubinlab {
namespace {

template <class F>
F symbol(void* library, const char* name) {
    return reinterpret_cast<F>(::dlsym(library, name));
}

// nvmlClocksThrottleReasons: software power cap, hardware slowdown, software thermal, hardware thermal,
// hardware power brake.
constexpr unsigned long long kSlowed = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;
constexpr int kClockSm = 1;
constexpr int kTemperatureGpu = 0;

}  // namespace

bool GpuState::throttled() const {
    return (throttle_reasons & kSlowed) != 0;
}

GpuReading GpuState::reading() const {
    const auto number = [](const std::optional<unsigned>& value, float unit) {
        return value ? static_cast<float>(*value) * unit : -1.0f;
    };
    return {number(sm_clock_mhz, 1), number(temperature_c, 1), number(power_mw, 1e-3f),
            static_cast<float>(throttle_reasons)};
}

Nvml Nvml::open(const std::string& pci) {
    Nvml out;
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return out;
    auto start = symbol<int (*)()>(library, "nvmlInit_v2");
    auto find = symbol<int (*)(const char*, void**)>(library, "nvmlDeviceGetHandleByPciBusId_v2");
    void* device = nullptr;
    if (!start || !find || start() != 0) return out;
    out.library_ = library;
    if (!pci.empty() && find(pci.c_str(), &device) == 0) out.device_ = device;
    return out;
}

GpuState Nvml::read() const {
    GpuState out;
    if (!device_) return out;
    unsigned value = 0;
    if (auto f = symbol<int (*)(void*, int, unsigned*)>(library_, "nvmlDeviceGetClockInfo");
        f && f(device_, kClockSm, &value) == 0)
        out.sm_clock_mhz = value;
    if (auto f = symbol<int (*)(void*, int, unsigned*)>(library_, "nvmlDeviceGetTemperature");
        f && f(device_, kTemperatureGpu, &value) == 0)
        out.temperature_c = value;
    if (auto f = symbol<int (*)(void*, unsigned*)>(library_, "nvmlDeviceGetPowerUsage");
        f && f(device_, &value) == 0)
        out.power_mw = value;
    out.throttle_reasons = throttle_reasons();
    return out;
}

unsigned long long Nvml::throttle_reasons() const {
    unsigned long long reasons = 0;
    if (!device_) return reasons;
    auto f =
        symbol<int (*)(void*, unsigned long long*)>(library_, "nvmlDeviceGetCurrentClocksThrottleReasons");
    return f && f(device_, &reasons) == 0 ? reasons : 0;
}

std::optional<unsigned long long> Nvml::energy_mj() const {
    unsigned long long value = 0;
    if (!device_) return std::nullopt;
    auto f = symbol<int (*)(void*, unsigned long long*)>(library_, "nvmlDeviceGetTotalEnergyConsumption");
    return f && f(device_, &value) == 0 ? std::optional(value) : std::nullopt;
}

GpuMonitor::GpuMonitor(const Nvml& nvml) : nvml_(nvml) {
    if (!nvml.available()) return;
    latest_ = nvml.read();
    seen_ = latest_.throttle_reasons;
    thread_ = std::jthread([this](const std::stop_token& stop) {
        std::mutex none;
        std::condition_variable_any wake;
        while (!stop.stop_requested()) {
            {
                std::unique_lock lock(none);
                wake.wait_for(lock, stop, std::chrono::milliseconds(100), [] { return false; });
            }
            const GpuState now = nvml_.read();
            const std::lock_guard lock(mutex_);
            latest_ = now;
            seen_ |= now.throttle_reasons;
        }
    });
}

GpuState GpuMonitor::latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
}

unsigned long long GpuMonitor::take_reasons() {
    const std::lock_guard lock(mutex_);
    const unsigned long long out = seen_;
    seen_ = 0;
    return out;
}

std::string Nvml::driver_version() const {
    char text[96] = {};
    if (!library_) return {};
    if (auto f = symbol<int (*)(char*, unsigned)>(library_, "nvmlSystemGetDriverVersion");
        f && f(text, sizeof text - 1) == 0)
        return text;
    return {};
}

}  // namespace cubinlab
