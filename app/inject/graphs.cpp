// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs. A node launches the function that the program names, which is the tuned one where its image was replaced; a
// recompiled kernel is put into the node instead of the original.
// What a graph launch runs is counted: the driver is asked for the kernel nodes of a graph, child graphs included,
// when it is instantiated, and updates of the executable graph are followed.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "app/inject/hooks.h"
#include "app/inject/kernels.h"
#include "app/inject/launch.h"
#include "app/inject/settings.h"
#include "app/inject/tally.h"

namespace cubinlab::inject {
namespace {

// The fields of CUDA_KERNEL_NODE_PARAMS that we read: the function first; the kernel of version 2 at byte 56.
constexpr std::size_t kKernelAt = 56, kNodeParams = 256;
constexpr int kMostChildren = 32;

Handle pointer_at(const void* params, std::size_t offset) {
    return *reinterpret_cast<void* const*>(static_cast<const char*>(params) + offset);
}

// Sizes of CUDA_KERNEL_NODE_PARAMS and of CUgraphNodeParams, whose own parameters begin at kOwnAt.
constexpr std::size_t kFirstParams = 56, kSecondParams = 72, kAnyParams = 256, kOwnAt = 16;

// The driver's call with a recompiled kernel in the node. Where there is none, or the driver refuses it, as the program asked.
// `at`: of the kernel's parameters.
template <std::size_t kSize, class Call>
Code with_recompiled(const void* params, std::size_t at, Call call) {
    constexpr bool kHasKernel = kSize > kFirstParams;
    alignas(16) char copy[kSize];
    bool changed = false;
    guarded([&] {
        if (!params) return;
        const Handle function = pointer_at(params, at),
                     kernel = kHasKernel ? pointer_at(params, at + kKernelAt) : nullptr;
        const LoadedKernel* const known = find_kernel(function ? function : kernel);
        const Handle instead = known ? known->instead.load() : nullptr;
        // A CUkernel has a member of its own, which the first version lacks.
        if (!instead || instead == function || instead == kernel || (known->is_kernel && !kHasKernel)) return;
        match_attributes(*known, function ? function : kernel, instead);
        const Handle none = nullptr;
        std::memcpy(copy, params, kSize);
        std::memcpy(copy + at, known->is_kernel ? &none : &instead, sizeof instead);
        if (kHasKernel)
            std::memcpy(copy + at + kKernelAt, known->is_kernel ? &instead : &none, sizeof instead);
        changed = true;
    });
    if (changed && call(static_cast<void*>(copy)) == kSuccess) return kSuccess;
    return call(const_cast<void*>(params));
}

struct Node {
    Handle node = nullptr;  // of the outermost graph
    Kernel* kernel = nullptr;
    bool enabled = true;
};
struct Runs {
    Kernel* kernel = nullptr;
    std::uint64_t count = 0;
};
struct Executable {
    std::vector<Node> nodes;
    std::vector<Runs> runs;  // of one launch

