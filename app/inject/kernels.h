// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the running program that something is wanted of, by the handle that a launch names. A launch finds
// its kernel without a lock, an allocation or a look at a name: an open-addressing table read with acquire loads.
// Writers (loads, unloads, first looks at a kernel) take a lock that is never held across a call of the driver.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/inject/driver.h"
#include "core/base/hash.h"

namespace cubinlab::inject {

class Timings;

// A `__constant__` variable of both loads.
struct ConstantCopy {
    Address to = 0, from = 0;
    std::size_t size = 0;
};
inline constexpr int kNoSharing = 0, kSharingWaits = 1, kSharingBegun = 2, kShared = 3;

// An image as the driver got it. `bytes` is ours where we copied it; else the program's, in a mapped file.
struct LoadedImage {
    std::vector<std::byte> copy;  // what the driver reads, if we replaced something: alive until the unload
    std::vector<std::byte> original;  // the ELF that was replaced or captured from
    const void* code = nullptr;       // what the program passed
    bool static_code = false;         // lies in a mapped file: `code` stays readable
    bool library = false;             // CUlibrary, not CUmodule
    int sm = 0;                       // of the GPU it was loaded for
    Handle handle = nullptr;
    Handle other = nullptr;         // --ab: the second load, with the original code
    std::vector<std::byte> second;  // what the driver reads for it, where it shares variables
    // --ab of an image with variables: whether the second load waits for a launch, was begun, is there.
    std::atomic<int> sharing{kNoSharing};
    Handle shared_context = nullptr;      // whose variables both loads use
    std::vector<ConstantCopy> constants;  // what the second load gets before each launch
    std::vector<std::string> replaced;    // names of kernels with tuned code
    std::string why_not;                  // no ELF for this device, PTX ...
    std::string key;                      // the same for the same image, however often it is loaded
};

// Never freed: a launch may hold it.
struct Kernel {
    std::string name;
    std::shared_ptr<LoadedImage> image;
    bool replaced = false;
    bool library = false;              // handle of a CUkernel
    std::atomic<bool> capture{false};  // its launches are counted for a capture
    std::atomic<std::uint64_t> launches{0};
    std::atomic<std::uint64_t> recorded{0};  // into graphs, by stream capture
    std::atomic<std::uint64_t> captured{0};
    std::atomic<std::uint64_t> settled{0};  // launches that were not kept, since they changed nothing
    Handle handle = nullptr;
    std::atomic<Handle> other{nullptr};  // --ab: the same kernel with the original code
    Timings* timings = nullptr;          // with list or trial
    // --ab: the image, where it has variables; one of all_images().
    std::atomic<LoadedImage*> shares{nullptr};
};

// Open addressing. Tables that were outgrown stay: a launch on another thread may be reading one.
struct KernelTable {
    struct Entry {
        std::atomic<Handle> key{nullptr};
        std::atomic<Kernel*> kernel{nullptr};  // null: removed
    };
    explicit KernelTable(std::size_t places) : mask(places - 1), entries(new Entry[places]) {}
    std::size_t mask;
    std::size_t used = 0;
    Entry* entries;
    static std::size_t place_of(Handle handle) {
        return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(handle) * 0x9e3779b97f4a7c15ull >>
                                        32);
    }
};
extern std::atomic<KernelTable*> g_kernels;

// The kernel of a handle; null: nothing is wanted of it. Inline: in a launch, a call would keep its eleven arguments.
inline Kernel* find_kernel(Handle handle) {
    const KernelTable* table = g_kernels.load(std::memory_order_acquire);
    if (!table) return nullptr;
    for (std::size_t at = KernelTable::place_of(handle) & table->mask;; at = (at + 1) & table->mask) {
        const Handle key = table->entries[at].key.load(std::memory_order_acquire);
        if (key == handle) return table->entries[at].kernel.load(std::memory_order_acquire);
        if (!key) return nullptr;
    }
}
void remember_kernel(Handle handle, Kernel* kernel);
void forget_kernel(Handle handle);
void forget_handles_of(const Kernel* kernel);  // it has one more in each context

std::mutex& kernels_lock();  // of what follows
std::vector<Kernel*>& all_kernels();
std::vector<std::shared_ptr<LoadedImage>>& all_images();

}  // namespace cubinlab::inject
