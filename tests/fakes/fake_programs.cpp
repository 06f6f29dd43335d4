// SPDX-License-Identifier: GPL-3.0-or-later
// The half of the stand-in driver that programs use besides what the worker does: cubins and fatbins as images,
// libraries and kernels, cuGetProcAddress, pointer attributes and virtual memory. A kernel's
// time depends on its code a little, so that a tuned one can be told apart; `fake_code_of` tells which words a handle runs.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>

#include "core/binary/fatbin.h"
#include "core/binary/unpack.h"
#include "core/binary/code_identity.h"
#include "core/binary/cubin.h"
#include "core/gpu/worker/cuda_api.h"
#include "tests/fakes/fake_module.h"

using namespace cubinlab;
using Handle = void*;
using Address = unsigned long long;

namespace {

std::mutex lock;  // of what follows
std::map<std::uintptr_t, std::size_t> reservations;
std::map<std::uintptr_t, std::size_t> pieces;  // mapped handles
std::map<Handle, std::size_t> created;
struct Wait {
    Address word;
    unsigned number;
};
std::vector<Wait> waits;  // of streams that are held back

bool reached(const Wait& wait) {
    return static_cast<int>(__atomic_load_n(reinterpret_cast<unsigned*>(wait.word), __ATOMIC_ACQUIRE) -
                            wait.number) >= 0;
}

template <class Map>
auto holding(Map& map, std::uintptr_t address) {
    auto at = map.upper_bound(address);
    if (at == map.begin()) return map.end();
    --at;
    return address < at->first + at->second ? at : map.end();
}

std::vector<std::byte> elf_of(const void* image) {
    const auto at = [&](const void* base, std::size_t offset) {
        std::uint64_t value;
        std::memcpy(&value, static_cast<const char*>(base) + offset, 8);
        return value;
    };
    if (std::vector<std::byte> made = fake::compiled(image); !made.empty()) return made;
    const auto* bytes = static_cast<const std::byte*>(image);
    const auto magic = static_cast<std::uint32_t>(at(image, 0));
    if (magic == 0x464c457f) {
        const std::size_t size = at(image, 40) + (at(image, 60) & 0xffff) * 64;
        std::size_t end = size;
        for (std::size_t i = 1; i < (at(image, 60) & 0xffff); ++i) {
            const std::size_t header = at(image, 40) + i * 64;
            if ((at(image, header) >> 32) != 8)
                end = std::max<std::size_t>(end, at(image, header + 24) + at(image, header + 32));
        }
        if ((at(image, 56) & 0xffff) > 0)
            end = std::max<std::size_t>(end, at(image, 32) + (at(image, 56) & 0xffff) * 56);
        return {bytes, bytes + end};
    }
    if (magic == 0x466243B1) {
        image = reinterpret_cast<const void*>(at(image, 8));
        bytes = static_cast<const std::byte*>(image);
    } else if (magic != kFatbinMagic) {
        return {};
    }
    const Bytes whole(bytes, 16 + at(image, 8));
    for (const FatbinEntry& entry : read_fatbin(whole).entries) {
        if (entry.kind != ImageKind::Elf || entry.arch.sm != 90) continue;
        auto out =
            unpack(part_of(whole, entry.payload, entry.stored), entry.packing, entry.unpacked, 1u << 30);
        if (out) return *out;
    }
    return {};
}

}  // namespace