    void count() {
        runs.clear();
        for (const Node& one : nodes) {
            if (!one.enabled) continue;
            const auto known =
                std::find_if(runs.begin(), runs.end(), [&](const Runs& r) { return r.kernel == one.kernel; });
            if (known == runs.end())
                runs.push_back({one.kernel, 1});
            else
                ++known->count;
        }
    }
};

std::mutex& graphs_lock() {
    static auto* const mutex = new std::mutex;
    return *mutex;
}
std::unordered_map<Handle, Executable>& executables() {
    static auto* const all = new std::unordered_map<Handle, Executable>;
    return *all;
}

// Null: unknown, or ignored. A node may name the kernel or the function that the driver made of it.
Kernel* kernel_of(Handle function, Handle kernel) {
    for (const Handle handle : {function, kernel})
        if (LoadedKernel* known = handle ? find_kernel(handle) : nullptr) return known->counts;
    const char* name = nullptr;
    if (!function || !calls().function_name || calls().function_name(&name, function) != kSuccess || !name)
        return nullptr;
    Kernel* only = nullptr;
    {
        const std::lock_guard lock(kernels_lock());
        int found = 0;
        for (Kernel* one : all_kernels())
            if (one->name == name) {
                only = one;
                ++found;
            }
        if (found > 1) only = nullptr;
    }
    if (only || !settings().list) return only;
    see_kernel(function, name, nullptr, false);
    const LoadedKernel* const made = find_kernel(function);
    return made ? made->counts : nullptr;
}

void collect(Handle graph, Handle owner, std::vector<Node>& out, int depth) {
    const Calls& cuda = calls();
    const auto params_of = cuda.node_kernel_2 ? cuda.node_kernel_2 : cuda.node_kernel;
    std::size_t count = 0;
    if (!cuda.graph_nodes || !cuda.node_type || !params_of || !cuda.node_child ||
        cuda.graph_nodes(graph, nullptr, &count) != kSuccess) {
        note("what graphs run is not counted: this driver does not show their nodes");
        return;
    }
    std::vector<Handle> nodes(count);
    if (count == 0 || cuda.graph_nodes(graph, nodes.data(), &count) != kSuccess) return;
    for (const Handle node : nodes) {
        int type = -1;
        if (cuda.node_type(node, &type) != kSuccess) continue;
        if (type == kNodeConditional)
            note("kernels in conditional nodes of graphs are neither counted nor timed: the GPU decides on them");
        Handle child = nullptr;
        if (type == kNodeChild && depth < kMostChildren && cuda.node_child(node, &child) == kSuccess)
            collect(child, owner ? owner : node, out, depth + 1);
        if (type != kNodeKernel) continue;
        alignas(16) char params[kNodeParams] = {};
        if (params_of(node, params) != kSuccess) continue;
        const Handle kernel = cuda.node_kernel_2 ? pointer_at(params, kKernelAt) : nullptr;
        if (Kernel* known = kernel_of(pointer_at(params, 0), kernel)) out.push_back({owner ? owner : node, known});
    }
}

void take_contents(Handle executable, Handle graph) {
    guarded([&] {
        Executable made;
        collect(graph, nullptr, made.nodes, 0);
        made.count();
        const std::lock_guard lock(graphs_lock());
        executables()[executable] = std::move(made);
    });
}

template <class Change>
void change(Handle executable, Change how) {
    guarded([&] {
        const std::lock_guard lock(graphs_lock());
        const auto found = executables().find(executable);
        if (found == executables().end()) return;
        how(found->second.nodes);
        found->second.count();
    });
}

void set_kernel(Handle executable, Handle node, Handle function, Handle kernel) {
    Kernel* known = nullptr;
    guarded([&] { known = kernel_of(function, kernel); });
    change(executable, [&](std::vector<Node>& nodes) {
        bool enabled = true;
        std::erase_if(nodes, [&](const Node& one) {
            if (one.node == node) enabled = one.enabled;
            return one.node == node;
        });
        if (known) nodes.push_back({node, known, enabled});
    });
}

void note_device_launch(unsigned long long flags) {
    if ((flags & kInstantiateForDevice) != 0)
        guarded([] { note("a graph may be launched by the GPU itself: such launches are neither counted nor timed"); });
}

template <class... Types>
Code instantiate(Slot slot, Handle* executable, Handle graph, Types... more) {
    const auto theirs = real<Code (*)(Handle*, Handle, Types...)>(slot);
    if (!theirs) return kNotFound;
    const Code result = theirs(executable, graph, more...);
    if (result == kSuccess && executable && settings().active()) take_contents(*executable, graph);
    return result;
}

Code instantiate_with_params(Slot slot, Handle* executable, Handle graph, void* params) {
    // CUDA_GRAPH_INSTANTIATE_PARAMS begins with the flags.
    if (params) note_device_launch(*static_cast<const unsigned long long*>(params));
    return instantiate(slot, executable, graph, params);
}

template <class... Types>
Code update(Slot slot, Handle executable, Handle graph, Types... more) {
    const auto theirs = real<Code (*)(Handle, Handle, Types...)>(slot);
    if (!theirs) return kNotFound;
    const Code result = theirs(executable, graph, more...);
    if (result == kSuccess) take_contents(executable, graph);
    return result;
}

Code launch_graph(Slot slot, Handle executable, Handle stream) {
    const auto theirs = real<Code (*)(Handle, Handle)>(slot);
    if (!theirs) return kNotFound;
    const Code result = theirs(executable, stream);
    if (result != kSuccess) return result;
    tally().graph_launches.fetch_add(1, std::memory_order_relaxed);
    guarded([&] {
        const std::lock_guard lock(graphs_lock());
        const auto found = executables().find(executable);
        if (found == executables().end()) return;
        for (const Runs& one : found->second.runs)
            one.kernel->graph_runs.fetch_add(one.count, std::memory_order_relaxed);
    });
    return result;
}

void count_node(Handle function, Handle kernel) {
    guarded([&] {
        tally().graph_nodes.fetch_add(1, std::memory_order_relaxed);
        Kernel* const known = kernel_of(function, kernel);
        if (!known) return;
        known->launches.fetch_add(1, std::memory_order_relaxed);
        known->recorded.fetch_add(1, std::memory_order_relaxed);
    });
}

Code add_kernel_node(Slot slot, bool second, Handle* node, Handle graph, const void* after, std::size_t count,
                     const void* params) {
    const auto theirs = real<Code (*)(Handle*, Handle, const void*, std::size_t, const void*)>(slot);
    if (!theirs) return kNotFound;
    const auto add = [&](const void* with) { return theirs(node, graph, after, count, with); };
    const Code result = second ? with_recompiled<kSecondParams>(params, 0, add)
                               : with_recompiled<kFirstParams>(params, 0, add);
    if (result == kSuccess && params)
        count_node(pointer_at(params, 0), second ? pointer_at(params, kKernelAt) : nullptr);
    return result;
}

// CUgraphNodeParams: the type first, the node's own parameters at byte 16.
bool is_kernel_node(const void* params) {
    return params && *static_cast<const int*>(params) == kNodeKernel;
}

Code set_kernel_params(Slot slot, bool second, Handle executable, Handle node, const void* params) {
    const auto theirs = real<Code (*)(Handle, Handle, const void*)>(slot);
    if (!theirs) return kNotFound;
    const auto set = [&](const void* with) { return theirs(executable, node, with); };
    const Code result = second ? with_recompiled<kSecondParams>(params, 0, set)
                               : with_recompiled<kFirstParams>(params, 0, set);
    if (result == kSuccess && params)
        set_kernel(executable, node, pointer_at(params, 0), second ? pointer_at(params, kKernelAt) : nullptr);
    return result;
}

}  // namespace
}  // namespace cubinlab::inject

