// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor units through wmma and mma.sync, ldmatrix, cp.async.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;
#define K extern "C" __global__ void
#define AT_LEAST_80 !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

template <class T, class A, int M, int N, int Kd>
__device__ void wmma_loop(const T* a, const T* b, A* c, int n) {
    wmma::fragment<wmma::matrix_a, M, N, Kd, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, Kd, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, Kd, A> fc;
    wmma::fill_fragment(fc, A(0));
    for (int k = 0; k < n; k += Kd) {
        wmma::load_matrix_sync(fa, a + k, n);
        wmma::load_matrix_sync(fb, b + k, n);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] * A(2);
    wmma::store_matrix_sync(c, fc, n, wmma::mem_row_major);
}
K wmma_f16_f32(const half* a, const half* b, float* c, int n) { wmma_loop<half, float, 16, 16, 16>(a, b, c, n); }
K wmma_f16_f16(const half* a, const half* b, half* c, int n) { wmma_loop<half, half, 32, 8, 16>(a, b, c, n); }
K wmma_s8(const signed char* a, const signed char* b, int* c, int n) { wmma_loop<signed char, int, 16, 16, 16>(a, b, c, n); }
K wmma_u8(const unsigned char* a, const unsigned char* b, int* c, int n) { wmma_loop<unsigned char, int, 8, 32, 16>(a, b, c, n); }
#if AT_LEAST_80
K wmma_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n) { wmma_loop<__nv_bfloat16, float, 16, 16, 16>(a, b, c, n); }
K wmma_f64(const double* a, const double* b, double* c, int n) { wmma_loop<double, double, 8, 8, 4>(a, b, c, n); }
K wmma_tf32(const float* a, const float* b, float* c, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
    wmma::fill_fragment(fc, 0.f);
    for (int k = 0; k < n; k += 8) {
        wmma::load_matrix_sync(fa, a + k, n);
        wmma::load_matrix_sync(fb, b + k, n);
        for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c, fc, n, wmma::mem_row_major);
}
#endif
#define MMA4(NAME, TEXT, AR, BR)                                                                              \
    K NAME(const uint32_t* a, const uint32_t* b, uint32_t* c, int n) {                                        \
        uint32_t d[8] = {};                                                                                   \
        const uint32_t* p = a + threadIdx.x * AR;                                                             \
        const uint32_t* q = b + threadIdx.x * BR;                                                             \
        for (int k = 0; k < n; ++k, p += 128, q += 64) {                                                      \
            uint32_t x[4], y[4];                                                                              \
            for (int i = 0; i < AR; ++i) x[i] = p[i];                                                         \
            for (int i = 0; i < BR; ++i) y[i] = q[i];                                                         \
            for (int h = 0; h < 2; ++h) {                                                                     \
                uint32_t* e = d + 4 * h;                                                                      \
                TEXT;                                                                                         \
            }                                                                                                 \
        }                                                                                                     \
        for (int i = 0; i < 8; ++i) c[threadIdx.x * 8 + i] = d[i] ^ (d[i] >> 3);                              \
    }
