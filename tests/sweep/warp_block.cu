// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory, warps, atomics, barriers, cooperative groups, CUB.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdint>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_scan.cuh>
namespace cg = cooperative_groups;
#define K extern "C" __global__ void

K reduce_shared(const float* a, float* c, int n) {
    __shared__ float s[256];
    float v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) v += a[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int o = 128; o > 0; o >>= 1) {
        if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(c, s[0]);
}
K reduce_warp(const int* a, int* c, int n) {
    int v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v = max(v, a[i]);
    for (int o = 16; o; o >>= 1) v = max(v, __shfl_down_sync(~0u, v, o));
    __shared__ int s[32];
    if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = s[threadIdx.x];
        for (int o = 16; o; o >>= 1) v = max(v, __shfl_xor_sync(~0u, v, o));
        if (threadIdx.x == 0) *c = v;
    }
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
K redux(const unsigned* a, unsigned* c) {
    unsigned v = a[threadIdx.x];
    c[threadIdx.x] = __reduce_add_sync(~0u, v) + __reduce_max_sync(~0u, v) + __reduce_xor_sync(~0u, v * 3);
}
#endif
K votes(const int* a, unsigned* c) {
    int v = a[threadIdx.x];
    unsigned b = __ballot_sync(~0u, v > 3);
    unsigned m = __match_any_sync(~0u, v);
    int p;
    unsigned q = __match_all_sync(~0u, v & 1, &p);
    c[threadIdx.x] = b + m + q + p + __popc(b & ((1u << (threadIdx.x & 31)) - 1)) + __all_sync(~0u, v) * 2 + __any_sync(~0u, v == 9);
    if (v & 1) c[threadIdx.x + 64] = __activemask();
    __syncwarp();
}
K histogram(const uint8_t* a, unsigned* h, int n) {
    __shared__ unsigned s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&s[a[i]], 1);
    __syncthreads();
    atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
