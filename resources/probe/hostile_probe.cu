// SPDX-License-Identifier: GPL-3.0-or-later
// What hostile candidates are made from (app/lab/study/hostile.h): a tiled matrix product with loads and stores of
// global and shared memory, barriers, a loop, and a count of its own launches. The count lives in the module, starts at 0
// with every load, and changes the output once it reaches kNever, which no run does; a candidate whose immediate was
// lowered is right when cold and wrong when warm.
//
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin hostile_probe.cu -o hostile_probe.sm_90a.cubin
constexpr int kN = 512, kK = 128, kTile = 64, kDepth = 16;
constexpr unsigned kNever = 0x3fedcba9u;

__device__ unsigned blocks_run;

extern "C" __global__ void __launch_bounds__(256) hostile_probe(float* __restrict__ out, const float* __restrict__ a,
                                                                const float* __restrict__ b) {
    __shared__ float sa[kDepth][kTile + 4];
    __shared__ float sb[kDepth][kTile];
    __shared__ unsigned late;
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
    if (t == 0) late = atomicAdd(&blocks_run, 1u);
    float sum[4][4] = {};
    for (int k = 0; k < kK; k += kDepth) {
        const float4 x = *reinterpret_cast<const float4*>(a + (row + t / 4) * kK + k + t % 4 * 4);
        sa[t % 4 * 4 + 0][t / 4] = x.x;
        sa[t % 4 * 4 + 1][t / 4] = x.y;
        sa[t % 4 * 4 + 2][t / 4] = x.z;
        sa[t % 4 * 4 + 3][t / 4] = x.w;
        *reinterpret_cast<float4*>(&sb[t / 16][tx * 4]) =
            *reinterpret_cast<const float4*>(b + (k + t / 16) * kN + column + tx * 4);
        __syncthreads();
#pragma unroll
        for (int d = 0; d < kDepth; ++d) {
            const float4 y = *reinterpret_cast<const float4*>(&sb[d][tx * 4]);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float v = sa[d][ty * 4 + i];
                sum[i][0] = fmaf(v, y.x, sum[i][0]);
                sum[i][1] = fmaf(v, y.y, sum[i][1]);
                sum[i][2] = fmaf(v, y.z, sum[i][2]);
                sum[i][3] = fmaf(v, y.w, sum[i][3]);
            }
        }
        __syncthreads();
    }
    const float add = late >= kNever ? 1.0f : 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        float4 y = make_float4(sum[i][0] + add, sum[i][1] + add, sum[i][2] + add, sum[i][3] + add);
        y.x = y.x > 0 ? y.x : 0.01f * y.x;
        y.y = y.y > 0 ? y.y : 0.01f * y.y;
        y.z = y.z > 0 ? y.z : 0.01f * y.z;
        y.w = y.w > 0 ? y.w : 0.01f * y.w;
        *reinterpret_cast<float4*>(out + (row + ty * 4 + i) * kN + column + tx * 4) = y;
    }
}
