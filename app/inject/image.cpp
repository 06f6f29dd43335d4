// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/image.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "app/inject/driver.h"
#include "core/binary/fatbin.h"
#include "core/binary/unpack.h"

namespace cubinlab::inject {
namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::uint32_t kElfMagic = 0x464c457f;
constexpr std::size_t kMostUnpacked = std::size_t{1} << 30;

template <class T>
T at(const void* base, std::size_t offset) {
    T value;
    std::memcpy(&value, static_cast<const std::byte*>(base) + offset, sizeof value);
    return value;
}

// The size of an ELF file in memory follows from the extent of its tables.
std::size_t elf_size(const void* code) {
    if (!mapped(code, 64)) return 0;
    const auto sections = at<std::uint64_t>(code, 40);
    const std::size_t count = at<std::uint16_t>(code, 60);
    const std::size_t entry = at<std::uint16_t>(code, 58);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    if (entry != 64 || sections > kMost) return 0;
    std::uint64_t end = sections + count * entry;
    if (!mapped(code, end)) return 0;
    for (std::size_t i = 1; i < count; ++i) {
        const std::size_t header = sections + i * entry;
        constexpr std::uint32_t kNoBits = 8;
        const auto type = at<std::uint32_t>(code, header + 4);
        const bool none = type == kNoBits || type == 0x70000007 || type == 0x70000009 || type == 0x7000000a ||
                          type == 0x70000015;
        if (none) continue;
        const auto offset = at<std::uint64_t>(code, header + 24), size = at<std::uint64_t>(code, header + 32);
        if (offset > kMost || size > kMost) return 0;
        end = std::max(end, offset + size);
    }
    const auto segments = at<std::uint64_t>(code, 32);
    const std::size_t segment_count = at<std::uint16_t>(code, 56);
    if (segment_count > 0 && segments < kMost)
        end = std::max<std::uint64_t>(end, segments + segment_count * 56);
    return mapped(code, end) ? static_cast<std::size_t>(end) : 0;
}

// How well an entry fits a GPU; 0: the driver does not run it. Architecture-specific code comes first.
int fitness(const Arch& arch, int sm) {
    if (arch.sm / 10 != sm / 10 || arch.sm > sm) return 0;
    if (arch.accelerated) return arch.sm == sm ? 1000 : 0;
    return 10 + arch.sm % 10 * 2 + (arch.family ? 1 : 0);
}

// The text of the newest PTX that this GPU can run; empty: it cannot be unpacked.
std::string ptx_of(const Fatbin& fatbin, Bytes bytes, int sm) {
    const FatbinEntry* best = nullptr;
    for (const FatbinEntry& entry : fatbin.entries)
        if (entry.kind == ImageKind::Ptx && entry.arch.sm <= sm && (!best || entry.arch.sm > best->arch.sm))
            best = &entry;
    if (!best) return {};
    const Bytes stored = part_of(bytes, best->payload, best->stored);
    std::vector<std::byte> text(stored.begin(), stored.end());
    if (best->packing != Packing::Raw) {
        auto unpacked = unpack(stored, best->packing, best->unpacked, kMostUnpacked);
        if (!unpacked) return {};
        text = std::move(*unpacked);
    }
    const auto end = std::find(text.begin(), text.end(), std::byte{0});
    return {reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(end - text.begin())};
}

// A zero-terminated text in memory of the program. Empty: it does not end, or is no PTX.
std::string ptx_at(const void* code) {
    constexpr std::size_t kMostPtx = std::size_t{256} << 20, kStep = 4096;
    const auto* const from = static_cast<const char*>(code);
    std::string out;
    while (out.size() < kMostPtx) {
        const std::size_t step = kStep - reinterpret_cast<std::uintptr_t>(from + out.size()) % kStep;
        if (!mapped(from + out.size(), step)) return {};
        const std::size_t length = ::strnlen(from + out.size(), step);
        out.append(from + out.size(), length);
        if (length < step) return out.find(".target") == std::string::npos ? std::string() : out;
    }
    return {};
}

DeviceCode from_fatbin(const void* container, int sm) {
    DeviceCode out;
    if (!mapped(container, 16)) {
        out.why_not = "a fatbin that is not in memory";
        return out;
    }
    const auto follows = at<std::uint64_t>(container, 8);
    if (follows > (std::uint64_t{1} << 36) || !mapped(container, 16 + follows)) {
        out.why_not = "a damaged fatbin";
        return out;
    }
    const Bytes bytes(static_cast<const std::byte*>(container), 16 + follows);
    if (!is_fatbin(bytes)) {
        out.why_not = "a fatbin of an unknown version";
        return out;
    }
    if (sm == 0) {
        out.why_not = "the GPUs of this machine are of several architectures";
        return out;
    }
    const Fatbin fatbin = read_fatbin(bytes);
    const FatbinEntry* best = nullptr;
    for (const FatbinEntry& entry : fatbin.entries) {
        out.is_ptx = out.is_ptx || entry.kind == ImageKind::Ptx;
        if (entry.kind != ImageKind::Elf || fitness(entry.arch, sm) == 0) continue;
        if (!best || fitness(entry.arch, sm) > fitness(best->arch, sm)) best = &entry;
    }
    if (!best) {
        if (out.is_ptx) out.ptx = ptx_of(fatbin, bytes, sm);
        out.why_not = out.is_ptx
                          ? "PTX alone for this GPU: the driver compiles it, there is nothing to replace"
                          : "no code for this GPU";
        return out;
    }
    out.is_ptx = false;
    const Bytes stored = part_of(bytes, best->payload, best->stored);
    if (best->packing == Packing::Raw) {
        out.elf = stored;
        return out;
    }
    auto unpacked = unpack(stored, best->packing, best->unpacked, kMostUnpacked);
    if (!unpacked) {
        out.why_not = unpacked.error().what;
        return out;
    }
    out.unpacked = std::move(*unpacked);
    out.elf = out.unpacked;
    return out;
}

}  // namespace

