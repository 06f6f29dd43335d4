// SPDX-License-Identifier: GPL-3.0-or-later
// What a preloaded library adds to a launch. The driver's own cuLaunchKernel (read from the symbol table of the loaded
// libcuda, so that nothing stands in between) and the one that programs get (by dlsym) launch in turn, in blocks in
// random order within pairs, from one thread on one core. Prints a line for an empty and a usual kernel:
//
//   empty: direct 2050.1 ns, as programs get it 2053.4 ns, difference +3.2 ns [+1.1, +5.0] over 2000 pairs of 200 launches
//
// The interval of the median difference is that of its ranks (95 %). `same` in front: both are what programs get, which shows
// what the method itself gives. `short` in front: 10 pairs. `loop N`: N launches of the empty kernel, best of 7, for comparing processes.
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void empty() {}
__global__ void other() {}  // of which a library may want something
__global__ void usual(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 2.f + 1.f;
}

using Launch = CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                            void**, void**);

#define MUST(call)                                                            \
    do {                                                                      \
        if (const int code = static_cast<int>(call)) {                        \
            std::fprintf(stderr, "overhead: %s gave %d\n", #call, code);      \
            std::exit(1);                                                     \
        }                                                                     \
    } while (0)

// The address of a function in a loaded library, past every hook.
void* symbol_of(const char* library, const char* name) {
    struct Search {
        const char *library, *name;
        void* found;
    } search{library, name, nullptr};
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* data) {
            auto& s = *static_cast<Search*>(data);
            if (!std::strstr(info->dlpi_name, s.library)) return 0;
            std::FILE* file = std::fopen(info->dlpi_name, "rb");
            if (!file) return 0;
            std::vector<char> bytes;
            char chunk[1 << 16];
            for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;)
                bytes.insert(bytes.end(), chunk, chunk + n);
            std::fclose(file);
            const auto* head = reinterpret_cast<const ElfW(Ehdr)*>(bytes.data());
            const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(bytes.data() + head->e_shoff);
            for (int i = 0; i < head->e_shnum; ++i) {
                if (sections[i].sh_type != SHT_DYNSYM) continue;
                const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(bytes.data() + sections[i].sh_offset);
                const char* names = bytes.data() + sections[sections[i].sh_link].sh_offset;
                for (size_t k = 0; k < sections[i].sh_size / sizeof(ElfW(Sym)); ++k)
                    if (symbols[k].st_value && std::strcmp(names + symbols[k].st_name, s.name) == 0)
                        s.found = reinterpret_cast<void*>(info->dlpi_addr + symbols[k].st_value);
            }
            return s.found ? 1 : 0;
        },
        &search);
    return search.found;
}

double now() {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void compare(const char* what, Launch direct, Launch given, CUfunction kernel, unsigned grid, unsigned block, void** params,
             int pairs, int launches) {
    const auto run = [&](Launch launch) {
        const double start = now();
        for (int i = 0; i < launches; ++i)
            launch(kernel, grid, 1, 1, block, 1, 1, 0, nullptr, params, nullptr);
        const double end = now();
        MUST(cudaDeviceSynchronize());
        return (end - start) / launches;
    };
    for (int i = 0; i < 50; ++i) run(i % 2 ? direct : given);
    std::vector<double> a, b, differences;
    unsigned long long random = 88172645463325252ull;
    for (int i = 0; i < pairs; ++i) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        const bool first = random >> 63;
        const double one = run(first ? direct : given), two = run(first ? given : direct);
        a.push_back(first ? one : two);
        b.push_back(first ? two : one);
        differences.push_back(b.back() - a.back());
    }
    const auto at = [](std::vector<double>& v, double rank) {
        std::sort(v.begin(), v.end());
        return v[std::min(v.size() - 1, static_cast<size_t>(std::max(rank, 0.0)))];
    };
    const double n = pairs, half = 0.98 * std::sqrt(n);
    std::printf("%s: direct %.1f ns, as programs get it %.1f ns, difference %+.1f ns [%+.1f, %+.1f] over %d pairs of %d launches\n",
                what, at(a, n / 2), at(b, n / 2), at(differences, n / 2), at(differences, n / 2 - half),
                at(differences, n / 2 + half), pairs, launches);
}

int main(int argc, char** argv) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    MUST(sched_setaffinity(0, sizeof one, &one));
    MUST(cudaFree(nullptr));
    if (argc > 2 && std::strcmp(argv[1], "loop") == 0) {
        const int n = std::atoi(argv[2]) / 7;
        double best = 1e9;
        for (int round = 0; round < 7; ++round) {
            const double start = now();
            for (int i = 0; i < n; ++i) empty<<<1, 32>>>();
            MUST(cudaDeviceSynchronize());
            if (round > 0) best = std::min(best, (now() - start) / n);
        }
        std::printf("%.1f\n", best);
        return 0;
    }
    const bool same = argc > 1 && std::strcmp(argv[1], "same") == 0;
    const int pairs = argc > 1 && std::strcmp(argv[1], "short") == 0 ? 10 : 2000;
    other<<<1, 32>>>();
    MUST(cudaDeviceSynchronize());
    void* library = dlopen("libcuda.so.1", RTLD_LAZY);
    const auto given = reinterpret_cast<Launch>(dlsym(library, "cuLaunchKernel"));
    const auto direct = same ? given : reinterpret_cast<Launch>(symbol_of("libcuda.so", "cuLaunchKernel"));
    if (!given || !direct) {
        std::fprintf(stderr, "overhead: no cuLaunchKernel\n");
        return 1;
    }
    std::printf("%s: what programs get is %s\n", same ? "same" : "pair", given == direct ? "the driver's own" : "a library's");
    cudaFunction_t function = nullptr;
    MUST(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(&empty)));
    compare("empty", direct, given, function, 1, 32, nullptr, pairs, 200);
    const int n = 1 << 20;
    float *in = nullptr, *out = nullptr;
    MUST(cudaMalloc(&in, n * 4));
    MUST(cudaMalloc(&out, n * 4));
    int count = n;
    void* params[] = {&out, &in, &count};
    MUST(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(&usual)));
    compare("usual", direct, given, function, n / 256, 256, params, pairs, 200);
    return 0;
}
