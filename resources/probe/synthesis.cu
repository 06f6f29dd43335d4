// SPDX-License-Identifier: GPL-3.0-or-later
// What `cubinlab-lab probe` builds its experiments from. `probe_frame` gives the launch: parameters, registers, shared
// memory, an EXIT at the end; every word before that EXIT is overwritten. The other kernels are never launched: they are
// the book from which instruction words are taken, so that no encoding is invented.
//
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin synthesis.cu -o synthesis.sm_90a.cubin      (or sm_100a, sm_103a, sm_120a)
#include <cstdint>
#include <cuda_fp16.h>

// 32 registers a thread, 32 KiB of shared memory, 1,024 threads: two blocks fill a multiprocessor with 64 warps.
extern "C" __global__ void __launch_bounds__(1024, 2) probe_frame(uint32_t* out, const uint32_t* in, uint32_t iterations) {
    __shared__ uint32_t tile[8192];
    uint32_t v[21];
#pragma unroll
    for (int i = 0; i < 21; ++i) v[i] = in[threadIdx.x + i];
    tile[threadIdx.x] = v[0];
    __syncthreads();
    v[1] += tile[(threadIdx.x * 7 + iterations) & 8191];
#pragma unroll
    for (int k = 0; k < 80; ++k)
#pragma unroll
        for (int i = 0; i < 21; ++i) v[i] = (v[i] ^ v[(i + 7) % 21]) * 0x9e3779b1u + v[(i + 3) % 21];
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < 21; ++i) sum += v[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

#define BOOK extern "C" __global__ void

BOOK book_integer(const uint32_t* in, uint32_t* out, uint32_t u) {
    const uint32_t a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64], d = in[threadIdx.x+96];
    uint32_t* o = out + threadIdx.x * 64;
    o[0] = a + b + c;
    o[1] = (a & b) ^ c;
    o[2] = __funnelshift_l(a, b, c);
    o[3] = __byte_perm(a, b, c);
    o[4] = (a << 3) + b;
    o[5] = a * b + c;
    o[6] = a + b;
    o[7] = max((int)a, (int)b);
    o[8] = __umulhi(a, b);
    const uint64_t w = (uint64_t)a * b + (((uint64_t)d << 32) | c);
    o[9] = (uint32_t)w; o[10] = (uint32_t)(w >> 32);
    o[11] = a < b ? c : d;
    o[12] = (a < b && c < d) ? a : d;
    o[13] = __popc(a); o[14] = __clz(b); o[15] = __brev(c);
    o[16] = __dp4a((int)a, (int)b, (int)c);
    const uint64_t s = (((uint64_t)a << 32) | b) + (((uint64_t)c << 32) | d);
    o[17] = (uint32_t)s; o[18] = (uint32_t)(s >> 32);
    if (a == d) o[19] = 5;
    o[20] = a * 0x12345 + 0x777;
    o[21] = a ^ 0x1234567;
    o[22] = a + u;
    o[23] = a & u;
    o[24] = in[u * 3 + 7];
    o[25] = min((int)(a + 1), (int)c);
    o[26] = (unsigned)clock();
    o[27] = __ballot_sync(0xffffffffu, a < 77);
    o[28] = __any_sync(0xffffffffu, b < 77);
    o[29] = abs((int)a);
    o[30] = a >> b;
    o[31] = (a != b) + 3;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(o[32]) : "r"(a), "r"(d));
    asm volatile("madc.lo.u32 %0, %1, %2, %3;" : "=r"(o[33]) : "r"(a), "r"(b), "r"(c));
}

BOOK book_float(const float* in, float* out, float u) {
    const float a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64], d = in[threadIdx.x + 96];
    float* o = out + threadIdx.x * 64;
    o[0] = a + b; o[1] = a * b; o[2] = fmaf(a, b, c); o[3] = fmaxf(a, b); o[4] = a < b ? c : d;
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(o[5]) : "f"(a));
    asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(o[6]) : "f"(b));
    asm volatile("tanh.approx.f32 %0, %1;" : "=f"(o[7]) : "f"(b));
    o[8] = (float)(int)__float_as_int(c); o[9] = __int_as_float((int)d);
    const __half2 h = __floats2half2_rn(a, b);
    o[10] = __int_as_float(*(const int*)&h);
    o[11] = a > b ? a * c : d;
    o[12] = __int_as_float((int)(short)__float_as_int(a));
    o[13] = (float)(unsigned char)(__float_as_int(b));
}

