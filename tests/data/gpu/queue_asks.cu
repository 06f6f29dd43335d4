// SPDX-License-Identifier: GPL-3.0-or-later
// Questions to which space an address belongs (QSPC) between loads of shared memory, shuffles and matrices: one queue,
// whose results land in order, so that ptxas has one barrier speak for several. What was asked decides what is added.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin queue_asks.cu -o queue_asks.cubin
#include "device.cuh"

__device__ __forceinline__ uint32_t is_shared(const void* p) {
    uint32_t out;
    asm volatile("{ .reg .pred q; isspacep.shared q, %1; selp.u32 %0, 0x9e3779b9, 0x7f4a7c15, q; }" : "=r"(out) : "l"(p));
    return out;
}

KERNEL __launch_bounds__(128) queue_asks(const uint32_t* in, uint32_t* out, uint32_t rounds) {
    __shared__ uint32_t words[1024];
    const uint32_t t = threadIdx.x, all = 0xffffffffu;
    for (uint32_t i = t; i < 1024; i += 128)
        words[i] = in[(blockIdx.x * 1024 + i) % 32768];
    __syncthreads();
    const uint32_t* space[2] = {in, words};
    uint32_t x = words[t], y = x * 3 + 1;
    const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(words));
#pragma unroll 1
    for (uint32_t i = 0; i < rounds; ++i) {
        uint32_t a, b, c, d, m0, m1;
        const uint32_t at = base + (((x >> 5) + 37 * i) & 255) * 4;
        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(a) : "r"(at));
        const uint32_t first = is_shared(space[x & 1] + (y & 255));
        asm volatile("ld.shared.b32 %0, [%1+1024];" : "=r"(b) : "r"(at));
        const uint32_t second = is_shared(space[(y >> 3) & 1] + (x & 255));
        c = __shfl_xor_sync(all, y, 1 << (i % 5));
        asm volatile("ld.shared.b32 %0, [%1+2048];" : "=r"(d) : "r"(at));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(m0), "=r"(m1)
                     : "r"(base + ((t % 16) * 16 + (i % 8) * 256)));
        const uint32_t third = is_shared(space[(a ^ i) & 1] + (d & 255));
        x = (x ^ a) + first + (b << 1) + (m0 & 0xffff);
        y = (y + c) ^ (second + d) ^ (third >> 1) ^ m1;
    }
    out[blockIdx.x * 128 + t] = x ^ (y * 5);
}
