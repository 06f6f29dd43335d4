// SPDX-License-Identifier: GPL-3.0-or-later
// nvcc -cubin -arch=sm_90 -O3 large.cu -o large.cubin (CUDA 13.0): a kernel of more than 5,000 instructions,
// most of them in one loop, for the benchmark of the window. loop.cubin is the same with r < 2.
extern "C" __global__ void large(const float4* __restrict__ a, const float4* __restrict__ b, float4* out,
                                 int n) {
    __shared__ float tile[32][33];
    float acc[64];
#pragma unroll
    for (int i = 0; i < 64; ++i)
        acc[i] = 0;
    for (int k = 0; k < n; ++k) {
        float4 x[8], y[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            x[i] = a[threadIdx.x + 32 * (i + 8 * k)];
            y[i] = b[threadIdx.x + 32 * (i + 8 * k)];
        }
#pragma unroll
        for (int r = 0; r < 37; ++r) {
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[8 * i + j] += x[i].x * y[j].y + x[i].z * y[j].w * (float)(r + 1);
            tile[threadIdx.x & 31][r] = acc[r];
            __syncthreads();
            acc[r] += tile[r][threadIdx.x & 31];
        }
        if (acc[0] > 1e30f) break;
    }
#pragma unroll
    for (int i = 0; i < 16; ++i)
        out[threadIdx.x + 32 * i] = make_float4(acc[4 * i], acc[4 * i + 1], acc[4 * i + 2], acc[4 * i + 3]);
}
