// SPDX-License-Identifier: GPL-3.0-or-later
// Launches a kernel a known number of times, in every way that the driver has, and prints how often: "launches 4321".
// On the stand-in driver, and on a GPU with tests/inject/launches.ptx:
//
//   launch_program SCENARIO IMAGE KERNEL
//   threads   64 threads in four contexts load the image, launch and unload in an order of their own
//   loads     two loads in one context; the newer one goes first
//   entries   one launch by each entry point that the driver has
//   graphs    nodes by hand, a child graph, a captured stream, updates of the executable graph
//   ptx       through cuModuleLoadDataEx
//   link      through the driver's linker
//   library   a library in two contexts, by the kernel and by the function of each context
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using Handle = void*;
using Address = unsigned long long;

std::string image, kernel;
std::atomic<unsigned> launches{0};

void* find(const char* name) {
    static void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW);
    return driver ? ::dlsym(driver, name) : nullptr;
}
template <class... Types>
bool has(const char* name, int& result, Types... arguments) {
    const auto function = reinterpret_cast<int (*)(Types...)>(find(name));
    if (!function) return false;
    result = function(arguments...);
    return true;
}
template <class... Types>
void must(const char* name, Types... arguments) {
    int result = -1;
    has(name, result, arguments...);
    if (result == 0) return;
    std::fprintf(stderr, "launch_program: %s gave %d\n", name, result);
    std::_Exit(9);
}

struct Arguments {
    Address out = 0, in = 0, none = 0;
    int n = 16;
    void* list[5] = {&out, &in, &n, &none, &none};
    Arguments() {
        must("cuMemAlloc_v2", &out, std::size_t{4096});
        must("cuMemAlloc_v2", &in, std::size_t{4096});
    }
};

// Buffers are made by one thread: the stand-in's memory has no lock.
void launch(Handle function, Arguments& arguments, Handle stream = nullptr) {
    must("cuLaunchKernel", function, 1u, 1u, 1u, 32u, 1u, 1u, 0u, stream, &arguments.list[0],
         static_cast<void**>(nullptr));
    ++launches;
}

struct Module {
    Handle module = nullptr, function = nullptr;
    Module() {
        must("cuModuleLoadData", &module, static_cast<const void*>(image.data()));
        must("cuModuleGetFunction", &function, module, kernel.c_str());
    }
    void unload() const {
        must("cuCtxSynchronize");
        must("cuModuleUnload", module);
    }
};

void in_threads(std::vector<Handle>& contexts) {
    struct Shared {
        Arguments arguments;
        Module module;
    };
    std::vector<Shared*> shared;
    for (Handle context : contexts) {
        must("cuCtxSetCurrent", context);
        shared.push_back(new Shared);
    }
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 64; ++t)
        threads.emplace_back([&, t] {
            const std::size_t own = t % contexts.size();
            must("cuCtxSetCurrent", contexts[own]);
            std::mt19937 random(t);
            for (int round = 0; round < 4; ++round) {
                std::vector<Module> loads(3);
                for (unsigned i = 0; i < 10 + t % 7; ++i) {
                    launch(loads[random() % 3].function, shared[own]->arguments);
                    launch(shared[own]->module.function, shared[own]->arguments);
                }
                std::shuffle(loads.begin(), loads.end(), random);
                for (std::size_t i = 0; i < loads.size(); ++i) {
                    loads[i].unload();
                    for (std::size_t k = i + 1; k < loads.size(); ++k)
                        launch(loads[k].function, shared[own]->arguments);
                }
            }
        });
    for (std::thread& thread : threads)
        thread.join();
}

void two_loads() {
    Arguments arguments;
    Module first, second;
    launch(first.function, arguments);
    launch(second.function, arguments);
    second.unload();
    for (int i = 0; i < 10; ++i)
        launch(first.function, arguments);
}

struct alignas(8) Config {
    unsigned grid[3] = {1, 1, 1}, block[3] = {32, 1, 1}, shared = 0;
    Handle stream = nullptr, attributes = nullptr;
    unsigned count = 0;
};

void by_each_entry() {
    Arguments arguments;
    Module module;
    const Config config;
    const auto count = [](bool there, int result, const char* name) {
        if (there && result != 0) {
            std::fprintf(stderr, "launch_program: %s gave %d\n", name, result);
            std::_Exit(9);
        }
        if (there) ++launches;
    };
    int result = 0;
    for (const char* name : {"cuLaunchKernel", "cuLaunchKernel_ptsz"})
        count(has(name, result, module.function, 1u, 1u, 1u, 32u, 1u, 1u, 0u, Handle(nullptr), &arguments.list[0],
                  static_cast<void**>(nullptr)),
              result, name);
    for (const char* name : {"cuLaunchKernelEx", "cuLaunchKernelEx_ptsz"})
        count(has(name, result, &config, module.function, &arguments.list[0], static_cast<void**>(nullptr)), result,
              name);
    for (const char* name : {"cuLaunchCooperativeKernel", "cuLaunchCooperativeKernel_ptsz"})
        count(has(name, result, module.function, 1u, 1u, 1u, 32u, 1u, 1u, 0u, Handle(nullptr), &arguments.list[0]),
              result, name);
}

