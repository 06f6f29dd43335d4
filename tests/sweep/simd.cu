// SPDX-License-Identifier: GPL-3.0-or-later
// Packed halves, carries, bit fields, byte arithmetic, conversions, special registers, predicates kept in registers.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define K extern "C" __global__ void

template <class T> __device__ T half_mix(T a, T b, T c) {
    T r = __hfma2(a, b, c);
    r = __hadd2(__hmul2(r, a), __hsub2(b, c));
    r = __hfma2_sat(r, b, __hneg2(a));
    T m = __hmax2(r, __hmin2(a, __habs2(c)));
    return __hadd2(m, __hge2(a, b));
}
K half2_ops(const __half2* a, __half2* c, int n) {
    __half2 r = a[threadIdx.x], q = a[threadIdx.x + 32];
    for (int k = 0; k < n; ++k) {
        r = half_mix(r, q, a[k]);
        if (__hbgt2(r, q)) q = __h2div(q, r);
        q = __hadd2(q, h2exp2(r));
        if (__heq(__low2half(r), __high2half(q))) r = __lowhigh2highlow(q);
    }
    c[threadIdx.x] = __hadd2(h2sqrt(r), h2rsqrt(q));
}
K half_scalar(const __half* a, __half* c, float* f) {
    __half v = a[threadIdx.x], w = a[threadIdx.x + 1];
    __half r = __hfma(v, w, __hadd(v, w));
    if (__hlt(r, w)) r = hsin(r);
    if (__hisnan(v) || __hisinf(w)) r = __hneg(v);
    c[threadIdx.x] = __hmul(r, hlog2(v));
    f[threadIdx.x] = __half2float(r) + (float)__half2int_rn(v) + (float)__half2uint_rz(w) + __half2float(__int2half_rn(threadIdx.x)) + __half2float(__double2half(3.0 * threadIdx.x));
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
K bfloat_ops(const __nv_bfloat162* a, __nv_bfloat162* c, int n) {
    __nv_bfloat162 r = a[threadIdx.x], q = a[threadIdx.x + 32];
    for (int k = 0; k < n; ++k) {
        r = half_mix(r, q, a[k]);
        if (__hbgt2(r, q)) q = h2exp2(r);
    }
    c[threadIdx.x] = __hfma2_relu(r, q, h2tanh(r));
}
K half_relu(const __half2* a, __half2* c) { c[threadIdx.x] = __hfma2_relu(a[threadIdx.x], a[threadIdx.x + 1], __hmax2_nan(a[0], a[1])); }
#endif
K carries(const uint64_t* a, uint64_t* c, int n) {
    uint64_t x[4], y[4];
    for (int i = 0; i < 4; ++i) x[i] = a[threadIdx.x * 4 + i], y[i] = a[threadIdx.x * 4 + i + 128];
    for (int k = 0; k < n; ++k) {
        asm volatile("add.cc.u64 %0, %0, %4; addc.cc.u64 %1, %1, %5; addc.cc.u64 %2, %2, %6; addc.u64 %3, %3, %7;"
                     : "+l"(x[0]), "+l"(x[1]), "+l"(x[2]), "+l"(x[3]) : "l"(y[0]), "l"(y[1]), "l"(y[2]), "l"(y[3]));
        asm volatile("sub.cc.u64 %0, %0, %2; subc.u64 %1, %1, %3;" : "+l"(y[0]), "+l"(y[1]) : "l"(x[2]), "l"(x[3]));
        asm volatile("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.u32 %1, %2, %3, %1;" : "+r"(((unsigned*)x)[0]), "+r"(((unsigned*)x)[1]) : "r"(((unsigned*)y)[0]), "r"(((unsigned*)y)[3]));
        y[2] = __umul64hi(x[0], y[1]) + (x[1] > y[3]) + x[2] * y[3];
    }
    for (int i = 0; i < 4; ++i) c[threadIdx.x * 4 + i] = x[i] ^ y[i];
}
K bits(const unsigned* a, unsigned* c) {
    unsigned v = a[threadIdx.x], w = a[threadIdx.x + 32];
    unsigned long long q = (unsigned long long)v << 32 | w;
    unsigned r = __popc(v) + __clz(w) + __ffs(v) + __brev(w) + __popcll(q) + __clzll(q) + __ffsll(q) + __byte_perm(v, w, 0x5142) + __fns(v, 3, 2);
    r += __funnelshift_l(v, w, 7) + __funnelshift_rc(v, w, w) + __umulhi(v, w) + __mul24(v, w) + __sad(v, w, r) + __usad(v, w, r) + __uhadd(v, w) + __urhadd(v, w);
    unsigned x, y;
    asm volatile("bfe.u32 %0, %1, %2, 5; bfi.b32 %3, %1, %2, 3, 9;" : "=&r"(x) , "+r"(v), "+r"(w), "=&r"(y));
    asm volatile("bfind.shiftamt.s32 %0, %1; szext.clamp.s32 %0, %0, 3;" : "+r"(x) : "r"(v));
    asm volatile("bmsk.clamp.b32 %0, %1, %2;" : "=r"(y) : "r"(v & 31), "r"(w & 31));
    c[threadIdx.x] = r + x * y;
}
K bytes(const unsigned* a, unsigned* c) {
    unsigned v = a[threadIdx.x], w = a[threadIdx.x + 32];
    unsigned r = __dp4a((int)v, (int)w, 3) + __dp2a_lo((int)v, (int)w, 4) + __dp2a_hi(v, w, 5u) + __vadd4(v, w) + __vabsdiffu4(v, w) + __vmaxs2(v, w) + __vavgu4(v, w);
    r ^= __vcmpeq4(v, w) + __vsadu4(v, w) + __vsetgtu4(v, w) + __vminu4(v, r) + __vsubss4(v, w) + __vnegss2(v) + __vaddus2(v, w);
    asm volatile("vadd.u32.u32.s32.sat.add %0, %1.b1, %2.h1, %0;" : "+r"(r) : "r"(v), "r"(w));
    asm volatile("vmax4.u32.u32.u32.add %0, %1, %2, %0;" : "+r"(r) : "r"(v), "r"(w));
    c[threadIdx.x] = r;
}
K minmax(const int* a, int* c, const float* f, float* g) {
    int v = a[threadIdx.x], w = a[threadIdx.x + 32];
    c[threadIdx.x] = __vimax3_s32(v, w, 5) + __vimin3_u32(v, w, 7) + __viaddmax_s32(v, w, 3) + __viaddmin_u32(v, w, 4) + __viaddmax_s16x2(v, w, 9) + __vimax3_s16x2_relu(v, w, 1) + max(v, min(w, abs(v)));
    float x = f[threadIdx.x], y = f[threadIdx.x + 32];
    g[threadIdx.x] = fmaxf(x, fminf(y, fabsf(x))) + copysignf(x, y) + __saturatef(x) + truncf(y) + rintf(x) + floorf(y) + ceilf(x) + (isnan(x) ? 1.f : y) + (x > y && y > 0 ? x : -y);
}
K converts(const double* a, float* f, int* c, long long* l, short* s, signed char* b) {
    int t = threadIdx.x;
    double d = a[t];
    float x = f[t];
    c[t] = (int)d + (int)x + __float2int_rd(x) + __double2int_ru(d) + (unsigned)x + (int)(unsigned)d + __float_as_int(x) + __double2hiint(d);
    l[t] = (long long)d + (long long)x + (long long)(unsigned long long)d + __double_as_longlong(d);
    f[t] = (float)d + (float)c[t + 1] + (float)(unsigned)c[t + 2] + (float)l[t + 1] + (float)s[t] + (float)b[t] + __double2float_rz(d) + (float)(double)(unsigned long long)l[t + 2];
    s[t] = (short)x, b[t] = (signed char)d;
}
K special_registers(unsigned* c) {
    unsigned v[12];
    asm volatile("mov.u32 %0, %%laneid; mov.u32 %1, %%warpid; mov.u32 %2, %%nwarpid; mov.u32 %3, %%smid; mov.u32 %4, %%nsmid; mov.u32 %5, %%lanemask_lt;" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]), "=r"(v[4]), "=r"(v[5]));
    asm volatile("mov.u32 %0, %%clock; mov.u32 %1, %%lanemask_ge; mov.u32 %2, %%total_smem_size; mov.u32 %3, %%dynamic_smem_size; mov.u32 %4, %%globaltimer_lo; mov.u32 %5, %%envreg3;" : "=r"(v[6]), "=r"(v[7]), "=r"(v[8]), "=r"(v[9]), "=r"(v[10]), "=r"(v[11]));
    unsigned s = blockIdx.x + blockIdx.y * 3 + blockIdx.z * 5 + gridDim.x * 7 + gridDim.y + gridDim.z + blockDim.x + blockDim.y * blockDim.z + threadIdx.y + threadIdx.z;
    for (int i = 0; i < 12; ++i) s = s * 31 + v[i];
    c[threadIdx.x] = s;
}
K many_predicates(const float* a, float* c, int n) {
    bool p[12];
    float s = 0;
    for (int i = 0; i < 12; ++i) p[i] = a[i * 32 + threadIdx.x] > 0.5f;
    for (int k = 0; k < n; ++k) {
        float v = a[k];
        for (int i = 0; i < 12; ++i) {
            if (p[i]) s += v * i;
            p[i] = p[(i + 5) % 12] != (v > i);
        }
        if (p[0] && (p[3] || p[7]) && !p[9]) s = -s;
        if (__any_sync(~0u, p[4])) s *= 0.5f;
    }
    c[threadIdx.x] = s + (p[1] ? 1 : 0) + (p[2] ^ p[8] ? 3 : 0);
}
K uniform_work(const int* a, int* c, int n, int m) {
    int u = blockIdx.x * n + m;
    for (int k = 0; k < n; ++k) {
        u = (u << 3 ^ u >> 2) * m + (k & n);
        if (u & 64) u = max(u, k), u = __popc(u) + __clz(m) + __brev(u);
        if (u == n || k > m) u ^= n * m;
        c[u & 1023] = a[u & 255] + threadIdx.x;
    }
    c[threadIdx.x] = u + (int)((long long)u * m >> 32);
}
K lanes(const int* a, int* c, int n) {
    int v = a[threadIdx.x];
    unsigned long long w = (unsigned long long)v << 20;
    double d = v;
    for (int k = 1; k < n; ++k) {
        v += __shfl_sync(~0u, v, k) + __shfl_up_sync(~0u, v, k, 16) + __shfl_down_sync(~0u, v, 3) + __shfl_xor_sync(0xffffu, v, 7, 8);
        w ^= __shfl_sync(~0u, w, v & 31);
        d += __shfl_xor_sync(~0u, d, 1);
        int p;
        asm volatile("{ .reg .pred q; shfl.sync.idx.b32 %0|q, %1, %2, 0x1f, -1; selp.b32 %0, %0, 7, q; }" : "=r"(p) : "r"(v), "r"(k));
        v += p;
        if (v & 1) v += __shfl_sync(__activemask(), v, 0) + __match_any_sync(__activemask(), w);
        __syncwarp(0xffff);
    }
    c[threadIdx.x] = v + (int)w + (int)d;
}
