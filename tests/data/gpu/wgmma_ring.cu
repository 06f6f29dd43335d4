// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma with both operands in shared memory and descriptors that the loop computes (stage of a ring, order of the two
// halves, an offset that only the launch knows), filled by cp.async two tiles ahead, one group always in flight.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin wgmma_ring.cu -o wgmma_ring.cubin
#include "device.cuh"

// A: 128 x K, B: 32 x K a block, K in tiles of 32, all K-major. C: 128 x 32 a block. Two warpgroups of 64 rows each.
KERNEL __launch_bounds__(256) wgmma_ring(const __half* a, const __half* b, float* c, int tiles, int skip) {
    __shared__ __align__(128) uint4 ring[4][640];  // of each stage 512 chunks of A, 128 of B
    const int t = threadIdx.x, wide = tiles * 32;
    const int last = tiles - (static_cast<int>(blockIdx.x) & 3);
    const __half* from_a = a + blockIdx.x * 128 * wide;
    const __half* from_b = b + blockIdx.x * 32 * wide;
    // Chunk (row, k of 8): A at k * 128 + row, B at 512 + k * 32 + row.
    auto load = [&](int tile) {
        if (tile < last) {
            const uint32_t to = shared_address(ring[tile & 3]);
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int chunk = t + 256 * i, row = chunk / 4, k = chunk % 4;
                copy_async(to + (k * 128 + row) * 16, from_a + row * wide + tile * 32 + k * 8);
            }
            if (t < 128) {
                const int row = t / 4, k = t % 4;
                copy_async(to + (512 + k * 32 + row) * 16, from_b + row * wide + tile * 32 + k * 8);
            }
        }
        copy_commit();
    };
    const int group = __shfl_sync(0xffffffffu, t / 128, 0);
    float d[16];
    load(0);
    load(1);
#pragma unroll 1
    for (int tile = 0; tile < last; ++tile) {
        copy_wait<1>();
        fence_async_proxy();
        __syncthreads();
        load(tile + 2);  // into the stage of tile - 2, which all warpgroups have left
        const uint32_t stage = shared_address(ring[tile & 3]);
        const uint32_t half = (tile + blockIdx.x + skip) & 1;
        wgmma_fence();
#pragma unroll
        for (uint32_t k = 0; k < 2; ++k) {
            const uint32_t at = k ^ half;
            wgmma_m64n32k16(d, descriptor(stage + at * 4096 + group * 1024, 2048, 128),
                            descriptor(stage + 8192 + at * 1024, 512, 128), tile + k != 0);
        }
        wgmma_commit();
        wgmma_wait<1>();
    }
    wgmma_wait<0>();
    const int row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
    float* to = c + blockIdx.x * 4096 + row * 32 + column;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
        to[n * 8] = d[n * 4], to[n * 8 + 1] = d[n * 4 + 1];
        to[n * 8 + 8 * 32] = d[n * 4 + 2], to[n * 8 + 8 * 32 + 1] = d[n * 4 + 3];
    }
}