namespace fake {

std::vector<unsigned char> flat(const Module& kernel, void** params, void** extra) {
    std::vector<unsigned char> out;
    for (const auto& [offset, size] : kernel.params) {
        out.resize(std::max(out.size(), offset + size));
        if (params)
            std::memcpy(
                out.data() + offset,
                params[&*std::find(kernel.params.begin(), kernel.params.end(), std::pair(offset, size)) -
                       kernel.params.data()],
                size);
    }
    if (params || !extra) return out;
    for (void** at = extra; *at; at += 2)
        if (at[0] == reinterpret_cast<void*>(1)) std::memcpy(out.data(), at[1], out.size());
    return out;
}

// What kernels read besides their buffers: constants in the load's own bank, variables where the table of addresses
// says, which relocations fill in, or whoever made the image.
void find_reads(const ElfImage& image, Module& module) {
    for (const ElfSymbol& symbol : image.symbols)
        if (symbol.type == 1 && symbol.section < image.sections.size() &&
            image.sections[symbol.section].name == ".nv.constant3")
            module.reads.push_back(module.globals[std::string(symbol.name)].data());
    const ElfSection* table = image.find(".nv.constant4");
    if (!table) return;
    std::vector<std::uintptr_t> entries(table->size / 8);
    std::memcpy(entries.data(), table->bytes.data(), entries.size() * 8);
    if (const ElfSection* relocations = image.find(".rela.nv.constant4"))
        for_each_relocation(*relocations, [&](const ElfRelocation& r) {
            const ElfSymbol* symbol = image.symbol(r.symbol);
            if (!symbol || r.type != 2 || r.place / 8 >= entries.size()) return;
            const auto own = module.globals.find(std::string(symbol->name));
            entries[r.place / 8] =
                own == module.globals.end() ? 0 : reinterpret_cast<std::uintptr_t>(own->second.data());
        });
    for (const std::uintptr_t entry : entries)
        if (entry != 0) module.reads.push_back(reinterpret_cast<const unsigned char*>(entry));
}

Module* module_from_code(const void* image) {
    const std::vector<std::byte> elf = elf_of(image);
    if (elf.empty()) return nullptr;
    auto cubin = Cubin::parse(elf, "image");
    if (!cubin) return nullptr;
    auto* out = new Module;
    out->context = context;
    auto parts = ElfImage::read((*cubin)->bytes(), "image");
    for (const ElfSymbol& symbol : parts->symbols) {
        if (symbol.type != 1 || symbol.section >= parts->sections.size()) continue;
        const ElfSection& section = parts->sections[symbol.section];
        if (!section.name.starts_with(".nv.global") && section.name != ".nv.constant3") continue;
        std::vector<unsigned char> bytes(symbol.size);
        const Bytes from = part_of(section.bytes, symbol.value, symbol.size);
        std::memcpy(bytes.data(), from.data(), from.size());
        out->globals[std::string(symbol.name)] = std::move(bytes);
    }
    find_reads(*parts, *out);
    for (const KernelInfo& info : (*cubin)->kernels()) {
        auto kernel = std::make_unique<Module>();
        kernel->parent = out;
        kernel->name = info.name;
        for (const KernelParam& p : info.params)
            kernel->params.emplace_back(p.offset, p.size);
        kernel->code = hash_bytes(part_of((*cubin)->bytes(), info.code_offset, info.code_size)).lo;
        kernel->us = 20 + static_cast<double>(kernel->code % 1000) / 500;
        out->kernels[info.name] = std::move(kernel);
    }
    return out;
}

int run_kernel(Module& kernel, void** params, void** extra) {
    if (std::getenv("CUBINLAB_FAKE_FAULT")) fail(700);
    const std::vector<unsigned char> bytes = flat(kernel, params, extra);
    std::vector<unsigned char*> buffers;
    std::vector<std::size_t> rooms;
    const std::lock_guard guard(lock);
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
        std::uintptr_t value = 0;
        std::memcpy(&value, bytes.data() + at, 8);
        if (const auto known = holding(allocations, value); known != allocations.end()) {
            buffers.push_back(reinterpret_cast<unsigned char*>(value));
            rooms.push_back(known->first + known->second - value);
        } else if (const auto piece = holding(pieces, value); piece != pieces.end()) {
            std::size_t room = piece->first + piece->second - value;
            for (auto next = std::next(piece); next != pieces.end() && next->first == value + room; ++next)
                room += next->second;
            buffers.push_back(reinterpret_cast<unsigned char*>(value));
            rooms.push_back(room);
        }
    }
    unsigned n = 256;
    for (const auto& [offset, size] : kernel.params)
        if (size == 4) {
            std::memcpy(&n, bytes.data() + offset, 4);
            break;
        }
    if (!buffers.empty()) {
        unsigned char* out = buffers.front();
        const unsigned char* in = buffers.size() > 1 ? buffers[1] : buffers[0];
        std::size_t room = rooms.front();
        if (buffers.size() > 1) room = std::min(room, rooms[1]);
        unsigned char more = 0;
        for (const unsigned char* at : kernel.parent->reads)
            more = static_cast<unsigned char>(more + *at);
        for (std::size_t i = 0; i < std::min<std::size_t>(n, room); ++i)
            out[i] = static_cast<unsigned char>(in[i] + 1 + more);
    }
    ++kernel.launches;
    clock_us += kernel.us;
    return 0;
}

