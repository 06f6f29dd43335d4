// SPDX-License-Identifier: GPL-3.0-or-later
// Double precision tensor products: each warp computes 16 x 16 with mma.m8n8k4 from tiles in shared memory, and scales
// what exceeds a limit.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin fp64_mma.cu -o fp64_mma.cubin
#include "device.cuh"

DEVICE void dmma(double (&d)[2], double a, double b) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a), "d"(b));
}

// A: 32 x K, B: 32 x K a block (rows), K in tiles of 16. C: 32 x 32. Four warps.
KERNEL __launch_bounds__(128) fp64_mma(const double* a, const double* b, double* c, int tiles, double limit) {
    __shared__ double left[2][32][17], right[2][32][17];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32, wide = tiles * 16;
    const int rows = warp / 2 * 16, columns = warp % 2 * 16, r = lane / 4, k = lane % 4;
    a += blockIdx.x * 32 * wide, b += blockIdx.x * 32 * wide;
    double d[2][2][2] = {};
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        const int s = tile & 1;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int at = t + 128 * i, row = at / 16, column = at % 16;
            left[s][row][column] = a[row * wide + tile * 16 + column];
            right[s][row][column] = b[row * wide + tile * 16 + column];
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 4; ++step) {
            double x[2], y[2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                x[i] = left[s][rows + i * 8 + r][step * 4 + k];
                y[i] = right[s][columns + i * 8 + r][step * 4 + k];
                if (x[i] > limit) x[i] = x[i] * 0.5 - y[i];
            }
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 2; ++j) dmma(d[i][j], x[i], y[j]);
        }
    }
    c += blockIdx.x * 1024;
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            double* to = c + (rows + i * 8 + r) * 32 + columns + j * 8 + k * 2;
            to[0] = d[i][j][0] < limit ? d[i][j][0] : limit + d[i][j][0] * 0.125;
            to[1] = d[i][j][1];
        }
}
