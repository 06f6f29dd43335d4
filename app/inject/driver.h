// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA driver functions that the library hooks: types, the table of hooks, and the driver's own
// functions, found once. Programs get the hooks by address (lookup.h, bindings.h); none is exported. The declarations are ours, so the build needs neither a toolkit nor a driver;
// driver_check.cpp compares them with cuda.h if there is one.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cubinlab::inject {

using Code = int;  // CUresult
using Handle = void*;
using Address = unsigned long long;  // CUdeviceptr

inline constexpr Code kSuccess = 0, kNotFound = 500, kUnknown = 999;
inline constexpr Code kFirstCaptureError = 900,
                      kLastCaptureError = 909;                    // errors of calls on a stream in capture
std::string error_text(Code code);                                // "CUDA error 700, an illegal address"
inline constexpr int kAttributeMajor = 75, kAttributeMinor = 76;  // CUdevice_attribute
inline constexpr int kFunctionDynamicShared = 8, kFunctionNonPortableCluster = 14, kFunctionCarveOut = 9;
// CUpointer_attribute
inline constexpr int kPointerMemoryType = 2, kPointerManaged = 8, kPointerOrdinal = 9,
                     kPointerRangeStart = 11, kPointerRangeSize = 12;
inline constexpr int kMemoryHost = 1, kMemoryDevice = 2;
// `extra` of a launch
inline constexpr std::uintptr_t kExtraEnd = 0, kExtraBuffer = 1, kExtraSize = 2;
// CUlaunchAttributeID
inline constexpr int kLaunchCooperative = 2, kLaunchCluster = 4;

// CUgraphNodeType; CUgraphInstantiate_flags
inline constexpr int kNodeKernel = 0, kNodeChild = 4, kNodeConditional = 13;
inline constexpr unsigned long long kInstantiateForDevice = 4;

struct LaunchAttribute {
    int id = 0;
    char pad[4] = {};
    union {
        char bytes[64];
        unsigned numbers[16];
    } value = {};
};
struct LaunchConfig {
    unsigned grid[3] = {1, 1, 1};
    unsigned block[3] = {1, 1, 1};
    unsigned shared = 0;
    Handle stream = nullptr;
    LaunchAttribute* attributes = nullptr;
    unsigned count = 0;
};

