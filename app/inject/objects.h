// SPDX-License-Identifier: GPL-3.0-or-later
// The ELF objects that the loader has mapped, read from memory. Valid inside a dl_iterate_phdr() callback, while
// nothing can be unloaded. Reading them needs no dl* function: those take locks, depend on the caller and change
// what dlerror() says.
#pragma once
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cubinlab::inject {

struct Object {
    explicit Object(const dl_phdr_info& info);
    std::uintptr_t base = 0;
    const char* path = "";    // empty: the program itself
    const char* soname = "";  // DT_SONAME
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    const std::uint32_t *gnu_hash = nullptr, *old_hash = nullptr;
    const std::uint16_t* versions = nullptr;  // of each symbol
    struct Relocations {
        const ElfW(Rela) * first = nullptr;
        std::size_t count = 0;
    };
    Relocations data, calls;  // without relative ones; of the procedure linkage table

    // The function that the object itself defines under this name, in its default version; null: none.
    void* function(const char* name) const;
    bool contains(const void* address) const;
    bool executable(std::uintptr_t address) const;
    // True if the loader made the address read-only after relocation.
    bool sealed(std::uintptr_t address) const;
    bool writable(std::uintptr_t address) const;

  private:
    const ElfW(Phdr) * segment_of(std::uintptr_t address) const;
    const ElfW(Phdr) * headers_ = nullptr;
    std::size_t header_count_ = 0;
};

// True for libcuda.so.1 under any path.
bool is_driver(const Object& object);
// True for the object that this library itself is.
bool is_this_library(const Object& object);

// Calls `use` for each loaded object, in the loader's order, until it returns true.
template <class Use>
void each_object(Use use) {
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            return (*static_cast<Use*>(data))(Object(*info)) ? 1 : 0;
        },
        &use);
}

// How many objects were loaded so far: changes with each load.
unsigned long long loads_so_far();

}  // namespace cubinlab::inject
