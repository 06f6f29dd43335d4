// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma with its first operand in registers, as attention does it: S = A * B1, then O += f(S) * B2, over several
// tiles, the accumulators of O in flight while S of the next tile is computed.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin wgmma_regs.cu -o wgmma_regs.cubin
#include "device.cuh"

// A: 64 x 64 a block. B1: 32 x 64 a tile, B2: 32 x 32 a tile, both K-major. O: 64 x 32 a block.
KERNEL __launch_bounds__(128) wgmma_regs(const __half* a, const __half* b1, const __half* b2, float* out, int tiles) {
    __shared__ __align__(128) uint4 first[2][256];
    __shared__ __align__(128) uint4 second[4][128];  // still read two tiles on by a slower warp
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
    const uint32_t* mine = reinterpret_cast<const uint32_t*>(a + blockIdx.x * 4096 + row * 64 + column);
    uint32_t q[4][4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        q[k][0] = mine[k * 8], q[k][1] = mine[k * 8 + 8 * 32];
        q[k][2] = mine[k * 8 + 4], q[k][3] = mine[k * 8 + 4 + 8 * 32];
    }
    const uint4* from1 = reinterpret_cast<const uint4*>(b1);
    const uint4* from2 = reinterpret_cast<const uint4*>(b2);
    float o[16] = {}, s[16];
    uint32_t p[2][4];
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        const int stage = tile & 1;
        // Chunk (n, k of 8) lies at k * 32 + n: 512 bytes from core to core along K, 128 across.
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int chunk = t + 128 * i, n = chunk / 8, k = chunk % 8;
            first[stage][k * 32 + n] = from1[tile * 256 + chunk];
        }
        second[tile & 3][t % 4 * 32 + t / 4] = from2[tile * 128 + t];
        fence_async_proxy();
        __syncthreads();
        wgmma_fence();
#pragma unroll
        for (int k = 0; k < 4; ++k)
            wgmma_m64n32k16(s, q[k], descriptor(shared_address(&first[stage][k * 64]), 512, 128), k != 0);
        wgmma_commit();
        wgmma_wait<0>();  // of the tile before as well: its p may be written again
#pragma unroll
        for (int k = 0; k < 2; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float x = fmaxf(s[k * 8 + i * 2] * 0.25f, -1.0f), y = fminf(s[k * 8 + i * 2 + 1], 3.0f);
                const __half2 h = __floats2half2_rn(x, y);
                p[k][i] = *reinterpret_cast<const uint32_t*>(&h);
            }
        wgmma_fence();
#pragma unroll
        for (int k = 0; k < 2; ++k)
            wgmma_m64n32k16(o, p[k], descriptor(shared_address(&second[tile & 3][k * 64]), 512, 128), 1);
        wgmma_commit();
    }
    wgmma_wait<0>();
    float* to = out + blockIdx.x * 2048 + row * 32 + column;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
        to[n * 8] = o[n * 4], to[n * 8 + 1] = o[n * 4 + 1];
        to[n * 8 + 8 * 32] = o[n * 4 + 2], to[n * 8 + 8 * 32 + 1] = o[n * 4 + 3];
    }
}