K atomics(int* a, unsigned long long* b, float* f, double* d) {
    int t = threadIdx.x;
    int r = atomicExch(a, t) + atomicMin(a + 1, t) + atomicCAS(a + 2, t, 5) + atomicOr(a + 3, t) + atomicSub(a + 4, t);
    r += (int)atomicAdd(b, 3ull) + (int)atomicMax(b + 1, 9ull) + (int)atomicAdd(f, 1.f) + (int)atomicAdd(d, 2.0);
    r += (int)atomicInc((unsigned*)a + 5, 17u) + atomicAdd_block(a + 6, 1) + atomicXor_system(a + 7, 3);
    a[t + 64] = r;
}
K spin_lock(int* lock, volatile int* v) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *v = *v + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
    __threadfence_block();
    __threadfence_system();
}
K last_block(const float* a, float* part, unsigned* count, float* out) {
    __shared__ bool last;
    part[blockIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
    __threadfence();
    if (threadIdx.x == 0) last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) out[threadIdx.x] = part[threadIdx.x % gridDim.x];
}
K transpose(const float* a, float* b, int w, int h) {
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = a[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) b[(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}
K stencil(const float* a, float* b, int w, int h, int d) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float* p = a + y * w + x;
    float below = p[0], here = p[w * h];
    for (int z = 1; z < d - 1; ++z) {
        float above = p[(z + 1) * w * h];
        b[z * w * h + y * w + x] = 0.4f * here + 0.1f * (below + above + p[z * w * h - 1] + p[z * w * h + 1] + p[z * w * h - w] + p[z * w * h + w]);
        below = here;
        here = above;
    }
}
K sgemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
    __shared__ float s[8][64], t[8][64];
    float acc[4][4] = {};
    int tx = threadIdx.x & 15, ty = threadIdx.x >> 4;
    for (int k = 0; k < n; k += 8) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            s[i & 7][i >> 3] = a[(blockIdx.y * 64 + (i >> 3)) * n + k + (i & 7)];
            t[i >> 6][i & 63] = b[(k + (i >> 6)) * n + blockIdx.x * 64 + (i & 63)];
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 8; ++kk) {
            float4 u = *(float4*)&s[kk][ty * 4], v = *(float4*)&t[kk][tx * 4];
            const float* x = &u.x;
            const float* y = &v.x;
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) acc[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = acc[i][j];
}
K bitonic_shared(int* a) {
    __shared__ int s[512];
    s[threadIdx.x] = a[threadIdx.x];
    for (int k = 2; k <= 512; k <<= 1)
        for (int j = k >> 1; j; j >>= 1) {
            __syncthreads();
            int l = threadIdx.x ^ j;
            if (l > threadIdx.x) {
                int u = s[threadIdx.x], v = s[l];
                if (((threadIdx.x & k) == 0) == (u > v)) s[threadIdx.x] = v, s[l] = u;
            }
        }
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x];
}
K named_barriers(float* a) {
    __shared__ float s[128];
    if (threadIdx.x < 64) {
        s[threadIdx.x] = a[threadIdx.x];
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        a[threadIdx.x] = s[threadIdx.x - 64];
    }
    int n = __syncthreads_count(a[threadIdx.x] > 0);
    int o = __syncthreads_or(n > 3);
    a[threadIdx.x + 128] = n + o + __syncthreads_and(n);
}
K dynamic_shared(const int* a, int* b, int n) {
    extern __shared__ int dyn[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) dyn[(i * 17) % n] = a[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) b[i] = dyn[i] + dyn[(i + 1) % n];
}
K groups(const float* a, float* c) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    float v = cg::reduce(tile, a[block.thread_rank()], cg::plus<float>());
    int s = cg::exclusive_scan(tile, (int)v);
    auto active = cg::coalesced_threads();
    c[block.thread_rank()] = v + s + tile.shfl_up(v, 1) + active.size() + (v > 1 ? cg::coalesced_threads().thread_rank() : 0);
    block.sync();
    if (tile.any(v > 2)) c[0] = tile.ballot(v > 3);
}
K grid_sync(float* a, int n) {
    auto g = cg::this_grid();
    for (int k = 0; k < n; ++k) {
        a[g.thread_rank()] += a[(g.thread_rank() + 1) % g.size()];
        g.sync();
    }
}
K cub_scan(const int* a, int* c) {
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ typename Scan::TempStorage t;
    int v[4];
    for (int k = 0; k < 4; ++k) v[k] = a[threadIdx.x * 4 + k];
    Scan(t).InclusiveSum(v, v);
    for (int k = 0; k < 4; ++k) c[threadIdx.x * 4 + k] = v[k];
}
K cub_reduce(const double* a, double* c) {
    typedef cub::BlockReduce<double, 256> Reduce;
    __shared__ typename Reduce::TempStorage t;
    double s = Reduce(t).Sum(a[threadIdx.x]);
    if (threadIdx.x == 0) *c = s;
}
K cub_sort(unsigned* a, uint64_t* b) {
    typedef cub::BlockRadixSort<unsigned, 128, 4, uint64_t> Sort;
    __shared__ typename Sort::TempStorage t;
    unsigned k[4];
    uint64_t v[4];
    for (int i = 0; i < 4; ++i) k[i] = a[threadIdx.x * 4 + i], v[i] = b[threadIdx.x * 4 + i];
    Sort(t).Sort(k, v);
    for (int i = 0; i < 4; ++i) a[threadIdx.x * 4 + i] = k[i], b[threadIdx.x * 4 + i] = v[i];
}
K cub_warp_scan(const float* a, float* c) {
    typedef cub::WarpScan<float> Scan;
    __shared__ typename Scan::TempStorage t[4];
    float v;
    Scan(t[threadIdx.x / 32]).ExclusiveSum(a[threadIdx.x], v);
    c[threadIdx.x] = v;
}
K spmv(const int* row, const int* col, const float* val, const float* x, float* y, int n) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (r >= n) return;
    float s = 0;
    for (int k = row[r] + lane; k < row[r + 1]; k += 32) s += val[k] * __ldg(&x[col[k]]);
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (lane == 0) y[r] = s;
}
K bfs(const int* row, const int* col, int* dist, int* queue, int* size, int level, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && dist[i] == level)
        for (int k = row[i]; k < row[i + 1]; ++k)
            if (atomicCAS(&dist[col[k]], -1, level + 1) == -1) queue[atomicAdd(size, 1)] = col[k];
}
K hash_insert(const uint64_t* keys, uint64_t* table, int n, unsigned mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t k = keys[i], h = k * 0x9E3779B97F4A7C15ull;
    for (unsigned s = h >> 32;; ++s) {
        auto old = atomicCAS((unsigned long long*)&table[s & mask], 0ull, (unsigned long long)k);
        if (old == 0 || old == k) break;
    }
}
K layernorm(const float* x, const float* g, const float* b, float* y, int n) {
    __shared__ float s[2][32];
    const float* p = x + blockIdx.x * n;
    float a = 0, q = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) a += p[i], q += p[i] * p[i];
    for (int o = 16; o; o >>= 1) a += __shfl_xor_sync(~0u, a, o), q += __shfl_xor_sync(~0u, q, o);
    if ((threadIdx.x & 31) == 0) s[0][threadIdx.x / 32] = a, s[1][threadIdx.x / 32] = q;
    __syncthreads();
    a = q = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) a += s[0][w], q += s[1][w];
    float m = a / n, r = rsqrtf(q / n - m * m + 1e-5f);
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = (p[i] - m) * r * g[i] + b[i];
}
K volatile_flags(volatile int* f, volatile int* d, int* out) {
    if (threadIdx.x == 0) { d[0] = 42; __threadfence(); f[0] = 1; }
    while (f[0] == 0) {}
    out[threadIdx.x] = d[0];
}
K shared_atomics(int* a) {
    __shared__ int s[4];
    __shared__ unsigned long long t;
    __shared__ float f;
    atomicAdd(&s[0], 1), atomicMax(&s[1], a[threadIdx.x]), atomicExch(&s[2], 4), atomicCAS(&s[3], 0, 1);
    atomicAdd(&t, 3ull), atomicAdd(&f, 2.f);
    __syncthreads();
    a[threadIdx.x] = s[0] + s[1] + s[2] + s[3] + (int)t + (int)f;
}