#define D4 "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3])
#define MMA_A4B2(S) asm("mma.sync.aligned." S " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : D4 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]))
#define MMA_A2B1(S) asm("mma.sync.aligned." S " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : D4 : "r"(x[0]), "r"(x[1]), "r"(y[0]))
#define MMA_A1B1_2(S) asm("mma.sync.aligned." S " {%0,%1},{%2},{%3},{%0,%1};" : "+r"(e[0]), "+r"(e[1]) : "r"(x[0]), "r"(y[0]))
#define MMA_A2B1_2(S) asm("mma.sync.aligned." S " {%0,%1},{%2,%3},{%4},{%0,%1};" : "+r"(e[0]), "+r"(e[1]) : "r"(x[0]), "r"(x[1]), "r"(y[0]))
MMA4(mma_1688_f32, MMA_A2B1("m16n8k8.row.col.f32.f16.f16.f32"), 2, 1)
MMA4(mma_1688_f16, MMA_A2B1_2("m16n8k8.row.col.f16.f16.f16.f16"), 2, 1)
MMA4(mma_8816_s8, MMA_A1B1_2("m8n8k16.row.col.s32.s8.s8.s32"), 1, 1)
MMA4(mma_8832_s4, MMA_A1B1_2("m8n8k32.row.col.s32.s4.s4.s32"), 1, 1)
#if AT_LEAST_80
MMA4(mma_16816_f32, MMA_A4B2("m16n8k16.row.col.f32.f16.f16.f32"), 4, 2)
MMA4(mma_16816_bf16, MMA_A4B2("m16n8k16.row.col.f32.bf16.bf16.f32"), 4, 2)
MMA4(mma_1688_bf16, MMA_A2B1("m16n8k8.row.col.f32.bf16.bf16.f32"), 2, 1)
MMA4(mma_1688_tf32, MMA_A4B2("m16n8k8.row.col.f32.tf32.tf32.f32"), 4, 2)
MMA4(mma_1684_tf32, MMA_A2B1("m16n8k4.row.col.f32.tf32.tf32.f32"), 2, 1)
MMA4(mma_16832_s8, MMA_A4B2("m16n8k32.row.col.s32.s8.s8.s32"), 4, 2)
MMA4(mma_16816_s8, MMA_A2B1("m16n8k16.row.col.s32.s8.s8.s32"), 2, 1)
MMA4(mma_16832_s4, MMA_A2B1("m16n8k32.row.col.s32.s4.s4.s32"), 2, 1)
MMA4(mma_16864_s4, MMA_A4B2("m16n8k64.row.col.s32.s4.s4.s32"), 4, 2)
MMA4(mma_b1, MMA_A4B2("m16n8k256.row.col.s32.b1.b1.s32.and.popc"), 4, 2)
K mma_884_f64(const double* a, const double* b, double* c, int n) {
    double d0 = 0, d1 = 0;
    for (int k = 0; k < n; ++k)
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(d0), "+d"(d1) : "d"(a[threadIdx.x + k * 32]), "d"(b[threadIdx.x + k * 32]));
    c[threadIdx.x * 2] = d0 + 1, c[threadIdx.x * 2 + 1] = d1;
}
K mma_sparse(const uint32_t* a, const uint32_t* b, float* c, const uint32_t* meta) {
    float d[4] = {};
    const uint32_t *x = a + threadIdx.x * 4, *y = b + threadIdx.x * 4;
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%0,%1,%2,%3},%12,0x0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(meta[threadIdx.x]));
    for (int i = 0; i < 4; ++i) c[threadIdx.x * 4 + i] = d[i];
}
// A tile pipeline as kernel libraries write it: cp.async, ldmatrix, mma.
K hgemm_pipeline(const half* a, const half* b, half* c, int n) {
    __shared__ alignas(128) half s[3][64 * 32], t[3][64 * 32];
    float acc[4][4][4] = {};
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    auto load = [&](int stage, int k) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            int r = i >> 2, q = (i & 3) * 8;
            __pipeline_memcpy_async(&s[stage][r * 32 + (q ^ ((r & 3) * 8))], a + (blockIdx.y * 64 + r) * n + k + q, 16);
            __pipeline_memcpy_async(&t[stage][r * 32 + (q ^ ((r & 3) * 8))], b + (blockIdx.x * 64 + r) * n + k + q, 16);
        }
        __pipeline_commit();
    };
    load(0, 0);
    load(1, 32);
    for (int k = 0, st = 0; k < n; k += 32, st = st == 2 ? 0 : st + 1) {
        __pipeline_wait_prior(1);
        __syncthreads();
        if (k + 64 < n) load((st + 2) % 3, k + 64); else __pipeline_commit();
#pragma unroll
        for (int kk = 0; kk < 32; kk += 16) {
            uint32_t fa[2][4], fb[4][2];
            for (int i = 0; i < 2; ++i) {
                uint32_t p = (uint32_t)__cvta_generic_to_shared(&s[st][((warp & 1) * 32 + i * 16 + (lane & 15)) * 32 + ((kk + (lane >> 4) * 8) ^ ((lane & 3) * 8))]);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3]) : "r"(p));
            }
            for (int j = 0; j < 4; ++j) {
                uint32_t p = (uint32_t)__cvta_generic_to_shared(&t[st][((warp >> 1) * 32 + j * 8 + (lane & 7)) * 32 + ((kk + (lane >> 3 & 1) * 8) ^ ((lane & 3) * 8))]);
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];" : "=r"(fb[j][0]), "=r"(fb[j][1]) : "r"(p));
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                        : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]), "+f"(acc[i][j][3])
                        : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j][0]), "r"(fb[j][1]));
        }
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            for (int e = 0; e < 4; e += 2)
                *(half2*)&c[(blockIdx.y * 64 + (warp & 1) * 32 + i * 16 + (lane >> 2) + e * 4) * n + blockIdx.x * 64 + (warp >> 1) * 32 + j * 8 + (lane & 3) * 2] =
                    __floats2half2_rn(fmaxf(acc[i][j][e], 0.f), acc[i][j][e + 1]);
}
K copy_async_bytes(const float* a, float* c, int n) {
    __shared__ float s[512];
    for (int k = 0; k < n; k += 512) {
        for (int i = threadIdx.x; i < 512; i += blockDim.x) __pipeline_memcpy_async(&s[i], a + k + i, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        c[k + threadIdx.x] = s[511 - threadIdx.x] + s[threadIdx.x ^ 3];
        __syncthreads();
    }
}
#endif
K ldmatrix_trans(const uint4* a, uint32_t* c) {
    __shared__ uint4 s[128];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    uint32_t p = (uint32_t)__cvta_generic_to_shared(&s[threadIdx.x]), x, y, z, w;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(p));
    c[threadIdx.x] = x ^ y ^ z ^ w;
}
