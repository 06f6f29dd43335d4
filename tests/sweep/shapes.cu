// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes and types of mma that tensor.cu does not have: single bit, f16 accumulators, sparse, f8, mixed signs.
#include <cstdint>
#include <mma.h>
using namespace nvcuda;
#define K extern "C" __global__ void
#define AT_LEAST(SM) (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= SM)

// D = A * B + C in a loop, then with C of its own, then read by ordinary arithmetic at once.
#define LOOP(NAME, AR, BR, DR, STEP)                                                          \
    K NAME(const uint32_t* a, const uint32_t* b, uint32_t* c, int n) {                        \
        uint32_t d[DR] = {}, e[DR], x[AR], y[BR], m = a[threadIdx.x];                         \
        for (int i = 0; i < DR; ++i) e[i] = c[i * 32 + threadIdx.x];                          \
        for (int k = 0; k < n; ++k) {                                                         \
            for (int i = 0; i < AR; ++i) x[i] = a[k * 256 + i * 32 + threadIdx.x];            \
            for (int i = 0; i < BR; ++i) y[i] = b[k * 128 + i * 32 + threadIdx.x];            \
            STEP(d, d);                                                                       \
            STEP(e, d);                                                                       \
            if (k & 1) STEP(e, e);                                                            \
        }                                                                                     \
        for (int i = 0; i < DR; ++i) c[i * 32 + threadIdx.x] = (d[i] * 3 ^ e[i]) + m;         \
    }
#define R1(v) "r"(v[0])
#define R2(v) "r"(v[0]), "r"(v[1])
#define R4(v) "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])
#define W2(v) "=r"(v[0]), "=r"(v[1])
#define W4(v) "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
#define MMA(TEXT, W, A, B, C) asm volatile("mma" TEXT ";" : W : A, B, C)
#define D2A1B1C2 " {%0,%1},{%2},{%3},{%4,%5}"
#define D2A2B1C2 " {%0,%1},{%2,%3},{%4},{%5,%6}"
#define D2A4B2C2 " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%8,%9}"
#define D4A2B1C4 " {%0,%1,%2,%3},{%4,%5},{%6},{%7,%8,%9,%10}"
#define D4A4B2C4 " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13}"

