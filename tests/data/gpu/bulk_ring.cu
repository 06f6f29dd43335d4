// SPDX-License-Identifier: GPL-3.0-or-later
// Bulk copies with mbarriers: a producer warp fills a ring of four stages, four warps consume it by phases and send
// their results back by bulk stores from two buffers.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin bulk_ring.cu -o bulk_ring.cubin
// With -DEARLY_RELEASE the consumers give a stage back while they may still be reading it (tests/data/cubins/early_release.cubin).
#include "device.cuh"

constexpr int kStages = 4, kTile = 512;  // floats

KERNEL __launch_bounds__(160) bulk_ring(const float* in, float* out, int tiles, float factor) {
    __shared__ __align__(128) float ring[kStages][kTile];
    __shared__ __align__(128) float back[2][kTile];
    __shared__ __align__(8) uint64_t full[kStages], empty[kStages];
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < kStages; ++i) {
            barrier_init(shared_address(&full[i]), 1);
            barrier_init(shared_address(&empty[i]), 128);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        fence_async_proxy();
    }
    __syncthreads();
    in += static_cast<int64_t>(blockIdx.x) * tiles * kTile;
    out += static_cast<int64_t>(blockIdx.x) * tiles * kTile;
    if (t >= 128) {
        if (t == 128) {
#pragma unroll 1
            for (int tile = 0; tile < tiles; ++tile) {
                const int stage = tile % kStages;
                barrier_wait(shared_address(&empty[stage]), ((tile / kStages) & 1) ^ 1);
                const uint32_t barrier = shared_address(&full[stage]);
                barrier_expect(barrier, kTile * 4);
                bulk_load(shared_address(ring[stage]), in + tile * kTile, kTile * 2, barrier);
                bulk_load(shared_address(ring[stage]) + kTile * 2, in + tile * kTile + kTile / 2, kTile * 2, barrier);
            }
        }
        return;
    }
    float carry[4] = {};
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        const int stage = tile % kStages, buffer = tile & 1;
        barrier_wait(shared_address(&full[stage]), (tile / kStages) & 1);
        const float4 v = *reinterpret_cast<const float4*>(&ring[stage][t * 4]);
        const float other = ring[stage][(t * 37 + 5) % kTile];
#ifndef EARLY_RELEASE
        fence_async_proxy();  // what was read is not overwritten by the next copy
#endif
        barrier_arrive(shared_address(&empty[stage]));
        carry[0] = fmaf(carry[0], factor, v.x + other);
        carry[1] = fmaf(carry[1], factor, v.y * other);
        carry[2] = fmaf(carry[2], factor, v.z - other);
        carry[3] = fmaf(carry[3], factor, fmaxf(v.w, other));
        if (t == 0) bulk_wait_read<1>();
        asm volatile("bar.sync 1, 128;" ::: "memory");
        *reinterpret_cast<float4*>(&back[buffer][t * 4]) = make_float4(carry[0], carry[1], carry[2], carry[3]);
        fence_async_proxy();
        asm volatile("bar.sync 1, 128;" ::: "memory");
        if (t == 0) {
            bulk_store(out + tile * kTile, shared_address(back[buffer]), kTile * 4);
            bulk_commit();
        }
    }
    if (t == 0) bulk_wait();
}
