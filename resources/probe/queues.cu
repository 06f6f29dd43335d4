// SPDX-License-Identifier: GPL-3.0-or-later
// What `cubinlab-lab probe --queues` builds its experiments from: the book of synthesis.cu and a frame like its own, but with
// local memory, plus the memory instructions that the other has not.
//
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin queues.cu -o queues.sm_90a.cubin
#define probe_frame plain_frame
#include "synthesis.cu"
#undef probe_frame

// As plain_frame, with 64 bytes of local memory a thread.
extern "C" __global__ void __launch_bounds__(1024, 2) probe_frame(uint32_t* out, const uint32_t* in, uint32_t iterations) {
    __shared__ uint32_t tile[8192];
    volatile uint32_t kept[16];
    uint32_t v[21];
#pragma unroll
    for (int i = 0; i < 21; ++i) v[i] = in[threadIdx.x + i];
    tile[threadIdx.x] = v[0];
    kept[v[1] & 15] = v[2];
    __syncthreads();
    v[1] += tile[(threadIdx.x * 7 + iterations) & 8191];
#pragma unroll
    for (int k = 0; k < 80; ++k)
#pragma unroll
        for (int i = 0; i < 21; ++i) v[i] = (v[i] ^ v[(i + 7) % 21]) * 0x9e3779b1u + v[(i + 3) % 21];
    uint32_t sum = kept[v[4] & 15];
#pragma unroll
    for (int i = 0; i < 21; ++i) sum += v[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

BOOK book_queues(uint32_t* out, const uint32_t* in, uint32_t u) {
    __shared__ __align__(16) uint32_t tile[1024];
    volatile uint32_t kept[16];
    const uint32_t t = threadIdx.x, a = in[t];
    tile[t] = a;
    kept[a & 15] = t;
    __syncthreads();
    out[t] = kept[(a >> 4) & 15];
    out[t + 32] = atomicAdd(out + t * 4 + 64, a);
    atomicAdd(out + t * 8 + 96, a);
    uint32_t* generic = a & 1 ? tile + (a & 1023) : out + (a & 1023);
    *generic = a + u;
    out[t + 128] = atomicAdd(&tile[(a >> 7) & 1023], u);
    uint32_t m;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(m)
                 : "r"((uint32_t)__cvta_generic_to_shared(&tile[t * 4])));
    out[t + 160] = m;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.commit_group;\ncp.async.wait_group 0;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(&tile[(t * 4) & 1020])),
                 "l"(in + t * 4)
                 : "memory");
    out[t + 192] = tile[(t * 7) & 1023];
}
