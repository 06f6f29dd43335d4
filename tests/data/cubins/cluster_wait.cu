// SPDX-License-Identifier: GPL-3.0-or-later
// What follows a cluster's barrier that orders no memory. nvcc -arch=sm_90a -cubin -o cluster_wait.90a.cubin cluster_wait.cu
extern "C" __global__ void __cluster_dims__(2, 1, 1) arrivals(int* out, int passes) {
    __shared__ unsigned long long barrier;
    __shared__ int box[256];
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    int sum = out[threadIdx.x];
#pragma unroll 2
    for (int pass = 0; pass < passes; pass++) {
        box[threadIdx.x] = sum;
        asm volatile("barrier.cluster.arrive.relaxed.aligned;");
        asm volatile("barrier.cluster.wait.aligned;");
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory");
        asm volatile("barrier.cluster.arrive.relaxed.aligned;");
        asm volatile("barrier.cluster.wait.aligned;");
        sum += box[threadIdx.x ^ 1];
    }
    out[threadIdx.x] = sum;
}
