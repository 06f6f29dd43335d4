// SPDX-License-Identifier: GPL-3.0-or-later
// The Ampere way: cp.async two tiles ahead in a ring of three, ldmatrix, mma.m16n8k16.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin ldgsts_mma.cu -o ldgsts_mma.cubin
#include "device.cuh"

DEVICE void load_matrices(uint32_t (&r)[4], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}
DEVICE void mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A: 64 x K, B: 32 x K a block (rows), K in tiles of 32. C: 64 x 32. Four warps of 16 rows each.
KERNEL __launch_bounds__(128) ldgsts_mma(const __half* a, const __half* b, float* c, int tiles) {
    __shared__ __align__(128) uint4 ring[3][96 * 5];  // rows of 64 bytes, 16 bytes of padding
    const int t = threadIdx.x, warp = t / 32, lane = t % 32, wide = tiles * 32;
    a += blockIdx.x * 64 * wide, b += blockIdx.x * 32 * wide;
    auto load = [&](int tile, int stage) {
        if (tile < tiles)
#pragma unroll
            for (int i = 0; i < 3; ++i) {
                const int chunk = t + 128 * i, row = chunk / 4, k = chunk % 4;
                const __half* from = i < 2 ? a + row * wide : b + (row - 64) * wide;
                copy_async(shared_address(&ring[stage][row * 5 + k]), from + tile * 32 + k * 8);
            }
        copy_commit();
    };
    float d[4][4] = {};
    load(0, 0);
    load(1, 1);
    int stage = 0;
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        copy_wait<1>();
        __syncthreads();
        load(tile + 2, stage == 0 ? 2 : stage - 1);
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            uint32_t x[4], y[2][4];
            load_matrices(x, shared_address(&ring[stage][(warp * 16 + lane % 16) * 5 + k * 2 + lane / 16]));
#pragma unroll
            for (int j = 0; j < 2; ++j)
                load_matrices(y[j], shared_address(&ring[stage][(64 + j * 16 + lane % 16) * 5 + k * 2 + lane / 16]));
#pragma unroll
            for (int n = 0; n < 4; ++n) mma(d[n], x, y[n / 2][n % 2], y[n / 2][n % 2 + 2]);
        }
        stage = stage == 2 ? 0 : stage + 1;
    }
    float* to = c + blockIdx.x * 2048 + (warp * 16 + lane / 4) * 32 + lane % 4 * 2;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
        *reinterpret_cast<float2*>(to + n * 8) = make_float2(d[n][0], d[n][1]);
        *reinterpret_cast<float2*>(to + n * 8 + 8 * 32) = make_float2(d[n][2], d[n][3]);
    }
}
