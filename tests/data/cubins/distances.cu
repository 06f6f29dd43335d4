// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs whose distance or wait the checker must not let shrink: tests/core/legality/distance_rules_test.cpp.
//   nvcc -cubin -O3 -arch=sm_75 -o distances.75.cubin distances.cu      (75, 80, 90a)
extern "C" __global__ void doubles(double* out, const double* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = in[i], b = in[i + n];
    a = a * b + 1.25;
    b = b * a + 0.5;
    if (a < b) a = a + b * 3.0;
    out[i] = a * 2.0;
    reinterpret_cast<int*>(out)[4 * n + i] = __double2hiint(a + b) ^ i;
}

extern "C" __global__ void sums(float* out, const float* in, int n) {
    __shared__ float part[256];
    const int t = threadIdx.x;
    float s = 0;
    for (int i = t; i < n; i += 256) s += in[i] * 2.0f;
    part[t] = s;
    __syncthreads();
    if (t >= 32) return;
    for (int i = t; i < 256; i += 32) s += part[i];
    s += __shfl_xor_sync(~0u, s, 16);
    out[blockIdx.x * 32 + t] = s + 1.0f;
}

extern "C" __global__ void counts(unsigned* counter, unsigned* out, unsigned long long* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; ++k) {
        out[i + k * 64] = i ^ k;
        const unsigned old = atomicAdd(counter + i + k, 3u);
        atomicAdd(sums + old, 5ull);
        out[i + old] = atomicMax(counter + old, 7u);
    }
}

extern "C" __global__ void gather(float* out, const float* const* rows, const int* index, int n) {
    __shared__ float part[128];
    const int t = threadIdx.x;
    part[t] = static_cast<float>(t);
    __syncthreads();
    float s = 0;
    for (int k = 0; k < n; ++k) {
        const float* row = rows[index[k * 128 + t]];
        s += row[t] * part[(t + k) & 127];
        out[(k * 128 + t) * 3] = s;
    }
    out[t] = s;
}
