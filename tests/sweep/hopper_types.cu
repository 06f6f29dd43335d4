// SPDX-License-Identifier: GPL-3.0-or-later
// sm_90 and sm_90a: wgmma of every type, tensor copies of every rank and mode, bulk reductions, remote shared memory.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda.h>
#define K extern "C" __global__ void
__device__ inline uint32_t sh(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
#define VOLATILE(...) asm volatile(__VA_ARGS__)

K __cluster_dims__(2, 1, 1) remote_shared(uint64_t* out, int n) {
    __shared__ alignas(16) uint64_t s[16], bar;
    uint32_t peer, peer_bar, t = threadIdx.x;
    VOLATILE("mapa.shared::cluster.u32 %0, %1, 1; mapa.shared::cluster.u32 %2, %3, 0;" : "=r"(peer), "+r"(t), "=r"(peer_bar) : "r"(sh(&bar)));
    VOLATILE("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(peer) : "r"(sh(s)));
    if (threadIdx.x == 0) VOLATILE("mbarrier.init.shared.b64 [%0], 4; fence.mbarrier_init.release.cluster;" ::"r"(sh(&bar)));
    VOLATILE("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
    for (int k = 0; k < n; ++k) {
        VOLATILE("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(peer), "r"(k), "r"(peer_bar) : "memory");
        VOLATILE("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u64 [%0], {%1, %1}, [%2];" ::"r"(peer), "l"(out[k]), "r"(peer_bar) : "memory");
        VOLATILE("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [%0], %1, [%2];" ::"r"(peer + 8), "r"(k), "r"(peer_bar) : "memory");
        VOLATILE("mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _, [%0], 16;" ::"r"(peer_bar) : "memory");
        VOLATILE("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], 2;" ::"r"(peer_bar) : "memory");
        VOLATILE("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 8;" ::"r"(sh(&bar)) : "memory");
        VOLATILE("mbarrier.complete_tx.relaxed.cta.shared.b64 [%0], 8;" ::"r"(sh(&bar)) : "memory");
        VOLATILE("{ .reg .pred p; W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1, 1000; @!p bra W; }" ::"r"(sh(&bar)), "r"(k & 1) : "memory");
        uint32_t v;
        uint64_t state;
        VOLATILE("ld.shared::cluster.u32 %0, [%1]; atom.shared::cluster.add.u32 %0, [%1], %0;" : "=r"(v) : "r"(peer) : "memory");
        VOLATILE("mbarrier.arrive.noComplete.release.cta.shared.b64 %0, [%1], 1;" : "=l"(state) : "r"(sh(&bar)) : "memory");
        VOLATILE("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(sh(&bar)) : "memory");
        VOLATILE("mbarrier.pending_count.b64 %0, %1;" : "=r"(t) : "l"(state));
        out[threadIdx.x] = s[k & 7] + v + t;
        VOLATILE("fence.proxy.async; fence.acq_rel.cluster; fence.proxy.alias;" ::: "memory");
    }
    uint32_t rank, count;
    VOLATILE("mov.u32 %0, %%cluster_ctarank; mov.u32 %1, %%cluster_nctaid.x;" : "=r"(rank), "=r"(count));
    out[rank] = count;
    VOLATILE("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
#define TILE(D, COORDS) "cp.async.bulk.tensor." #D "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" COORDS "}], [%2];"
#define LOAD(D, COORDS, ...) VOLATILE(TILE(D, COORDS) ::"r"(s), "l"(&m), "r"(b), __VA_ARGS__ : "memory")
K tensor_copies(const __grid_constant__ CUtensorMap m, int x, int y, int z, uint64_t policy) {
    __shared__ alignas(128) char t[16384];
    __shared__ uint64_t bar;
    uint32_t s = sh(t), b = sh(&bar);
    uint16_t mask = 3, ox = 1, oy = 2, oz = 3;
    if (threadIdx.x) return;
    VOLATILE("prefetch.tensormap [%0];" ::"l"(&m) : "memory");
    LOAD(1, "%3", "r"(x));
    LOAD(2, "%3, %4", "r"(x), "r"(y));
    LOAD(3, "%3, %4, %5", "r"(x), "r"(y), "r"(z));
    LOAD(4, "%3, %4, %5, %3", "r"(x), "r"(y), "r"(z));
    LOAD(5, "%3, %4, %5, %4, %3", "r"(x), "r"(y), "r"(z));
    VOLATILE("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(s), "l"(&m), "r"(b), "r"(x), "r"(y), "h"(mask) : "memory");
    VOLATILE("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(s), "l"(&m), "r"(b), "r"(x), "r"(y), "l"(policy) : "memory");
    VOLATILE("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%3, %4}], [%2], %5, %6;" ::"r"(s), "l"(&m), "r"(b), "r"(x), "r"(y), "h"(mask), "l"(policy) : "memory");
    VOLATILE("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2], {%6};" ::"r"(s), "l"(&m), "r"(b), "r"(x), "r"(y), "r"(z), "h"(ox) : "memory");
    VOLATILE("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %3}], [%2], {%6, %7};" ::"r"(s), "l"(&m), "r"(b), "r"(x), "r"(y), "r"(z), "h"(ox), "h"(oy) : "memory");
    VOLATILE("cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %3, %4}], [%2], {%6, %7, %8};" ::"r"(s), "l"(&m), "r"(b), "r"(x), "r"(y), "r"(z), "h"(ox), "h"(oy), "h"(oz) : "memory");
    VOLATILE("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];" ::"l"(&m), "r"(x), "r"(y) : "memory");
    VOLATILE("cp.async.bulk.prefetch.tensor.5d.L2.global.im2col [%0, {%1, %2, %1, %2, %1}], {%3, %4, %3};" ::"l"(&m), "r"(x), "r"(y), "h"(ox), "h"(oy) : "memory");
    VOLATILE("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(&m), "r"(x), "r"(s) : "memory");
    VOLATILE("cp.async.bulk.tensor.5d.global.shared::cta.bulk_group.L2::cache_hint [%0, {%1, %2, %3, %1, %2}], [%4], %5;" ::"l"(&m), "r"(x), "r"(y), "r"(z), "r"(s), "l"(policy) : "memory");
    VOLATILE("cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&m), "r"(x), "r"(y), "r"(z), "r"(s) : "memory");
    VOLATILE("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&m), "r"(x), "r"(y), "r"(s) : "memory");
    VOLATILE("cp.reduce.async.bulk.tensor.3d.global.shared::cta.max.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&m), "r"(x), "r"(y), "r"(z), "r"(s) : "memory");
    VOLATILE("cp.async.bulk.commit_group; cp.async.bulk.wait_group 1; cp.async.bulk.wait_group.read 0;" ::: "memory");
    VOLATILE("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(&m) : "memory");
}
K bulk_copies(float* g, float* h, int bytes, uint64_t policy) {
    __shared__ alignas(128) float t[1024];
    __shared__ uint64_t bar;
    uint32_t s = sh(t), b = sh(&bar);
    uint16_t mask = 3;
    if (threadIdx.x) return;
    VOLATILE("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(s), "l"(g), "r"(bytes), "r"(b), "l"(policy) : "memory");
    VOLATILE("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(s), "l"(g), "r"(bytes), "r"(b), "h"(mask) : "memory");
    VOLATILE("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(s), "r"(s + 2048), "r"(bytes), "r"(b) : "memory");
    VOLATILE("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(g), "r"(bytes) : "memory");
    VOLATILE("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(h), "r"(s), "r"(bytes) : "memory");
    VOLATILE("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%0], [%1], %2;" ::"l"(h), "r"(s), "r"(bytes) : "memory");
    VOLATILE("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%0], [%1], %2;" ::"l"(h), "r"(s), "r"(bytes) : "memory");
    VOLATILE("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], %2, [%3];" ::"r"(s), "r"(s + 2048), "r"(bytes), "r"(b) : "memory");
    VOLATILE("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 2; cp.async.bulk.wait_group 0;" ::: "memory");
}
K multimem(float* p, float* c) {
    float x, y, z, w;
    VOLATILE("multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(p) : "memory");
    VOLATILE("multimem.st.relaxed.sys.global.f32 [%0], %1;" ::"l"(p + 8), "f"(x + y) : "memory");
    VOLATILE("multimem.red.relaxed.sys.global.add.f32 [%0], %1;" ::"l"(p + 9), "f"(z + w) : "memory");
    c[threadIdx.x] = x * y + z;
}
K elect_one(int* c) {
    uint32_t p;
    VOLATILE("{ .reg .pred q; elect.sync _|q, -1; selp.u32 %0, 1, 0, q; }" : "=r"(p));
    if (p) c[threadIdx.x] = 1;
    VOLATILE("griddepcontrol.launch_dependents; griddepcontrol.wait;" ::: "memory");
}
#ifdef SM90A
__device__ inline uint64_t desc(const void* p) { return (uint64_t)(sh(p) >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62; }
#define ENTER()                                                               \
    __shared__ alignas(1024) uint4 s[512], t[512];                            \
    s[threadIdx.x] = t[threadIdx.x] = make_uint4(threadIdx.x, 2, 3, 4);       \
    VOLATILE("fence.proxy.async.shared::cta;" ::: "memory");                  \
    __syncthreads();                                                          \
    uint64_t da = desc(s), db = desc(t);                                      \
    VOLATILE("wgmma.fence.sync.aligned;" ::: "memory")
#define COMMIT(N) VOLATILE("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned " #N ";" ::: "memory")
#define F4 "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define I4 "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3])
#define H2 "+r"(h[0]), "+r"(h[1])
#define A4 "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3])
#define WG "wgmma.mma_async.sync.aligned.m64n8k"
#define WGSP "wgmma.mma_async.sp.sync.aligned.m64n8k"
#define S4 " {%0,%1,%2,%3}, %4, %5, 1"
#define R4A " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1"
#define OUT() for (int i = 0; i < 4; ++i) c[threadIdx.x * 16 + i] = d[i] + 1, c[threadIdx.x * 16 + 4 + i] = e[i] ^ 3; c[threadIdx.x * 16 + 9] = h[0] + h[1]
#define REGS() float d[4] = {}; int e[4] = {}; uint32_t h[2] = {}
K wgmma_types_shared(float* c) {
    REGS();
    ENTER();
    VOLATILE(WG "16.f32.f16.f16" S4 ", 1, 1, 0, 0;" : F4 : "l"(da), "l"(db));
    VOLATILE(WG "16.f32.bf16.bf16" S4 ", -1, 1, 1, 1;" : F4 : "l"(da), "l"(db));
    VOLATILE(WG "8.f32.tf32.tf32" S4 ", 1, -1;" : F4 : "l"(da), "l"(db));
    VOLATILE(WG "32.f32.e5m2.e4m3" S4 ", 1, 1;" : F4 : "l"(da), "l"(db));
    VOLATILE(WG "16.f16.f16.f16 {%0,%1}, %2, %3, 1, 1, 1, 0, 0;" : H2 : "l"(da), "l"(db));
    VOLATILE(WG "32.f16.e4m3.e5m2 {%0,%1}, %2, %3, 1, 1, 1;" : H2 : "l"(da), "l"(db));
    VOLATILE(WG "32.s32.s8.u8" S4 ";" : I4 : "l"(da), "l"(db));
    VOLATILE(WG "32.s32.u8.u8.satfinite" S4 ";" : I4 : "l"(da), "l"(db));
    VOLATILE(WG "256.s32.b1.b1.and.popc" S4 ";" : I4 : "l"(da), "l"(db));
    COMMIT(0);
    OUT();
}
K wgmma_types_registers(const uint32_t* a, float* c) {
    REGS();
    uint32_t x[4];
    for (int i = 0; i < 4; ++i) x[i] = a[threadIdx.x * 4 + i];
    ENTER();
    VOLATILE(WG "16.f32.f16.f16" R4A ", 1, 1, 1;" : F4 : A4, "l"(db));
    VOLATILE(WG "8.f32.tf32.tf32" R4A ", 1, 1;" : F4 : A4, "l"(db));
    VOLATILE(WG "32.f32.e4m3.e4m3" R4A ", 1, 1;" : F4 : A4, "l"(db));
    VOLATILE(WG "32.s32.s8.s8" R4A ";" : I4 : A4, "l"(db));
    VOLATILE(WG "256.s32.b1.b1.and.popc" R4A ";" : I4 : A4, "l"(db));
    VOLATILE(WG "16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, %6, 1, 1, 1, 0;" : H2 : A4, "l"(db));
    COMMIT(0);
    for (int i = 0; i < 4; ++i) x[i] = x[i] * 3 + 1, c[threadIdx.x + i] = x[i];
    OUT();
}
K wgmma_sparse(const uint32_t* a, float* c) {
    REGS();
    uint32_t x[4], m = a[threadIdx.x];
    for (int i = 0; i < 4; ++i) x[i] = a[threadIdx.x * 4 + i];
    ENTER();
    VOLATILE(WGSP "32.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, %6, 0, 1, 1, 1, 0, 0;" : F4 : "l"(da), "l"(db), "r"(m));
    VOLATILE(WGSP "32.f32.bf16.bf16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, %9, 0, 1, 1, 1, 0;" : F4 : A4, "l"(db), "r"(m));
    VOLATILE(WGSP "64.s32.s8.s8 {%0,%1,%2,%3}, %4, %5, %6, 0, 1;" : I4 : "l"(da), "l"(db), "r"(m));
    VOLATILE(WGSP "64.f32.e4m3.e4m3 {%0,%1,%2,%3}, %4, %5, %6, 0, 1, 1, 1;" : F4 : "l"(da), "l"(db), "r"(m));
    COMMIT(0);
    OUT();
}
K wgmma_predicated_scale(float* c, int n, int zero) {
    REGS();
    ENTER();
    for (int k = 0; k < n; ++k) {
        VOLATILE("{ .reg .pred p; setp.ne.b32 p, %6, 0; " WG "16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 0; }" : F4 : "l"(da + k * 2), "l"(db + k), "r"(zero + k));
        VOLATILE("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (k & 1) VOLATILE("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    COMMIT(0);
    OUT();
}
// Two groups in flight, the older one read while the younger runs.
K wgmma_two_groups(float* c, int n) {
    float d[4] = {}, f[4] = {};
    ENTER();
    for (int k = 0; k < n; ++k) {
        VOLATILE(WG "16.f32.f16.f16" S4 ", 1, 1, 0, 0;" : F4 : "l"(da + k), "l"(db));
        VOLATILE("wgmma.commit_group.sync.aligned;" ::: "memory");
        VOLATILE(WG "16.f32.f16.f16" S4 ", 1, 1, 0, 0;" : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3]) : "l"(da + k), "l"(db + 2));
        COMMIT(1);
        c[k * 128 + threadIdx.x] = d[0] + d[1] * d[2];
        VOLATILE("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        for (int i = 0; i < 4; ++i) d[i] *= 0.5f, f[i] += d[i];
        VOLATILE("wgmma.fence.sync.aligned;" ::: "memory");
    }
    for (int i = 0; i < 4; ++i) c[threadIdx.x * 4 + i] = d[i] * f[i];
}
#endif