#define B1_88128(D, C) MMA(".sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc" D2A1B1C2, W2(D), R1(x), R1(y), R2(C))
LOOP(mma_b1_88128, 1, 1, 2, B1_88128)
#define U8_8816(D, C) MMA(".sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32" D2A1B1C2, W2(D), R1(x), R1(y), R2(C))
LOOP(mma_u8s8_8816, 1, 1, 2, U8_8816)
#define U4_8832(D, C) MMA(".sync.aligned.m8n8k32.row.col.s32.u4.s4.s32" D2A1B1C2, W2(D), R1(x), R1(y), R2(C))
LOOP(mma_u4s4_8832, 1, 1, 2, U4_8832)
#define F16_1688(D, C) MMA(".sync.aligned.m16n8k8.row.col.f16.f16.f16.f16" D2A2B1C2, W2(D), R2(x), R1(y), R2(C))
LOOP(mma_f16_1688, 2, 1, 2, F16_1688)
#define F32_1688(D, C) MMA(".sync.aligned.m16n8k8.row.col.f32.f16.f16.f32" D4A2B1C4, W4(D), R2(x), R1(y), R4(C))
LOOP(mma_f32_1688, 2, 1, 4, F32_1688)
K mma_884_f16(const uint32_t* a, const uint32_t* b, uint32_t* c) {
    uint32_t x[2] = {a[threadIdx.x], a[threadIdx.x + 32]}, y[2] = {b[threadIdx.x], b[threadIdx.x + 32]}, d[4] = {};
    float f[8] = {};
    for (int k = 0; k < 3; ++k) {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0,%1,%2,%3},{%4,%5},{%6,%7},{%0,%1,%2,%3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : R2(x), R2(y));
        asm volatile("mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},{%10,%11},{%0,%1,%2,%3,%4,%5,%6,%7};"
                     : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3]), "+f"(f[4]), "+f"(f[5]), "+f"(f[6]), "+f"(f[7]) : R2(x), R2(y));
        x[0] ^= d[1];
    }
    for (int i = 0; i < 4; ++i) c[threadIdx.x * 4 + i] = d[i] + (uint32_t)(f[i] + f[i + 4]);
}
K wmma_b1(const uint32_t* a, const uint32_t* b, int* c, int n) {
    using namespace wmma::experimental;
    wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> fc;
    wmma::fill_fragment(fc, 0);
    for (int k = 0; k < n; k += 128) {
        wmma::load_matrix_sync(fa, a + k / 32, n);
        wmma::load_matrix_sync(fb, b + k / 32, n);
        wmma::bmma_sync(fc, fa, fb, fc, bmmaBitOpXOR, bmmaAccumulateOpPOPC);
    }
    wmma::store_matrix_sync(c, fc, n, wmma::mem_row_major);
}
K wmma_s4(const uint32_t* a, const uint32_t* b, int* c, int n) {
    using namespace wmma::experimental;
    wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> fc;
    wmma::fill_fragment(fc, 0);
    for (int k = 0; k < n; k += 32) {
        wmma::load_matrix_sync(fa, a + k / 8, n);
        wmma::load_matrix_sync(fb, b + k / 8, n);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c, fc, n, wmma::mem_row_major);
}
K transpose_fragments(const uint32_t* a, uint32_t* c) {
    uint32_t v = a[threadIdx.x], w = a[threadIdx.x + 32];
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(v) : "r"(v));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(w) : "r"(w));
    c[threadIdx.x] = v + w;
}
#if AT_LEAST(800)
#define B1_168128(D, C) MMA(".sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc" D4A2B1C4, W4(D), R2(x), R1(y), R4(C))
LOOP(mma_b1_168128, 2, 1, 4, B1_168128)
#define B1_168256(D, C) MMA(".sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc" D4A4B2C4, W4(D), R4(x), R2(y), R4(C))
LOOP(mma_b1_168256, 4, 2, 4, B1_168256)
#define F16_16816(D, C) MMA(".sync.aligned.m16n8k16.row.col.f16.f16.f16.f16" D2A4B2C2, W2(D), R4(x), R2(y), R2(C))
LOOP(mma_f16_16816, 4, 2, 2, F16_16816)
#define F32_16816(D, C) MMA(".sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32" D4A4B2C4, W4(D), R4(x), R2(y), R4(C))
LOOP(mma_f32_16816, 4, 2, 4, F32_16816)
#define TF32_1684(D, C) MMA(".sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32" D4A2B1C4, W4(D), R2(x), R1(y), R4(C))
LOOP(mma_tf32_1684, 2, 1, 4, TF32_1684)
#define TF32_1688(D, C) MMA(".sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" D4A4B2C4, W4(D), R4(x), R2(y), R4(C))
LOOP(mma_tf32_1688, 4, 2, 4, TF32_1688)
#define BF16_1688(D, C) MMA(".sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32" D4A2B1C4, W4(D), R2(x), R1(y), R4(C))
LOOP(mma_bf16_1688, 2, 1, 4, BF16_1688)
#define U8_16816(D, C) MMA(".sync.aligned.m16n8k16.row.col.s32.u8.u8.s32" D4A2B1C4, W4(D), R2(x), R1(y), R4(C))
LOOP(mma_u8_16816, 2, 1, 4, U8_16816)
#define S8_16832(D, C) MMA(".sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32" D4A4B2C4, W4(D), R4(x), R2(y), R4(C))
LOOP(mma_s8u8_16832, 4, 2, 4, S8_16832)
#define S4_16832(D, C) MMA(".sync.aligned.m16n8k32.row.col.s32.s4.u4.s32" D4A2B1C4, W4(D), R2(x), R1(y), R4(C))
LOOP(mma_s4u4_16832, 2, 1, 4, S4_16832)
#define U4_16864(D, C) MMA(".sync.aligned.m16n8k64.row.col.s32.u4.u4.s32" D4A4B2C4, W4(D), R4(x), R2(y), R4(C))
LOOP(mma_u4_16864, 4, 2, 4, U4_16864)
#define SPARSE(TEXT, D, W, A, B, C) asm volatile("mma.sp::ordered_metadata.sync.aligned" TEXT ", %" D ", 0x0;" : W : A, B, C, "r"(m))
#define SP_F16_16816(D, C) SPARSE(".m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3},{%4,%5},{%6,%7}", "8", W2(D), R2(x), R2(y), R2(C))
LOOP(mma_sp_f16_16816, 2, 2, 2, SP_F16_16816)
#define SP_F32_16832(D, C) SPARSE(".m16n8k32.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%12,%13,%14,%15}", "16", W4(D), R4(x), R4(y), R4(C))
LOOP(mma_sp_bf16_16832, 4, 4, 4, SP_F32_16832)
#define SP_F16_16832(D, C) SPARSE(".m16n8k32.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7,%8,%9},{%10,%11}", "12", W2(D), R4(x), R4(y), R2(C))
LOOP(mma_sp_f16_16832, 4, 4, 2, SP_F16_16832)
#define SP_TF32_1688(D, C) SPARSE(".m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5},{%6,%7},{%8,%9,%10,%11}", "12", W4(D), R2(x), R2(y), R4(C))
LOOP(mma_sp_tf32_1688, 2, 2, 4, SP_TF32_1688)
#define SP_TF32_16816(D, C) SPARSE(".m16n8k16.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%12,%13,%14,%15}", "16", W4(D), R4(x), R4(y), R4(C))
LOOP(mma_sp_tf32_16816, 4, 4, 4, SP_TF32_16816)
#define SP_S8_16832(D, C) SPARSE(".m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5},{%6,%7},{%8,%9,%10,%11}", "12", W4(D), R2(x), R2(y), R4(C))
LOOP(mma_sp_s8_16832, 2, 2, 4, SP_S8_16832)
#define SP_S8_16864(D, C) SPARSE(".m16n8k64.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%12,%13,%14,%15}", "16", W4(D), R4(x), R4(y), R4(C))
LOOP(mma_sp_s8_16864, 4, 4, 4, SP_S8_16864)
#define SP_S4_16864(D, C) SPARSE(".m16n8k64.row.col.s32.u4.s4.s32 {%0,%1,%2,%3},{%4,%5},{%6,%7},{%8,%9,%10,%11}", "12", W4(D), R2(x), R2(y), R4(C))
LOOP(mma_sp_s4_16864, 2, 2, 4, SP_S4_16864)
#define SP_S4_168128(D, C) SPARSE(".m16n8k128.row.col.s32.s4.s4.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%12,%13,%14,%15}", "16", W4(D), R4(x), R4(y), R4(C))
LOOP(mma_sp_s4_168128, 4, 4, 4, SP_S4_168128)
#endif
#if AT_LEAST(890)
#define E4M3(D, C) MMA(".sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32" D4A4B2C4, W4(D), R4(x), R2(y), R4(C))
LOOP(mma_f8_16832, 4, 2, 4, E4M3)
#define E4M3_F16(D, C) MMA(".sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16" D2A4B2C2, W2(D), R4(x), R2(y), R2(C))
LOOP(mma_f8_16832_f16, 4, 2, 2, E4M3_F16)
#define E5M2_16816(D, C) MMA(".sync.aligned.m16n8k16.row.col.f32.e5m2.e5m2.f32" D4A2B1C4, W4(D), R2(x), R1(y), R4(C))
LOOP(mma_f8_16816, 2, 1, 4, E5M2_16816)
#define SP_E4M3(D, C) SPARSE(".m16n8k64.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%12,%13,%14,%15}", "16", W4(D), R4(x), R4(y), R4(C))
LOOP(mma_sp_f8_16864, 4, 4, 4, SP_E4M3)
K convert_f8(const float* a, uint16_t* c, float* o) {
    uint16_t v;
    uint32_t h;
    asm volatile("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(v) : "f"(a[threadIdx.x]), "f"(a[threadIdx.x + 1]));
    c[threadIdx.x] = v;
    asm volatile("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(h) : "h"(v));
    asm volatile("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(v) : "r"(h + 3));
    c[threadIdx.x + 64] = v;
    o[threadIdx.x] = __uint_as_float(h);
}
#endif