BOOK book_half(const uint32_t* in, uint32_t* out) {
    __half2 a = *(const __half2*)&in[threadIdx.x], b = *(const __half2*)&in[threadIdx.x + 32], c = *(const __half2*)&in[threadIdx.x + 64];
    __half2* o = (__half2*)(out + threadIdx.x * 64);
    o[0] = __hadd2(a, b); o[1] = __hmul2(a, b); o[2] = __hfma2(a, b, c); o[3] = __hmax2(a, b);
    o[4] = __hlt2(a, b);
    o[5] = __hfma2(b, c, a); o[6] = __hfma2(c, a, b); o[7] = __hfma2(a, a, b); o[8] = __hfma2(b, b, c); o[9] = __hfma2(c, c, a);
    o[10] = __low2float(a) + __high2float(b) > 3.0f ? a : b;
    o[11] = __hblt2(a, b) ? c : a;
    o[12] = __hadd2(a, __float2half2_rn(2.5f));
    float f = __half2float(__low2half(a)) ; o[13] = *(__half2*)&f;
}

BOOK book_double(const double* in, double* out) {
    const double a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64];
    double* o = out + threadIdx.x * 64;
    o[0] = a + b; o[1] = a * b; o[2] = fma(a, b, c); o[3] = a < b ? c : a; o[4] = (double)(float)c; o[5] = (int)a;
    double d0 = a, d1 = b;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d0), "+d"(d1) : "d"(b), "d"(c));
    o[6] = d0; o[7] = d1;
}

BOOK book_mma(const uint32_t* in, uint32_t* out) {
    uint32_t v[12];
#pragma unroll
    for (int i = 0; i < 12; ++i) v[i] = in[threadIdx.x + 32 * i];
    uint32_t* o = out + threadIdx.x * 64;
    uint32_t c[4];
#define MMA(text, ...) { c[0] = v[8]; c[1] = v[9]; c[2] = v[10]; c[3] = v[11]; asm volatile(text : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : __VA_ARGS__); o[0] = c[0]; o[1] = c[1]; o[2] = c[2]; o[3] = c[3]; o += 4; }
    MMA("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};", "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]), "r"(v[5]))
    MMA("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};", "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]), "r"(v[5]))
    MMA("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};", "r"(v[0]), "r"(v[1]), "r"(v[4]))
    MMA("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};", "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]), "r"(v[5]))
    MMA("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};", "r"(v[0]), "r"(v[1]), "r"(v[4]))
    MMA("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};", "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]), "r"(v[5]))
    MMA("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};", "r"(v[0]), "r"(v[1]), "r"(v[4]))
    c[0] = v[8]; c[1] = v[9];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" : "+r"(c[0]), "+r"(c[1]) : "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]), "r"(v[5]));
    o[0] = c[0]; o[1] = c[1];
    c[0] = v[8]; c[1] = v[9];
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+r"(c[0]), "+r"(c[1]) : "r"(v[0]), "r"(v[1]));
    o[2] = c[0]; o[3] = c[1];
}

BOOK book_memory(const uint32_t* in, uint32_t* out, uint32_t u) {
    __shared__ uint32_t tile[2048];
    uint32_t* o = out + threadIdx.x * 64;
    const uint32_t a = in[threadIdx.x], b = in[threadIdx.x + 32];
    tile[threadIdx.x] = a;
    tile[a & 2047] = b;
    __syncthreads();
    o[0] = tile[b & 2047];
    o[1] = __shfl_sync(0xffffffffu, a, b);
    o[2] = __shfl_xor_sync(0xffffffffu, b, 1);
    const uint2 two = *(const uint2*)&tile[(a & 511) * 2];
    o[3] = two.x; o[4] = two.y;
    const uint4 four = *(const uint4*)&tile[(b & 255) * 4];
    o[5] = four.x; o[6] = four.y; o[7] = four.z; o[8] = four.w;
    uint32_t m[4];
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(&tile[(a & 255) * 4]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]) : "r"(at));
    o[9] = m[0] ^ m[1] ^ m[2] ^ m[3];
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(m[0]) : "r"(at));
    o[10] = m[0];
    o[11] = atomicAdd(&tile[b & 1023], a);
    o[12] = __reduce_add_sync(0xffffffffu, a);
    o[13] = __match_any_sync(0xffffffffu, a);
    o[14] = in[a & 1023];
    *(uint4*)(o + 16) = four;
    const uint4 g = *(const uint4*)(in + (a & 255) * 4);
    o[20] = g.x ^ g.y ^ g.z ^ g.w;
    __syncwarp();
    o[21] = __ldcg(in + (b & 1023));
    o[22] = tile[u & 2047];
}