struct KernelNode {
    Handle function = nullptr;
    unsigned grid[3] = {1, 1, 1}, block[3] = {32, 1, 1}, shared = 0;
    void** params = nullptr;
    void** extra = nullptr;
    Handle kernel = nullptr, context = nullptr;
};

// What the graphs run is counted by this program: nodes, times launches.
void through_graphs() {
    Arguments arguments;
    Module one, two;
    KernelNode node;
    node.function = one.function;
    node.params = arguments.list;
    Handle stream = nullptr, captured = nullptr, graph = nullptr, child = nullptr, executable = nullptr;
    Handle first = nullptr, second = nullptr, nested = nullptr;
    const Handle none = nullptr;
    must("cuStreamCreate", &stream, 1u);
    must("cuGraphCreate", &child, 0u);
    must("cuGraphAddKernelNode_v2", &first, child, &none, std::size_t{0}, static_cast<const void*>(&node));
    must("cuGraphAddKernelNode_v2", &first, child, &none, std::size_t{0}, static_cast<const void*>(&node));
    must("cuGraphCreate", &graph, 0u);
    must("cuGraphAddKernelNode_v2", &first, graph, &none, std::size_t{0}, static_cast<const void*>(&node));
    node.function = two.function;
    must("cuGraphAddKernelNode_v2", &second, graph, &none, std::size_t{0}, static_cast<const void*>(&node));
    must("cuGraphAddChildGraphNode", &nested, graph, &none, std::size_t{0}, child);
    must("cuGraphInstantiateWithFlags", &executable, graph, 0ull);
    unsigned runs = 0;
    const auto go = [&](unsigned times, unsigned kernels) {
        for (unsigned i = 0; i < times; ++i)
            must("cuGraphLaunch", executable, stream);
        runs += times * kernels;
    };
    go(5, 4);
    must("cuGraphExecKernelNodeSetParams_v2", executable, first, static_cast<const void*>(&node));
    go(3, 4);
    must("cuGraphNodeSetEnabled", executable, second, 0u);
    go(2, 3);
    must("cuStreamSynchronize", stream);
    must("cuGraphExecDestroy", executable);
    must("cuStreamBeginCapture_v2", stream, 0);
    for (int i = 0; i < 6; ++i)
        launch(one.function, arguments, stream);
    must("cuStreamEndCapture", stream, &captured);
    must("cuGraphInstantiateWithFlags", &executable, captured, 0ull);
    go(7, 6);
    must("cuStreamSynchronize", stream);
    std::printf("recorded %u\nruns %u\n", 6 + 4, runs);
    launches += 4;  // nodes by hand
}

void from_ptx(bool linked) {
    Arguments arguments;
    Handle module = nullptr, function = nullptr, state = nullptr;
    void* cubin = nullptr;
    std::size_t size = 0;
    int* const no_options = nullptr;
    void** const no_values = nullptr;
    if (linked) {
        must("cuLinkCreate_v2", 0u, no_options, no_values, &state);
        must("cuLinkAddData_v2", state, 1, static_cast<void*>(image.data()), image.size() + 1, "launches", 0u, no_options,
             no_values);
        must("cuLinkComplete", state, &cubin, &size);
        must("cuModuleLoadData", &module, static_cast<const void*>(cubin));
        must("cuLinkDestroy", state);
    } else {
        must("cuModuleLoadDataEx", &module, static_cast<const void*>(image.data()), 0u, no_options, no_values);
    }
    must("cuModuleGetFunction", &function, module, kernel.c_str());
    for (int i = 0; i < 5; ++i)
        launch(function, arguments);
}

void from_library(const std::vector<Handle>& contexts) {
    Handle library = nullptr, own = nullptr;
    int* const no_options = nullptr;
    void** const no_values = nullptr;
    must("cuLibraryLoadData", &library, static_cast<const void*>(image.data()), no_options, no_values, 0u, no_options,
         no_values, 0u);
    must("cuLibraryGetKernel", &own, library, kernel.c_str());
    for (int i = 0; i < 2; ++i) {
        must("cuCtxSetCurrent", contexts[static_cast<std::size_t>(i)]);
        Arguments arguments;
        Handle function = nullptr;
        must("cuKernelGetFunction", &function, own);
        for (int k = 0; k < 10; ++k)
            launch(k % 2 ? function : own, arguments);
        must("cuCtxSynchronize");
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return 8;
    const std::string scenario = argv[1];
    std::ifstream in(argv[2], std::ios::binary);
    image.assign((std::istreambuf_iterator<char>(in)), {});
    kernel = argv[3];
    if (image.empty() || !find("cuInit")) return 7;
    must("cuInit", 0u);
    std::vector<Handle> contexts(4);
    must("cuDevicePrimaryCtxRetain", &contexts[0], 0);
    for (std::size_t i = 1; i < contexts.size(); ++i)
        must("cuCtxCreate_v2", &contexts[i], 0u, 0);
    must("cuCtxSetCurrent", contexts[0]);
    if (scenario == "threads") in_threads(contexts);
    if (scenario == "loads") two_loads();
    if (scenario == "entries") by_each_entry();
    if (scenario == "graphs") through_graphs();
    if (scenario == "ptx" || scenario == "link") from_ptx(scenario == "link");
    if (scenario == "library") from_library(contexts);
    must("cuCtxSynchronize");
    std::printf("launches %u\n", launches.load());
    return 0;
}
