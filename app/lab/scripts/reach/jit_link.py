#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""jit_link.py PTX [LAUNCHES]     links PTX with nvJitLink, loads the cubin through the driver, and launches `softmax`."""
import ctypes
import glob
import sys


def must(code):
    if code != 0:
        sys.exit(f"error {code}")


def library(*patterns):
    for pattern in patterns:
        for path in [pattern] + sorted(glob.glob(pattern)):
            try:
                return ctypes.CDLL(path)
            except OSError:
                pass
    sys.exit(f"no {patterns[0]}")


text = open(sys.argv[1], "rb").read() + b"\0"
launches = int(sys.argv[2]) if len(sys.argv) > 2 else 7
link = library("libnvJitLink.so.13", "libnvJitLink.so", *[f"{p}/nvidia/*/lib/libnvJitLink.so*" for p in sys.path],
               "/usr/local/cuda/lib64/libnvJitLink.so*")
function = lambda name: getattr(link, f"__{name}_13_0", None) or getattr(link, name)
handle, size = ctypes.c_void_p(), ctypes.c_size_t()
options = (ctypes.c_char_p * 1)(b"-arch=sm_90")
must(function("nvJitLinkCreate")(ctypes.byref(handle), 1, options))
must(function("nvJitLinkAddData")(handle, 2, text, len(text), b"launches"))  # NVJITLINK_INPUT_PTX
must(function("nvJitLinkComplete")(handle))
must(function("nvJitLinkGetLinkedCubinSize")(handle, ctypes.byref(size)))
cubin = ctypes.create_string_buffer(size.value)
must(function("nvJitLinkGetLinkedCubin")(handle, cubin))

cuda = ctypes.CDLL("libcuda.so.1")
device, context, module, kernel, out = ctypes.c_int(), *(ctypes.c_void_p() for _ in range(3)), ctypes.c_uint64()
must(cuda.cuInit(0))
must(cuda.cuDeviceGet(ctypes.byref(device), 0))
must(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
must(cuda.cuCtxSetCurrent(context))
must(cuda.cuModuleLoadData(ctypes.byref(module), cubin))
must(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"softmax"))
must(cuda.cuMemAlloc_v2(ctypes.byref(out), ctypes.c_size_t(4096)))
values = [out, ctypes.c_uint64(), ctypes.c_int(), ctypes.c_uint64(), ctypes.c_uint64()]
params = (ctypes.c_void_p * 5)(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
total = 0
for i in range(launches):
    values[2].value = i + 1
    must(cuda.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, None, params, None))
    got = ctypes.c_int()
    must(cuda.cuMemcpyDtoH_v2(ctypes.byref(got), out, ctypes.c_size_t(4)))
    total = total * 31 + got.value
print("result", total)
