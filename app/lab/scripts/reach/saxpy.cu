// SPDX-License-Identifier: GPL-3.0-or-later
// A program as anybody writes it: static run-time, several architectures, a __constant__ and a __device__ variable, a
// loop of launches, results printed. `prog empty N` times N empty launches.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__constant__ float factor[4];
__device__ unsigned calls;

__global__ void empty() {}

__global__ void stencil(float* out, const float* in, int n) {
    __shared__ float tile[256 + 8];
    const int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x + 4] = i < n ? in[i] : 0.f;
    if (threadIdx.x < 4) {
        tile[threadIdx.x] = i >= 4 ? in[i - 4] : 0.f;
        tile[threadIdx.x + 260] = i + 256 < n ? in[i + 256] : 0.f;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = -4; k <= 4; ++k)
        sum += tile[threadIdx.x + 4 + k] * factor[(k + 4) & 3];
    if (i < n) out[i] = sum * 0.5f + sqrtf(fabsf(sum));
}

__global__ void matmul(float* c, const float* a, const float* b, int n) {
    __shared__ float as[32][33], bs[32][33];
    const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 32) {
        as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 32; ++j)
            sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

#define MUST(call)                                                                     \
    do {                                                                               \
        const cudaError_t e = (call);                                                  \
        if (e != cudaSuccess) {                                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));            \
            return 1;                                                                  \
        }                                                                              \
    } while (0)

int main(int argc, char** argv) {
    if (argc > 2 && std::strcmp(argv[1], "empty") == 0) {
        const int n = std::atoi(argv[2]);
        double best = 1e9;
        for (int round = 0; round < 7; ++round) {
            const auto start = std::chrono::steady_clock::now();
            for (int i = 0; i < n / 7; ++i)
                empty<<<1, 32>>>();
            MUST(cudaDeviceSynchronize());
            const double ns =
                std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / (n / 7);
            if (round > 0 && ns < best) best = ns;
        }
        std::printf("ns a launch %.1f\n", best);
        return 0;
    }
    const int n = 1024, size = n * n;
    std::vector<float> host(size);
    for (int i = 0; i < size; ++i)
        host[i] = static_cast<float>((i * 37 + 11) % 1009) / 1009.f - 0.5f;
    const float four[4] = {0.1f, 0.2f, 0.3f, 0.4f};
    MUST(cudaMemcpyToSymbol(factor, four, sizeof four));
    float *a, *b, *c;
    MUST(cudaMalloc(&a, size * 4));
    MUST(cudaMalloc(&b, size * 4));
    MUST(cudaMalloc(&c, size * 4));
    MUST(cudaMemcpy(a, host.data(), size * 4, cudaMemcpyHostToDevice));
    for (int i = 0; i < 200; ++i) {
        stencil<<<size / 256, 256>>>(b, a, size);
        matmul<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(c, a, b, n);
    }
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(host.data(), c, size * 4, cudaMemcpyDeviceToHost));
    unsigned long long sum = 1469598103934665603ull;
    for (const float value : host) {
        unsigned bits;
        std::memcpy(&bits, &value, 4);
        sum = (sum ^ bits) * 1099511628211ull;
    }
    std::printf("result %016llx\n", sum);
    return 0;
}
