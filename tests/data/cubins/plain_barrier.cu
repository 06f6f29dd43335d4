// SPDX-License-Identifier: GPL-3.0-or-later
// What a block barrier says of operands in front of it: barrier.sync (BAR.SYNC) and bar.sync (BAR.SYNC.DEFER_BLOCKING).
// nvcc -arch=sm_86 -maxrregcount 20 -cubin -o plain_barrier.86.cubin plain_barrier.cu
template <bool kPlain> __device__ void block_barrier() {
    if constexpr (kPlain)
        asm volatile("barrier.sync 0;" ::: "memory");
    else
        asm volatile("bar.sync 0;" ::: "memory");
}
// Each store's operands are overwritten behind the barrier by arithmetic that waits for nothing.
template <bool kPlain> __device__ void body(int* g, int n) {
    __shared__ int s[64];
    int i = threadIdx.x, v = n * i;
    g[i + n] = v;
    block_barrier<kPlain>();
    v = v * 5 + i, i = (i * 3 + n) & 31;
    atomicAdd(g + i, v);
    block_barrier<kPlain>();
    v = v * 7 + i, i = (i * 5 + n) & 31;
    atomicAdd(s + i, v);
    block_barrier<kPlain>();
    v = v * 9 + i, i = (i * 11 + n) & 31;
    int* p = (n & 1) ? g : s;
    p[i] = v;
    block_barrier<kPlain>();
    v = v * 13 + i, i = (i * 7 + n) & 31;
    g[i + 64] = v;
}
extern "C" __global__ void plain(int* g, int n) { body<true>(g, n); }
extern "C" __global__ void deferred(int* g, int n) { body<false>(g, n); }
