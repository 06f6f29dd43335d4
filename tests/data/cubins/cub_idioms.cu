// SPDX-License-Identifier: GPL-3.0-or-later
// Idioms of CUB and libcu++ as ptxas schedules them: a difference to the neighbour under two opposite guards (DADD), a
// reduction by key whose shuffle gives a predicate that a FSEL has just read, and MATCH on the address of a pipeline's barrier.
// nvcc 13.0 -std=c++17 -O3: sm_80 and sm_90.
#include <cub/device/device_adjacent_difference.cuh>
#include <cuda/pipeline>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void copy_ahead(const float4* x, float4* y, int n) {
    extern __shared__ float4 ring[];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int size = block.size();
    float4 sum = {0, 0, 0, 0};
    for (int i = 0; i <= n; ++i) {
        if (i < n) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, ring + i % 2 * size, x + i * size, cuda::aligned_size_t<16>(16 * size),
                               pipe);
            pipe.producer_commit();
        }
        if (i == 0) continue;
        pipe.consumer_wait();
        const float4 v = ring[(i - 1) % 2 * size + (block.thread_rank() ^ 1)];
        sum.x += v.x;
        sum.y = fmaf(sum.y, v.y, v.z);
        pipe.consumer_release();
    }
    y[block.thread_rank()] = sum;
}

extern "C" __global__ void scan_pairs(const double* x, const int* k, double* y, int* z) {
    double value = x[threadIdx.x];
    int key = k[threadIdx.x];
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int low, high, other_key;
        asm volatile(
            "{ .reg .pred p; .reg .b32 lo, hi; .reg .f64 s;\n"
            "  mov.b64 {lo, hi}, %3;\n"
            "  shfl.sync.down.b32 lo|p, lo, %4, %5, 0xffffffff;\n"
            "  shfl.sync.down.b32 hi|p, hi, %4, %5, 0xffffffff;\n"
            "  mov.b64 s, {lo, hi};\n"
            "  @p add.f64 s, s, %3;\n"
            "  @!p mov.f64 s, %3;\n"
            "  mov.b64 {%0, %1}, s;\n"
            "  shfl.sync.down.b32 %2|p, %6, %4, %5, 0xffffffff;\n"
            "  @p add.s32 %2, %2, %6; }"
            : "=r"(low), "=r"(high), "=r"(other_key)
            : "d"(value), "r"(d), "r"(31 - lane & 31), "r"(key));
        if (key == 0) value = __hiloint2double(high, low);
        key = other_key;
    }
    y[threadIdx.x] = value;
    z[threadIdx.x] = key;
}

cudaError_t differences(double* x, int n, void* temporary, std::size_t bytes) {
    return cub::DeviceAdjacentDifference::SubtractLeft(temporary, bytes, x, n);
}
