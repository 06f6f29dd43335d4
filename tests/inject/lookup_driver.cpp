// SPDX-License-Identifier: GPL-3.0-or-later
// A driver for the lookup table: each function answers with its number, an error that says who was asked. FROM is added,
// for a second driver. With a name to look up, cuGetProcAddress answers as the driver does, by version and flags.
// VERSIONED: the functions have a version, and cuLaunchKernel an older one besides.
#include <cstring>

#include "tests/inject/lookup_names.h"

#ifndef FROM
#define FROM 1000
#endif

extern "C" {
#define X(name, number) __attribute__((visibility("default"))) int name();
DRIVER_NAMES(X)
#undef X
}

namespace {

constexpr int kNotFound = 500, kPerThread = 2, kSecondVersion = 12000;

void* function_of(const char* name, int version, unsigned long long flags) {
    const bool second = version >= kSecondVersion;
    if (std::strcmp(name, "cuGetProcAddress") == 0)
        return reinterpret_cast<void*>(second ? &cuGetProcAddress_v2 : &cuGetProcAddress);
    if (std::strcmp(name, "cuMemAlloc") == 0) return reinterpret_cast<void*>(&cuMemAlloc_v2);
    if (std::strcmp(name, "cuGraphAddKernelNode") == 0)
        return second ? reinterpret_cast<void*>(&cuGraphAddKernelNode_v2) : nullptr;
    if (std::strcmp(name, "cuLaunchKernel") == 0 && flags == kPerThread)
        return reinterpret_cast<void*>(&cuLaunchKernel_ptsz);
#define X(own, number) \
    if (std::strcmp(name, #own) == 0) return reinterpret_cast<void*>(&own);
    DRIVER_NAMES(X)
#undef X
    return nullptr;
}

int get_address(const char* name, void** address, int version, unsigned long long flags, int* status,
                int number) {
    if (!name) return FROM + number;
    *address = function_of(name, version, flags);
    if (status) *status = *address ? 0 : 1;
    return *address ? 0 : kNotFound;
}

}  // namespace

extern "C" {
#define X(name, number)       \
    int name() {              \
        return FROM + number; \
    }
SIMPLE_NAMES(X)
#undef X
// Declared without parameters, as everything in the table.
int lookup_address(const char* name, void** address, int version,
                   unsigned long long flags) __asm__("cuGetProcAddress");
int lookup_address(const char* name, void** address, int version, unsigned long long flags) {
    return get_address(name, address, version, flags, nullptr, 19);
}
int lookup_address_2(const char* name, void** address, int version, unsigned long long flags,
                     int* status) __asm__("cuGetProcAddress_v2");
int lookup_address_2(const char* name, void** address, int version, unsigned long long flags, int* status) {
    return get_address(name, address, version, flags, status, 20);
}
#ifdef VERSIONED
int lookup_old_launch() {
    return FROM + 500;
}
__asm__(".symver lookup_old_launch, cuLaunchKernel@VERSION_0");
#endif
}
