// SPDX-License-Identifier: GPL-3.0-or-later
// Compares our declarations with NVIDIA's. Compiled only if cuda.h of a CUDA toolkit is found.
#include <cuda.h>

#include "core/gpu/worker/cuda_api.h"

namespace mine = cubinlab::cu;

static_assert(CUDA_SUCCESS == mine::kSuccess && CUDA_ERROR_NOT_READY == mine::kNotReady);
static_assert(sizeof(::CUresult) == sizeof(mine::CUresult) && sizeof(::CUdevice) == sizeof(mine::CUdevice));
static_assert(sizeof(::CUdeviceptr) == sizeof(mine::CUdeviceptr) && sizeof(::CUjit_option) == sizeof(int));
static_assert(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT == mine::kAttrSmCount);
static_assert(CU_DEVICE_ATTRIBUTE_CLOCK_RATE == mine::kAttrClockRateKhz);
static_assert(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE == mine::kAttrMemoryClockKhz);
static_assert(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE == mine::kAttrL2Bytes);
static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == mine::kAttrComputeMajor);
static_assert(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR == mine::kAttrComputeMinor);
static_assert(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN == mine::kAttrSharedOptin);
static_assert(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES == mine::kFuncMaxDynamicShared);
static_assert(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED == mine::kFuncNonPortableCluster);
static_assert(CU_JIT_ERROR_LOG_BUFFER == mine::kJitErrorLog);
static_assert(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES == mine::kJitErrorLogSize);
static_assert(CU_EVENT_DEFAULT == mine::kEventDefault && CU_STREAM_NON_BLOCKING == mine::kStreamNonBlocking);
static_assert(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION == mine::kLaunchAttrClusterDimension);
static_assert(CU_LAUNCH_ATTRIBUTE_COOPERATIVE == mine::kLaunchAttrCooperative);
static_assert(sizeof(CUlaunchAttribute) == sizeof(mine::LaunchAttribute));
static_assert(sizeof(CUlaunchConfig) == sizeof(mine::LaunchConfig));
static_assert(offsetof(CUlaunchAttribute, value) == offsetof(mine::LaunchAttribute, value));
static_assert(offsetof(CUlaunchConfig, sharedMemBytes) == offsetof(mine::LaunchConfig, shared_bytes));
static_assert(offsetof(CUlaunchConfig, hStream) == offsetof(mine::LaunchConfig, stream));
static_assert(offsetof(CUlaunchConfig, attrs) == offsetof(mine::LaunchConfig, attributes));
static_assert(offsetof(CUlaunchConfig, numAttrs) == offsetof(mine::LaunchConfig, attribute_count));
static_assert(sizeof(CUmemAllocationProp) == sizeof(mine::AllocationProp));
static_assert(offsetof(CUmemAllocationProp, location) == offsetof(mine::AllocationProp, location_type));
static_assert(sizeof(CUmemAccessDesc) == sizeof(mine::AccessDesc));
static_assert(CU_MEM_ALLOCATION_TYPE_PINNED == mine::AllocationProp().type);
static_assert(CU_MEM_LOCATION_TYPE_DEVICE == mine::AllocationProp().location_type);
static_assert(CU_MEM_ACCESS_FLAGS_PROT_READWRITE == mine::AccessDesc().flags);
static_assert(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT == mine::kFuncCarveOut);