// X(slot, name). Several names of one function share one implementation; each has a slot.
#define CUBINLAB_HOOKS(X)                                             \
    X(ModuleLoad, cuModuleLoad)                                       \
    X(ModuleLoadData, cuModuleLoadData)                               \
    X(ModuleLoadDataEx, cuModuleLoadDataEx)                           \
    X(ModuleLoadFatBinary, cuModuleLoadFatBinary)                     \
    X(ModuleUnload, cuModuleUnload)                                   \
    X(ModuleGetFunction, cuModuleGetFunction)                         \
    X(ModuleEnumerate, cuModuleEnumerateFunctions)                    \
    X(LibraryLoadData, cuLibraryLoadData)                             \
    X(LibraryLoadFile, cuLibraryLoadFromFile)                         \
    X(LibraryUnload, cuLibraryUnload)                                 \
    X(LibraryGetKernel, cuLibraryGetKernel)                           \
    X(LibraryGetModule, cuLibraryGetModule)                           \
    X(LibraryEnumerate, cuLibraryEnumerateKernels)                    \
    X(KernelGetFunction, cuKernelGetFunction)                         \
    X(Launch, cuLaunchKernel)                                         \
    X(LaunchPerThread, cuLaunchKernel_ptsz)                           \
    X(LaunchEx, cuLaunchKernelEx)                                     \
    X(LaunchExPerThread, cuLaunchKernelEx_ptsz)                       \
    X(LaunchCooperative, cuLaunchCooperativeKernel)                   \
    X(LaunchCooperativePerThread, cuLaunchCooperativeKernel_ptsz)     \
    X(LaunchSeveralDevices, cuLaunchCooperativeKernelMultiDevice)     \
    X(LaunchOld, cuLaunch)                                            \
    X(LaunchOldGrid, cuLaunchGrid)                                    \
    X(LaunchOldGridAsync, cuLaunchGridAsync)                          \
    X(GraphAddKernel1, cuGraphAddKernelNode)                          \
    X(GraphAddKernel2, cuGraphAddKernelNode_v2)                       \
    X(GraphAddNode1, cuGraphAddNode)                                  \
    X(GraphAddNode2, cuGraphAddNode_v2)                               \
    X(GraphInstantiate1, cuGraphInstantiate)                          \
    X(GraphInstantiate2, cuGraphInstantiate_v2)                       \
    X(GraphInstantiateFlags, cuGraphInstantiateWithFlags)             \
    X(GraphInstantiateParams, cuGraphInstantiateWithParams)           \
    X(GraphInstantiateParamsPerThread, cuGraphInstantiateWithParams_ptsz)\
    X(ExecDestroy, cuGraphExecDestroy)                                \
    X(ExecUpdate1, cuGraphExecUpdate)                                 \
    X(ExecUpdate2, cuGraphExecUpdate_v2)                              \
    X(ExecKernelParams1, cuGraphExecKernelNodeSetParams)              \
    X(ExecKernelParams2, cuGraphExecKernelNodeSetParams_v2)           \
    X(ExecNodeParams, cuGraphExecNodeSetParams)                       \
    X(ExecChildParams, cuGraphExecChildGraphNodeSetParams)            \
    X(NodeSetEnabled, cuGraphNodeSetEnabled)                          \
    X(GraphLaunch, cuGraphLaunch)                                     \
    X(GraphLaunchPerThread, cuGraphLaunch_ptsz)                       \
    X(LinkAddData1, cuLinkAddData)                                    \
    X(LinkAddData2, cuLinkAddData_v2)                                 \
    X(LinkAddFile1, cuLinkAddFile)                                    \
    X(LinkAddFile2, cuLinkAddFile_v2)                                 \
    X(LinkComplete, cuLinkComplete)                                   \
    X(LinkDestroy, cuLinkDestroy)                                     \
    X(BeginCapture1, cuStreamBeginCapture)                            \
    X(BeginCapture1PerThread, cuStreamBeginCapture_ptsz)              \
    X(BeginCapture2, cuStreamBeginCapture_v2)                         \
    X(BeginCapture2PerThread, cuStreamBeginCapture_v2_ptsz)           \
    X(BeginCaptureToGraph, cuStreamBeginCaptureToGraph)               \
    X(BeginCaptureToGraphPerThread, cuStreamBeginCaptureToGraph_ptsz) \
    X(EndCapture, cuStreamEndCapture)                                 \
    X(EndCapturePerThread, cuStreamEndCapture_ptsz)                   \
    X(GetProcAddress1, cuGetProcAddress)                              \
    X(GetProcAddress2, cuGetProcAddress_v2)                           \
    X(GetProcAddress2PerThread, cuGetProcAddress_v2_ptsz)

enum class Slot {
#define X(slot, name) slot,
    CUBINLAB_HOOKS(X)
#undef X
        Count
};

