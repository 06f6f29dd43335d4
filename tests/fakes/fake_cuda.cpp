// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in for libcuda.so.1 on machines with no GPU: "device" memory is host memory, time is virtual, and
// the one "kernel" it can run adds 1 to every byte of its second buffer parameter's input and stores it in
// the first: launch(out, in, n): out[i] = in[i] + 1. What a module does besides is read from its image, a
// text:
//
//   "fake us=20"           takes 20 microseconds of virtual time a launch
//   "fake us=20 wrong"     one output byte is wrong                  "fake us=20 warm=3" ... from the 3rd
//   launch of the module on "fake us=20 wild"      writes just after the output              "fake us=20
//   input"  writes the input "fake us=20 fault"     illegal address                           "fake us=20
//   hang"   never ends
//
//   "fake us=20 produced=15" takes 15 where its input was written on the device since the last launch
//   "fake us=20 on=12345"   is wrong where the first four bytes of the input are this number
//   "fake us=20 cooperative", "fake us=20 cluster=2"  refuses to be launched any other way
//   "fake us=20 mj=3"       takes 3 millijoules a launch on top of 0.3 a virtual microsecond (fake_nvml.cpp)
//
// CUBINLAB_FAKE_DRIFT=1e-5,5000 in the environment: each of the first 5,000 launches takes 1e-5 longer than
// the one before. CUBINLAB_FAKE_SPREAD=0.004: modules other than those of 20 microseconds take up to 0.4 %
// more or less, all launches of a process alike. Timing noise is a deterministic 0.3 %. It assembles no PTX,
// so the worker digests on the host, unless CUBINLAB_FAKE_PTX=1: then the worker's digest kernel, by what
// core/gpu/protocol/digest.h says of it, and the one that writes inputs again. CUBINLAB_FAKE_FAULT=1: kernels of cubins fail. CUBINLAB_FAKE_COLD=0.4,2: each of the first two launches after a digest takes
// 40 % longer, as where others have been at the caches.
//
// Cubins and fatbins load as well (fake_programs.cpp): their kernels add 1, whatever their code says.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "core/gpu/worker/cuda_api.h"
#include "tests/fakes/fake_module.h"

namespace fake {

double clock_us = 0;
thread_local void* context = &clock_us;
std::map<std::uintptr_t, std::size_t> allocations;

}  // namespace fake

using fake::allocations;
using fake::clock_us;
using FakeModule = fake::Module;