void program_calls(const Module* launched) {
    static const char* const cost = std::getenv("CUBINLAB_FAKE_CALL_US");
    static const char* const gate = std::getenv("CUBINLAB_FAKE_GATE");
    static const bool lazy = std::getenv("CUBINLAB_FAKE_LAZY") != nullptr;
    const bool waiting =
        launched && ((gate && std::string_view(gate) == "blocks") || (lazy && launched->launches == 0));
    const std::lock_guard guard(lock);
    for (auto at = waits.begin(); at != waits.end();)
        at = reached(*at) ? waits.erase(at) : std::next(at);
    while (waiting && !waits.empty() && !reached(waits.front()))
        ::usleep(100);
    if (cost && waits.empty()) clock_us += std::atof(cost);
}

void* arena_memory(std::size_t bytes) {
    static const char* const said = std::getenv("CUBINLAB_FAKE_ARENA");
    if (!said) return nullptr;
    static std::uintptr_t next = std::strtoull(said, nullptr, 16);
    const std::size_t size = (bytes + 511) / 512 * 512;
    static std::uintptr_t end = next;
    const std::lock_guard guard(lock);
    while (end < next + size) {
        constexpr std::size_t kStep = 32 << 20;
        if (::mmap(reinterpret_cast<void*>(end), kStep, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
            return nullptr;
        end += kStep;
    }
    void* out = reinterpret_cast<void*>(next);
    next += size;
    return out;
}

}  // namespace fake

extern "C" {
#define FAKE __attribute__((visibility("default"))) int

FAKE cuModuleLoadData(Handle*, const void*);
FAKE cuModuleUnload(Handle);
FAKE cuModuleGetFunction(Handle*, Handle, const char*);
FAKE cuLaunchKernel(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle,
                    void**, void**);
FAKE cuLaunchKernelEx(const cu::LaunchConfig*, Handle, void**, void**);
FAKE cuStreamBeginCapture_v2(Handle, int);
FAKE cuStreamEndCapture(Handle, Handle*);
FAKE cuGraphLaunch(Handle, Handle);

FAKE cuModuleLoadFatBinary(Handle* module, const void* image) {
    return cuModuleLoadData(module, image);
}
FAKE cuLibraryLoadData(Handle* library, const void* code, int*, void**, unsigned, int*, void**, unsigned) {
    const int result = cuModuleLoadData(library, code);
    if (result == 0) static_cast<fake::Module*>(*library)->context = nullptr;
    return result;
}
FAKE cuLibraryUnload(Handle library) {
    return cuModuleUnload(library);
}
FAKE cuLibraryGetKernel(Handle* kernel, Handle library, const char* name) {
    return cuModuleGetFunction(kernel, library, name);
}
FAKE cuLibraryGetModule(Handle* module, Handle library) {
    return *module = library, 0;
}
FAKE cuKernelGetFunction(Handle* function, Handle kernel) {
    return *function = kernel, 0;
}
FAKE cuFuncGetName(const char** name, Handle function) {
    return *name = static_cast<fake::Module*>(function)->name.c_str(), 0;
}
FAKE cuKernelGetName(const char** name, Handle kernel) {
    return cuFuncGetName(name, kernel);
}
FAKE cuFuncGetParamInfo(Handle function, std::size_t i, std::size_t* offset, std::size_t* size) {
    const auto& params = static_cast<fake::Module*>(function)->params;
    if (i >= params.size()) return 1;
    *offset = params[i].first;
    *size = params[i].second;
    return 0;
}
FAKE cuKernelGetParamInfo(Handle kernel, std::size_t i, std::size_t* offset, std::size_t* size) {
    return cuFuncGetParamInfo(kernel, i, offset, size);
}
FAKE cuFuncGetAttribute(int* value, int which, Handle function) {
    fake::program_calls(nullptr);
    return *value = which == 8 ? static_cast<fake::Module*>(function)->max_shared : 0, 0;
}
FAKE cuKernelGetAttribute(int* value, int which, Handle kernel, int) {
    fake::program_calls(nullptr);
    return cuFuncGetAttribute(value, which, kernel);
}
FAKE cuMemHostRegister_v2(void*, std::size_t, unsigned) {
    return 0;
}
FAKE cuMemHostGetDevicePointer_v2(Address* address, void* memory, unsigned) {
    return *address = reinterpret_cast<Address>(memory), 0;
}
FAKE cuStreamWaitValue32_v2(Handle, Address word, unsigned number, unsigned) {
    static const char* const gate = std::getenv("CUBINLAB_FAKE_GATE");
    if (gate && std::string_view(gate) == "refused") return 801;
    const std::lock_guard guard(lock);
    waits.push_back({word, number});
    return 0;
}
FAKE cuStreamWaitValue32_v2_ptsz(Handle stream, Address word, unsigned number, unsigned flags) {
    return cuStreamWaitValue32_v2(stream, word, number, flags);
}
FAKE cuModuleGetGlobal_v2(Address* address, std::size_t* size, Handle module, const char* name) {
    auto& globals = static_cast<fake::Module*>(module)->globals;
    const auto found = globals.find(name);
    if (found == globals.end()) return 500;
    *address = reinterpret_cast<Address>(found->second.data());
    *size = found->second.size();
    return 0;
}
FAKE cuLibraryGetGlobal(Address* address, std::size_t* size, Handle library, const char* name) {
    return cuModuleGetGlobal_v2(address, size, library, name);
}
FAKE cuLaunchKernel_ptsz(Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                         unsigned bz, unsigned shared, Handle stream, void** params, void** extra) {
    return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
}
FAKE cuLaunchKernelEx_ptsz(const cu::LaunchConfig* config, Handle f, void** params, void** extra) {
    return cuLaunchKernelEx(config, f, params, extra);
}
FAKE cuLaunchCooperativeKernel_ptsz(Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                    unsigned bz, unsigned shared, Handle stream, void** params) {
    return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, params, nullptr);
}
FAKE cuCtxCreate_v2(Handle* made, unsigned, int) {
    return *made = fake::context = new int(0), 0;
}
FAKE cuLaunchCooperativeKernel(Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                               unsigned bz, unsigned shared, Handle stream, void** params) {
    return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, params, nullptr);
}
FAKE cuCtxGetCurrent(Handle* context) {
    return *context = fake::context, 0;
}
FAKE cuCtxGetDevice(int* device) {
    return *device = 0, 0;
}
FAKE cuEventRecord(Handle, Handle);
FAKE cuEventRecord_ptsz(Handle event, Handle stream) {
    return cuEventRecord(event, stream);
}
FAKE cuEventQuery(Handle) {
    return 0;
}

