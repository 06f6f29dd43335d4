// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/driver.h"

#include <dlfcn.h>

#include <mutex>

#include "app/inject/hooks.h"

// The oldest versions of these functions, so that the library also loads on older systems.
extern "C" void* cubinlab_dlvsym(void*, const char*, const char*);
extern "C" void* cubinlab_dlopen(const char*, int);
#if defined(__x86_64__)
__asm__(".symver cubinlab_dlvsym, dlvsym@GLIBC_2.2.5");
__asm__(".symver cubinlab_dlopen, dlopen@GLIBC_2.2.5");
static constexpr const char* kDlsymVersion = "GLIBC_2.2.5";
#elif defined(__aarch64__)
__asm__(".symver cubinlab_dlvsym, dlvsym@GLIBC_2.17");
__asm__(".symver cubinlab_dlopen, dlopen@GLIBC_2.17");
static constexpr const char* kDlsymVersion = "GLIBC_2.17";
#endif

namespace cubinlab::inject {

std::atomic<void*> g_real[static_cast<std::size_t>(Slot::Count)];

namespace {

struct Name {
    const char* text;
    void* ours;
};
const Name kNames[] = {
#define X(slot, name) {#name, reinterpret_cast<void*>(&::name)},
    CUBINLAB_HOOKS(X)
#undef X
};

Calls g_calls;
std::atomic<bool> g_found{false};
// noexcept, so that a call at the end of a function is a jump.
using Dlsym = void* (*)(void*, const char*) noexcept;
std::atomic<Dlsym> g_dlsym{nullptr};

// Driver function -> our function, by open addressing: filled once before g_found is set, then only read.
constexpr std::size_t kPairs = 256;
struct Pair {
    void* theirs = nullptr;
    void* ours = nullptr;
};
Pair g_pairs[kPairs];

std::size_t place_of(const void* address) {
    return (reinterpret_cast<std::uintptr_t>(address) >> 4) * 0x9e3779b97f4a7c15ull >> 56;
}

void remember(void* theirs, void* ours) {
    std::size_t at = place_of(theirs) % kPairs;
    while (g_pairs[at].theirs && g_pairs[at].theirs != theirs)
        at = (at + 1) % kPairs;
    // For two names of one function use the first, that of the default stream, like the driver's table.
    if (!g_pairs[at].theirs) g_pairs[at] = {theirs, ours};
}

}  // namespace

void* real_dlsym(void* handle, const char* name) {
    auto function = g_dlsym.load(std::memory_order_acquire);
    if (!function) {
        function = reinterpret_cast<Dlsym>(cubinlab_dlvsym(RTLD_NEXT, "dlsym", kDlsymVersion));
        g_dlsym.store(function, std::memory_order_release);
    }
    return function ? function(handle, name) : nullptr;
}

bool find_driver() {
    if (g_found.load(std::memory_order_acquire)) return true;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (g_found.load(std::memory_order_relaxed)) return true;
    // The program has loaded the driver already; loading it here would add a driver to a program without one.
    void* library = cubinlab_dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Slot::Count); ++i) {
        void* theirs = real_dlsym(library, kNames[i].text);
        if (!theirs || theirs == kNames[i].ours) continue;
        g_real[i].store(theirs, std::memory_order_release);
        remember(theirs, kNames[i].ours);
    }
#define X(member, name, parameters) \
    g_calls.member = reinterpret_cast<Code(*) parameters>(real_dlsym(library, #name));
    CUBINLAB_CALLS(X)
#undef X
    g_found.store(true, std::memory_order_release);
    return true;
}

const Calls& calls() {
    find_driver();
    return g_calls;
}

void* replaced(void* address) {
    if (!address || !find_driver()) return address;
    for (std::size_t at = place_of(address) % kPairs; g_pairs[at].theirs; at = (at + 1) % kPairs)
        if (g_pairs[at].theirs == address) return g_pairs[at].ours;
    return address;
}

bool may_be_hooked(const char* name) {
    return name && name[0] == 'c' && name[1] == 'u' && name[2] >= 'A' && name[2] <= 'Z';
}

std::string error_text(Code code) {
    const char* name = "";
    if (code == 700) name = ", an illegal address";
    if (code == 714) name = ", an illegal memory space";
    if (code == 715) name = ", an illegal instruction";
    if (code == 716) name = ", a misaligned address";
    if (code == 719) name = ", a failed launch";
    return "CUDA error " + std::to_string(code) + name;
}

}  // namespace cubinlab::inject

using namespace cubinlab::inject;

// Other lookups continue as if the library were not there: RTLD_NEXT depends on the caller, so the call must
// be a jump that keeps the return address (a test checks it).
CUBINLAB_EXPORT void* dlsym(void* handle, const char* name) noexcept {
    if (may_be_hooked(name)) [[unlikely]]
        return replaced(real_dlsym(handle, name));
    if (!g_dlsym.load(std::memory_order_acquire)) [[unlikely]]
        real_dlsym(RTLD_DEFAULT, "dlsym");
    return g_dlsym.load(std::memory_order_acquire)(handle, name);
}
