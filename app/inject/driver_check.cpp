// SPDX-License-Identifier: GPL-3.0-or-later
// Compares our declarations with NVIDIA's. Compiled if a toolkit is found; contains no code.
#include <cuda.h>

#include <cstddef>

#include "app/inject/driver.h"

namespace cubinlab::inject {

static_assert(sizeof(Handle) == sizeof(CUfunction) && sizeof(Address) == sizeof(CUdeviceptr));
static_assert(sizeof(LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(LaunchConfig, shared) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(LaunchConfig, count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
static_assert(kSuccess == CUDA_SUCCESS && kNotFound == CUDA_ERROR_NOT_FOUND &&
              kUnknown == CUDA_ERROR_UNKNOWN);
static_assert(kAttributeMajor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(kAttributeMinor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(kFunctionDynamicShared == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(kFunctionCarveOut == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
static_assert(kFunctionNonPortableCluster == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
static_assert(kPointerMemoryType == CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
static_assert(kPointerManaged == CU_POINTER_ATTRIBUTE_IS_MANAGED);
static_assert(kPointerOrdinal == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
static_assert(kPointerRangeStart == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
static_assert(kPointerRangeSize == CU_POINTER_ATTRIBUTE_RANGE_SIZE);
static_assert(kMemoryHost == CU_MEMORYTYPE_HOST && kMemoryDevice == CU_MEMORYTYPE_DEVICE);
static_assert(kLaunchCooperative == CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
static_assert(kLaunchCluster == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
static_assert(CU_MEMHOSTREGISTER_PORTABLE == 1 && CU_MEMHOSTREGISTER_DEVICEMAP == 2 &&
              CU_STREAM_WAIT_VALUE_GEQ == 0 && CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED == 712);
// The fields of a kernel node that we read: the function first, the kernel of version 2 at byte 56.
static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS_v2, func) == 0 &&
              offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kern) == 56);
static_assert(sizeof(CUDA_LAUNCH_PARAMS) == 56 && offsetof(CUDA_LAUNCH_PARAMS, function) == 0);
static_assert(kNodeKernel == CU_GRAPH_NODE_TYPE_KERNEL && kNodeChild == CU_GRAPH_NODE_TYPE_GRAPH &&
              kNodeConditional == CU_GRAPH_NODE_TYPE_CONDITIONAL &&
              kInstantiateForDevice == CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH);
static_assert(offsetof(CUDA_GRAPH_INSTANTIATE_PARAMS, flags) == 0 && CU_JIT_INPUT_PTX == 1);
static_assert(offsetof(CUgraphNodeParams, kernel) == 16 && CU_GRAPH_NODE_TYPE_KERNEL == 0);
static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS_v3, kern) == 56);

}  // namespace cubinlab::inject
