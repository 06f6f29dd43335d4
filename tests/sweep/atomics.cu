// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics and reductions of every type and space, packed halves, fences, cache operations, funnel of lane operations.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define K extern "C" __global__ void

template <class T> __device__ T all_integer(T* p, T v) {
    T r = atomicAdd(p, v) + atomicMin(p + 1, v) + atomicMax(p + 2, v) + atomicExch(p + 3, v) + atomicCAS(p + 4, v, T(7));
    return r + atomicAnd(p + 5, v) + atomicOr(p + 6, v) + atomicXor(p + 7, v);
}
template <class T> __device__ void all_reductions(T* p, T v) {
    atomicAdd(p, v), atomicMin(p + 1, v), atomicMax(p + 2, v), atomicAnd(p + 5, v), atomicOr(p + 6, v), atomicXor(p + 7, v);
}
K global_i32(int* p, int* c) { c[threadIdx.x] = all_integer(p, c[threadIdx.x]); }
K global_u32(unsigned* p, unsigned* c) { c[threadIdx.x] = all_integer(p, c[threadIdx.x]) + atomicInc(p + 9, 5u) + atomicDec(p + 8, 3u); }
K global_u64(unsigned long long* p, unsigned long long* c) { c[threadIdx.x] = all_integer(p, c[threadIdx.x]); }
K global_s64(long long* p, long long* c) { c[threadIdx.x] = atomicMin(p, c[threadIdx.x]) + atomicMax(p + 1, c[threadIdx.x]); }
K reductions_i32(int* p, const int* c) { all_reductions(p, c[threadIdx.x]); }
K reductions_u64(unsigned long long* p, const unsigned long long* c) { all_reductions(p, c[threadIdx.x]); }
K shared_i32(int* c) { __shared__ int s[8]; c[threadIdx.x] = all_integer(s, c[threadIdx.x]); all_reductions(s, c[threadIdx.x + 32]); }
K shared_u64(unsigned long long* c) { __shared__ unsigned long long s[8]; c[threadIdx.x] = all_integer(s, c[threadIdx.x]); all_reductions(s, c[threadIdx.x + 32]); }
K shared_u32_loop(const unsigned* a, unsigned* c, int n) {
    __shared__ unsigned s[64];
    unsigned r = 0;
    for (int k = 0; k < n; ++k) r += atomicAdd(&s[a[k] & 63], r) ^ atomicInc(&s[a[k + 1] & 63], 9u);
    c[threadIdx.x] = r + s[threadIdx.x & 63];
}
K generic_atomics(int* g, int* c, int which) {
    __shared__ int s[8];
    int* p = which ? g : s;
    c[threadIdx.x] = all_integer(p, c[threadIdx.x]);
    all_reductions(p, which);
    c[threadIdx.x] += s[which & 7];
}
K floats(float* f, double* d, __half2* h, float* c) {
    __shared__ float s;
    __shared__ double t;
    float v = c[threadIdx.x];
    c[threadIdx.x] = atomicAdd(f, v) + (float)atomicAdd(d, (double)v) + __low2float(atomicAdd(h, __float2half2_rn(v))) + atomicAdd(&s, v) + atomicExch(f + 1, v);
    atomicAdd(f + 2, v), atomicAdd(d + 1, 3.0), atomicAdd(&t, 1.0), atomicAdd(h + 1, __float2half2_rn(2.f));
    c[threadIdx.x + 32] = s + (float)t;
}
K scopes(int* p, int* c) {
    c[0] = atomicAdd_system(p, 1) + atomicCAS_block(p + 1, 2, 3) + atomicExch_system(p + 2, 4) + atomicMax_block(p + 3, 5);
    __threadfence_block();
    c[1] = *(volatile int*)(p + 5);
    __threadfence();
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p + 6), "r"(c[2]) : "memory");
    __threadfence_system();
    int v, w;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(v) : "l"(p + 7) : "memory");
    asm volatile("ld.relaxed.cta.global.u32 %0, [%1];" : "=r"(w) : "l"(p + 8) : "memory");
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(p + 9), "r"(v) : "memory");
    asm volatile("atom.acq_rel.cta.global.add.u32 %0, [%1], %2;" : "=r"(v) : "l"(p + 10), "r"(w) : "memory");
    asm volatile("fence.acq_rel.gpu; fence.sc.sys;" ::: "memory");
    c[3] = v + w;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
