// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that the checker refused as compiled when they were first seen (2026-11-22), and one whose store the
// decoder read wrongly. nvcc 13.0 -O3: sm_75 with -DTENSOR, sm_90a without.
#include <cstdint>

#ifdef TENSOR
// HMMA.1688 of sm_75 reads its accumulator two cycles later than its other operands.
extern "C" __global__ void accumulate(const uint4* g, float* o, int n) {
    __shared__ __align__(16) uint4 s[32];
    float d[4] = {0, 0, 0, 0};
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(&s[threadIdx.x % 16 * 2]);
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = g[i * 32 + threadIdx.x];
        __syncthreads();
        uint32_t a[4], b[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(at));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(at));
        for (int k = 0; k < 2; ++k)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[2 * k]), "r"(a[2 * k + 1]), "r"(b[k]));
        d[i & 3] *= 0.5f;
    }
    for (int i = 0; i < 4; ++i)
        o[threadIdx.x * 4 + i] = d[i];
}
#else
// Results of reducing barriers: the first has no scoreboard and is read behind the wait for a later one's.
extern "C" __global__ void votes(float* p) {
    int any = __syncthreads_or(p[threadIdx.x] > 0), count = __syncthreads_count(p[threadIdx.x] < 5);
    p[threadIdx.x] += any + count + __syncthreads_and(threadIdx.x / 32);
}

// What an atomic at a generic address becomes: its last way out is a store whose data stands in slot c.
extern "C" __global__ void remote(float* o) {
    __shared__ float s[128];
    uint32_t rank, there;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    s[threadIdx.x] = o[threadIdx.x + rank * 128];
    asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there) : "r"((uint32_t)__cvta_generic_to_shared(s + threadIdx.x)), "r"(rank ^ 1));
    float v;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(v) : "r"(there));
    asm volatile("atom.shared::cluster.add.f32 %0, [%1], %2;" : "=f"(v) : "r"(there), "f"(v));
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.aligned;");
    o[threadIdx.x + rank * 128] = v + s[127 - threadIdx.x];
}
#endif
