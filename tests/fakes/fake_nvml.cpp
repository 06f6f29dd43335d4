// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in for libnvidia-ml.so.1 beside fake_cuda.cpp: 1755 MHz, 41 C, 300 W, the energy that the fake
// driver's launches took. With FAKE_NVML_THROTTLE=N in the environment the first N readings say "hardware
// thermal".
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>

extern "C" {
#define FAKE __attribute__((visibility("default"))) int

FAKE nvmlInit_v2() {
    return 0;
}
FAKE nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
    static int one;
    return *device = &one, 0;
}
FAKE nvmlDeviceGetClockInfo(void*, int, unsigned* mhz) {
    return *mhz = 1755, 0;
}
FAKE nvmlDeviceGetTemperature(void*, int, unsigned* c) {
    return *c = 41, 0;
}
FAKE nvmlDeviceGetPowerUsage(void*, unsigned* mw) {
    return *mw = 300000, 0;
}
FAKE nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
    static std::atomic<int> readings{0};
    const char* wanted = std::getenv("FAKE_NVML_THROTTLE");
    return *reasons = wanted && readings++ < std::atoi(wanted) ? 0x40 : 0x1, 0;
}
FAKE nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* mj) {
    static void* driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    static auto energy = reinterpret_cast<double (*)()>(driver ? ::dlsym(driver, "fake_energy_mj") : nullptr);
    if (!energy) return 1;
    return *mj = static_cast<unsigned long long>(energy()), 0;
}
}
