#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Completes a workload with the tensor maps that the driver of this machine makes.

  app/lab/scripts/tensor-maps.py IN.workload.in.json OUT.workload.json

Every {"raw": ...} of 128 bytes gets the bytes of a two-dimensional map of the float buffer that follows the raw
parameters in the same order: box 32 x 16, no swizzle. The address in it is a stand-in: the kernel puts its own there.
"""
import ctypes
import json
import sys


def make_map(columns, rows):
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        code = getattr(cuda, name)(*arguments)
        if code != 0:
            sys.exit(f"{name} failed with error {code}")

    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    address = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(columns * rows * 4))
    store = ctypes.create_string_buffer(128 + 64)
    start = ctypes.addressof(store)
    tensor_map = (start + 63) // 64 * 64  # must be aligned
    u64, u32 = ctypes.c_uint64, ctypes.c_uint32
    float32 = 7  # CU_TENSOR_MAP_DATA_TYPE_FLOAT32
    call("cuTensorMapEncodeTiled", ctypes.c_void_p(tensor_map), float32, u32(2), ctypes.c_void_p(address.value),
         (u64 * 2)(columns, rows), (u64 * 1)(columns * 4), (u32 * 2)(32, 16), (u32 * 2)(1, 1), 0, 0, 0, 0)
    return ctypes.string_at(tensor_map, 128).hex()


def main():
    workload = json.load(open(sys.argv[1]))
    params = workload["params"]
    tensors = [p["buffer"]["shape"] for p in params if "buffer" in p]
    raws = [p for p in params if "raw" in p]
    for param, (rows, columns) in zip(raws, tensors):
        param["raw"]["hex"] = make_map(columns, rows)
    json.dump(workload, open(sys.argv[2], "w"), indent=1)


if __name__ == "__main__":
    main()
