// SPDX-License-Identifier: GPL-3.0-or-later
// What one memory queue says of another. nvcc -arch=sm_80 -maxrregcount 20 -cubin -o queues.80.cubin queues.cu
#define K extern "C" __global__ void

// Loads from local memory whose results are wanted at once.
K local_pair(float* o, const float* a, int n) {
    float l[40];
    for (int i = 0; i < 40; ++i) l[(i * n) % 40] = a[i];
    o[0] = l[n % 40] * 3 + l[(n + 7) % 40] + l[(n * 5) % 40];
}
// What global stores read is overwritten after a shuffle that came behind them.
K stored_then_shuffled(float* o, const float* a) {
    int t = threadIdx.x;
    float x = a[t], y = a[t + 32], z = a[t + 64];
#pragma unroll
    for (int i = 1; i < 7; ++i) {
        o[t + i * 96] = x, o[t + i * 96 + 32] = y, o[t + i * 96 + 64] = z;
        float u = __shfl_xor_sync(~0u, x, i), v = __shfl_xor_sync(~0u, y, i), w = __shfl_xor_sync(~0u, z, i);
        x = v, y = w, z = u;
    }
    o[t] = x + y + z;
}
// Shared stores, then global loads into the registers that they read.
K stored_then_loaded(float* o, const float* __restrict__ a) {
    __shared__ float s[4096];
    int t = threadIdx.x;
    float x = a[t], y = a[t + 32], z = a[t + 64];
#pragma unroll
    for (int i = 0; i < 6; ++i) {
        s[t + i * 96] = x, s[t + i * 96 + 32] = y, s[t + i * 96 + 64] = z;
        x = a[t + i * 100 + 7], y = a[t + i * 100 + 50], z = a[t + i * 100 + 90];
    }
    __syncthreads();
    o[t] = s[t ^ 1] + s[t + 300] + x + y + z;
}
