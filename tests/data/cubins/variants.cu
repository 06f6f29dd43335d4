// SPDX-License-Identifier: GPL-3.0-or-later
// Small kernels for the cubin reader's tests: line information, relocations and large parameters.
struct Large {
    float values[1500];  // 6000 bytes: the second form of parameter records
};

__device__ int scale(int x) {
    return x * 3 + 1;
}

extern "C" __global__ void k_lines(int* out, int n) {
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        sum += scale(out[i]);
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void k_large(Large large, float* out, int i) {
    out[i] = large.values[i];
}
