// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose threads are chains of dependent instructions, one family a kernel, so that ptxas places each
// consumer exactly at the distance that its producer needs. `cubinlab-lab probe` lowers those distances one cycle at a time
// on a real GPU until results change. Addresses depend on thread numbers alone: a wrong value never becomes a
// wild store.
//
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin latency_probe.cu -o latency_probe.sm_90a.cubin
#include <cstdint>
#include <cuda_fp16.h>

namespace {
constexpr int kIn = 8;   // words read by each thread
__device__ __forceinline__ int thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
}  // namespace

#define LOAD(type)                                             \
    type v[kIn];                                               \
    const int t = thread_index();                              \
    _Pragma("unroll") for (int i = 0; i < kIn; ++i) v[i] = in[i * gridDim.x * blockDim.x + t];

extern "C" __global__ void probe_int(const uint32_t* __restrict__ in, uint32_t* __restrict__ out) {
    LOAD(uint32_t)
    uint32_t x = v[0];
#pragma unroll
    for (int i = 0; i < 6; ++i) {
        const uint32_t k = v[i + 1];
        x = x + k + v[0];                               // IADD3
        x = (x & k) ^ (v[1] | x);                       // LOP3
        x = __funnelshift_l(x, k, 7);                   // SHF
        x = (x << 3) + k;                               // LEA
        x = __byte_perm(x, k, 0x2143);                  // PRMT
        x = max(x, k) ^ min(x, v[2]);                   // VIMNMX / IMNMX
        x = x * k + v[3];                               // IMAD
        x = x > k ? x - v[4] : x;                       // ISETP, predicated or SEL
        x = __vabsdiffu4(x, k);
        const uint64_t wide = static_cast<uint64_t>(x) * k + v[5];   // IMAD.WIDE
        x = static_cast<uint32_t>(wide) ^ static_cast<uint32_t>(wide >> 32);
        x = x * 5u + 1u;
        x = x + (x >> 3);
    }
    out[t] = x;
}

extern "C" __global__ void probe_float(const float* __restrict__ in, float* __restrict__ out) {
    LOAD(float)
    float x = v[0];
#pragma unroll
    for (int i = 0; i < 6; ++i) {
        const float k = v[i + 1];
        x = x + k;                                      // FADD
        x = x * 1.0009765625f;                          // FMUL
        x = fmaf(x, 0.5f, k);                           // FFMA
        x = fmaxf(x, k * 0.25f);                        // FMNMX
        x = x > v[1] ? x - k : x + v[2];                // FSETP, FSEL
        x = __int_as_float(__float_as_int(x) ^ 0x400);  // FMA -> ALU -> FMA
        x = fmaf(x, k, v[3]);
        x = fabsf(x) < 1e18f ? x : 1.0f;
        x = x + x * k;
    }
    out[t] = x;
}

extern "C" __global__ void probe_half(const uint32_t* __restrict__ in, uint32_t* __restrict__ out) {
    LOAD(uint32_t)
    __half2 x = *reinterpret_cast<__half2*>(&v[0]);
#pragma unroll
    for (int i = 0; i < 6; ++i) {
        const __half2 k = *reinterpret_cast<__half2*>(&v[i + 1]);
        x = __hadd2(x, k);
        x = __hmul2(x, __float2half2_rn(0.5f));
        x = __hfma2(x, k, x);
        x = __hmax2(x, k);
        uint32_t bits = *reinterpret_cast<uint32_t*>(&x);
        bits = (bits ^ v[1]) & 0x3bff3bffu;             // FP16 -> ALU -> FP16, kept finite
        x = *reinterpret_cast<__half2*>(&bits);
        x = __hlt2(x, k).x == __half(0) ? __hadd2(x, k) : x;
        const float f = __low2float(x) + __high2float(k);
        x = __floats2half2_rn(f, __low2float(x));       // F2FP
    }
    out[t] = *reinterpret_cast<uint32_t*>(&x);
}

extern "C" __global__ void probe_double(const double* __restrict__ in, double* __restrict__ out) {
    LOAD(double)
    double x = v[0];
#pragma unroll
    for (int i = 0; i < 6; ++i) {
        const double k = v[i + 1];
        x = x + k;
        x = x * 1.0009765625;
        x = fma(x, 0.5, k);
        x = x > k ? x - v[1] : x + v[2];
        x = __hiloint2double(__double2hiint(x) ^ 0x10, __double2loint(x));   // FP64 -> ALU -> FP64
        x = fma(x, k, v[3]);
        x = fabs(x) < 1e100 ? x : 1.0;
    }
    out[t] = x;
}

extern "C" __global__ void probe_mma(const uint32_t* __restrict__ in, float* __restrict__ out) {
    LOAD(uint32_t)
    float c[4] = {0.f, 0.25f, 0.5f, 0.75f};
    uint32_t a[4], b[2];
#pragma unroll
    for (int i = 0; i < 4; ++i) a[i] = v[i] & 0x3bff3bffu;
#pragma unroll
    for (int i = 0; i < 2; ++i) b[i] = v[4 + i] & 0x3bff3bffu;
#pragma unroll
    for (int i = 0; i < 6; ++i) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        const __half2 narrow = __floats2half2_rn(c[0] * 0.0625f, c[1] * 0.0625f);   // MMA -> FMA -> F2FP -> MMA
        a[i & 3] = *reinterpret_cast<const uint32_t*>(&narrow) & 0x3bff3bffu;
        b[i & 1] = (__float_as_uint(c[2]) ^ v[6]) & 0x3bff3bffu;                     // MMA -> ALU -> MMA
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
        c[3] = c[3] * 0.5f + c[0];
    }
    out[t] = c[0] + c[1] * 2.f + c[2] * 3.f + c[3] * 5.f;
}

extern "C" __global__ void probe_scoreboard(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[1024];
    LOAD(float)
    float x = fabsf(v[0]) + 1.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float k = fabsf(v[i + 1]) + 0.5f;
        float s;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(s) : "f"(-x));     // MUFU
        x = s + k;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(s) : "f"(x));
        x = s * k;
        x += static_cast<float>(static_cast<int>(x * 8.0f));        // F2I, I2F
        x += __shfl_xor_sync(0xffffffffu, x, 1 << i);               // SHFL
        tile[threadIdx.x] = x;                                      // STS, BAR, LDS
        __syncthreads();
        x += tile[threadIdx.x ^ 33];
        __syncthreads();
        x = x + __popc(__float_as_uint(x)) * k;                     // POPC
    }
    out[t] = x;
}

extern "C" __global__ void probe_predicate(const uint32_t* __restrict__ in, uint32_t* __restrict__ out) {
    LOAD(uint32_t)
    uint32_t x = v[0], y = v[1];
#pragma unroll
    for (int i = 0; i < 6; ++i) {
        const uint32_t k = v[i + 1];
        if ((x ^ k) & 1) x += y;                         // ISETP -> guard
        const bool p = x > k, q = y > v[2], r = (x & k) == 0;
        y = (p && q) || r ? y * 3u + x : y - k;          // PLOP3
        const uint64_t sum = (static_cast<uint64_t>(x) << 32 | y) + (static_cast<uint64_t>(k) << 32 | v[3]);   // carry
        x = static_cast<uint32_t>(sum >> 32);
        y = static_cast<uint32_t>(sum);
        const uint32_t votes = __ballot_sync(0xffffffffu, x & 2);
        x ^= votes;
    }
    out[t] = x ^ y;
}