namespace {

struct FakeEvent {
    double us = 0;
};

// Allocations that are all zeros by a fill as large as the one that evicts a cache (GpuTimer::flush_l2). That one comes before
// each cold sample and nothing else writes there; here is no cache, so that once is enough.
std::set<std::uintptr_t> zeroed;
double energy_mj = 0;
int sticky = 0;
int cold_launches = 0;  // left
std::set<std::uintptr_t> produced;  // first addresses of what was written on the device since the last launch
bool hung = false;
std::uint64_t noise_state = 1;

double noise() {
    noise_state = noise_state * 6364136223846793005ull + 1442695040888963407ull;
    return (static_cast<double>(noise_state >> 40) / 16777216.0 - 0.5) * 0.006;
}

// How much longer a launch takes by now, as a factor.
double drift() {
    static const char* const said = std::getenv("CUBINLAB_FAKE_DRIFT");
    if (!said) return 1;
    static double launches = 0;
    static const double last = std::strchr(said, ',') ? std::atof(std::strchr(said, ',') + 1) : 0;
    launches = std::min(launches + 1, last);
    return 1 + std::atof(said) * launches;
}

double spread() {
    static const char* const said = std::getenv("CUBINLAB_FAKE_SPREAD");
    static const double share = static_cast<double>(::getpid() * 2654435761u % 1000) / 500 - 1;
    return said ? 1 + std::atof(said) * share : 1;
}

// As a factor, of a launch after a digest.
double cold() {
    static const char* const said = std::getenv("CUBINLAB_FAKE_COLD");
    return said && cold_launches-- > 0 ? 1 + std::atof(said) : 1;
}

std::uint64_t mix(std::uint64_t z) {  // SplitMix64's
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// cubinlab_digest(pieces of (address, pairs of words, first word, region), out of (sum, xor)), a block for each piece.
int digest(void** params, unsigned pieces) {
    unsigned long long table = 0, out = 0;
    std::memcpy(&table, params[0], 8);
    std::memcpy(&out, params[1], 8);
    const auto* piece = reinterpret_cast<const std::uint64_t*>(table);
    for (unsigned p = 0; p < pieces; ++p, piece += 4) {
        auto* result = reinterpret_cast<std::uint64_t*>(out) + 2 * piece[3];
        for (std::uint64_t i = 0; i < 2 * piece[1]; ++i) {
            std::uint64_t word = 0;
            std::memcpy(&word, reinterpret_cast<const void*>(piece[0] + 8 * i), 8);
            const std::uint64_t z = mix(word + (piece[2] + i + 1) * 0x9e3779b97f4a7c15ull);
            result[0] += z;
            result[1] ^= z;
        }
    }
    const char* const said = std::getenv("CUBINLAB_FAKE_COLD");
    if (said) cold_launches = std::atoi(std::strchr(said, ',') + 1);
    clock_us += 5;
    return sticky;
}

// cubinlab_produce(to, pieces of 16 bytes, from, pieces of it, mask): to ^= from & mask.
int produce(void** params) {
    std::uint64_t to = 0, count = 0, from = 0, period = 0, mask = 0;
    std::uint64_t* const values[] = {&to, &count, &from, &period, &mask};
    for (std::size_t i = 0; i < 5; ++i)
        std::memcpy(values[i], params[i], 8);
    auto* words = reinterpret_cast<std::uint64_t*>(to);
    const auto* other = reinterpret_cast<const std::uint64_t*>(from);
    for (std::uint64_t i = 0; i < 2 * count; ++i)
        words[i] ^= other[i % (2 * period)] & mask;
    produced.insert(static_cast<std::uintptr_t>(to));
    clock_us += 5;
    return sticky;
}

// Every entry after a fault reports it, as a real context does.
int status() {
    return sticky;
}

}  // namespace

int fake::failed() {
    return sticky;
}
void fake::fail(int error) {
    sticky = error;
}

extern "C" {
#define FAKE __attribute__((visibility("default"))) int

FAKE cuInit(unsigned) {
    return 0;
}
FAKE cuDriverGetVersion(int* v) {
    return *v = 13000, 0;
}
FAKE cuGetErrorName(int code, const char** text) {
    *text = code == 700   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : code == 200 ? "CUDA_ERROR_INVALID_IMAGE"
            : code == 500 ? "CUDA_ERROR_NOT_FOUND"
                          : "CUDA_ERROR_OTHER";
    return 0;
}
FAKE cuGetErrorString(int, const char** text) {
    return *text = "as the fake driver says", 0;
}
FAKE cuDeviceGetCount(int* n) {
    return *n = 1, 0;
}
FAKE cuDeviceGet(int* d, int i) {
    return *d = i, 0;
}
FAKE cuDeviceGetName(char* name, int size, int) {
    return std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size)), 0;
}
FAKE cuDeviceGetPCIBusId(char* text, int size, int) {
    return std::strncpy(text, "0000:01:00.0", static_cast<std::size_t>(size)), 0;
}
FAKE cuDeviceGetAttribute(int* v, int which, int) {
    *v = which == 75 ? 9 : which == 76 ? 0 : which == 38 ? 50 << 20 : which == 16 ? 132 : 1;
    return 0;
}
FAKE cuDevicePrimaryCtxRetain(void** c, int) {
    return *c = &clock_us, 0;
}
FAKE cuDevicePrimaryCtxRelease_v2(int) {
    return 0;
}
FAKE cuCtxSetCurrent(void* c) {
    return fake::context = c, 0;
}
FAKE cuCtxSynchronize() {
    if (fake::spoils_capture()) return 900;
    return status();
}
FAKE cuMemGetInfo_v2(std::size_t* f, std::size_t* t) {
    return *f = *t = 1ull << 30, 0;
}
FAKE cuMemAlloc_v2(unsigned long long* p, std::size_t n) {
    void* memory = fake::arena_memory(n);
    if (!memory) memory = std::aligned_alloc(4096, (n + 4095) / 4096 * 4096);
    *p = reinterpret_cast<unsigned long long>(memory);
    allocations[static_cast<std::uintptr_t>(*p)] = n;
    return status();
}
FAKE cuMemFree_v2(unsigned long long p) {
    allocations.erase(static_cast<std::uintptr_t>(p));
    zeroed.erase(static_cast<std::uintptr_t>(p));
    if (!std::getenv("CUBINLAB_FAKE_ARENA")) std::free(reinterpret_cast<void*>(p));
    return status();
}
FAKE cuMemHostAlloc(void** p, std::size_t n, unsigned) {
    return *p = std::malloc(n), 0;
}
FAKE cuMemFreeHost(void* p) {
    return std::free(p), 0;
}
FAKE cuMemcpyHtoD_v2(unsigned long long d, const void* h, std::size_t n) {
    return std::memcpy(reinterpret_cast<void*>(d), h, n), status();
}
FAKE cuMemcpyDtoH_v2(void* h, unsigned long long d, std::size_t n) {
    if (fake::spoils_capture()) return 900;
    return std::memcpy(h, reinterpret_cast<void*>(d), n), status();
}
FAKE cuMemcpyHtoDAsync_v2(unsigned long long d, const void* h, std::size_t n, void*) {
    return cuMemcpyHtoD_v2(d, h, n);
}
FAKE cuMemcpyDtoHAsync_v2(void* h, unsigned long long d, std::size_t n, void*) {
    return cuMemcpyDtoH_v2(h, d, n);
}
FAKE cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, std::size_t n, void*) {
    produced.insert(static_cast<std::uintptr_t>(to));
    return std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), n), status();
}
FAKE cuMemsetD32Async(unsigned long long d, unsigned v, std::size_t n, void*) {
    auto* words = reinterpret_cast<unsigned*>(d);
    const auto at = static_cast<std::uintptr_t>(d);
    const std::size_t bytes = n * sizeof(unsigned);
    const auto whole = allocations.find(at);
    const bool evicts = v == 0 && bytes >= 64u << 20 && whole != allocations.end() && whole->second == bytes;
    if (evicts && !zeroed.insert(at).second) return status();
    std::fill_n(words, n, v);
    return status();
}
FAKE cuStreamCreate(void** s, unsigned) {
    return *s = new int(0), 0;
}
FAKE cuStreamSynchronize(void*) {
    if (fake::spoils_capture()) return 900;
    while (hung)
        ::usleep(10000);
    return status();
}
FAKE cuEventCreate(void** e, unsigned) {
    return *e = new FakeEvent, 0;
}
FAKE cuEventDestroy_v2(void* e) {
    return delete static_cast<FakeEvent*>(e), 0;
}
FAKE cuEventRecord(void* e, void*) {
    static_cast<FakeEvent*>(e)->us = clock_us += 0.5;
    return status();
}
FAKE cuEventElapsedTime(float* ms, void* a, void* b) {
    const double us = static_cast<FakeEvent*>(b)->us - static_cast<FakeEvent*>(a)->us;
    *ms = static_cast<float>(static_cast<double>(static_cast<long>(us / 0.032)) * 0.032 / 1000);
    return status();
}
FAKE cuModuleLoadData(void** m, const void* image) {
    if (FakeModule* made = fake::module_from_code(image)) return *m = made, status();
    const std::string text(static_cast<const char*>(image));
    if (text.rfind("fake us=", 0) != 0) return 200;
    auto* module = new FakeModule;
    module->us = std::atof(text.c_str() + 8);
    module->flags = text;
    *m = module;
    return status();
}
FAKE cuModuleLoadDataEx(void** m, const void* image, unsigned, int*, void**) {
    if (FakeModule* made = fake::module_from_code(image)) return *m = made, status();
    const auto holds = [&](const char* name) { return std::strstr(static_cast<const char*>(image), name) != nullptr; };
    const bool digests = holds(".entry cubinlab_digest");
    if (!std::getenv("CUBINLAB_FAKE_PTX") || (!digests && !holds(".entry cubinlab_produce"))) return 200;
    auto* module = new FakeModule;
    module->flags = digests ? "digest" : "produce";
    *m = module;
    return status();
}
FAKE cuModuleUnload(void* m) {
    return delete static_cast<FakeModule*>(m), status();
}
FAKE cuModuleGetFunction(void** f, void* m, const char* name) {
    auto& module = *static_cast<FakeModule*>(m);
    *f = m;
    if (module.kernels.empty()) return status();
    const auto found = module.kernels.find(name);
    if (found == module.kernels.end()) return 500;
    *f = found->second.get();
    return status();
}
FAKE cuFuncSetAttribute(void* f, int which, int value) {
    if (which == 8) static_cast<FakeModule*>(f)->max_shared = value;
    return status();
}
}  // extern "C"
int fake::run(FakeModule& module, void** params) {
    const auto has = [&](const char* flag) { return module.flags.find(flag) != std::string::npos; };
    unsigned long long out = 0, in = 0;
    int n = 0;
    std::memcpy(&out, params[0], 8);
    std::memcpy(&in, params[1], 8);
    std::memcpy(&n, params[2], 4);
    auto* to = reinterpret_cast<unsigned char*>(out);
    auto* from = reinterpret_cast<unsigned char*>(in);
    for (int i = 0; i < n; ++i)
        to[i] = static_cast<unsigned char>(from[i] + 1);
    ++module.launches;
    if (has("warm=") && module.launches >= std::atoi(module.flags.c_str() + module.flags.find("warm=") + 5))
        to[n / 2] ^= 1;
    if (has("wrong")) to[n / 2] ^= 1;
    if (has("on=")) {
        unsigned first = 0;
        std::memcpy(&first, from, sizeof first);
        if (first == std::strtoul(module.flags.c_str() + module.flags.find("on=") + 3, nullptr, 10))
            to[n / 2] ^= 1;
    }
    if (has("unstable")) to[n / 2] = static_cast<unsigned char>(noise_state >> 48);
    if (has("wild")) to[(n + 15) / 16 * 16 + 40] ^= 1;
    if (has("input")) from[3] ^= 1;
    if (has("fault")) sticky = 700;
    if (has("hang")) hung = true;
    double usual = module.us;
    if (has("produced=") && produced.contains(static_cast<std::uintptr_t>(in)))
        usual = std::atof(module.flags.c_str() + module.flags.find("produced=") + 9);
    produced.clear();
    const double us = usual * drift() * cold() * (module.us != 20 ? spread() : 1) * (1 + noise());
    clock_us += us;
    energy_mj += 0.3 * us;
    if (has("mj=")) energy_mj += std::atof(module.flags.c_str() + module.flags.find("mj=") + 3);
    return 0;
}
extern "C" {
FAKE cuLaunchKernel(void* f, unsigned blocks, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                    void* stream, void** params, void** extra) {
    auto& module = *static_cast<FakeModule*>(f);
    if (module.flags == "digest") return digest(params, blocks);
    if (module.flags == "produce") return produce(params);
    if (fake::elsewhere(module)) return 400;
    fake::program_calls(&module);
    if (fake::record_launch(stream, &module, params, extra)) return 0;
    if (module.parent) return fake::run_kernel(module, params, extra);
    if (module.flags.find("cooperative") != std::string::npos) return 1;
    if (module.flags.find("cluster=") != std::string::npos) return 1;
    return fake::run(module, params);
}
FAKE cuLaunchKernelEx(const cubinlab::cu::LaunchConfig* config, void* f, void** params, void** extra) {
    auto& module = *static_cast<FakeModule*>(f);
    if (fake::elsewhere(module)) return 400;
    fake::program_calls(&module);
    if (fake::record_launch(config->stream, &module, params, extra)) return 0;
    if (module.parent) return fake::run_kernel(module, params, extra);
    bool cooperative = false;
    unsigned cluster = 0;
    for (unsigned i = 0; i < config->attribute_count; ++i) {
        const auto& attribute = config->attributes[i];
        if (attribute.id == cubinlab::cu::kLaunchAttrCooperative)
            cooperative = attribute.value.cooperative != 0;
        if (attribute.id == cubinlab::cu::kLaunchAttrClusterDimension) cluster = attribute.value.cluster.x;
    }
    const auto at = module.flags.find("cluster=");
    const unsigned wanted =
        at == std::string::npos ? 0 : static_cast<unsigned>(std::atoi(module.flags.c_str() + at + 8));
    if (cluster != wanted) return 1;
    if (cooperative != (module.flags.find("cooperative") != std::string::npos)) return 1;
    return fake::run(module, params);
}
__attribute__((visibility("default"))) double fake_energy_mj() {
    return energy_mj;
}
}