using namespace cubinlab::inject;

CUBINLAB_HOOK cuGraphAddKernelNode(Handle* node, Handle graph, const void* after, std::size_t count,
                                   const void* params) {
    return add_kernel_node(Slot::GraphAddKernel1, false, node, graph, after, count, params);
}
CUBINLAB_HOOK cuGraphAddKernelNode_v2(Handle* node, Handle graph, const void* after, std::size_t count,
                                      const void* params) {
    return add_kernel_node(Slot::GraphAddKernel2, true, node, graph, after, count, params);
}
CUBINLAB_HOOK cuGraphAddNode(Handle* node, Handle graph, const void* after, std::size_t count, void* params) {
    const auto theirs = real<Code (*)(Handle*, Handle, const void*, std::size_t, void*)>(Slot::GraphAddNode1);
    if (!theirs) return kNotFound;
    const auto add = [&](void* with) { return theirs(node, graph, after, count, with); };
    const Code result =
        is_kernel_node(params) ? with_recompiled<kAnyParams>(params, kOwnAt, add) : add(params);
    if (result == kSuccess && is_kernel_node(params))
        count_node(pointer_at(params, kOwnAt), pointer_at(params, kOwnAt + kKernelAt));
    return result;
}
CUBINLAB_HOOK cuGraphAddNode_v2(Handle* node, Handle graph, const void* after, const void* data,
                                std::size_t count, void* params) {
    const auto theirs =
        real<Code (*)(Handle*, Handle, const void*, const void*, std::size_t, void*)>(Slot::GraphAddNode2);
    if (!theirs) return kNotFound;
    const auto add = [&](void* with) { return theirs(node, graph, after, data, count, with); };
    const Code result =
        is_kernel_node(params) ? with_recompiled<kAnyParams>(params, kOwnAt, add) : add(params);
    if (result == kSuccess && is_kernel_node(params))
        count_node(pointer_at(params, kOwnAt), pointer_at(params, kOwnAt + kKernelAt));
    return result;
}