FAKE cuMemGetAddressRange_v2(Address* base, std::size_t* size, Address address) {
    const std::lock_guard guard(lock);
    for (auto* map : {&fake::allocations, &pieces})
        if (const auto found = holding(*map, address); found != map->end()) {
            if (base) *base = found->first;
            if (size) *size = found->second;
            return 0;
        }
    return 500;
}
// Memory type, managed, GPU, range: zeros and no error where there is nothing, as the driver does it.
FAKE cuPointerGetAttributes(unsigned count, int* names, void** values, Address address) {
    const std::lock_guard guard(lock);
    std::pair<std::uintptr_t, std::size_t> range{0, 0};
    bool there = false;
    if (const auto found = holding(fake::allocations, address); found != fake::allocations.end()) {
        range = *found;
        there = true;
    } else if (const auto reserved = holding(reservations, address); reserved != reservations.end()) {
        range = *reserved;
        there = holding(pieces, address) != pieces.end();
    }
    for (unsigned i = 0; i < count; ++i)
        switch (names[i]) {
            case 2:
                *static_cast<int*>(values[i]) = there ? 2 : 0;
                break;
            case 8:
                *static_cast<int*>(values[i]) = 0;
                break;
            case 9:
                *static_cast<int*>(values[i]) = 0;
                break;
            case 11:
                *static_cast<Address*>(values[i]) = range.first;
                break;
            case 12:
                *static_cast<std::size_t*>(values[i]) = range.second;
                break;
            default:
                return 1;
        }
    return 0;
}

