// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/kernels.h"

namespace cubinlab::inject {
namespace {

struct Entry {
    std::atomic<Handle> key{nullptr};
    std::atomic<Kernel*> kernel{nullptr};  // null: removed
};
struct Table {
    explicit Table(std::size_t places) : mask(places - 1), entries(new Entry[places]) {}
    std::size_t mask;
    std::size_t used = 0;
    Entry* entries;
};

// Tables that were outgrown stay: a launch on another thread may be reading one.
std::atomic<Table*> g_table{nullptr};

std::size_t place_of(Handle handle) {
    return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(handle) * 0x9e3779b97f4a7c15ull >> 32);
}

void put(Table& table, Handle handle, Kernel* kernel) {
    std::size_t at = place_of(handle) & table.mask;
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

Kernel* find_kernel(Handle handle) {
    const Table* table = g_table.load(std::memory_order_acquire);
    if (!table) return nullptr;
    for (std::size_t at = place_of(handle) & table->mask;; at = (at + 1) & table->mask) {
        const Handle key = table->entries[at].key.load(std::memory_order_acquire);
        if (key == handle) return table->entries[at].kernel.load(std::memory_order_acquire);
        if (!key) return nullptr;
    }
}

void remember_kernel(Handle handle, Kernel* kernel) {
    const std::lock_guard lock(table_lock());
    Table* table = g_table.load(std::memory_order_relaxed);
    if (!table || (table->used + 1) * 4 > table->mask) {
        auto* larger = new Table(table ? (table->mask + 1) * 4 : 1024);
        for (std::size_t i = 0; table && i <= table->mask; ++i)
            if (Kernel* old = table->entries[i].kernel.load(std::memory_order_relaxed))
                put(*larger, table->entries[i].key.load(std::memory_order_relaxed), old);
        put(*larger, handle, kernel);
        g_table.store(larger, std::memory_order_release);
        return;
    }
    put(*table, handle, kernel);
}

void forget_kernel(Handle handle) {
    const std::lock_guard lock(table_lock());
    if (Table* table = g_table.load(std::memory_order_relaxed))
        if (find_kernel(handle)) put(*table, handle, nullptr);
}

void forget_handles_of(const Kernel* kernel) {
    const std::lock_guard lock(table_lock());
    Table* table = g_table.load(std::memory_order_relaxed);
    for (std::size_t i = 0; table && i <= table->mask; ++i)
        if (table->entries[i].kernel.load(std::memory_order_relaxed) == kernel)
            table->entries[i].kernel.store(nullptr, std::memory_order_release);
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
