// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel that loads its tiles by TMA through a tensor map in its parameters (sm_90a), and launches with clusters.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kTile = 64;

__device__ inline uint32_t shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
    tiles(const __grid_constant__ CUtensorMap map, float* out, int n, int rounds) {
    __shared__ alignas(128) float tile[kTile][kTile];
    __shared__ alignas(8) uint64_t arrived;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&arrived)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    float sum[kTile / 2] = {};
    for (int round = 0; round < rounds; ++round) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&arrived)),
                         "r"(static_cast<int>(sizeof tile)));
            asm volatile(
                "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                    shared_address(tile)),
                "l"(&map), "r"(static_cast<int>((blockIdx.x * kTile + round * kTile) % n)),
                "r"(static_cast<int>(blockIdx.y * kTile)), "r"(shared_address(&arrived))
                : "memory");
        }
        uint32_t done = 0;
        while (!done)
            asm volatile(
                "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                : "=r"(done)
                : "r"(shared_address(&arrived)), "r"(round & 1)
                : "memory");
#pragma unroll
        for (int i = 0; i < kTile / 2; ++i)
            sum[i] = fmaf(tile[i * 2 + (threadIdx.x >> 6)][threadIdx.x & 63], 1.0f + i, sum[i]);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kTile / 2; ++i)
        out[(blockIdx.y * kTile + i * 2 + (threadIdx.x >> 6)) * n + blockIdx.x * kTile + (threadIdx.x & 63)] = sum[i];
}

#define MUST(call)                                                              \
    do {                                                                        \
        if (const int e = static_cast<int>(call)) {                             \
            std::fprintf(stderr, "%s gave %d\n", #call, e);                     \
            return 1;                                                           \
        }                                                                       \
    } while (0)

int main() {
    const int n = 1024;
    std::vector<float> host(n * n);
    for (int i = 0; i < n * n; ++i)
        host[i] = static_cast<float>((i * 29 + 5) % 997) / 997.f;
    float *in = nullptr, *out = nullptr;
    MUST(cudaMalloc(&in, n * n * 4));
    MUST(cudaMalloc(&out, n * n * 4));
    MUST(cudaMemcpy(in, host.data(), n * n * 4, cudaMemcpyHostToDevice));
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    MUST(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found));
    CUtensorMap map;
    const cuuint64_t size[2] = {n, n}, stride[1] = {n * 4};
    const cuuint32_t box[2] = {kTile, kTile}, step[2] = {1, 1};
    MUST(reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    for (int i = 0; i < 300; ++i)
        tiles<<<dim3(n / kTile, n / kTile), 128>>>(map, out, n, 16);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(host.data(), out, n * n * 4, cudaMemcpyDeviceToHost));
    unsigned long long sum = 1469598103934665603ull;
    for (const float value : host) {
        unsigned bits;
        std::memcpy(&bits, &value, 4);
        sum = (sum ^ bits) * 1099511628211ull;
    }
    std::printf("result %016llx\n", sum);
    return 0;
}