bool mapped(const void* address, std::size_t size) {
    static const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (!address || size == 0) return false;
    const auto first = reinterpret_cast<std::uintptr_t>(address) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(address) + size;
    if (end < first) return false;
    unsigned char state[4096];
    for (std::uintptr_t from = first; from < end; from += sizeof state * page) {
        const std::size_t length = std::min<std::size_t>(sizeof state * page, end - from);
        if (::mincore(reinterpret_cast<void*>(from), length, state) != 0) return false;
    }
    return true;
}

bool in_loaded_file(const void* address) {
    struct Search {
        std::uintptr_t wanted;
        bool found = false;
    } search{reinterpret_cast<std::uintptr_t>(address)};
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& s = *static_cast<Search*>(data);
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto& segment = info->dlpi_phdr[i];
                const std::uintptr_t first = info->dlpi_addr + segment.p_vaddr;
                if (segment.p_type == PT_LOAD && s.wanted >= first && s.wanted < first + segment.p_memsz)
                    s.found = true;
            }
            return s.found ? 1 : 0;
        },
        &search);
    return search.found;
}

int current_sm() {
    const Calls& cuda = calls();
    if (!cuda.device_attribute) return 0;
    const auto sm_of = [&](int device) {
        int major = 0, minor = 0;
        if (cuda.device_attribute(&major, kAttributeMajor, device) != kSuccess) return 0;
        if (cuda.device_attribute(&minor, kAttributeMinor, device) != kSuccess) return 0;
        return major * 10 + minor;
    };
    Handle context = nullptr;
    int device = 0;
    if (cuda.context_current && cuda.context_device && cuda.context_current(&context) == kSuccess &&
        context && cuda.context_device(&device) == kSuccess)
        return sm_of(device);
    int count = 0, sm = 0;
    if (!cuda.device_count || !cuda.device_get || cuda.device_count(&count) != kSuccess) return 0;
    for (int i = 0; i < count; ++i) {
        if (cuda.device_get(&device, i) != kSuccess) return 0;
        const int one = sm_of(device);
        if (i > 0 && one != sm) return 0;
        sm = one;
    }
    return sm;
}

DeviceCode device_code(const void* code, int sm) {
    DeviceCode out;
    if (!mapped(code, 24)) {
        out.why_not = "an image that is not in memory";
        return out;
    }
    const auto magic = at<std::uint32_t>(code, 0);
    if (magic == kWrapperMagic)
        return from_fatbin(reinterpret_cast<const void*>(at<std::uint64_t>(code, 8)), sm);
    if (magic == kFatbinMagic) return from_fatbin(code, sm);
    if (magic != kElfMagic) {
        out.is_ptx = true;
        out.ptx = ptx_at(code);
        out.why_not = "PTX: the driver compiles it, there is nothing to replace";
        return out;
    }
    const std::size_t size = elf_size(code);
    if (size == 0) {
        out.why_not = "a damaged ELF image";
        return out;
    }
    out.elf = Bytes(static_cast<const std::byte*>(code), size);
    return out;
}

}  // namespace cubinlab::inject
