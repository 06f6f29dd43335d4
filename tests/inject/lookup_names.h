// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of the lookup table. X(name, number): the driver's answer to a call is the number; one that passes a
// call on adds to it, so that an answer names everyone that it went through.
#pragma once

#define SIMPLE_NAMES(X)              \
    X(cuInit, 1)                     \
    X(cuMemAlloc_v2, 2)              \
    X(cuDeviceGet, 3)                \
    X(cuCtxSynchronize, 4)           \
    X(cuLaunchKernel, 5)             \
    X(cuLaunchKernel_ptsz, 6)        \
    X(cuLaunchKernelEx, 7)           \
    X(cuLaunchCooperativeKernel, 8)  \
    X(cuModuleLoad, 9)               \
    X(cuModuleLoadData, 10)          \
    X(cuModuleUnload, 11)            \
    X(cuModuleGetFunction, 12)       \
    X(cuLibraryLoadData, 13)         \
    X(cuLibraryGetKernel, 14)        \
    X(cuKernelGetFunction, 15)       \
    X(cuGraphLaunch, 16)             \
    X(cuGraphAddKernelNode_v2, 17)   \
    X(cuStreamEndCapture, 18)
#define DRIVER_NAMES(X)     \
    SIMPLE_NAMES(X)         \
    X(cuGetProcAddress, 19) \
    X(cuGetProcAddress_v2, 20)

// Names of other libraries that look like the driver's, one that only the shims have, one that nobody has, and one that
// the library hooks and this driver lacks.
#define OTHER_NAMES(X)     \
    X(cuFancyThing, 31)    \
    X(cudnnCreate, 32)     \
    X(cublasCreate_v2, 33) \
    X(cuNoSuchThing, 34)   \
    X(cuLinkComplete, 35)

using Any = int (*)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*);
