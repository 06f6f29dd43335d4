// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes, warps and blocks that pass data on without a barrier of the block: shuffles, votes, warp reductions, atomics,
// flags behind fences of every width. Whole numbers only, so that no order of arrival shows in the result.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin warp_flags.cu -o warp_flags.cubin
#include "device.cuh"

// `sums`: one word a block. `flags`: one word a block, 0 at first. `ticket`: 0 at first and at the end. `total`: 2.
KERNEL __launch_bounds__(128) warp_flags(const uint32_t* in, uint32_t* out, volatile uint32_t* sums, uint32_t* flags,
                                         uint32_t* ticket, uint32_t* total, uint32_t rounds) {
    __shared__ volatile uint32_t passed[4][32];
    __shared__ volatile uint32_t ready[4];
    __shared__ uint32_t bins[32], last;
    const uint32_t t = threadIdx.x, warp = t / 32, lane = t % 32, all = 0xffffffffu;
    if (t < 4) ready[t] = 0;
    if (t < 32) bins[t] = 0;
    __syncthreads();
    uint32_t x = in[blockIdx.x * 128 + t], y = x;
#pragma unroll 1
    for (uint32_t i = 0; i < rounds; ++i) {
        y += __shfl_xor_sync(all, y, 1 << (i % 5));
        const uint32_t votes = __ballot_sync(all, (y >> (i & 7)) & 1);
        const uint32_t sum = __reduce_add_sync(all, y & 0xffff), most = __reduce_max_sync(all, y >> 8);
        y ^= votes * 5 + sum + (most << 3);
        if (__any_sync(all, (y & 0xff) == lane)) y += __shfl_sync(all, x, (lane + i) % 32);
        atomicAdd(&bins[y % 32], 1u + (y >> 28));
        if (__match_any_sync(all, y & 3) & 1) y = y * 2654435761u + i;
    }
    // From warp to warp: words, fence, flag. Each warp adds what the one before it left.
    uint32_t chain = y;
    if (warp > 0) {
        while (ready[warp - 1] == 0) {}
        asm volatile("fence.sc.cta;" ::: "memory");
        chain += passed[warp - 1][lane ^ 1];
    }
    passed[warp][lane] = chain;
    asm volatile("fence.sc.cta;" ::: "memory");
    __syncwarp();
    if (lane == 0) ready[warp] = 1;
    __syncthreads();
    const uint32_t folded = __reduce_xor_sync(all, chain + bins[lane]);
    out[blockIdx.x * 128 + t] = chain ^ folded;
    // From block to block: the sum of this block behind that of the block before.
    if (t == 96) {
        uint32_t before = 0;
        if (blockIdx.x > 0) {
            uint32_t seen = 0;
            while (seen == 0)
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flags + blockIdx.x - 1) : "memory");
            before = sums[blockIdx.x - 1];
        }
        sums[blockIdx.x] = before + folded;
        __threadfence();
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flags + blockIdx.x), "r"(1u) : "memory");
        atomicXor(total, folded * 3);
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        uint32_t sum = 0;
        for (uint32_t i = t; i < gridDim.x; i += 128) sum += sums[i] * (i + 1);
        sum = __reduce_add_sync(all, sum);
        if (lane == 0) atomicAdd(total + 1, sum);
    }
}
