// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/driver.h"

#include <cstring>
#include <mutex>

#include "app/inject/hooks.h"
#include "app/inject/lookup.h"
#include "app/inject/objects.h"

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
std::atomic<bool> g_found{false}, g_given{false}, g_held{false};
// Under filling(): which object it is.
std::uintptr_t g_base = 0;
std::string& driver_path() {
    static auto* const path = new std::string;
    return *path;
}

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

std::mutex& filling() {
    static auto* const mutex = new std::mutex;
    return *mutex;
}

// Read from the driver's own table of symbols: neither its address nor the result depends on other preloaded
// libraries, and no lock of the loader is taken while ours is held.
void take_functions(const Object& driver) {
    const std::lock_guard lock(filling());
    if (g_found.load(std::memory_order_relaxed)) return;
    g_base = driver.base;
    driver_path() = driver.path;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Slot::Count); ++i) {
        void* theirs = driver.function(kNames[i].text);
        if (!theirs) continue;
        g_real[i].store(theirs, std::memory_order_release);
        remember(theirs, kNames[i].ours);
    }
#define X(member, name, parameters) \
    g_calls.member = reinterpret_cast<Code(*) parameters>(driver.function(#name));
    CUBINLAB_CALLS(X)
#undef X
    g_found.store(true, std::memory_order_release);
}

}  // namespace

bool find_driver() {
    if (g_found.load(std::memory_order_acquire)) return true;
    bool here = false;
    each_object([&](const Object& object) {
        if (!is_driver(object) || is_this_library(object)) return false;
        take_functions(object);
        return here = true;
    });
    return here;
}

void hold_driver() {
    if (!g_given.load(std::memory_order_relaxed) || g_held.exchange(true)) return;
    std::string path;
    {
        const std::lock_guard lock(filling());
        path = driver_path();
    }
    keep_loaded(path.c_str());
}

void forget_unloaded_driver() {
    if (!g_found.load(std::memory_order_acquire) || g_held.load(std::memory_order_relaxed)) return;
    bool here = false;
    each_object([&](const Object& object) { return here = object.base == g_base && is_driver(object); });
    if (here) return;
    const std::lock_guard lock(filling());
    g_found.store(false, std::memory_order_release);
    g_calls = {};
    for (Pair& pair : g_pairs)
        pair = {};
    for (auto& function : g_real)
        function.store(nullptr, std::memory_order_release);
}

const Calls& calls() {
    find_driver();
    return g_calls;
}

void* replaced(void* address) {
    if (!address || !g_found.load(std::memory_order_acquire)) return address;
    for (std::size_t at = place_of(address) % kPairs; g_pairs[at].theirs; at = (at + 1) % kPairs)
        if (g_pairs[at].theirs == address) {
            g_given.store(true, std::memory_order_relaxed);
            return g_pairs[at].ours;
        }
    return address;
}

const void* original(const void* address) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Slot::Count); ++i)
        if (kNames[i].ours == address)
            if (const void* theirs = g_real[i].load(std::memory_order_acquire)) return theirs;
    return address;
}

bool driver_goes_unseen() {
    return g_found.load(std::memory_order_acquire) && !g_given.load(std::memory_order_relaxed);
}

bool is_hooked(const char* name) {
    if (!name || name[0] != 'c' || name[1] != 'u' || name[2] < 'A' || name[2] > 'Z') return false;
    for (const Name& one : kNames)
        if (std::strcmp(one.text, name) == 0) return true;
    return false;
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