// A base that is no multiple of 32 MiB, or that is taken, gives another address and no error.
FAKE cuMemAddressReserve(Address* out, std::size_t size, std::size_t, Address wanted, unsigned long long) {
    constexpr std::size_t kStep = 32 << 20;
    void* made = MAP_FAILED;
    if (wanted != 0 && wanted % kStep == 0)
        made = ::mmap(reinterpret_cast<void*>(wanted), size, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (made == MAP_FAILED)
        made = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) return 2;
    const std::lock_guard guard(lock);
    reservations[reinterpret_cast<std::uintptr_t>(made)] = size;
    return *out = reinterpret_cast<Address>(made), 0;
}
FAKE cuMemAddressFree(Address address, std::size_t size) {
    const std::lock_guard guard(lock);
    reservations.erase(static_cast<std::uintptr_t>(address));
    ::munmap(reinterpret_cast<void*>(address), size);
    return 0;
}
FAKE cuMemCreate(unsigned long long* handle, std::size_t size, const void*, unsigned long long) {
    auto* made = new int(0);
    const std::lock_guard guard(lock);
    created[made] = size;
    return *handle = reinterpret_cast<unsigned long long>(made), 0;
}
FAKE cuMemRelease(unsigned long long) {
    return 0;
}
FAKE cuMemMap(Address address, std::size_t size, std::size_t, unsigned long long handle, unsigned long long) {
    const std::lock_guard guard(lock);
    if (created[reinterpret_cast<Handle>(handle)] < size) return 1;
    if (holding(reservations, address) == reservations.end()) return 1;
    void* made = ::mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (made == MAP_FAILED) return 2;
    pieces[static_cast<std::uintptr_t>(address)] = size;
    return 0;
}
FAKE cuMemUnmap(Address address, std::size_t size) {
    const std::lock_guard guard(lock);
    pieces.erase(static_cast<std::uintptr_t>(address));
    ::mmap(reinterpret_cast<void*>(address), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return 0;
}
FAKE cuMemSetAccess(Address, std::size_t, const void*, std::size_t) {
    return 0;
}
FAKE cuMemGetAllocationGranularity(std::size_t* size, const void*, int) {
    return *size = 2 << 20, 0;
}

// A table, as the driver has one: a lookup by name would go through whatever is preloaded.
FAKE cuGetProcAddress_v2(const char* name, void** address, int, unsigned long long flags, int* status) {
    constexpr unsigned long long kPerThread = 2;
    static const std::map<std::string, void*> all = {
#define ENTRY(name) {#name, reinterpret_cast<void*>(&name)}
        ENTRY(cuModuleLoadData),
        ENTRY(cuModuleUnload),
        ENTRY(cuModuleGetFunction),
        ENTRY(cuLibraryLoadData),
        ENTRY(cuLibraryUnload),
        ENTRY(cuLibraryGetKernel),
        ENTRY(cuLibraryGetModule),
        ENTRY(cuKernelGetFunction),
        ENTRY(cuLaunchKernel),
        ENTRY(cuLaunchKernel_ptsz),
        ENTRY(cuLaunchKernelEx),
        ENTRY(cuLaunchKernelEx_ptsz),
        ENTRY(cuStreamEndCapture),
        ENTRY(cuGraphLaunch),
        {"cuStreamBeginCapture", reinterpret_cast<void*>(&cuStreamBeginCapture_v2)},
        {"cuGetProcAddress", reinterpret_cast<void*>(&cuGetProcAddress_v2)},
    };
    auto found = (flags & kPerThread) != 0 ? all.find(std::string(name) + "_ptsz") : all.end();
    if (found == all.end()) found = all.find(name);
    *address = found == all.end() ? nullptr : found->second;
    if (status) *status = found == all.end() ? 1 : 0;
    return found == all.end() ? 500 : 0;
}
FAKE fake_code_of(Handle kernel, unsigned long long* code) {
    return *code = static_cast<fake::Module*>(kernel)->code, 0;
}
}
