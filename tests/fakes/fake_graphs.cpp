// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the stand-in driver that records: stream capture, graphs made by hand, child graphs, executable graphs and
// their updates; and what makes code at run time: PTX, and the driver's linker.
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>

#include "tests/fakes/fake_module.h"

using Handle = void*;

namespace {

struct Graph;
struct Node {
    fake::Module* kernel = nullptr;  // null: a child graph
    std::vector<unsigned char> bytes;
    Graph* child = nullptr;
};
struct Graph {
    std::vector<Node*> nodes;
};
struct Executable {
    struct Step {
        Node* of;  // of the graph that it was made from
        Node now;
        bool enabled = true;
    };
    std::vector<Step> steps;
};
std::mutex recording;  // of what follows
std::map<Handle, Graph*> captures;
bool spoilt = false;

// CUDA_KERNEL_NODE_PARAMS: the function first, the parameters at byte 40, the kernel of version 2 at byte 56.
Node node_from(const void* params, bool second) {
    const auto at = [&](std::size_t offset) {
        void* value = nullptr;
        std::memcpy(&value, static_cast<const char*>(params) + offset, sizeof value);
        return value;
    };
    Node out;
    out.kernel = static_cast<fake::Module*>(at(0) || !second ? at(0) : at(56));
    out.bytes = fake::flat(*out.kernel, static_cast<void**>(at(40)), nullptr);
    return out;
}

int run(const Graph& graph);
int run(const Node& node) {
    if (node.child) return run(*node.child);
    void* packed[] = {reinterpret_cast<void*>(1), const_cast<unsigned char*>(node.bytes.data()), nullptr};
    return fake::run_kernel(*node.kernel, nullptr, packed);
}
int run(const Graph& graph) {
    for (const Node* node : graph.nodes)
        if (const int code = run(*node); code != 0) return code;
    return 0;
}

std::vector<Executable::Step> steps_of(const Graph& graph) {
    std::vector<Executable::Step> out;
    for (Node* node : graph.nodes)
        out.push_back({node, *node});
    return out;
}

Executable::Step* step_of(Handle executable, Handle node) {
    for (Executable::Step& step : static_cast<Executable*>(executable)->steps)
        if (step.of == node) return &step;
    return nullptr;
}

int add(Handle* made, Handle graph, Node node) {
    auto* out = new Node(std::move(node));
    static_cast<Graph*>(graph)->nodes.push_back(out);
    return *made = out, 0;
}

struct Link {
    std::vector<std::byte> cubin;
};

}  // namespace

bool fake::spoils_capture() {
    const std::lock_guard guard(recording);
    if (!captures.empty()) spoilt = true;
    return !captures.empty();
}

bool fake::record_launch(void* stream, Module* kernel, void** params, void** extra) {
    const std::lock_guard guard(recording);
    const auto found = captures.find(stream);
    if (found == captures.end()) return false;
    found->second->nodes.push_back(new Node{kernel, flat(*kernel, params, extra), nullptr});
    return true;
}

std::vector<std::byte> fake::compiled(const void* ptx) {
    constexpr std::string_view kHead = "//cubin ";
    const auto* text = static_cast<const char*>(ptx);
    if (std::strncmp(text, kHead.data(), kHead.size()) != 0) return {};
    const std::string path(text + kHead.size(), std::strcspn(text + kHead.size(), "\n"));
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    return {first, first + bytes.size()};
}

