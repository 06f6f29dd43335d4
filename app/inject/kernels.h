// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the running program that the library works on, by the handle that a launch names. A launch
// finds its kernel without a lock, an allocation or a name: it reads an open-addressing table with acquire
// loads. Writers (loads, unloads, first lookups of a kernel) take a lock that no driver call holds.
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
class SizesCaptured;
struct LoadedKernel;

// A `__constant__` variable that both loads contain.
struct ConstantCopy {
    Address to = 0, from = 0;
    std::size_t size = 0;
};
// A kernel that is launched from a cubin of its own, which was compiled again.
struct InsteadOf {
    std::string kernel, tuned;  // its name in the image and in the cubin
    Handle handle = nullptr;    // the load of the cubin
    const std::vector<std::byte>* cubin = nullptr;
};
inline constexpr int kNoSharing = 0, kSharingWaits = 1, kSharingBegun = 2, kShared = 3;

// An image as the driver received it. `bytes` is our copy, or the program's own in a mapped file.
struct LoadedImage {
    std::vector<std::byte> copy;      // what the driver reads if we replaced a kernel; kept until the unload
    std::vector<std::byte> original;  // the ELF before replacement, or for a capture
    const void* code = nullptr;       // what the program passed
    bool static_code = false;         // in a mapped file: `code` stays readable
    bool library = false;             // CUlibrary, not CUmodule
    int sm = 0;                       // of the GPU that it was loaded for
    Handle handle = nullptr;
    Handle other = nullptr;         // --ab: the second load, with the original code
    std::vector<std::byte> second;  // what the driver reads for it if it shares variables
    // --ab of an image with variables: the second load waits for a launch, has started, or is complete.
    std::atomic<int> sharing{kNoSharing};
    Handle shared_context = nullptr;      // context of the variables that both loads use
    std::vector<ConstantCopy> constants;  // copied to the second load before each launch
    std::vector<std::string> replaced;    // names of kernels with tuned code
    std::vector<InsteadOf> instead;       // unloaded with the image
    std::string why_not;                  // no ELF for this device, PTX ...
    std::string ptx;                      // the text that the code was compiled from, for a list or a capture
    std::string key;                      // equal for every load of the same image
    std::vector<LoadedKernel*> kernels;   // under kernels_lock()
};

// What is counted of a kernel: one for every load of the same image. Never freed: a launch may use it.
struct Kernel {
    std::string name;
    std::shared_ptr<LoadedImage> image;  // the newest load, for the report
    bool replaced = false;
    std::atomic<bool> capture{false};  // its launches are counted for a capture
    std::atomic<std::uint64_t> launches{0};
    std::atomic<std::uint64_t> recorded{0};  // launches recorded into graphs by stream capture, and nodes of graphs
    std::atomic<std::uint64_t> graph_runs{0};  // executions by launches of graphs
    std::atomic<std::uint64_t> captured{0};
    std::atomic<std::uint64_t> settled{0};  // launches that were not captured because they changed nothing
    Timings* timings = nullptr;             // with list or trial
    SizesCaptured* sizes = nullptr;         // with sizes to capture
};

// The kernel in one load of its image: what a launch needs, in the context of that load. Never freed.
struct LoadedKernel {
    Kernel* counts = nullptr;
    std::shared_ptr<LoadedImage> image;
    bool is_kernel = false;  // `handle` is a CUkernel, which each context can launch
    Handle handle = nullptr;
    std::atomic<Handle> other{nullptr};  // --ab: the same kernel with the original code
    // The kernel that is launched in its place; null: `handle` itself. --ab launches both.
    std::atomic<Handle> instead{nullptr};
    std::atomic<bool> matched{false};  // that kernel has the attributes of this one
    // --ab: the image if it has variables; one of all_images().
    std::atomic<LoadedImage*> shares{nullptr};
    std::vector<Handle> handles;  // under kernels_lock(): `handle` and its functions in contexts
};

// Open addressing. Outgrown tables stay, because a launch on another thread may still read one.
struct KernelTable {
    struct Entry {
        std::atomic<Handle> key{nullptr};
        std::atomic<LoadedKernel*> kernel{nullptr};  // null: removed
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

// The kernel of a handle; null: the library ignores it. Inline: a call would have to save eleven arguments.
inline LoadedKernel* find_kernel(Handle handle) {
    const KernelTable* table = g_kernels.load(std::memory_order_acquire);
    if (!table) return nullptr;
    for (std::size_t at = KernelTable::place_of(handle) & table->mask;; at = (at + 1) & table->mask) {
        const Handle key = table->entries[at].key.load(std::memory_order_acquire);
        if (key == handle) return table->entries[at].kernel.load(std::memory_order_acquire);
        if (!key) return nullptr;
    }
}
void remember_kernel(Handle handle, LoadedKernel* kernel);
// Unless the handle means another kernel by now: the driver gives handles out again.
void forget_kernel(Handle handle, const LoadedKernel* kernel);

std::mutex& kernels_lock();  // protects the following
std::vector<Kernel*>& all_kernels();
std::vector<std::shared_ptr<LoadedImage>>& all_images();

// A program received `handle` for the kernel `name` of the module or library `from`.
void see_kernel(Handle handle, const char* name, Handle from, bool is_kernel);

}  // namespace cubinlab::inject
