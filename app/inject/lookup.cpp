// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/lookup.h"

#include <dlfcn.h>
#include <errno.h>

#include <atomic>
#include <cstring>

#include "app/inject/bindings.h"
#include "app/inject/driver.h"
#include "app/inject/objects.h"
#include "app/inject/settings.h"
#include "app/inject/tally.h"

// The oldest versions of these functions, so that the library also loads on older systems.
extern "C" {
void* cubinlab_dlopen(const char*, int);
int cubinlab_dlclose(void*);
char* cubinlab_dlerror();
}
#if defined(__x86_64__)
__asm__(".symver cubinlab_dlopen, dlopen@GLIBC_2.2.5");
__asm__(".symver cubinlab_dlclose, dlclose@GLIBC_2.2.5");
__asm__(".symver cubinlab_dlerror, dlerror@GLIBC_2.2.5");

// cubinlab_call_within(return instruction, function, a, b, c): function(a, b, c) with a return address in another
// object. The function returns to that instruction, which returns to here.
extern "C" void* cubinlab_call_within(const void*, void*, void*, const void*, const void*);
__asm__(R"(
    .text
    .hidden cubinlab_call_within
    .globl cubinlab_call_within
    .type cubinlab_call_within, @function
cubinlab_call_within:
    .cfi_startproc
    movq %rsi, %rax
    movq %rdi, %r11
    movq %rdx, %rdi
    movq %rcx, %rsi
    movq %r8, %rdx
    leaq 1f(%rip), %r10
    pushq %r10
    .cfi_adjust_cfa_offset 8
    pushq %r11
    .cfi_adjust_cfa_offset 8
    jmp *%rax
    .cfi_adjust_cfa_offset -16
1:
    ret
    .cfi_endproc
    .size cubinlab_call_within, . - cubinlab_call_within
)");
#elif defined(__aarch64__)
__asm__(".symver cubinlab_dlopen, dlopen@GLIBC_2.17");
__asm__(".symver cubinlab_dlclose, dlclose@GLIBC_2.17");
__asm__(".symver cubinlab_dlerror, dlerror@GLIBC_2.17");
#endif

