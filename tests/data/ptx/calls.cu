// SPDX-License-Identifier: GPL-3.0-or-later
// nvcc -ptx -arch=sm_80 calls.cu: calls, calls by pointer, branch tables, local arrays, printf, carries, clocks.
#include <cstdio>

__device__ __noinline__ float polynomial(float x, int degree) {
    float y = 1;
    for (int i = 0; i < degree; ++i) y = y * x + i;
    return y;
}
typedef float (*Step)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
__device__ Step steps[2] = {twice, square};

struct Settings {
    double scale;
    int kind[3];
    char mode;
};

extern "C" __global__ void calls(float* out, Settings settings, int n, unsigned __int128* wide) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = polynomial(out[i], n) + steps[n & 1](out[i + 1]);
    float history[8];
    for (int k = 0; k < 8; ++k) history[(k * n) & 7] = v * k;
    switch (settings.mode) {
        case 0: v += 1; break;
        case 1: v = sinf(v); break;
        case 2: v = history[n & 7]; break;
        case 3: v = v / 3; break;
        case 4: v = out[i + 4]; break;
        case 5: v = sqrtf(v); break;
        case 6: v = out[i + 6] * v; break;
        default: v = -v;
    }
    const long long begin = clock64();
    wide[i] = wide[i + 1] + wide[i + 2] * settings.kind[1];
    out[i] = v + static_cast<float>(settings.scale) + static_cast<float>(clock64() - begin);
    if (v > 1e30f) printf("%d: %f\n", i, v);
}
