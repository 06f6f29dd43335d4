// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/objects.h"

#include <unistd.h>

#include <cstring>

namespace cubinlab::inject {
namespace {

constexpr std::uint32_t kRelativeTag = 0x6ffffff9;  // DT_RELACOUNT
constexpr std::uint16_t kOldVersion = 0x8000;

std::uint32_t gnu_hash_of(const char* name) {
    std::uint32_t hash = 5381;
    for (; *name; ++name)
        hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

std::uint32_t old_hash_of(const char* name) {
    std::uint32_t hash = 0;
    for (; *name; ++name) {
        hash = (hash << 4) + static_cast<unsigned char>(*name);
        const std::uint32_t high = hash & 0xf0000000;
        hash = (hash ^ (high >> 24)) & ~high;
    }
    return hash;
}

}  // namespace

Object::Object(const dl_phdr_info& info)
    : base(info.dlpi_addr),
      path(info.dlpi_name ? info.dlpi_name : ""),
      headers_(info.dlpi_phdr),
      header_count_(info.dlpi_phnum) {
    const ElfW(Dyn)* entry = nullptr;
    for (std::size_t i = 0; i < header_count_; ++i)
        if (headers_[i].p_type == PT_DYNAMIC)
            entry = reinterpret_cast<const ElfW(Dyn)*>(base + headers_[i].p_vaddr);
    std::size_t data_bytes = 0, relative = 0, call_bytes = 0, soname_at = 0;
    // The loader adds the base to these addresses, except where the table is read-only (the kernel's own object).
    const auto at = [&](ElfW(Addr) value) { return value < base ? value + base : value; };
    for (; entry && entry->d_tag != DT_NULL; ++entry) {
        const auto value = entry->d_un.d_val;
        switch (entry->d_tag) {
            case DT_SYMTAB:
                symbols = reinterpret_cast<const ElfW(Sym)*>(at(value));
                break;
            case DT_STRTAB:
                names = reinterpret_cast<const char*>(at(value));
                break;
            case DT_GNU_HASH:
                gnu_hash = reinterpret_cast<const std::uint32_t*>(at(value));
                break;
            case DT_HASH:
                old_hash = reinterpret_cast<const std::uint32_t*>(at(value));
                break;
            case DT_VERSYM:
                versions = reinterpret_cast<const std::uint16_t*>(at(value));
                break;
            case DT_RELA:
                data.first = reinterpret_cast<const ElfW(Rela)*>(at(value));
                break;
            case DT_RELASZ:
                data_bytes = value;
                break;
            case kRelativeTag:
                relative = value;
                break;
            case DT_JMPREL:
                calls.first = reinterpret_cast<const ElfW(Rela)*>(at(value));
                break;
            case DT_PLTRELSZ:
                call_bytes = value;
                break;
            case DT_SONAME:
                soname_at = value;
                break;
            default:
                break;
        }
    }
    data.count = data.first ? data_bytes / sizeof(ElfW(Rela)) : 0;
    if (data.first && relative <= data.count) {
        data.first += relative;
        data.count -= relative;
    }
    calls.count = calls.first ? call_bytes / sizeof(ElfW(Rela)) : 0;
    if (!symbols || !names) data = calls = {};
    if (names && soname_at != 0) soname = names + soname_at;
}

void* Object::function(const char* name) const {
    if (!symbols || !names) return nullptr;
    const auto taken = [&](std::uint32_t i) -> void* {
        const ElfW(Sym)& symbol = symbols[i];
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0 ||
            ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || (versions && (versions[i] & kOldVersion) != 0) ||
            std::strcmp(names + symbol.st_name, name) != 0)
            return nullptr;
        return reinterpret_cast<void*>(base + symbol.st_value);
    };
    if (gnu_hash) {
        const std::uint32_t buckets = gnu_hash[0], first = gnu_hash[1], words = gnu_hash[2];
        if (buckets == 0) return nullptr;
        const std::uint32_t* const heads = gnu_hash + 4 + words * (sizeof(ElfW(Addr)) / 4);
        const std::uint32_t* const chain = heads + buckets;
        const std::uint32_t hash = gnu_hash_of(name);
        std::uint32_t i = heads[hash % buckets];
        if (i < first) return nullptr;
        for (;; ++i) {
            const std::uint32_t mine = chain[i - first];
            if ((mine | 1) == (hash | 1))
                if (void* found = taken(i)) return found;
            if ((mine & 1) != 0) return nullptr;
        }
    }
    if (!old_hash || old_hash[0] == 0) return nullptr;
    const std::uint32_t* const chain = old_hash + 2 + old_hash[0];
    for (std::uint32_t i = old_hash[2 + old_hash_of(name) % old_hash[0]]; i != 0; i = chain[i])
        if (void* found = taken(i)) return found;
    return nullptr;
}

const ElfW(Phdr) * Object::segment_of(std::uintptr_t address) const {
    for (std::size_t i = 0; i < header_count_; ++i) {
        const ElfW(Phdr)& one = headers_[i];
        if (one.p_type == PT_LOAD && address >= base + one.p_vaddr &&
            address < base + one.p_vaddr + one.p_memsz)
            return &one;
    }
    return nullptr;
}

bool Object::contains(const void* address) const {
    return segment_of(reinterpret_cast<std::uintptr_t>(address)) != nullptr;
}
bool Object::executable(std::uintptr_t address) const {
    const ElfW(Phdr)* one = segment_of(address);
    return one && (one->p_flags & PF_X) != 0;
}
bool Object::writable(std::uintptr_t address) const {
    const ElfW(Phdr)* one = segment_of(address);
    return one && (one->p_flags & PF_W) != 0;
}
bool Object::sealed(std::uintptr_t address) const {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (std::size_t i = 0; i < header_count_; ++i) {
        if (headers_[i].p_type != PT_GNU_RELRO) continue;
        const std::uintptr_t first = (base + headers_[i].p_vaddr) / page * page;
        const std::uintptr_t end = (base + headers_[i].p_vaddr + headers_[i].p_memsz) / page * page;
        if (address >= first && address < end) return true;
    }
    return false;
}

bool is_driver(const Object& object) {
    const char* const slash = std::strrchr(object.path, '/');
    const char* const name = *object.soname ? object.soname : slash ? slash + 1 : object.path;
    return std::strcmp(name, "libcuda.so.1") == 0;
}

bool is_this_library(const Object& object) {
    return object.contains(reinterpret_cast<const void*>(&is_this_library));
}

unsigned long long loads_so_far() {
    unsigned long long out = 0;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t size, void* data) {
            if (size >= offsetof(dl_phdr_info, dlpi_subs))
                *static_cast<unsigned long long*>(data) = info->dlpi_adds;
            return 1;
        },
        &out);
    return out;
}

}  // namespace cubinlab::inject
