// SPDX-License-Identifier: GPL-3.0-or-later
// Floating point of all widths, conversions, math library, printf.
#include <cstdio>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#define K extern "C" __global__ void

K saxpy(const float* x, float* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
K saxpy4(const float4* x, float4* y, float a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 u = x[i], v = y[i];
        y[i] = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
    }
}
K math_float(const float* x, float* y) {
    float v = x[threadIdx.x];
    y[threadIdx.x] = sinf(v) + cosf(v) * tanf(v) + expf(v) + logf(v) + powf(v, 1.7f) + sqrtf(v) + rsqrtf(v) + erff(v) +
                     tanhf(v) + 1.0f / v + fmodf(v, 3.1f) + atan2f(v, 2.0f) + lgammaf(v) + cbrtf(v) + floorf(v) + rintf(v);
}
K math_fast(const float* x, float* y) {
    float v = x[threadIdx.x];
    y[threadIdx.x] = __sinf(v) + __cosf(v) + __expf(v) + __logf(v) + __fdividef(v, 3.3f) + __powf(v, 2.2f) + __saturatef(v) +
                     __frcp_rn(v) + __fsqrt_rn(v) + __fadd_rz(v, 1.f) + __fmaf_ru(v, v, 2.f);
}
K math_double(const double* x, double* y) {
    double v = x[threadIdx.x];
    y[threadIdx.x] = sin(v) + exp(v) + log(v) + pow(v, 1.7) + sqrt(v) + 1.0 / v + erf(v) + tgamma(v) + fmod(v, 2.5) + atan(v);
}
K daxpy(const double* x, double* y, double a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
K dgemm_naive(const double* a, const double* b, double* c, int n) {
    int r = blockIdx.y * 16 + threadIdx.y, q = blockIdx.x * 16 + threadIdx.x;
    __shared__ double s[16][16], t[16][17];
    double sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[threadIdx.y][threadIdx.x] = a[r * n + k + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + q];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 16; ++j) sum += s[threadIdx.y][j] * t[j][threadIdx.x];
        __syncthreads();
    }
    c[r * n + q] = sum;
}
K dbranch(const double* x, double* y, int n) {
    double best = x[0];
    int at = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        double v = fabs(x[i]);
        if (v > best) { best = v; at = i; }
        if (v != v) at = -1;
    }
    y[threadIdx.x] = fmin(best, 3.0) + at + (double)(float)best + (double)(int64_t)best;
}
K mandelbrot(unsigned* out, float x0, float y0, float dx, int w, int limit) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float cr = x0 + dx * x, ci = y0 + dx * y, r = 0, i = 0;
    int k = 0;
    for (; k < limit && r * r + i * i < 4; ++k) {
        float t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
    }
    out[y * w + x] = k;
}
K nbody(const float4* p, float4* v, int n, float dt) {
    __shared__ float4 s[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 me = p[i], acc = {};
    for (int t = 0; t < n; t += 128) {
        s[threadIdx.x] = p[t + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 128; ++k) {
            float x = s[k].x - me.x, y = s[k].y - me.y, z = s[k].z - me.z;
            float d = rsqrtf(x * x + y * y + z * z + 1e-6f);
            float f = s[k].w * d * d * d;
            acc.x += f * x, acc.y += f * y, acc.z += f * z;
        }
        __syncthreads();
    }
    v[i] = make_float4(acc.x * dt, acc.y * dt, acc.z * dt, 0);
}
K black_scholes(const float* s, const float* k, const float* t, float* call, float r, float vol, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float q = sqrtf(t[i]);
    float d1 = (logf(s[i] / k[i]) + (r + 0.5f * vol * vol) * t[i]) / (vol * q);
    call[i] = s[i] * normcdff(d1) - k[i] * expf(-r * t[i]) * normcdff(d1 - vol * q);
}
K half_math(const __half2* a, const __half2* b, __half2* c, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        __half2 v = __hfma2(a[i], b[i], c[i]);
        v = __hadd2(v, __hmul2(a[i], v));
        v = __hmax2(v, h2exp(b[i]));
        if (__hbgt2(v, a[i])) v = __hneg2(v);
        c[i] = v;
    }
}
K half_reduce(const __half* a, float* c, int n) {
    __half s = __float2half(0.f);
    for (int i = threadIdx.x; i < n; i += 32) s = __hadd(s, __hmul(a[i], a[i]));
    for (int o = 16; o; o >>= 1) s = __hadd(s, __shfl_xor_sync(~0u, s, o));
    if (threadIdx.x == 0) *c = __half2float(hsqrt(s)) + __half2float(hrcp(s));
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
K bf16_math(const __nv_bfloat162* a, const __nv_bfloat162* b, __nv_bfloat162* c, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        __nv_bfloat162 v = __hfma2(a[i], b[i], c[i]);
        float2 f = __bfloat1622float2(v);
        c[i] = __floats2bfloat162_rn(f.x * 1.5f, f.y > 0 ? f.y : 0.1f * f.y);
    }
}
#endif
K fp8_convert(const float2* a, __nv_fp8x2_storage_t* e4, __nv_fp8x2_storage_t* e5, __half2* back, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        e4[i] = __nv_cvt_float2_to_fp8x2(a[i], __NV_SATFINITE, __NV_E4M3);
        e5[i] = __nv_cvt_float2_to_fp8x2(a[i], __NV_SATFINITE, __NV_E5M2);
        back[i] = __nv_cvt_fp8x2_to_halfraw2(e4[i], __NV_E4M3);
    }
}
K convert_all(const float* f, const double* d, const int* i, const uint64_t* u, double* out) {
    int t = threadIdx.x;
    double s = (double)i[t] + (double)u[t] + (double)f[t] + (float)i[t] + (float)u[t];
    s += (int)f[t] + (uint64_t)f[t] + (int64_t)d[t] + (unsigned)d[t] + __float2int_rd(f[t]) + __double2int_ru(d[t]);
    s += (int8_t)i[t] + (uint16_t)f[t] + (signed char)f[t];
    out[t] = s;
}
K print_some(const int* a, float f) {
    if (a[threadIdx.x] > 3) printf("thread %d has %d and %f\n", threadIdx.x, a[threadIdx.x], f);
}
K checked(const int* a, int* b) {
    if (a[threadIdx.x] < 0) __trap();
    __nanosleep(100);
    b[threadIdx.x] = a[threadIdx.x] + (int)clock() + (int)clock64();
}
K fft8(float2* d, int n) {
    float2 v[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 8; ++k) v[k] = d[i + k * n];
    auto but = [](float2& a, float2& b) { float2 t = a; a = {t.x + b.x, t.y + b.y}; b = {t.x - b.x, t.y - b.y}; };
    auto tw = [](float2& a, float ang) { float s, c; __sincosf(ang, &s, &c); a = {a.x * c - a.y * s, a.x * s + a.y * c}; };
    for (int h = 4; h; h >>= 1)
        for (int k = 0; k < 8; ++k)
            if (!(k & h)) { but(v[k], v[k | h]); tw(v[k | h], -0.7853981f * (k & (h - 1)) * i); }
    for (int k = 0; k < 8; ++k) d[i + k * n] = v[k];
}
K select_chain(const float* a, float* c, int n, float lo, float hi) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float v = a[i];
        bool p = v > lo, q = v < hi, r = isnan(v), s = signbit(v);
        c[i] = (p && q) != r ? (s ? -v : fmaxf(v, lo)) : (p ^ s ? fminf(v, hi) : copysignf(hi, v));
    }
}