extern "C" {
#define FAKE __attribute__((visibility("default"))) int

FAKE cuStreamBeginCapture_v2(Handle stream, int) {
    const std::lock_guard guard(recording);
    if (captures.count(stream) != 0) return 901;
    captures[stream] = new Graph;
    spoilt = false;
    return 0;
}
FAKE cuStreamEndCapture(Handle stream, Handle* graph) {
    const std::lock_guard guard(recording);
    const auto found = captures.find(stream);
    if (found == captures.end()) return 901;
    *graph = found->second;
    captures.erase(found);
    return spoilt ? 901 : 0;
}
FAKE cuStreamIsCapturing(Handle stream, int* state) {
    if (fake::failed() != 0) return fake::failed();
    const std::lock_guard guard(recording);
    return *state = captures.count(stream) != 0 ? 1 : 0, 0;
}

FAKE cuGraphCreate(Handle* graph, unsigned) {
    return *graph = new Graph, 0;
}
FAKE cuGraphAddKernelNode(Handle* node, Handle graph, const Handle*, std::size_t, const void* params) {
    return add(node, graph, node_from(params, false));
}
FAKE cuGraphAddKernelNode_v2(Handle* node, Handle graph, const Handle*, std::size_t, const void* params) {
    return add(node, graph, node_from(params, true));
}
// CUgraphNodeParams: the type, and at byte 16 the parameters of a kernel.
FAKE cuGraphAddNode_v2(Handle* node, Handle graph, const Handle*, const void*, std::size_t, void* params) {
    int type = 0;
    std::memcpy(&type, params, sizeof type);
    if (type != 0) return 801;
    return add(node, graph, node_from(static_cast<const char*>(params) + 16, true));
}
FAKE cuGraphAddChildGraphNode(Handle* node, Handle graph, const Handle*, std::size_t, Handle child) {
    return add(node, graph, {nullptr, {}, new Graph(*static_cast<Graph*>(child))});
}
FAKE cuGraphGetNodes(Handle graph, Handle* nodes, std::size_t* count) {
    const auto& all = static_cast<Graph*>(graph)->nodes;
    for (std::size_t i = 0; nodes && i < *count && i < all.size(); ++i)
        nodes[i] = all[i];
    return *count = all.size(), 0;
}
FAKE cuGraphNodeGetType(Handle node, int* type) {
    return *type = static_cast<Node*>(node)->child ? 4 : 0, 0;
}
FAKE cuGraphKernelNodeGetParams_v2(Handle node, void* params) {
    std::memset(params, 0, 72);
    return std::memcpy(params, &static_cast<Node*>(node)->kernel, sizeof(Handle)), 0;
}
FAKE cuGraphChildGraphNodeGetGraph(Handle node, Handle* graph) {
    return *graph = static_cast<Node*>(node)->child, 0;
}
FAKE cuGraphInstantiateWithFlags(Handle* out, Handle graph, unsigned long long) {
    return *out = new Executable{steps_of(*static_cast<Graph*>(graph))}, 0;
}
FAKE cuGraphExecDestroy(Handle executable) {
    return delete static_cast<Executable*>(executable), 0;
}
FAKE cuGraphExecUpdate_v2(Handle executable, Handle graph, void*) {
    auto& steps = static_cast<Executable*>(executable)->steps;
    auto fresh = steps_of(*static_cast<Graph*>(graph));
    if (fresh.size() != steps.size()) return 910;
    return steps = std::move(fresh), 0;
}
FAKE cuGraphExecKernelNodeSetParams_v2(Handle executable, Handle node, const void* params) {
    Executable::Step* step = step_of(executable, node);
    if (!step) return 1;
    return step->now = node_from(params, true), 0;
}
FAKE cuGraphExecChildGraphNodeSetParams(Handle executable, Handle node, Handle child) {
    Executable::Step* step = step_of(executable, node);
    if (!step || !step->now.child) return 1;
    return step->now.child = new Graph(*static_cast<Graph*>(child)), 0;
}
FAKE cuGraphNodeSetEnabled(Handle executable, Handle node, unsigned enabled) {
    Executable::Step* step = step_of(executable, node);
    if (!step) return 1;
    return step->enabled = enabled != 0, 0;
}
FAKE cuGraphLaunch(Handle executable, Handle) {
    for (const Executable::Step& step : static_cast<Executable*>(executable)->steps)
        if (const int code = step.enabled ? run(step.now) : 0; code != 0) return code;
    return 0;
}

FAKE cuLinkCreate_v2(unsigned, int*, void**, Handle* state) {
    return *state = new Link, 0;
}
FAKE cuLinkAddData_v2(Handle state, int, void* data, std::size_t, const char*, unsigned, int*, void**) {
    auto& cubin = static_cast<Link*>(state)->cubin;
    cubin = fake::compiled(data);
    return cubin.empty() ? 218 : 0;
}
FAKE cuLinkAddFile_v2(Handle state, int type, const char* path, unsigned, int*, void**) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    std::string ptx = text.str();
    return cuLinkAddData_v2(state, type, ptx.data(), ptx.size() + 1, path, 0, nullptr, nullptr);
}
FAKE cuLinkComplete(Handle state, void** cubin, std::size_t* size) {
    auto& made = static_cast<Link*>(state)->cubin;
    if (made.empty()) return 1;
    *cubin = made.data();
    return *size = made.size(), 0;
}
FAKE cuLinkDestroy(Handle state) {
    return delete static_cast<Link*>(state), 0;
}
}