namespace cubinlab::inject {
namespace {

// noexcept, so that a call at the end of a function is a jump.
using Lookup = void* (*)(void*, const char*) noexcept;
using VersionedLookup = void* (*)(void*, const char*, const char*) noexcept;
std::atomic<Lookup> g_dlsym{nullptr};
std::atomic<VersionedLookup> g_dlvsym{nullptr};

[[gnu::noinline]] Lookup next_dlsym() {
    auto found = g_dlsym.load(std::memory_order_acquire);
    if (!found) [[unlikely]] {
        found = reinterpret_cast<Lookup>(next_definition("dlsym"));
        g_dlsym.store(found, std::memory_order_release);
    }
    return found;
}
[[gnu::noinline]] VersionedLookup next_dlvsym() {
    auto found = g_dlvsym.load(std::memory_order_acquire);
    if (!found) [[unlikely]] {
        found = reinterpret_cast<VersionedLookup>(next_definition("dlvsym"));
        g_dlvsym.store(found, std::memory_order_release);
    }
    return found;
}

#if defined(__x86_64__)
bool shadow_stack() {
    std::uint64_t pointer = 0;
    __asm__ volatile(".byte 0xf3, 0x48, 0x0f, 0x1e, 0xc8" : "+a"(pointer));  // rdsspq %rax: does nothing without one
    return pointer != 0;
}
#endif

// True once the library's constructor has run: before, lookups may come from a malloc() that is being set up.
std::atomic<bool> g_ready{false}, g_looking{false};
std::atomic<unsigned long long> g_loads_seen{0};

// What the program gets for a lookup that gave `found`.
[[gnu::noinline]] void* shown(void* found, const char* name) noexcept {
    void* const ours = replaced(found);
    if (ours == found && found)
        guarded([&] { note_other_definition(name, found); });
    return ours;
}

[[gnu::noinline]] bool watched(const char* name) noexcept {
    if (!g_ready.load(std::memory_order_acquire)) return false;
    look_around();
    return is_hooked(name);
}

bool by_caller(const void* handle) {
    return handle == RTLD_DEFAULT || handle == RTLD_NEXT;
}

}  // namespace

void* next_definition(const char* name) {
    void* first = nullptr;
    void* next = nullptr;
    bool passed = false;
    each_object([&](const Object& object) {
        if (is_this_library(object)) {
            passed = true;
            return false;
        }
        void* here = object.function(name);
        if (here && !first) first = here;
        if (here && passed) next = here;
        return next != nullptr;
    });
    return next ? next : first;
}

void* our_lookup(void* address) {
    if (address == reinterpret_cast<void*>(next_dlsym())) return reinterpret_cast<void*>(&::dlsym);
    if (address == reinterpret_cast<void*>(next_dlvsym())) return reinterpret_cast<void*>(&::dlvsym);
    return address;
}

void* real_dlsym(void* handle, const char* name) {
    const Lookup next = next_dlsym();
    return next ? next(handle, name) : nullptr;
}

void* keep_loaded(const char* path) {
    return cubinlab_dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
}
void release(void* kept) {
    if (kept) cubinlab_dlclose(kept);
}

#if defined(__x86_64__)
const void* return_within(const void* address) {
    static const bool guarded_returns = shadow_stack();
    if (guarded_returns) return nullptr;
    const void* out = nullptr;
    each_object([&](const Object& object) {
        if (!object.contains(address)) return false;
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        constexpr unsigned char kReturn = 0xc3;
        for (std::uintptr_t i = at; !out && object.executable(i); ++i)
            if (*reinterpret_cast<const unsigned char*>(i) == kReturn) out = reinterpret_cast<const void*>(i);
        for (std::uintptr_t i = at; !out && object.executable(i); --i)
            if (*reinterpret_cast<const unsigned char*>(i) == kReturn) out = reinterpret_cast<const void*>(i);
        return true;
    });
    return out;
}
static void* lookup_within(const void* place, void* next, void* handle, const char* name, const char* version) {
    return cubinlab_call_within(place, next, handle, name, version);
}
#else
const void* return_within(const void*) {
    return nullptr;
}
static void* lookup_within(const void*, void*, void*, const char*, const char*) {
    return nullptr;
}
#endif

void* default_lookup_from(const void* place, const char* name) {
    const Lookup next = next_dlsym();
    if (!next) return nullptr;
    return place ? lookup_within(place, reinterpret_cast<void*>(next), RTLD_DEFAULT, name, nullptr)
                 : next(RTLD_DEFAULT, name);
}

void look_around() noexcept {
    const unsigned long long loads = loads_so_far();
    if (loads == g_loads_seen.load(std::memory_order_acquire) || g_looking.exchange(true)) return;
    const int before = errno;
    guarded([] {
        if (settings().active() && find_driver()) bind_calls();
    });
    errno = before;
    g_loads_seen.store(loads, std::memory_order_release);
    g_looking.store(false);
}

void begin_lookups() {
    look_around();
    cubinlab_dlerror();  // the program has not asked for anything yet
    g_ready.store(settings().active(), std::memory_order_release);
}

}  // namespace cubinlab::inject

using namespace cubinlab::inject;

// A test checks that lookups which do not concern the driver are jumps that keep the return address.
CUBINLAB_EXPORT void* dlsym(void* handle, const char* name) noexcept {
    const Lookup next = next_dlsym();
    if (!watched(name)) [[likely]]
        return next(handle, name);
    if (!by_caller(handle)) return shown(next(handle, name), name);
    if (const void* place = return_within(__builtin_return_address(0)))
        return shown(lookup_within(place, reinterpret_cast<void*>(next), handle, name, nullptr), name);
    // The global scope is every caller's first; what follows it is known to the C library alone.
    if (handle == RTLD_DEFAULT)
        if (void* found = next(handle, name); found != replaced(found)) return replaced(found);
    return next(handle, name);
}

CUBINLAB_EXPORT void* dlvsym(void* handle, const char* name, const char* version) noexcept {
    const VersionedLookup next = next_dlvsym();
    if (!watched(name)) [[likely]]
        return next(handle, name, version);
    if (!by_caller(handle)) return shown(next(handle, name, version), name);
    if (const void* place = return_within(__builtin_return_address(0)))
        return shown(lookup_within(place, reinterpret_cast<void*>(next), handle, name, version), name);
    if (handle == RTLD_DEFAULT)
        if (void* found = next(handle, name, version); found != replaced(found)) return replaced(found);
    return next(handle, name, version);
}
