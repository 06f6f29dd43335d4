// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/gate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "app/inject/settings.h"
#include "app/inject/tally.h"

namespace cubinlab::inject {
namespace {

constexpr std::int64_t kLongest = 2'000'000;  // ns that a gate stays closed
constexpr int kMostLate = 16;                 // gates opened late in a row; then gates are given up
constexpr std::size_t kPlaces = 64;           // gates closed at the same time
constexpr std::size_t kLine = 64;
constexpr unsigned kPortable = 1, kMapped = 2;  // of cuMemHostRegister
constexpr unsigned kAtLeast = 0;                // of cuStreamWaitValue32
constexpr Code kRegisteredAlready = 712;

// When a place was closed; or one of these.
constexpr std::int64_t kFree = 0, kOpening = -1, kOpened = -2;

struct Place {
    std::atomic<bool> taken{false};
    std::atomic<std::int64_t> closed_at{kFree};
    std::atomic<std::uint32_t> number{0};
};
Place g_places[kPlaces];
// The words that streams wait for, one cache line each; never freed, because a stream may wait for one.
std::atomic<unsigned char*> g_words{nullptr};
std::atomic<bool> g_given_up{false};
std::atomic<int> g_late{0};

std::atomic<std::uint32_t>& word(std::size_t place) {
    return *reinterpret_cast<std::atomic<std::uint32_t>*>(g_words.load() + place * kLine);
}

std::int64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

void give_up(const std::string& why) {
    if (!g_given_up.exchange(true)) note("launches are not held back until they are queued: " + why);
}

void* watch(void*) {
    for (;;) {
        const timespec nap{0, 1'000'000};
        ::nanosleep(&nap, nullptr);
        for (std::size_t i = 0; i < kPlaces; ++i) {
            std::int64_t at = g_places[i].closed_at.load();
            if (at <= 0 || now_ns() - at < kLongest) continue;
            const std::uint32_t number = g_places[i].number.load();
            if (!g_places[i].closed_at.compare_exchange_strong(at, kOpening)) continue;
            word(i).store(number, std::memory_order_release);
            g_places[i].closed_at.store(kOpened);
        }
    }
}

// Keeps the program's signals away from the watching thread. Found at run time, because only programs with
// threads (all that use CUDA) are sure to have it.
bool start_watching() {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    const auto create = reinterpret_cast<Create>(real_dlsym(RTLD_DEFAULT, "pthread_create"));
    if (!create) return false;
    sigset_t all, before;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &before);
    pthread_t thread{};
    const bool good = create(&thread, nullptr, &watch, nullptr) == 0;
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return good;
}

bool launches_block() {
    const char* value = std::getenv("CUDA_LAUNCH_BLOCKING");
    return value && *value && std::string_view(value) != "0";
}

// Not inherited by forked children: after copy-on-write the GPU would read another page.
unsigned char* words() {
    static unsigned char* const made = []() -> unsigned char* {
        if (launches_block()) return give_up("CUDA_LAUNCH_BLOCKING is set"), nullptr;
        constexpr std::size_t kSize = kPlaces * kLine;
        void* page = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED || ::madvise(page, kSize, MADV_DONTFORK) != 0)
            return give_up("no memory"), nullptr;
        g_words.store(static_cast<unsigned char*>(page));
        if (!start_watching()) return give_up("no thread could be started"), nullptr;
        return g_words.load();
    }();
    return made;
}

// The GPU address of the words in this context; 0: none.
Address words_in(Handle context) {
    static std::mutex mutex;
    static auto* const known = new std::vector<std::pair<Handle, Address>>;
    {
        const std::lock_guard lock(mutex);
        for (const auto& [of, address] : *known)
            if (of == context) return address;
    }
    const Calls& cuda = calls();
    if (!cuda.host_register || !cuda.host_address) return give_up("this driver cannot"), 0;
    unsigned char* const page = words();
    if (!page) return 0;
    Address address = 0;
    const Code made = cuda.host_register(page, kPlaces * kLine, kPortable | kMapped);
    if (made != kSuccess && made != kRegisteredAlready)
        return give_up("cuMemHostRegister gave " + std::to_string(made)), 0;
    if (const Code got = cuda.host_address(&address, page, 0); got != kSuccess)
        return give_up("cuMemHostGetDevicePointer gave " + std::to_string(got)), 0;
    const std::lock_guard lock(mutex);
    known->emplace_back(context, address);
    return address;
}

std::size_t take_place() {
    for (std::size_t i = 0; i < kPlaces; ++i)
        if (!g_places[i].taken.exchange(true)) return i;
    return kPlaces;
}

}  // namespace

ClosedGate close_gate(Handle stream, bool per_thread) {
    ClosedGate out;
    const Calls& cuda = calls();
    const auto wait = per_thread ? cuda.stream_wait_value_per_thread : cuda.stream_wait_value;
    if (!settings().gate || g_given_up.load(std::memory_order_relaxed)) return out;
    Handle context = nullptr;
    if (!wait || !cuda.context_current || cuda.context_current(&context) != kSuccess) {
        give_up("this driver cannot");
        return out;
    }
    const Address words = words_in(context);
    if (words == 0) return out;
    const std::size_t place = take_place();
    if (place == kPlaces) return out;
    Place& p = g_places[place];
    const std::uint32_t number = p.number.load() + 1;
    p.number.store(number);
    out.at_ns = now_ns();
    p.closed_at.store(out.at_ns);
    const Code result = wait(stream, words + place * kLine, number, kAtLeast);
    out.place = static_cast<int>(place);
    out.number = number;
    if (result == kSuccess) return out;
    open_gate(out);
    give_up("cuStreamWaitValue32 gave " + std::to_string(result));
    return {};
}

bool open_gate(const ClosedGate& gate) {
    if (!gate) return false;
    const auto at = static_cast<std::size_t>(gate.place);
    Place& p = g_places[at];
    std::int64_t closed = gate.at_ns;
    const bool ours = p.closed_at.compare_exchange_strong(closed, kOpening);
    if (ours) {
        word(at).store(gate.number, std::memory_order_release);
        g_late.store(0, std::memory_order_relaxed);
    } else {
        const timespec nap{0, 10'000};
        while (p.closed_at.load() == kOpening)
            ::nanosleep(&nap, nullptr);
        if (g_late.fetch_add(1) + 1 == kMostLate)
            give_up("calls for a launch wait for the GPU here, " + std::to_string(kMostLate) +
                    " times in a row");
    }
    p.closed_at.store(kFree);
    p.taken.store(false);
    return ours;
}

}  // namespace cubinlab::inject
