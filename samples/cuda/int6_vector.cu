// SPDX-License-Identifier: GPL-3.0-or-later
// y = W x with weights of six bits, sixteen to three words, and one scale for each row: the product of one token. A warp
// computes a row; a lane unpacks sixteen weights at a time.
//
//   nvcc -O3 -arch=sm_90a -cubin int6_vector.cu

extern "C" __global__ void __launch_bounds__(128) int6_vector(const unsigned* __restrict__ weights, const float* __restrict__ x,
                                                              const float* __restrict__ scales, float* __restrict__ out,
                                                              int depth) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned* const packed = weights + static_cast<long long>(row) * (depth / 16) * 3;
    float sum = 0;
#pragma unroll 2
    for (int at = lane; at < depth / 16; at += 32) {
        const unsigned w0 = packed[3 * at], w1 = packed[3 * at + 1], w2 = packed[3 * at + 2];
        const float4* const from = reinterpret_cast<const float4*>(x) + 4 * at;
        const float4 x0 = from[0], x1 = from[1], x2 = from[2], x3 = from[3];
        const float of[16] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w, x2.x, x2.y, x2.z, x2.w, x3.x, x3.y, x3.z, x3.w};
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const int bit = 6 * i, word = bit / 32, shift = bit % 32;
            const unsigned low = word == 0 ? w0 : word == 1 ? w1 : w2, high = word == 0 ? w1 : w2;
            const unsigned value = __funnelshift_r(low, high, shift) & 63;
            sum += static_cast<float>(static_cast<int>(value) - 32) * of[i];
        }
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) out[row] = sum * scales[row];
}
