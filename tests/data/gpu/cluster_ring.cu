// SPDX-License-Identifier: GPL-3.0-or-later
// Two blocks of a cluster share what they load: each copies half of every tile into the memory of both, a warp of a
// producing warpgroup by election, a consuming warpgroup with more registers; stages are given back to both blocks.
// In the end each block reads the other's sums over the cluster.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin cluster_ring.cu -o cluster_ring.cubin
#include "device.cuh"

constexpr int kStages = 3, kTile = 512;  // floats

DEVICE uint32_t in_block(uint32_t address, uint32_t rank) {
    uint32_t out;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(out) : "r"(address), "r"(rank));
    return out;
}
DEVICE void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

KERNEL __launch_bounds__(256, 1) __cluster_dims__(2, 1, 1)
    cluster_ring(const float* in, float* out, int tiles, float factor) {
    __shared__ __align__(128) float ring[kStages][kTile];
    __shared__ __align__(8) uint64_t full[kStages], empty[kStages];
    __shared__ float sums[128];
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < kStages; ++i) {
            barrier_init(shared_address(&full[i]), 1);
            barrier_init(shared_address(&empty[i]), 8);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();
    in += static_cast<int64_t>(blockIdx.x / 2) * tiles * kTile;
    if (t < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (t < 32) {
#pragma unroll 1
            for (int tile = 0; tile < tiles; ++tile) {
                const int stage = tile % kStages;
                barrier_wait(shared_address(&empty[stage]), ((tile / kStages) & 1) ^ 1);
                asm volatile(
                    "{\n.reg .pred p;\n.reg .b64 s;\nelect.sync _|p, 0xffffffff;\n"
                    "@p mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1;\n"
                    "@p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                    "[%2], [%3], %4, [%0], %5;\n}" ::"r"(shared_address(&full[stage])),
                    "r"(kTile * 4), "r"(shared_address(ring[stage]) + rank * (kTile * 2)),
                    "l"(in + tile * kTile + rank * (kTile / 2)), "r"(kTile * 2), "h"(static_cast<uint16_t>(3))
                    : "memory");
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        const int u = t - 128;
        float carry[4] = {};
#pragma unroll 1
        for (int tile = 0; tile < tiles; ++tile) {
            const int stage = tile % kStages;
            barrier_wait(shared_address(&full[stage]), (tile / kStages) & 1);
            const float4 v = *reinterpret_cast<const float4*>(&ring[stage][(u * 4 + rank * 256) % kTile]);
            const float other = ring[stage][(u * 37 + 5) % kTile];
            __syncwarp();
            if (t % 32 < 2)
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                                 in_block(shared_address(&empty[stage]), t % 32))
                             : "memory");
            carry[0] = fmaf(carry[0], factor, v.x + other);
            carry[1] = fmaf(carry[1], factor, v.y * other);
            carry[2] = fmaf(carry[2], factor, v.z - other);
            carry[3] = fmaf(carry[3], factor, fmaxf(v.w, other));
        }
        sums[u] = carry[0] - carry[2];
        reinterpret_cast<float4*>(out)[blockIdx.x * 128 + u] = make_float4(carry[0], carry[1], carry[2], carry[3]);
    }
    cluster_sync();
    if (t >= 128) {
        float other;
        asm volatile("ld.shared::cluster.f32 %0, [%1];"
                     : "=f"(other)
                     : "r"(in_block(shared_address(&sums[(t * 5) & 127]), rank ^ 1))
                     : "memory");
        out[gridDim.x * 512 + blockIdx.x * 128 + t - 128] = other * 2.0f;
    }
    cluster_sync();
}