K bfloat_atomics(__nv_bfloat162* b, __nv_bfloat16* s, float* c) {
    __nv_bfloat162 v = __float2bfloat162_rn(c[threadIdx.x]);
    c[threadIdx.x] = __low2float(atomicAdd(b, v)) + __bfloat162float(atomicAdd(s, __low2bfloat16(v)));
    atomicAdd(b + 3, v);
}
K cache_policies(const float4* a, float4* c, int n) {
    uint64_t pol;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 0.5;" : "=l"(pol));
    float4 v;
    asm volatile("ld.global.L2::cache_hint.v4.f32 {%0,%1,%2,%3}, [%4], %5;" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(a + threadIdx.x), "l"(pol));
    asm volatile("ld.global.L1::no_allocate.L2::128B.f32 %0, [%1];" : "=f"(v.y) : "l"(a + n));
    asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(c + threadIdx.x), "f"(v.x + v.y * v.z), "l"(pol) : "memory");
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(a) : "memory");
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(c) : "memory");
    asm volatile("prefetch.global.L1 [%0]; prefetchu.L1 [%0];" ::"l"(a + 64));
}
K copy_async_all(const char* a, char* c, int n, int fill) {
    __shared__ alignas(16) char s[4][512];
    unsigned at = (unsigned)__cvta_generic_to_shared(&s[0][threadIdx.x * 16]);
    uint64_t bar;
    __shared__ uint64_t mb;
    unsigned mba = (unsigned)__cvta_generic_to_shared(&mb);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(mba));
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(a + k * 64));
        asm volatile("cp.async.ca.shared.global [%0+512], [%1+8], 8, %2;" ::"r"(at), "l"(a + k * 64), "r"(fill));
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.cg.shared.global [%0+1024], [%1], 16;" ::"r"(at), "l"(a + k * 64));
        asm volatile("cp.async.cg.shared.global.L2::128B [%0+1536], [%1+16], 16;" ::"r"(at), "l"(a + k * 64));
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        c[k] = s[0][threadIdx.x];
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(mba) : "memory");
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(bar) : "r"(mba) : "memory");
        asm volatile("{ .reg .pred p; W: mbarrier.test_wait.shared.b64 p, [%0], %1; @!p bra W; }" ::"r"(mba), "l"(bar) : "memory");
        c[k + 64] = s[2][threadIdx.x] + s[3][threadIdx.x + 1];
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
    }
    if (threadIdx.x == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(mba));
}
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
K vector_atomics(float4* f, float2* g, float* c) {
    float4 v = atomicAdd(f, make_float4(1, c[0], 3, 4));
    float2 w = atomicAdd(g, make_float2(c[1], 2));
    c[threadIdx.x] = v.x + v.w + w.y;
    asm volatile("red.global.add.noftz.v4.f16x2 [%0], {%1, %1, %1, %1};" ::"l"(f + 2), "r"(threadIdx.x) : "memory");
    asm volatile("red.global.add.v2.f32 [%0], {%1, %1};" ::"l"(f + 3), "f"(c[2]) : "memory");
}
K cas_128(uint4* p, uint4* c) {
    uint4 e = c[0], d = c[1], r;
    asm volatile("{ .reg .b128 x, y, z; mov.b128 x, {%2, %3}; mov.b128 y, {%4, %5}; atom.global.cas.b128 z, [%6], x, y; mov.b128 {%0, %1}, z; }"
                 : "=l"(*(uint64_t*)&r.x), "=l"(*(uint64_t*)&r.z) : "l"(*(uint64_t*)&e.x), "l"(*(uint64_t*)&e.z), "l"(*(uint64_t*)&d.x), "l"(*(uint64_t*)&d.z), "l"(p) : "memory");
    c[threadIdx.x] = r;
}
#endif
