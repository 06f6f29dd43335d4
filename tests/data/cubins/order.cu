// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels for the rules about order. order.90a.cubin: nvcc 13.0, -O3 -arch=sm_90a -cubin.
#include <cstdint>

extern "C" __global__ void fence_then_store(int* data, int* flag, int value) {
    data[threadIdx.x] = value;
    __threadfence_block();
    flag[threadIdx.x] = 1;
}

// The access that follows the fence is in another block.
extern "C" __global__ void fence_then_branch(int* data, int* flag, int value) {
    data[threadIdx.x] = value;
    __threadfence_block();
    if (value > 3)
        for (int i = 0; i < value; ++i)
            flag[threadIdx.x + 32 * i] = i;
    else
        flag[threadIdx.x] = 1;
}

// The load that acquires is not used before the weak one.
extern "C" __global__ void acquire_then_load(const int* flag, const int* data, int* out) {
    int seen;
    asm volatile("ld.acquire.cta.global.b32 %0, [%1];" : "=r"(seen) : "l"(flag + threadIdx.x) : "memory");
    const int value = data[threadIdx.x];
    out[threadIdx.x] = value;
    out[threadIdx.x + 64] = seen;
}

extern "C" __global__ void volatile_twice(int* out, int value) {
    __shared__ int words[64];
    volatile int* shared = words;
    shared[threadIdx.x] = value;
    __syncthreads();
    const int first = shared[5];
    const int second = shared[5];
    out[threadIdx.x] = first;
    out[threadIdx.x + 64] = second;
}

// Lanes exchange data with no __syncwarp between: outside of what is promised.
extern "C" __global__ void exchange_in_warp(int* out, const int* in) {
    extern __shared__ int words[];
    int* mine = words + threadIdx.x;
    mine[0] = in[threadIdx.x];
    __syncthreads();
    const int other = mine[64];
    mine[0] = other + 1;
    const int next = mine[32];
    out[threadIdx.x] = next;
    out[threadIdx.x + 64] = other;
}

// The same bytes, with a store that may be to them in between: nothing says volatile here.
extern "C" __global__ void reloaded(int* out, int value, int at) {
    extern __shared__ int words[];
    words[threadIdx.x] = value;
    __syncthreads();
    const int first = words[threadIdx.x];
    words[at] = value;
    const int second = words[threadIdx.x];
    out[threadIdx.x] = first + second;
}

// Two warpgroups share the registers: one gives back what the other takes.
extern "C" __global__ void __launch_bounds__(256, 1) register_counts(float* out, const float* in) {
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        out[threadIdx.x] = in[threadIdx.x] + 1;
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x + 7];
    }
}

__constant__ int table[64];

extern "C" __global__ void indexed_constant(int* out, int at) {
    out[threadIdx.x + table[blockIdx.x]] = table[at + blockIdx.x];
}