CUBINLAB_HOOK cuGraphInstantiate(Handle* executable, Handle graph, Handle* node, char* log, std::size_t size) {
    return instantiate(Slot::GraphInstantiate1, executable, graph, node, log, size);
}
CUBINLAB_HOOK cuGraphInstantiate_v2(Handle* executable, Handle graph, Handle* node, char* log, std::size_t size) {
    return instantiate(Slot::GraphInstantiate2, executable, graph, node, log, size);
}
CUBINLAB_HOOK cuGraphInstantiateWithFlags(Handle* executable, Handle graph, unsigned long long flags) {
    note_device_launch(flags);
    return instantiate(Slot::GraphInstantiateFlags, executable, graph, flags);
}
CUBINLAB_HOOK cuGraphInstantiateWithParams(Handle* executable, Handle graph, void* params) {
    return instantiate_with_params(Slot::GraphInstantiateParams, executable, graph, params);
}
CUBINLAB_HOOK cuGraphInstantiateWithParams_ptsz(Handle* executable, Handle graph, void* params) {
    return instantiate_with_params(Slot::GraphInstantiateParamsPerThread, executable, graph, params);
}
CUBINLAB_HOOK cuGraphExecDestroy(Handle executable) {
    const auto theirs = real<Code (*)(Handle)>(Slot::ExecDestroy);
    if (!theirs) return kNotFound;
    // First: the driver may give the handle to another graph at once.
    guarded([&] {
        const std::lock_guard lock(graphs_lock());
        executables().erase(executable);
    });
    return theirs(executable);
}
CUBINLAB_HOOK cuGraphExecUpdate(Handle executable, Handle graph, Handle* node, int* result) {
    return update(Slot::ExecUpdate1, executable, graph, node, result);
}
CUBINLAB_HOOK cuGraphExecUpdate_v2(Handle executable, Handle graph, void* result) {
    return update(Slot::ExecUpdate2, executable, graph, result);
}
CUBINLAB_HOOK cuGraphExecKernelNodeSetParams(Handle executable, Handle node, const void* params) {
    return set_kernel_params(Slot::ExecKernelParams1, false, executable, node, params);
}
CUBINLAB_HOOK cuGraphExecKernelNodeSetParams_v2(Handle executable, Handle node, const void* params) {
    return set_kernel_params(Slot::ExecKernelParams2, true, executable, node, params);
}
CUBINLAB_HOOK cuGraphExecNodeSetParams(Handle executable, Handle node, void* params) {
    const auto theirs = real<Code (*)(Handle, Handle, void*)>(Slot::ExecNodeParams);
    if (!theirs) return kNotFound;
    const auto set = [&](void* with) { return theirs(executable, node, with); };
    const Code result =
        is_kernel_node(params) ? with_recompiled<kAnyParams>(params, kOwnAt, set) : set(params);
    if (result == kSuccess && is_kernel_node(params))
        set_kernel(executable, node, pointer_at(params, kOwnAt), pointer_at(params, kOwnAt + kKernelAt));
    return result;
}
CUBINLAB_HOOK cuGraphExecChildGraphNodeSetParams(Handle executable, Handle node, Handle child) {
    const auto theirs = real<Code (*)(Handle, Handle, Handle)>(Slot::ExecChildParams);
    if (!theirs) return kNotFound;
    const Code result = theirs(executable, node, child);
    if (result != kSuccess) return result;
    std::vector<Node> inside;
    guarded([&] { collect(child, node, inside, 1); });
    change(executable, [&](std::vector<Node>& nodes) {
        std::erase_if(nodes, [&](const Node& one) { return one.node == node; });
        nodes.insert(nodes.end(), inside.begin(), inside.end());
    });
    return result;
}
CUBINLAB_HOOK cuGraphNodeSetEnabled(Handle executable, Handle node, unsigned enabled) {
    const auto theirs = real<Code (*)(Handle, Handle, unsigned)>(Slot::NodeSetEnabled);
    if (!theirs) return kNotFound;
    const Code result = theirs(executable, node, enabled);
    if (result == kSuccess)
        change(executable, [&](std::vector<Node>& nodes) {
            for (Node& one : nodes)
                if (one.node == node) one.enabled = enabled != 0;
        });
    return result;
}
CUBINLAB_HOOK cuGraphLaunch(Handle executable, Handle stream) {
    return launch_graph(Slot::GraphLaunch, executable, stream);
}
CUBINLAB_HOOK cuGraphLaunch_ptsz(Handle executable, Handle stream) {
    return launch_graph(Slot::GraphLaunchPerThread, executable, stream);
}
