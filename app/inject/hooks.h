// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that programs receive instead of the driver's. As in cuda.h, with our plain types.
#pragma once
#include "app/inject/driver.h"

#define CUBINLAB_HOOK extern "C" __attribute__((visibility("hidden"))) cubinlab::inject::Code

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

CUBINLAB_HOOK cuLaunchCooperativeKernelMultiDevice(const void*, unsigned, unsigned);
CUBINLAB_HOOK cuLaunch(cubinlab::inject::Handle);
CUBINLAB_HOOK cuLaunchGrid(cubinlab::inject::Handle, int, int);
CUBINLAB_HOOK cuLaunchGridAsync(cubinlab::inject::Handle, int, int, cubinlab::inject::Handle);

CUBINLAB_HOOK cuGraphAddKernelNode(cubinlab::inject::Handle*, cubinlab::inject::Handle, const void*,
                                   std::size_t, const void*);
CUBINLAB_HOOK cuGraphAddKernelNode_v2(cubinlab::inject::Handle*, cubinlab::inject::Handle, const void*,
                                      std::size_t, const void*);
CUBINLAB_HOOK cuGraphAddNode(cubinlab::inject::Handle*, cubinlab::inject::Handle, const void*, std::size_t,
                             void*);
CUBINLAB_HOOK cuGraphAddNode_v2(cubinlab::inject::Handle*, cubinlab::inject::Handle, const void*, const void*,
                                std::size_t, void*);
#define CUBINLAB_INSTANTIATE_PARAMETERS \
    (cubinlab::inject::Handle*, cubinlab::inject::Handle, cubinlab::inject::Handle*, char*, std::size_t)
CUBINLAB_HOOK cuGraphInstantiate CUBINLAB_INSTANTIATE_PARAMETERS;
CUBINLAB_HOOK cuGraphInstantiate_v2 CUBINLAB_INSTANTIATE_PARAMETERS;
CUBINLAB_HOOK cuGraphInstantiateWithFlags(cubinlab::inject::Handle*, cubinlab::inject::Handle, unsigned long long);
CUBINLAB_HOOK cuGraphInstantiateWithParams(cubinlab::inject::Handle*, cubinlab::inject::Handle, void*);
CUBINLAB_HOOK cuGraphInstantiateWithParams_ptsz(cubinlab::inject::Handle*, cubinlab::inject::Handle, void*);
CUBINLAB_HOOK cuGraphExecDestroy(cubinlab::inject::Handle);
CUBINLAB_HOOK cuGraphExecUpdate(cubinlab::inject::Handle, cubinlab::inject::Handle, cubinlab::inject::Handle*, int*);
CUBINLAB_HOOK cuGraphExecUpdate_v2(cubinlab::inject::Handle, cubinlab::inject::Handle, void*);
CUBINLAB_HOOK cuGraphExecKernelNodeSetParams(cubinlab::inject::Handle, cubinlab::inject::Handle, const void*);
CUBINLAB_HOOK cuGraphExecKernelNodeSetParams_v2(cubinlab::inject::Handle, cubinlab::inject::Handle, const void*);
CUBINLAB_HOOK cuGraphExecNodeSetParams(cubinlab::inject::Handle, cubinlab::inject::Handle, void*);
CUBINLAB_HOOK cuGraphExecChildGraphNodeSetParams(cubinlab::inject::Handle, cubinlab::inject::Handle,
                                                 cubinlab::inject::Handle);
CUBINLAB_HOOK cuGraphNodeSetEnabled(cubinlab::inject::Handle, cubinlab::inject::Handle, unsigned);
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
#define CUBINLAB_LINK_DATA_PARAMETERS \
    (cubinlab::inject::Handle, int, void*, std::size_t, const char*, unsigned, int*, void**)
CUBINLAB_HOOK cuLinkAddData CUBINLAB_LINK_DATA_PARAMETERS;
CUBINLAB_HOOK cuLinkAddData_v2 CUBINLAB_LINK_DATA_PARAMETERS;
#define CUBINLAB_LINK_FILE_PARAMETERS (cubinlab::inject::Handle, int, const char*, unsigned, int*, void**)
CUBINLAB_HOOK cuLinkAddFile CUBINLAB_LINK_FILE_PARAMETERS;
CUBINLAB_HOOK cuLinkAddFile_v2 CUBINLAB_LINK_FILE_PARAMETERS;
CUBINLAB_HOOK cuLinkComplete(cubinlab::inject::Handle, void**, std::size_t*);
CUBINLAB_HOOK cuLinkDestroy(cubinlab::inject::Handle);
CUBINLAB_HOOK cuGetProcAddress(const char*, void**, int, unsigned long long);
CUBINLAB_HOOK cuGetProcAddress_v2(const char*, void**, int, unsigned long long, int*);
CUBINLAB_HOOK cuGetProcAddress_v2_ptsz(const char*, void**, int, unsigned long long, int*);
// NOLINTEND
