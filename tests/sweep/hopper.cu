// SPDX-License-Identifier: GPL-3.0-or-later
// sm_90 and sm_90a: mbarrier, bulk copies, clusters, TMA, wgmma, setmaxnreg.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda.h>
#define K extern "C" __global__ void
__device__ inline uint32_t sh(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ inline void mb_init(uint64_t* b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sh(b)), "r"(n)); }
__device__ inline void mb_expect(uint64_t* b, int n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sh(b)), "r"(n)); }
__device__ inline void mb_wait(uint64_t* b, int p) {
    asm volatile("{ .reg .pred q; L: mbarrier.try_wait.parity.shared::cta.b64 q, [%0], %1; @!q bra L; }" ::"r"(sh(b)), "r"(p) : "memory");
}
K bulk_copy(const float* a, float* c, int n) {
    __shared__ alignas(128) float s[2][1024];
    __shared__ uint64_t bar[2];
    if (threadIdx.x == 0) { mb_init(&bar[0], 1); mb_init(&bar[1], 1); asm volatile("fence.mbarrier_init.release.cluster;"); }
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        int st = k & 1;
        if (threadIdx.x == 0) {
            mb_expect(&bar[st], 4096);
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sh(s[st])), "l"(a + k * 1024), "r"(4096), "r"(sh(&bar[st])) : "memory");
        }
        mb_wait(&bar[st], k >> 1 & 1);
        s[st][threadIdx.x] *= 2;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(c + k * 1024), "r"(sh(s[st])), "r"(4096) : "memory");
            asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
        __syncthreads();
    }
}
K tma_tile(const __grid_constant__ CUtensorMap m, const __grid_constant__ CUtensorMap o, float* c, int n) {
    __shared__ alignas(128) float s[64 * 32];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) mb_init(&bar, 1);
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (threadIdx.x == 0) {
            mb_expect(&bar, sizeof s);
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(sh(s)), "l"(&m), "r"(k * 32), "r"(blockIdx.x * 64), "r"(sh(&bar)) : "memory");
        }
        mb_wait(&bar, k & 1);
        c[threadIdx.x] += s[threadIdx.x];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&o), "r"(0), "r"((int)blockIdx.x * 64), "r"(sh(s)) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
K __cluster_dims__(2, 1, 1) cluster_exchange(float* a) {
    namespace cg = cooperative_groups;
    __shared__ float s[128];
    auto cl = cg::this_cluster();
    s[threadIdx.x] = a[blockIdx.x * 128 + threadIdx.x];
    cl.sync();
    float* other = cl.map_shared_rank(s, cl.block_rank() ^ 1);
    a[blockIdx.x * 128 + threadIdx.x] = other[127 - threadIdx.x];
    atomicAdd(&other[0], 1.f);
    cl.sync();
}
K dependent_launch(float* a) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    a[threadIdx.x] *= 3;
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
K stmatrix_copy(const uint4* a, uint4* c) {
    __shared__ uint4 s[128];
    uint4 v = a[threadIdx.x];
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(sh(&s[threadIdx.x])), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
    __syncwarp();
    c[threadIdx.x] = s[threadIdx.x];
}
K dmma_16x8x16(const double* a, const double* b, double* c) {
    double d[4] = {}, x[8], y[4];
    for (int i = 0; i < 8; ++i) x[i] = a[threadIdx.x * 8 + i];
    for (int i = 0; i < 4; ++i) y[i] = b[threadIdx.x * 4 + i];
    for (int k = 0; k < 4; ++k)
        asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3};"
            : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
            : "d"(x[0]), "d"(x[1]), "d"(x[2]), "d"(x[3]), "d"(x[4]), "d"(x[5]), "d"(x[6]), "d"(x[7]), "d"(y[0]), "d"(y[1]), "d"(y[2]), "d"(y[3]));
    for (int i = 0; i < 4; ++i) c[threadIdx.x * 4 + i] = d[i];
}
#ifdef SM90A
__device__ inline uint64_t desc(const void* p) { return (uint64_t)(sh(p) >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62; }
K wgmma_f16(const uint4* a, float* c, int n) {
    __shared__ alignas(1024) uint4 s[512], t[512];
    float d[32] = {};
    for (int k = 0; k < n; ++k) {
        for (int i = threadIdx.x; i < 512; i += 128) s[i] = a[k * 512 + i], t[i] = a[i];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int h = 0; h < 4; ++h)
            asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, 1, 1, 1, 0, 0;"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                : "l"(desc(s) + h * 2), "l"(desc(t) + h * 2));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    for (int i = 0; i < 32; ++i) c[threadIdx.x * 32 + i] = fmaxf(d[i], 0.f);
}
K wgmma_regs(const uint32_t* a, float* c) {
    __shared__ alignas(1024) uint4 t[512];
    float d[4] = {};
    uint32_t x[4];
    for (int i = 0; i < 4; ++i) x[i] = a[threadIdx.x * 4 + i];
    t[threadIdx.x] = make_uint4(1, 2, 3, 4);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(desc(t)));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i) c[threadIdx.x * 4 + i] = d[i];
}
K wgmma_s8_e4m3(float* c, int* e) {
    __shared__ alignas(1024) uint4 s[512], t[512];
    float d[4] = {};
    int f[4] = {};
    s[threadIdx.x] = t[threadIdx.x] = make_uint4(threadIdx.x, 2, 3, 4);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0,%1,%2,%3}, %4, %5, 1, 1, 1;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(desc(s)), "l"(desc(t)));
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0,%1,%2,%3}, %4, %5, 1;" : "+r"(f[0]), "+r"(f[1]), "+r"(f[2]), "+r"(f[3]) : "l"(desc(s)), "l"(desc(t)));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i) c[threadIdx.x * 4 + i] = d[i], e[threadIdx.x * 4 + i] = f[i];
}
K __launch_bounds__(256) warp_specialised(float* c, int n) {
    __shared__ float s[128];
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int k = 0; k < n; ++k) { s[threadIdx.x] = k; asm volatile("bar.sync 1, 256;" ::: "memory"); asm volatile("bar.sync 2, 256;" ::: "memory"); }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float v = 0;
        for (int k = 0; k < n; ++k) { asm volatile("bar.sync 1, 256;" ::: "memory"); v += s[threadIdx.x - 128]; asm volatile("bar.sync 2, 256;" ::: "memory"); }
        c[threadIdx.x] = v;
    }
}
#endif
