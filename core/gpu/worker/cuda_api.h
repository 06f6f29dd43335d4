// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA driver, opened at run time through our own declarations: the project builds without a CUDA
// toolkit, and the worker starts without a driver and reports it. Names are the exported ones (cuMemAlloc
// without suffix is a 32-bit relic). Where a toolkit is found, cuda_api_check.cpp compares every value and
// size with cuda.h.
#pragma once
#include <cstddef>
#include <string>

#include "core/base/result.h"

namespace cubinlab::cu {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
struct Context;
struct Module;
struct Function;
struct Stream;
struct Event;
using CUcontext = Context*;
using CUmodule = Module*;
using CUfunction = Function*;
using CUstream = Stream*;
using CUevent = Event*;

inline constexpr CUresult kSuccess = 0;
inline constexpr CUresult kNotReady = 600;

// CUdevice_attribute
inline constexpr int kAttrSmCount = 16;
inline constexpr int kAttrClockRateKhz = 13;
inline constexpr int kAttrMemoryClockKhz = 36;
inline constexpr int kAttrL2Bytes = 38;
inline constexpr int kAttrComputeMajor = 75;
inline constexpr int kAttrComputeMinor = 76;
inline constexpr int kAttrSharedOptin = 97;
// CUfunction_attribute
inline constexpr int kFuncMaxDynamicShared = 8;
inline constexpr int kFuncCarveOut = 9;
inline constexpr int kFuncNonPortableCluster = 14;
// CUjit_option
inline constexpr int kJitErrorLog = 5;
inline constexpr int kJitErrorLogSize = 6;
inline constexpr unsigned kEventDefault = 0;
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr int kLaunchAttrClusterDimension = 4;
inline constexpr int kLaunchAttrCooperative = 2;

struct LaunchAttribute {
    int id = 0;
    char pad[4] = {};
    union {
        char bytes[64];
        struct {
            unsigned x, y, z;
        } cluster;
        int cooperative;
    } value = {};
};
// CUmemAllocationProp and CUmemAccessDesc: pinned memory of one device, read and write.
struct AllocationProp {
    int type = 1;
    int handle_types = 0;
    int location_type = 1;
    int location_id = 0;
    void* windows = nullptr;
    unsigned char flags[8] = {};
};
struct AccessDesc {
    int location_type = 1;
    int location_id = 0;
    int flags = 3;
};
struct LaunchConfig {
    unsigned grid_x = 1, grid_y = 1, grid_z = 1;
    unsigned block_x = 1, block_y = 1, block_z = 1;
    unsigned shared_bytes = 0;
    CUstream stream = nullptr;
    LaunchAttribute* attributes = nullptr;
    unsigned attribute_count = 0;
};

// X(member, exported name, parameters). Required: without one of these no GPU can be used.
#define CUBINLAB_CUDA_REQUIRED(X)                                                                          \
    X(init, "cuInit", (unsigned))                                                                          \
    X(driver_version, "cuDriverGetVersion", (int*))                                                        \
    X(error_name, "cuGetErrorName", (CUresult, const char**))                                              \
    X(error_string, "cuGetErrorString", (CUresult, const char**))                                          \
    X(device_count, "cuDeviceGetCount", (int*))                                                            \
    X(device_get, "cuDeviceGet", (CUdevice*, int))                                                         \
    X(device_name, "cuDeviceGetName", (char*, int, CUdevice))                                              \
    X(device_attribute, "cuDeviceGetAttribute", (int*, int, CUdevice))                                     \
    X(primary_retain, "cuDevicePrimaryCtxRetain", (CUcontext*, CUdevice))                                  \
    X(primary_release, "cuDevicePrimaryCtxRelease_v2", (CUdevice))                                         \
    X(ctx_set_current, "cuCtxSetCurrent", (CUcontext))                                                     \
    X(ctx_synchronize, "cuCtxSynchronize", ())                                                             \
    X(mem_info, "cuMemGetInfo_v2", (std::size_t*, std::size_t*))                                           \
    X(mem_alloc, "cuMemAlloc_v2", (CUdeviceptr*, std::size_t))                                             \
    X(mem_free, "cuMemFree_v2", (CUdeviceptr))                                                             \
    X(host_alloc, "cuMemHostAlloc", (void**, std::size_t, unsigned))                                       \
    X(host_free, "cuMemFreeHost", (void*))                                                                 \
    X(copy_to_device, "cuMemcpyHtoD_v2", (CUdeviceptr, const void*, std::size_t))                          \
    X(copy_to_host, "cuMemcpyDtoH_v2", (void*, CUdeviceptr, std::size_t))                                  \
    X(copy_to_device_async, "cuMemcpyHtoDAsync_v2", (CUdeviceptr, const void*, std::size_t, CUstream))     \
    X(copy_to_host_async, "cuMemcpyDtoHAsync_v2", (void*, CUdeviceptr, std::size_t, CUstream))             \
    X(copy_device_async, "cuMemcpyDtoDAsync_v2", (CUdeviceptr, CUdeviceptr, std::size_t, CUstream))        \
    X(fill32_async, "cuMemsetD32Async", (CUdeviceptr, unsigned, std::size_t, CUstream))                    \
    X(stream_create, "cuStreamCreate", (CUstream*, unsigned))                                              \
    X(stream_synchronize, "cuStreamSynchronize", (CUstream))                                               \
    X(event_create, "cuEventCreate", (CUevent*, unsigned))                                                 \
    X(event_destroy, "cuEventDestroy_v2", (CUevent))                                                       \
    X(event_record, "cuEventRecord", (CUevent, CUstream))                                                  \
    X(event_elapsed, "cuEventElapsedTime", (float*, CUevent, CUevent))                                     \
    X(module_load_data, "cuModuleLoadData", (CUmodule*, const void*))                                      \
    X(module_load_data_ex, "cuModuleLoadDataEx", (CUmodule*, const void*, unsigned, int*, void**))         \
    X(module_unload, "cuModuleUnload", (CUmodule))                                                         \
    X(module_function, "cuModuleGetFunction", (CUfunction*, CUmodule, const char*))                        \
    X(function_set_attribute, "cuFuncSetAttribute", (CUfunction, int, int))                                \
    X(launch, "cuLaunchKernel",                                                                            \
      (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**, \
       void**))

// Optional: a missing one only disables its feature.
#define CUBINLAB_CUDA_OPTIONAL(X)                                                       \
    X(launch_ex, "cuLaunchKernelEx", (const LaunchConfig*, CUfunction, void**, void**)) \
    X(address_reserve, "cuMemAddressReserve",                                           \
      (CUdeviceptr*, std::size_t, std::size_t, CUdeviceptr, unsigned long long))        \
    X(address_free, "cuMemAddressFree", (CUdeviceptr, std::size_t))                     \
    X(memory_create, "cuMemCreate",                                                     \
      (unsigned long long*, std::size_t, const AllocationProp*, unsigned long long))    \
    X(memory_release, "cuMemRelease", (unsigned long long))                             \
    X(memory_map, "cuMemMap",                                                           \
      (CUdeviceptr, std::size_t, std::size_t, unsigned long long, unsigned long long))  \
    X(memory_unmap, "cuMemUnmap", (CUdeviceptr, std::size_t))                           \
    X(memory_access, "cuMemSetAccess",                                                  \
      (CUdeviceptr, std::size_t, const AccessDesc*, std::size_t))                       \
    X(module_global, "cuModuleGetGlobal_v2",                                            \
      (CUdeviceptr*, std::size_t*, CUmodule, const char*))                              \
    X(device_pci_id, "cuDeviceGetPCIBusId", (char*, int, CUdevice))                     \
    X(device_uuid, "cuDeviceGetUuid_v2", (unsigned char*, CUdevice))

struct Api {
#define X(member, name, parameters) CUresult(*member) parameters = nullptr;
    CUBINLAB_CUDA_REQUIRED(X)
    CUBINLAB_CUDA_OPTIONAL(X)
#undef X

    // Opens libcuda.so.1 once and calls cuInit. Errors: NoGpu, with the missing part.
    static Result<const Api*> open();
    std::string name_of(CUresult result) const;  // "CUDA_ERROR_ILLEGAL_ADDRESS"
};

// The error of a failed call: code Worker, `what` = "cuMemAlloc_v2: out of memory", `where` =
// "CUDA_ERROR_OUT_OF_MEMORY".
Error failure(const Api& api, CUresult result, const char* call);

// Returns the failure from the enclosing function if the driver call fails.
#define CUBINLAB_CU(api, member, ...)                                                         \
    do {                                                                                      \
        if (const ::cubinlab::cu::CUresult result_ = (api).member(__VA_ARGS__); result_ != 0) \
            return ::cubinlab::fail(::cubinlab::cu::failure((api), result_, #member));        \
    } while (false)

}  // namespace cubinlab::cu
