// SPDX-License-Identifier: GPL-3.0-or-later
// Work between the two halves of a cluster's barrier, and stages of shared memory that a block barrier gives back.
// halves.90a.cubin: nvcc 13.0, -O3 -arch=sm_90a -cubin.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(4) store_between(int* data) {
    auto cluster = cg::this_cluster();
    const int t = threadIdx.x;
    const int value = data[t];
    cluster.barrier_arrive();
    data[t + 512] = value;
    cluster.barrier_wait();
    data[t] = value + 1;
}

extern "C" __global__ void __cluster_dims__(4) load_between(int* data) {
    __shared__ int shared[256];
    const int t = threadIdx.x;
    shared[t] = data[t];
    __syncthreads();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;");
    const int value = shared[t ^ 1];
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    data[t] = value;
}

__device__ unsigned shared_address(void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Two stages, filled by bulk copies that one thread announces; the block's barrier gives a stage back.
extern "C" __global__ void two_stages(const char* from, int* to, int rounds) {
    __shared__ alignas(128) int stage[2][1024];
    __shared__ alignas(8) unsigned long long full[2];
    const int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(full)));
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(full + 1)));
        asm volatile("fence.proxy.async;");
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        const unsigned barrier = shared_address(full + (i & 1));
        if (t == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(barrier));
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(
                    shared_address(stage[i & 1])),
                "l"(from + i * 4096), "r"(barrier));
        }
        asm volatile("{.reg .pred done; again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1; @!done bra again;}" ::"r"(
                         barrier),
                     "r"((i >> 1) & 1)
                     : "memory");
        sum += stage[i & 1][t] * 3;
        __syncthreads();
    }
    to[t] = sum;
}