// Functions that we call and do not hook. X(member, exported name, parameters)
#define CUBINLAB_CALLS(X)                                                                               \
    X(device_get, cuDeviceGet, (int*, int))                                                             \
    X(device_count, cuDeviceGetCount, (int*))                                                           \
    X(device_attribute, cuDeviceGetAttribute, (int*, int, int))                                         \
    X(device_name, cuDeviceGetName, (char*, int, int))                                                  \
    X(context_current, cuCtxGetCurrent, (Handle*))                                                      \
    X(context_device, cuCtxGetDevice, (int*))                                                           \
    X(context_synchronize, cuCtxSynchronize, ())                                                        \
    X(stream_capturing, cuStreamIsCapturing, (Handle, int*))                                            \
    X(event_create, cuEventCreate, (Handle*, unsigned))                                                 \
    X(event_record, cuEventRecord, (Handle, Handle))                                                    \
    X(event_record_per_thread, cuEventRecord_ptsz, (Handle, Handle))                                    \
    X(event_query, cuEventQuery, (Handle))                                                              \
    X(event_elapsed, cuEventElapsedTime, (float*, Handle, Handle))                                      \
    X(stream_wait_value, cuStreamWaitValue32_v2, (Handle, Address, unsigned, unsigned))                 \
    X(stream_wait_value_per_thread, cuStreamWaitValue32_v2_ptsz, (Handle, Address, unsigned, unsigned)) \
    X(host_register, cuMemHostRegister_v2, (void*, std::size_t, unsigned))                              \
    X(host_address, cuMemHostGetDevicePointer_v2, (Address*, void*, unsigned))                          \
    X(copy_to_host, cuMemcpyDtoH_v2, (void*, Address, std::size_t))                                     \
    X(copy_on_device, cuMemcpyDtoDAsync_v2, (Address, Address, std::size_t, Handle))                    \
    X(copy_on_device_per_thread, cuMemcpyDtoDAsync_v2_ptsz, (Address, Address, std::size_t, Handle))    \
    X(address_range, cuMemGetAddressRange_v2, (Address*, std::size_t*, Address))                        \
    X(pointer_attributes, cuPointerGetAttributes, (unsigned, int*, void**, Address))                    \
    X(kernel_name, cuKernelGetName, (const char**, Handle))                                             \
    X(kernel_params, cuKernelGetParamInfo, (Handle, std::size_t, std::size_t*, std::size_t*))           \
    X(kernel_attribute, cuKernelGetAttribute, (int*, int, Handle, int))                                 \
    X(kernel_set_attribute, cuKernelSetAttribute, (int, int, Handle, int))                              \
    X(function_name, cuFuncGetName, (const char**, Handle))                                             \
    X(function_params, cuFuncGetParamInfo, (Handle, std::size_t, std::size_t*, std::size_t*))           \
    X(function_attribute, cuFuncGetAttribute, (int*, int, Handle))                                      \
    X(function_set_attribute, cuFuncSetAttribute, (Handle, int, int))                                   \
    X(link_create, cuLinkCreate_v2, (unsigned, int*, void**, Handle*))                                  \
    X(graph_nodes, cuGraphGetNodes, (Handle, Handle*, std::size_t*))                                    \
    X(node_type, cuGraphNodeGetType, (Handle, int*))                                                    \
    X(node_kernel, cuGraphKernelNodeGetParams, (Handle, void*))                                         \
    X(node_kernel_2, cuGraphKernelNodeGetParams_v2, (Handle, void*))                                    \
    X(node_child, cuGraphChildGraphNodeGetGraph, (Handle, Handle*))                                     \
    X(module_global, cuModuleGetGlobal_v2, (Address*, std::size_t*, Handle, const char*))               \
    X(library_global, cuLibraryGetGlobal, (Address*, std::size_t*, Handle, const char*))                \
    X(library_managed, cuLibraryGetManaged, (Address*, std::size_t*, Handle, const char*))

struct Calls {
#define X(member, name, parameters) Code(*member) parameters = nullptr;
    CUBINLAB_CALLS(X)
#undef X
};

// The driver's own functions. `find_driver` searches the loaded objects for a driver, again at each call until
// there is one; true if there is one.
extern std::atomic<void*> g_real[static_cast<std::size_t>(Slot::Count)];
bool find_driver();
// Keeps it loaded if the program received functions of ours, which call it.
void hold_driver();
// If it is not kept and was unloaded since, `find_driver` searches again.
void forget_unloaded_driver();
const Calls& calls();

// What a program receives for `address`: our function if it is hooked, else `address`.
void* replaced(void* address);
// The driver's function behind one of ours; else `address`.
const void* original(const void* address);
// True if the driver was loaded and the program received none of our functions.
bool driver_goes_unseen();
// True if a function of this name has a slot.
bool is_hooked(const char* name);

// The driver's function of a slot; finds the driver first if necessary. Null: it has none.
template <class F>
F real(Slot slot) {
    void* address = g_real[static_cast<std::size_t>(slot)].load(std::memory_order_acquire);
    if (!address) [[unlikely]] {
        find_driver();
        address = g_real[static_cast<std::size_t>(slot)].load(std::memory_order_acquire);
    }
    return reinterpret_cast<F>(address);
}

// The same without searching: null if find_driver was not called yet.
template <class F>
F known_real(Slot slot) {
    return reinterpret_cast<F>(g_real[static_cast<std::size_t>(slot)].load(std::memory_order_acquire));
}

}  // namespace cubinlab::inject

#define CUBINLAB_EXPORT extern "C" __attribute__((visibility("default")))
