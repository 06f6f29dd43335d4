// SPDX-License-Identifier: GPL-3.0-or-later
// A convolution over an im2win tensor: window[n][c][oh][w * KH + kh] = image[n][c][oh + kh][w], so the KW * KH values of a
// window lie next to each other. A block computes 64 output channels of 64 neighbouring outputs, a thread 4 x 4 of them.
//
//   nvcc -O3 -arch=sm_90a -cubin im2win_conv.cu

namespace {
constexpr int kChannels = 32, kKernel = 3, kTap = kKernel * kKernel, kTile = 64;
}

extern "C" __global__ void __launch_bounds__(256) im2win_conv(const float* __restrict__ window, const float* __restrict__ filter,
                                                              float* __restrict__ out, int out_channels, int height, int width) {
    __shared__ float pixels[2][(kTile + kKernel - 1) * kKernel];
    __shared__ float weights[2][kTap][kTile];
    const int padded = width + kKernel - 1;
    const int x0 = blockIdx.x * kTile, y = blockIdx.y, oc0 = blockIdx.z * kTile;
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum[4][4] = {};
    const auto fetch = [&](int c, int into) {
        const float* row = window + (static_cast<long long>(c) * height + y) * padded * kKernel + x0 * kKernel;
        for (int i = threadIdx.x; i < (kTile + kKernel - 1) * kKernel; i += 256)
            pixels[into][i] = row[i];
        for (int i = threadIdx.x; i < kTap * kTile; i += 256)
            weights[into][i / kTile][i % kTile] = filter[(static_cast<long long>(c) * kTap + i / kTile) * out_channels + oc0 + i % kTile];
    };
    fetch(0, 0);
    __syncthreads();
    for (int c = 0; c < kChannels; ++c) {
        if (c + 1 < kChannels) fetch(c + 1, (c + 1) & 1);
#pragma unroll
        for (int tap = 0; tap < kTap; ++tap) {
            float p[4], w[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                p[i] = pixels[c & 1][(tx + 16 * i) * kKernel + tap];
                w[i] = weights[c & 1][tap][ty + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += w[i] * p[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            out[(static_cast<long long>(oc0 + ty + 16 * i) * height + y) * width + x0 + tx + 16 * j] = sum[i][j];
}