__constant__ uint32_t table[1024];
BOOK book_uniform(const uint32_t* in, uint32_t* out, uint32_t u, uint32_t w, const uint32_t* again) {
    uint32_t* o = out + threadIdx.x * 64;
    const uint32_t a = in[threadIdx.x];
    o[0] = table[a & 1023];
    o[1] = a + ((u * w + 7) ^ (u << 3));
    o[2] = a ^ (u > w ? u + 3 : w * 5);
    o[3] = table[u & 1023] + a;
    const uint32_t x = blockIdx.x * 7 + u;
    o[4] = a * x;
    uint32_t s = 0;
    for (uint32_t i = 0; i < u; ++i) s += a ^ (i * w) ^ again[i + blockIdx.y];
    o[5] = s;
    if ((u ^ w) & 1) o[6] = s + 1; else o[7] = s * 3;
    o[8] = __popc(__activemask());
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; @p st.global.u32 [%0], %1; }" :: "l"(o + 9), "r"(a));
    o[10] = a + (u & w) ; o[11] = a + (u + w + 1);
}
BOOK book_sync(const uint32_t* in, uint32_t* out, uint32_t u, uint32_t w) {
    __shared__ __align__(16) uint32_t tile[4096];
    __shared__ __align__(8) uint64_t bar[4];
    const uint32_t t = threadIdx.x;
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(&bar[in[5] & 3]);
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(u));
    __syncthreads();
    const uint32_t s = (uint32_t)__cvta_generic_to_shared(&tile[t * 4]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.commit_group;\n" :: "r"(s), "l"(in + t * 4));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.commit_group;\n" :: "r"(s + 8192), "l"(in + t * 4 + 4096));
    asm volatile("cp.async.wait_group 1;\n" ::: "memory");
    uint32_t x = tile[t * 4];
    asm volatile("cp.async.wait_group 0;\n" ::: "memory");
    x += tile[t * 4 + 2048];
    asm volatile("bar.sync %0, %1;" :: "r"(u & 7), "r"(w) : "memory");
    if (x & 1) { x = tile[x & 4095]; x = x * x + tile[(x >> 3) & 4095]; if (x > 77) x = tile[x & 2047] * x; }
    __syncwarp();
    out[t] = x;
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" :: "r"(s), "r"(x), "r"(at));
    __threadfence();
    out[t + 64] = x;
}
BOOK book_predicates(const uint32_t* in, uint32_t* out, uint32_t u) {
    const uint32_t a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64], d = in[threadIdx.x + 96];
    const bool p = a < b, q = c < d, r = a == d, s = (a ^ c) > 55, v = b != c;
    const bool x = (p && q) || (r && s), y = (p ^ q) && (r || v);
    uint32_t* o = out + threadIdx.x * 16;
    o[0] = x ? a : b; o[1] = y ? c : d; o[2] = (x != y) ? a : d;
    __half2 h = *(const __half2*)&a, k = *(const __half2*)&b;
    if (__hbgt2(h, k)) o[3] = 9;
    if (__hgt(__low2half(h), __low2half(k))) o[4] = 19;
    uint32_t many = 0;
#pragma unroll 1
    for (int i = 0; i < 40; ++i) {
        bool z[7];
#pragma unroll
        for (int j = 0; j < 7; ++j) z[j] = in[i * 7 + j] > many;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 7; ++j) if (z[j]) many += in[i + j * 100 + 3];
    }
    o[5] = many;
}
__constant__ uint32_t tab[256];
BOOK book_uniform2(uint32_t* out, uint32_t u, uint32_t w) {
    __shared__ uint32_t tile[1024];
    uint32_t acc = threadIdx.x;
    tile[threadIdx.x] = acc;
    __syncthreads();
    for (uint32_t i = blockIdx.x; i < w; i += gridDim.x) {
        const uint32_t k = (i * u) ^ (i >> 2);
        const uint32_t m = k > 1000 ? k - 5 : k * 3;
        acc = acc * m + tile[(threadIdx.x + 32 * (m & 7)) & 1023];
        if (k & 4) { __syncthreads(); acc += tab[k & 255]; }
        const uint64_t wide = (uint64_t)k * m + i;
        acc ^= (uint32_t)(wide >> 32) + (uint32_t)wide;
        acc += max((int)k, (int)w);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}
BOOK book_shuffle_uniform(uint32_t* out, const uint32_t* in, uint32_t u) {
    const uint32_t warp = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
    uint32_t acc = 0;
    for (uint32_t i = warp; i < u; i += 4) { acc += in[i * 32 + threadIdx.x % 32]; if (i & 1) asm volatile("bar.sync %0, 64;" :: "r"(warp + 1)); }
    out[threadIdx.x] = acc;
#if __CUDA_ARCH__ < 1000
    asm volatile("{ .reg .b64 d; mov.b64 d, {%0, %1};\n wgmma.fence.sync.aligned;\n .reg .f32 f<4>;\n mov.f32 f0, 0f00000000; mov.f32 f1, f0; mov.f32 f2, f0; mov.f32 f3, f0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {f0,f1,f2,f3}, d, d, 1, 1, 1, 0, 0;\n wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0; st.global.f32 [%2], f0; }" :: "r"(warp), "r"(acc), "l"(out + 99));
#endif
}
