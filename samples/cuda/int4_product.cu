// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B with f16 A and weights of four bits, eight to a word, with one scale for 128 of them. A warp computes 16 x 64 of C
// with mma.sync; weights become f16 in registers: 1024 + w, as bits of the mantissa, minus 1032.
//
//   nvcc -O3 -arch=sm_90a -cubin int4_product.cu
#include <cuda_fp16.h>

namespace {

constexpr int kGroup = 128;

__device__ void product(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// Nibbles `at` and `at` + 4 as two f16, times the scale.
__device__ unsigned two_weights(unsigned packed, int at, __half2 scale) {
    const unsigned bits = ((packed >> (4 * at)) & 0x000f000fu) | 0x64006400u;
    const __half2 w = __hmul2(__hsub2(*reinterpret_cast<const __half2*>(&bits), __float2half2_rn(1032.0f)), scale);
    return *reinterpret_cast<const unsigned*>(&w);
}

}  // namespace

// A: rows x depth. Weights: columns x depth / 8 words. Scales: columns x depth / 128. C: rows x columns, f32.
extern "C" __global__ void __launch_bounds__(128) int4_product(const __half* __restrict__ a, const unsigned* __restrict__ weights,
                                                               const __half* __restrict__ scales, float* __restrict__ out,
                                                               int columns, int depth) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = lane / 4, pair = lane % 4;
    const int m0 = blockIdx.y * 64 + warp * 16, n0 = blockIdx.x * 64;
    float sum[8][4] = {};
    for (int k0 = 0; k0 < depth; k0 += 64) {
#pragma unroll
        for (int k = 0; k < 64; k += 16) {
            unsigned left[4];
            const __half* const from = a + static_cast<long long>(m0 + row) * depth + k0 + k + pair * 2;
            left[0] = *reinterpret_cast<const unsigned*>(from);
            left[1] = *reinterpret_cast<const unsigned*>(from + 8ll * depth);
            left[2] = *reinterpret_cast<const unsigned*>(from + 8);
            left[3] = *reinterpret_cast<const unsigned*>(from + 8ll * depth + 8);
#pragma unroll
            for (int n = 0; n < 8; ++n) {
                const long long column = n0 + n * 8 + row;
                const unsigned* const packed = weights + column * (depth / 8) + (k0 + k) / 8;
                const __half2 scale = __half2half2(scales[column * (depth / kGroup) + k0 / kGroup]);
                product(sum[n], left, two_weights(packed[0], pair, scale), two_weights(packed[1], pair, scale));
            }
        }
    }
#pragma unroll
    for (int n = 0; n < 8; ++n) {
        float* const to = out + static_cast<long long>(m0 + row) * columns + n0 + n * 8 + pair * 2;
        *reinterpret_cast<float2*>(to) = make_float2(sum[n][0], sum[n][1]);
        *reinterpret_cast<float2*>(to + 8ll * columns) = make_float2(sum[n][2], sum[n][3]);
    }
}
