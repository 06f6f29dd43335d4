// SPDX-License-Identifier: GPL-3.0-or-later
// A library of the usual kind that stands between a program and the driver: it defines the driver's functions and passes
// each on to the next definition. HOOKS_DLSYM: it answers lookups as well, as some quota libraries do. It also has
// functions of its own whose names begin like the driver's.
#include <dlfcn.h>

#include <cstring>

#include "tests/inject/lookup_names.h"

namespace {

constexpr int kShim = 100000, kLost = 700000;
thread_local int depth = 0;

using Lookup = void* (*)(void*, const char*);

void* next_of(const char* name) {
#ifdef HOOKS_DLSYM
#if defined(__x86_64__)
    static const auto lookup = reinterpret_cast<Lookup>(::dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
#else
    static const auto lookup = reinterpret_cast<Lookup>(::dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.17"));
#endif
    return lookup(RTLD_NEXT, name);
#else
    return ::dlsym(RTLD_NEXT, name);
#endif
}

int pass_on(const char* name) {
    if (++depth > 20) {  // it was given itself
        --depth;
        return kLost;
    }
    const auto next = reinterpret_cast<Any>(next_of(name));
    const int answer = next ? next(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, nullptr, nullptr)
                            : 0;
    --depth;
    return kShim + answer;
}

}  // namespace

extern "C" {
#define X(name, number)                                 \
    __attribute__((visibility("default"))) int name() { \
        return pass_on(#name);                          \
    }
SIMPLE_NAMES(X)
#undef X
#define X(name, number) __attribute__((visibility("default"))) int name();
DRIVER_NAMES(X)
#undef X
}

namespace {

using Get = int (*)(const char*, void**, int, unsigned long long, int*);

// Its own function in the place of one that it has, as a library that limits memory does.
int get_address(const char* own, const char* name, void** address, int version, unsigned long long flags,
                int* status) {
    if (!name) return pass_on(own);
    if (++depth > 20) {  // it was given itself
        --depth;
        return kLost;
    }
    const auto next = reinterpret_cast<Get>(next_of(own));
    const int code = next ? next(name, address, version, flags, status) : 1;
    --depth;
    if (code == 0 && std::strcmp(name, "cuMemAlloc") == 0) *address = reinterpret_cast<void*>(&cuMemAlloc_v2);
    if (code == 0 && std::strcmp(name, "cuLaunchKernel") == 0 && flags != 2)
        *address = reinterpret_cast<void*>(&cuLaunchKernel);
    return code;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) int shim_address(const char* name, void** address, int version,
                                                        unsigned long long flags) __asm__("cuGetProcAddress");
int shim_address(const char* name, void** address, int version, unsigned long long flags) {
    return get_address("cuGetProcAddress", name, address, version, flags, nullptr);
}
__attribute__((visibility("default"))) int shim_address_2(const char* name, void** address, int version,
                                                          unsigned long long flags,
                                                          int* status) __asm__("cuGetProcAddress_v2");
int shim_address_2(const char* name, void** address, int version, unsigned long long flags, int* status) {
    return get_address("cuGetProcAddress_v2", name, address, version, flags, status);
}
__attribute__((visibility("default"))) int cuFancyThing() {
    return kShim + 31;
}
__attribute__((visibility("default"))) int cudnnCreate() {
    return kShim + 32;
}

#ifdef HOOKS_DLSYM
__attribute__((visibility("default"))) void* dlsym(void* handle, const char* name) noexcept {
#define X(own, number) \
    if (std::strcmp(name, #own) == 0 && handle != RTLD_NEXT) return reinterpret_cast<void*>(&own);
    DRIVER_NAMES(X)
#undef X
#if defined(__x86_64__)
    static const auto lookup = reinterpret_cast<Lookup>(::dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
#else
    static const auto lookup = reinterpret_cast<Lookup>(::dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.17"));
#endif
    return lookup(handle, name);
}
#endif
}
