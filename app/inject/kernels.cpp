// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/kernels.h"

namespace cubinlab::inject {

std::atomic<KernelTable*> g_kernels{nullptr};

namespace {

void put(KernelTable& table, Handle handle, LoadedKernel* kernel) {
    std::size_t at = KernelTable::place_of(handle) & table.mask;
    for (;;) {
        Handle key = table.entries[at].key.load(std::memory_order_relaxed);
        if (key == handle) break;
        if (!key) {
            ++table.used;
            break;
        }
        at = (at + 1) & table.mask;
    }
    table.entries[at].kernel.store(kernel, std::memory_order_release);
    table.entries[at].key.store(handle, std::memory_order_release);
}

std::mutex& table_lock() {
    static std::mutex* const mutex = new std::mutex;
    return *mutex;
}

}  // namespace

void remember_kernel(Handle handle, LoadedKernel* kernel) {
    const std::lock_guard lock(table_lock());
    KernelTable* table = g_kernels.load(std::memory_order_relaxed);
    if (!table || (table->used + 1) * 4 > table->mask) {
        auto* larger = new KernelTable(table ? (table->mask + 1) * 4 : 1024);
        for (std::size_t i = 0; table && i <= table->mask; ++i)
            if (LoadedKernel* old = table->entries[i].kernel.load(std::memory_order_relaxed))
                put(*larger, table->entries[i].key.load(std::memory_order_relaxed), old);
        put(*larger, handle, kernel);
        g_kernels.store(larger, std::memory_order_release);
        return;
    }
    put(*table, handle, kernel);
}

void forget_kernel(Handle handle, const LoadedKernel* kernel) {
    const std::lock_guard lock(table_lock());
    KernelTable* table = g_kernels.load(std::memory_order_relaxed);
    if (table && find_kernel(handle) == kernel) put(*table, handle, nullptr);
}

std::mutex& kernels_lock() {
    static std::mutex* const mutex = new std::mutex;
    return *mutex;
}
std::vector<Kernel*>& all_kernels() {
    static auto* const all = new std::vector<Kernel*>;
    return *all;
}
std::vector<std::shared_ptr<LoadedImage>>& all_images() {
    static auto* const all = new std::vector<std::shared_ptr<LoadedImage>>;
    return *all;
}

}  // namespace cubinlab::inject
