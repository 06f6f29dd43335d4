// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor copies in both directions. The two maps come as bytes of the launch with any address in them; each block puts
// the addresses of its buffers into copies of its own, uses these, and wipes them in the end.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin tma_tensor.cu -o tma_tensor.cubin
#include "device.cuh"

struct alignas(64) Map {
    uint4 words[8];
};

DEVICE void set_address(uint32_t map, const void* address) {
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(map), "l"(address)
                 : "memory");
}
DEVICE void publish(Map* to, uint32_t map) {  // by a whole warp
    asm volatile(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(to),
        "r"(map)
        : "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(to) : "memory");
}

// Tensors of 128 columns, box 32 x 16 floats. `maps`: two for each block.
KERNEL __launch_bounds__(128) tma_tensor(const __grid_constant__ Map in_map, const __grid_constant__ Map out_map,
                                         const float* in, float* out, Map* maps, int tiles, float factor) {
    __shared__ __align__(128) float ring[3][512];
    __shared__ __align__(128) float back[2][512];
    __shared__ __align__(128) Map own[2];
    __shared__ __align__(8) uint64_t full[3];
    const int t = threadIdx.x;
    Map* const map = maps + blockIdx.x * 2;
    if (t < 32) {
        if (t < 8) own[0].words[t] = in_map.words[t], own[1].words[t] = out_map.words[t];
        __syncwarp();
        if (t == 0) {
            set_address(shared_address(&own[0]), in);
            set_address(shared_address(&own[1]), out);
            for (int i = 0; i < 3; ++i) barrier_init(shared_address(&full[i]), 1);
            fence_async_proxy();
        }
        __syncwarp();
        publish(map, shared_address(&own[0]));
        publish(map + 1, shared_address(&own[1]));
    }
    __syncthreads();
    const int x = (blockIdx.x & 3) * 32, y = (blockIdx.x >> 2) * tiles * 16;
    auto load = [&](int tile, int stage) {
        if (t != 0 || tile >= tiles) return;
        const uint32_t barrier = shared_address(&full[stage]);
        barrier_expect(barrier, 2048);
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                shared_address(ring[stage])),
            "l"(map), "r"(x), "r"(y + tile * 16), "r"(barrier)
            : "memory");
    };
    load(0, 0);
    load(1, 1);
    float carry[4] = {};
    int stage = 0, phase = 0;
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        barrier_wait(shared_address(&full[stage]), phase);
        float v[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) v[i] = ring[stage][(t * 4 + i * 132 + tile) & 511];
#pragma unroll
        for (int i = 0; i < 4; ++i) carry[i] = fmaf(carry[i], factor, v[i] - v[(i + 1) & 3] * 0.5f);
        if (t == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        __syncthreads();
        load(tile + 2, stage == 0 ? 2 : stage - 1);
        *reinterpret_cast<float4*>(&back[tile & 1][t * 4]) = make_float4(carry[0], carry[1], carry[2], carry[3]);
        fence_async_proxy();
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map + 1),
                         "r"(x), "r"(y + tile * 16), "r"(shared_address(back[tile & 1]))
                         : "memory");
            bulk_commit();
        }
        phase ^= stage == 2;
        stage = stage == 2 ? 0 : stage + 1;
    }
    if (t == 0) bulk_wait();
    __syncthreads();
    if (t < 16) reinterpret_cast<uint4*>(map)[t] = make_uint4(0, 0, 0, 0);
}
