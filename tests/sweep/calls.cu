// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that stay calls, recursion, function pointers, jump tables, printf, assert, local arrays, traps.
#include <cassert>
#include <cstdint>
#include <cstdio>
#define K extern "C" __global__ void
#define NOINLINE __device__ __noinline__

NOINLINE float polynomial(float x, const float* c, int n) {
    float s = 0;
    for (int k = 0; k < n; ++k) s = s * x + c[k];
    return s;
}
NOINLINE double norm(double x, double y) { return sqrt(x * x + y * y) / (x + 1.0); }
NOINLINE int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
NOINLINE bool odd(int n);
NOINLINE bool even(int n) { return n == 0 || odd(n - 1); }
NOINLINE bool odd(int n) { return n != 0 && even(n - 1); }
struct Pair { float a[6]; int n; };
NOINLINE Pair scale(Pair p, float f) {
    for (int k = 0; k < 6; ++k) p.a[k] *= f + k;
    p.n++;
    return p;
}
K call_in_loop(const float* a, const float* c, float* out, int n) {
    float s = 0;
    for (int i = threadIdx.x; i < n; i += 32) s += polynomial(a[i], c, i & 7) * a[i + 1];
    out[threadIdx.x] = s;
}
K call_under_divergence(const double* a, double* out, int n) {
    int t = threadIdx.x;
    double s = a[t];
    if (t & 1) s = norm(s, a[t + 1]);
    if (s > 3) s += norm(a[t + 2], s);
    out[t] = s;
}
K recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x & 15) + even(threadIdx.x); }
K struct_by_value(Pair* p, float f) { p[threadIdx.x] = scale(scale(p[threadIdx.x], f), 2.f); }

typedef float (*Op)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ float hyp(float a, float b) { return sqrtf(a * a + b * b); }
__device__ Op operations[3] = {add, mul, hyp};
K function_pointers(const float* a, float* out, int which) {
    Op op = operations[(which + threadIdx.x) % 3];
    out[threadIdx.x] = op(a[threadIdx.x], a[threadIdx.x + 1]) + operations[which](1.f, a[0]);
}
K jump_table(const int* code, float* r, int n) {
    float x = r[threadIdx.x], y = 1;
    for (int k = 0; k < n; ++k) {
        switch (code[k]) {
            case 0: x += y; break;
            case 1: x *= y; break;
            case 2: y = sinf(x); break;
            case 3: x = x / y; break;
            case 4: y = __shfl_xor_sync(~0u, x, 1); break;
            case 5: x = sqrtf(fabsf(y)); break;
            case 6: { float t = x; x = y; y = t; break; }
            case 7: atomicAdd(r, x); break;
            case 8: y = fmodf(x, y); break;
            case 9: x = r[(threadIdx.x + k) & 31]; break;
            case 10: y = x * x - y; break;
            case 11: return;
            default: x = expf(y);
        }
    }
    r[threadIdx.x] = x + y;
}
K interpreter(const uint8_t* code, int* stack, int n) {
    int sp = 0, local[24];
    for (int pc = 0; pc < n; ++pc) {
        switch (code[pc]) {
            case 0: local[sp++ & 15] = pc; break;
            case 1: --sp; local[(sp - 1) & 15] += local[sp & 15]; break;
            case 2: local[sp & 15] = local[(sp - 1) & 15]; ++sp; break;
            case 3: if (local[sp & 15]) pc -= 3; break;
            case 4: stack[local[sp & 15] & 63] = sp; break;
            case 5: local[(sp + 3) & 15] ^= local[sp & 15]; break;
            case 6: sp = sp * 3 & 15; break;
            default: --sp;
        }
    }
    for (int k = 0; k < 16; ++k) stack[threadIdx.x * 16 + k] = local[k];
}
K prints(const float* a, int n) {
    for (int k = 0; k < n; ++k)
        if (a[k] < 0) printf("negative %d %f %s\n", k, a[k], "value");
    assert(n > 3);
}
K local_arrays(const int* a, int* c, int n) {
    int v[40];
    long long w[8];
    for (int k = 0; k < 40; ++k) v[k] = a[k * 32 + threadIdx.x];
    for (int k = 0; k < 8; ++k) w[k] = (long long)v[k] << 20;
    for (int k = 0; k < n; ++k) {
        int i = v[k % 40] % 40u;
        v[i] += v[(i + 7) % 40];
        w[i & 7] += v[i];
    }
    c[threadIdx.x] = v[n % 40u] + (int)w[n & 7];
}
K dynamic_stack(int n, int* c) {
    int* p = (int*)__builtin_alloca(n * sizeof(int));
    for (int k = 0; k < n; ++k) p[k] = c[k];
    for (int k = 1; k < n; ++k) p[k] += p[p[k - 1] % n];
    c[threadIdx.x] = p[threadIdx.x % n];
}
K many_spills(const float* a, float* c, int n) {
    float v[96];
#pragma unroll
    for (int k = 0; k < 96; ++k) v[k] = a[k * 64 + threadIdx.x];
    for (int i = 0; i < n; ++i) {
        float s = 0;
#pragma unroll
        for (int k = 0; k < 96; ++k) s += v[k] * v[(k * 5 + 1) % 96];
#pragma unroll
        for (int k = 0; k < 96; ++k) v[k] = v[k] * s + (float)k;
    }
    float s = 0;
#pragma unroll
    for (int k = 0; k < 96; ++k) s += v[k];
    c[threadIdx.x] = s;
}
K traps(const int* a, int* c) {
    int v = a[threadIdx.x];
    if (v == 77) asm volatile("trap;");
    if (v == 78) asm volatile("brkpt;");
    if (v == 79) asm volatile("exit;");
    if (v == 80) __nanosleep(100 + v);
    asm volatile("pmevent 1;");
    c[threadIdx.x] = v + (int)clock() + (int)clock64();
}
