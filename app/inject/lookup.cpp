// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/lookup.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

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
__attribute__((visibility("hidden"))) void* cubinlab_last_dlsym(void*, const char*) noexcept;
__attribute__((visibility("hidden"))) void* cubinlab_last_dlvsym(void*, const char*, const char*) noexcept;
extern const char __ehdr_start __attribute__((visibility("hidden")));  // where this library is, by the linker
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
using Describe = int (*)(const void*, Dl_info*) noexcept;
using DescribeMore = int (*)(const void*, Dl_info*, void**, int) noexcept;

// What the library exports, with the next definition of each and the last, the C library's own, which RTLD_DEEPBIND gives.
// Lookups may come before any constructor has run.
struct Own {
    const char* name;
    std::atomic<void*> next{nullptr}, last{nullptr};
};
constinit Own g_own[] = {{"dlsym"}, {"dlvsym"}, {"dladdr"}, {"dladdr1"}, {"_exit"}};
void* ours_of(const Own& own) {
    static void* const all[] = {reinterpret_cast<void*>(&::dlsym), reinterpret_cast<void*>(&::dlvsym),
                                reinterpret_cast<void*>(&::dladdr), reinterpret_cast<void*>(&::dladdr1),
                                reinterpret_cast<void*>(&::_exit)};
    return all[&own - g_own];
}

[[gnu::noinline]] void* next_of(Own& own) {
    void* found = own.next.load(std::memory_order_acquire);
    if (!found) [[unlikely]] {
        found = next_definition(own.name);
        own.next.store(found, std::memory_order_release);
    }
    return found;
}
void* last_of(Own& own) {
    void* found = own.last.load(std::memory_order_acquire);
    if (!found) [[unlikely]] {
        each_object([&](const Object& object) {
            if (void* here = is_this_library(object) ? nullptr : object.function(own.name)) found = here;
            return false;
        });
        own.last.store(found, std::memory_order_release);
    }
    return found;
}
Lookup next_dlsym() {
    return reinterpret_cast<Lookup>(next_of(g_own[0]));
}
VersionedLookup next_dlvsym() {
    return reinterpret_cast<VersionedLookup>(next_of(g_own[1]));
}

#if defined(__x86_64__)
bool shadow_stack() {
    std::uint64_t pointer = 0;
    __asm__ volatile(".byte 0xf3, 0x48, 0x0f, 0x1e, 0xc8"
                     : "+a"(pointer));  // rdsspq %rax: does nothing without one
    return pointer != 0;
}
#endif

// Looks around when the library's constructor runs, or at the first lookup of a hooked name before that (constructors
// of other libraries): earlier lookups may come from a malloc() that is being set up.
enum class State { Waits, Off, On };
std::atomic<State> g_state{State::Waits};
std::atomic<unsigned long long> g_loads_seen{0};
// Looking around calls the loader, and a library in front of it may look something up.
[[gnu::tls_model("initial-exec")]] thread_local bool t_looking = false;

// What the program gets for a lookup that gave `found`.
[[gnu::noinline]] void* shown(void* found, const char* name) noexcept {
    if (is_exported(name)) return our_export(found);
    void* const ours = replaced(found);
    if (!found) return nullptr;
    guarded([&] { ours == found ? note_other_definition(name, found) : hold_driver(); });
    return ours;
}

[[gnu::noinline]] bool watched(const char* name) noexcept {
    State state = g_state.load(std::memory_order_acquire);
    if (state == State::Waits) [[unlikely]] {
        if (!is_hooked(name)) return false;
        begin_lookups();
        state = g_state.load(std::memory_order_acquire);
    }
    if (state != State::On) return false;
    look_around();
    return is_hooked(name) || is_exported(name);
}

std::vector<std::uintptr_t> object_bases() {
    std::vector<std::uintptr_t> out;
    each_object([&](const Object& object) {
        out.push_back(object.base);
        return false;
    });
    return out;
}

bool by_caller(const void* handle) {
    return handle == RTLD_DEFAULT || handle == RTLD_NEXT;
}

