// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that the library exports instead of the driver's. As in cuda.h, with our plain types.
#pragma once
#include "app/inject/driver.h"

#define CUBINLAB_HOOK CUBINLAB_EXPORT cubinlab::inject::Code

// NOLINTBEGIN: the driver's names
CUBINLAB_HOOK cuModuleLoad(cubinlab::inject::Handle*, const char*);
CUBINLAB_HOOK cuModuleLoadData(cubinlab::inject::Handle*, const void*);
CUBINLAB_HOOK cuModuleLoadDataEx(cubinlab::inject::Handle*, const void*, unsigned, int*, void**);
CUBINLAB_HOOK cuModuleLoadFatBinary(cubinlab::inject::Handle*, const void*);
CUBINLAB_HOOK cuModuleUnload(cubinlab::inject::Handle);
CUBINLAB_HOOK cuModuleGetFunction(cubinlab::inject::Handle*, cubinlab::inject::Handle, const char*);
CUBINLAB_HOOK cuModuleEnumerateFunctions(cubinlab::inject::Handle*, unsigned, cubinlab::inject::Handle);
CUBINLAB_HOOK cuLibraryLoadData(cubinlab::inject::Handle*, const void*, int*, void**, unsigned, int*, void**,
                                unsigned);
CUBINLAB_HOOK cuLibraryLoadFromFile(cubinlab::inject::Handle*, const char*, int*, void**, unsigned, int*,
                                    void**, unsigned);
CUBINLAB_HOOK cuLibraryUnload(cubinlab::inject::Handle);
CUBINLAB_HOOK cuLibraryGetKernel(cubinlab::inject::Handle*, cubinlab::inject::Handle, const char*);
CUBINLAB_HOOK cuLibraryGetModule(cubinlab::inject::Handle*, cubinlab::inject::Handle);
CUBINLAB_HOOK cuLibraryEnumerateKernels(cubinlab::inject::Handle*, unsigned, cubinlab::inject::Handle);
CUBINLAB_HOOK cuKernelGetFunction(cubinlab::inject::Handle*, cubinlab::inject::Handle);

#define CUBINLAB_LAUNCH_PARAMETERS                                                                   \
    (cubinlab::inject::Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
     cubinlab::inject::Handle, void**, void**)
CUBINLAB_HOOK cuLaunchKernel CUBINLAB_LAUNCH_PARAMETERS;
CUBINLAB_HOOK cuLaunchKernel_ptsz CUBINLAB_LAUNCH_PARAMETERS;
#define CUBINLAB_LAUNCH_EX_PARAMETERS \
    (const cubinlab::inject::LaunchConfig*, cubinlab::inject::Handle, void**, void**)
CUBINLAB_HOOK cuLaunchKernelEx CUBINLAB_LAUNCH_EX_PARAMETERS;
CUBINLAB_HOOK cuLaunchKernelEx_ptsz CUBINLAB_LAUNCH_EX_PARAMETERS;
#define CUBINLAB_COOPERATIVE_PARAMETERS                                                              \
    (cubinlab::inject::Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
     cubinlab::inject::Handle, void**)
CUBINLAB_HOOK cuLaunchCooperativeKernel CUBINLAB_COOPERATIVE_PARAMETERS;
CUBINLAB_HOOK cuLaunchCooperativeKernel_ptsz CUBINLAB_COOPERATIVE_PARAMETERS;

CUBINLAB_HOOK cuGraphAddKernelNode(cubinlab::inject::Handle*, cubinlab::inject::Handle, const void*,
                                   std::size_t, const void*);
CUBINLAB_HOOK cuGraphAddKernelNode_v2(cubinlab::inject::Handle*, cubinlab::inject::Handle, const void*,
                                      std::size_t, const void*);
CUBINLAB_HOOK cuGraphAddNode(cubinlab::inject::Handle*, cubinlab::inject::Handle, const void*, std::size_t,
                             void*);
CUBINLAB_HOOK cuGraphAddNode_v2(cubinlab::inject::Handle*, cubinlab::inject::Handle, const void*, const void*,
                                std::size_t, void*);
CUBINLAB_HOOK cuGraphLaunch(cubinlab::inject::Handle, cubinlab::inject::Handle);
CUBINLAB_HOOK cuGraphLaunch_ptsz(cubinlab::inject::Handle, cubinlab::inject::Handle);
CUBINLAB_HOOK cuStreamBeginCapture(cubinlab::inject::Handle);
CUBINLAB_HOOK cuStreamBeginCapture_ptsz(cubinlab::inject::Handle);
CUBINLAB_HOOK cuStreamBeginCapture_v2(cubinlab::inject::Handle, int);
CUBINLAB_HOOK cuStreamBeginCapture_v2_ptsz(cubinlab::inject::Handle, int);
#define CUBINLAB_CAPTURE_TO_GRAPH_PARAMETERS \
    (cubinlab::inject::Handle, cubinlab::inject::Handle, const void*, const void*, std::size_t, int)
CUBINLAB_HOOK cuStreamBeginCaptureToGraph CUBINLAB_CAPTURE_TO_GRAPH_PARAMETERS;
CUBINLAB_HOOK cuStreamBeginCaptureToGraph_ptsz CUBINLAB_CAPTURE_TO_GRAPH_PARAMETERS;
CUBINLAB_HOOK cuStreamEndCapture(cubinlab::inject::Handle, cubinlab::inject::Handle*);
CUBINLAB_HOOK cuStreamEndCapture_ptsz(cubinlab::inject::Handle, cubinlab::inject::Handle*);
CUBINLAB_HOOK cuGetProcAddress(const char*, void**, int, unsigned long long);
CUBINLAB_HOOK cuGetProcAddress_v2(const char*, void**, int, unsigned long long, int*);
CUBINLAB_HOOK cuGetProcAddress_v2_ptsz(const char*, void**, int, unsigned long long, int*);
// NOLINTEND
