// SPDX-License-Identifier: GPL-3.0-or-later
// The product of a training step in FP8: activations (e4m3) times gradients (e5m2), summed in f32, scaled, and the largest
// absolute value of each block, from which the scale of the next step comes. A warp computes 16 x 64 with mma.sync.
//
//   nvcc -O3 -arch=sm_90a -cubin fp8_product.cu

namespace {

__device__ void product(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

}  // namespace

// A: rows x depth / 4 words. B: columns x depth / 4 words. C: rows x columns. Largest: one for each block.
extern "C" __global__ void __launch_bounds__(128) fp8_product(const unsigned* __restrict__ a, const unsigned* __restrict__ b,
                                                              const float* __restrict__ scale, float* __restrict__ out,
                                                              float* __restrict__ largest, int columns, int depth) {
    __shared__ float of_warp[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = lane / 4, word = lane % 4, words = depth / 4;
    const int m0 = blockIdx.y * 64 + warp * 16, n0 = blockIdx.x * 64;
    float sum[8][4] = {};
#pragma unroll 2
    for (int k = 0; k < words; k += 8) {
        unsigned left[4];
        const unsigned* const from = a + static_cast<long long>(m0 + row) * words + k + word;
        left[0] = from[0];
        left[1] = from[8ll * words];
        left[2] = from[4];
        left[3] = from[8ll * words + 4];
#pragma unroll
        for (int n = 0; n < 8; ++n) {
            const unsigned* const right = b + static_cast<long long>(n0 + n * 8 + row) * words + k + word;
            product(sum[n], left, right[0], right[4]);
        }
    }
    const float by = *scale;
    float most = 0;
#pragma unroll
    for (int n = 0; n < 8; ++n) {
        float* const to = out + static_cast<long long>(m0 + row) * columns + n0 + n * 8 + word * 2;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            sum[n][i] *= by;
            most = fmaxf(most, fabsf(sum[n][i]));
        }
        *reinterpret_cast<float2*>(to) = make_float2(sum[n][0], sum[n][1]);
        *reinterpret_cast<float2*>(to + 8ll * columns) = make_float2(sum[n][2], sum[n][3]);
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    if (lane == 0) of_warp[warp] = most;
    __syncthreads();
    if (threadIdx.x == 0)
        largest[blockIdx.y * gridDim.x + blockIdx.x] = fmaxf(fmaxf(of_warp[0], of_warp[1]), fmaxf(of_warp[2], of_warp[3]));
}