// The scope of a caller in another linker namespace is known to the C library alone.
[[gnu::noinline]] bool answers(const void* handle, const void* caller) noexcept {
    bool ours = !by_caller(handle);
    if (!ours) each_object([&](const Object& object) { return ours = object.contains(caller); });
    return ours;
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

void* our_export(void* address) {
    if (!address) return nullptr;
    for (Own& own : g_own)
        if (address == next_of(own)) return ours_of(own);
    // Ours in front of it alone: what is between us and the C library was passed over.
    if (address == last_of(g_own[0])) return reinterpret_cast<void*>(&cubinlab_last_dlsym);
    if (address == last_of(g_own[1])) return reinterpret_cast<void*>(&cubinlab_last_dlvsym);
    return address;
}

bool is_exported(const char* name) {
    return name && std::any_of(std::begin(g_own), std::end(g_own),
                               [&](const Own& own) { return std::strcmp(own.name, name) == 0; });
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
static void* lookup_within(const void* place, void* next, void* handle, const char* name,
                           const char* version) {
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
    if (loads == g_loads_seen.load(std::memory_order_acquire) || t_looking) return;
    t_looking = true;
    const int before = errno;
    // Two threads may do the same work. Neither may wait for the other: one can be in a constructor, with the loader's
    // lock held.
    guarded([] {
        forget_unloaded_driver();
        if (!settings().active() || !find_driver()) return;
        // An object is in the list before it is relocated: those of now are once no other thread loads any more. The
        // loader's lock says that, which a lookup waits for as well.
        const std::vector<std::uintptr_t> bases = object_bases();
        release(cubinlab_dlopen(nullptr, RTLD_LAZY));
        bind_calls(bases);
        hold_driver();
    });
    errno = before;
    g_loads_seen.store(loads, std::memory_order_release);
    t_looking = false;
}

void begin_lookups() {
    if (!settings().active()) return g_state.store(State::Off, std::memory_order_release);
    // Before the program loads a library that defines them, too.
    last_of(g_own[0]);
    last_of(g_own[1]);
    look_around();
    if (g_state.load(std::memory_order_acquire) == State::On) return;
    cubinlab_dlerror();  // the program has not asked for anything yet
    g_state.store(State::On, std::memory_order_release);
}

}  // namespace cubinlab::inject

using namespace cubinlab::inject;

// A test checks that lookups which do not concern the driver are jumps that keep the return address. `more`: a version.
template <class Call, class... More>
[[gnu::always_inline]] static inline void* look_up(Call next, void* handle, const char* name, More... more) {
    const void* const caller = __builtin_return_address(0);
    if (!watched(name) || !answers(handle, caller)) [[likely]]
        return next(handle, name, more...);
    if (!by_caller(handle)) return shown(next(handle, name, more...), name);
    const char* version = nullptr;
    ((version = more), ...);
    if (const void* place = return_within(caller))
        return shown(lookup_within(place, reinterpret_cast<void*>(next), handle, name, version), name);
    // The global scope is every caller's first; what follows it is known to the C library alone.
    if (handle == RTLD_DEFAULT)
        if (void* found = next(handle, name, more...); found != replaced(found)) return replaced(found);
    return next(handle, name, more...);
}

CUBINLAB_EXPORT void* dlsym(void* handle, const char* name) noexcept {
    return look_up(next_dlsym(), handle, name);
}
CUBINLAB_EXPORT void* dlvsym(void* handle, const char* name, const char* version) noexcept {
    return look_up(next_dlvsym(), handle, name, version);
}
void* cubinlab_last_dlsym(void* handle, const char* name) noexcept {
    return look_up(reinterpret_cast<Lookup>(last_of(g_own[0])), handle, name);
}
void* cubinlab_last_dlvsym(void* handle, const char* name, const char* version) noexcept {
    return look_up(reinterpret_cast<VersionedLookup>(last_of(g_own[1])), handle, name, version);
}

// What a program receives of ours is described as what it stands for.
template <class Call>
static int describe(const void* address, Dl_info* info, Call next) {
    const int found = next(address, info);
    if (found == 0 || info->dli_fbase != &__ehdr_start) return found;
    const void* theirs = original(address);
    if (address == reinterpret_cast<void*>(&cubinlab_last_dlsym)) theirs = last_of(g_own[0]);
    if (address == reinterpret_cast<void*>(&cubinlab_last_dlvsym)) theirs = last_of(g_own[1]);
    if (theirs == address && info->dli_sname && info->dli_saddr == address)
        theirs = next_definition(info->dli_sname);
    return theirs && theirs != address ? next(theirs, info) : found;
}

CUBINLAB_EXPORT int dladdr(const void* address, Dl_info* info) noexcept {
    const auto next = reinterpret_cast<Describe>(next_of(g_own[2]));
    return next ? describe(address, info, next) : 0;
}

CUBINLAB_EXPORT int dladdr1(const void* address, Dl_info* info, void** more, int flags) noexcept {
    const auto next = reinterpret_cast<DescribeMore>(next_of(g_own[3]));
    if (!next) return 0;
    return describe(address, info,
                    [&](const void* what, Dl_info* into) { return next(what, into, more, flags); });
}
