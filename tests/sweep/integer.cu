// SPDX-License-Identifier: GPL-3.0-or-later
// Integer arithmetic, bit operations, control flow, local arrays, calls.
#include <cstdint>
#define K extern "C" __global__ void

K idiv(const int* a, const int* b, int* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] / b[i] + a[i] % b[i];
}
K udiv64(const uint64_t* a, const uint64_t* b, uint64_t* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] / b[i] + a[i] % b[i];
}
K const_div(const unsigned* a, unsigned* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] / 7u + a[i] % 1000u + (unsigned)((int)a[i] / 13);
}
K mul64(const int64_t* a, const int64_t* b, int64_t* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] * b[i] + __mul64hi(a[i], b[i]) + (a[i] >> (b[i] & 63));
}
K bits(const unsigned* a, unsigned* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned v = a[i];
        c[i] = __popc(v) + __clz(v) + __ffs(v) + __brev(v) + __byte_perm(v, i, 0x3412) +
               __funnelshift_l(v, i, v & 31) + __sad(v, i, 3) + __dp4a((int)v, i, 5) + __umulhi(v, 77) + __clzll(v * 3ull);
    }
}
K bigadd(const unsigned* a, const unsigned* b, unsigned* c) {
    unsigned r[8];
    const unsigned* x = a + threadIdx.x * 8;
    const unsigned* y = b + threadIdx.x * 8;
    asm("add.cc.u32 %0, %8, %16; addc.cc.u32 %1, %9, %17; addc.cc.u32 %2, %10, %18; addc.cc.u32 %3, %11, %19;"
        "addc.cc.u32 %4, %12, %20; addc.cc.u32 %5, %13, %21; addc.cc.u32 %6, %14, %22; addc.u32 %7, %15, %23;"
        : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]), "r"(y[0]), "r"(y[1]),
          "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]));
    for (int k = 0; k < 8; ++k) c[threadIdx.x * 8 + k] = r[k];
}
K modpow(const uint32_t* a, const uint32_t* e, uint32_t* c, uint32_t m) {
    uint64_t b = a[threadIdx.x], r = 1;
    for (uint32_t x = e[threadIdx.x]; x; x >>= 1) {
        if (x & 1) r = r * b % m;
        b = b * b % m;
    }
    c[threadIdx.x] = (uint32_t)r;
}
K jump_table(const int* a, int* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = a[i], r = 0;
    switch (v & 15) {
        case 0: r = v * 3; break;
        case 1: r = v / 5; break;
        case 2: r = v ^ 0x55; break;
        case 3: c[i + n] = v; r = 1; break;
        case 4: r = __popc(v); break;
        case 5: r = v << (v & 3); break;
        case 6: atomicAdd(c, v); r = 2; break;
        case 7: r = a[v & 1023]; break;
        case 8: r = -v; break;
        case 9: r = v * v; break;
        case 10: r = min(v, 77); break;
        case 11: r = __clz(v); break;
        default: r = v - 9;
    }
    c[i] = r;
}
__device__ __noinline__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
K recursion(int* c, int m) { c[threadIdx.x] = ackermann(m, threadIdx.x & 3); }
__device__ __noinline__ float helper(float a, float b, int k) { return k > 3 ? a * b : __sinf(a) + b; }
K calls(float* c, int n) {
    float s = 0;
    for (int k = 0; k < n; ++k) s = helper(s, c[threadIdx.x + k], k);
    c[threadIdx.x] = s;
}
typedef int (*Op)(int, int);
__device__ int op_add(int a, int b) { return a + b; }
__device__ int op_mul(int a, int b) { return a * b - 1; }
__device__ int op_xor(int a, int b) { return a ^ (b << 3); }
__device__ Op ops[3] = {op_add, op_mul, op_xor};
K function_pointers(int* c, int n) {
    int v = c[threadIdx.x];
    for (int k = 0; k < n; ++k) v = ops[(v + k) % 3u](v, k);
    c[threadIdx.x] = v;
}
K local_array(const int* a, int* c, int n) {
    int t[64];
    for (int k = 0; k < 64; ++k) t[k] = a[threadIdx.x * 64 + k];
    for (int k = 0; k < n; ++k) {
        int j = a[k] & 63;
        int x = t[j];
        t[j] = t[(j * 7 + threadIdx.x) & 63] + 1;
        t[(j + 1) & 63] = x;
    }
    int s = 0;
    for (int k = 0; k < 64; ++k) s = s * 31 + t[k];
    c[threadIdx.x] = s;
}
K collatz(const unsigned* a, unsigned* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t v = a[i];
    unsigned steps = 0;
    while (v != 1 && steps < 1000) {
        v = v & 1 ? 3 * v + 1 : v >> 1;
        ++steps;
        if (v == 12345) break;
    }
    c[i] = steps;
}
K sort_network(int* a) {
    int v[16];
    int* p = a + (blockIdx.x * blockDim.x + threadIdx.x) * 16;
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = p[k];
#pragma unroll
    for (int k = 2; k <= 16; k <<= 1)
#pragma unroll
        for (int j = k >> 1; j > 0; j >>= 1)
#pragma unroll
            for (int i = 0; i < 16; ++i) {
                int l = i ^ j;
                if (l > i && ((i & k) == 0) == (v[i] > v[l])) { int t = v[i]; v[i] = v[l]; v[l] = t; }
            }
#pragma unroll
    for (int k = 0; k < 16; ++k) p[k] = v[k];
}
K sha_rounds(const uint32_t* in, uint32_t* out) {
    uint32_t w[16], h[8];
    for (int i = 0; i < 16; ++i) w[i] = in[threadIdx.x * 16 + i];
    for (int i = 0; i < 8; ++i) h[i] = i * 0x6a09e667u;
#pragma unroll 16
    for (int i = 0; i < 64; ++i) {
        auto r = [](uint32_t x, int n) { return __funnelshift_r(x, x, n); };
        uint32_t s1 = r(h[4], 6) ^ r(h[4], 11) ^ r(h[4], 25);
        uint32_t t1 = h[7] + s1 + ((h[4] & h[5]) ^ (~h[4] & h[6])) + w[i & 15];
        uint32_t t2 = (r(h[0], 2) ^ r(h[0], 13) ^ r(h[0], 22)) + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
        for (int k = 7; k > 0; --k) h[k] = h[k - 1];
        h[4] += t1;
        h[0] = t1 + t2;
        w[i & 15] += r(w[(i + 1) & 15], 7) + w[(i + 9) & 15] + r(w[(i + 14) & 15], 17);
    }
    for (int i = 0; i < 8; ++i) out[threadIdx.x * 8 + i] = h[i];
}
K nested_loops(const int* a, int* c, int n, int m) {
    int s = threadIdx.x;
    for (int i = 0; i < n; ++i) {
        if (a[i] < 0) continue;
        for (int j = 0; j < m; ++j) {
            if (a[j] == s) goto out;
            s += a[(i * m + j) & 4095] ^ j;
        }
        if (s & 1) s = s * 3;
    }
out:
    c[threadIdx.x] = s;
}
K bytes(const uint8_t* a, const int16_t* b, uint8_t* c, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int v = a[i] + b[i];
        c[i] = (uint8_t)max(0, min(255, v));
    }
}
K video(const unsigned* a, unsigned* c) {
    unsigned v = a[threadIdx.x], w = a[threadIdx.x + 32];
    c[threadIdx.x] = __vadd4(v, w) + __vmaxs2(v, w) + __vabsdiffu4(v, w) + __vcmpgtu2(v, w);
}
