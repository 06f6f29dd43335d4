// SPDX-License-Identifier: GPL-3.0-or-later
// Memory spaces, cache hints, textures, surfaces, constants, by-value parameters, C++ atomics.
#include <cstdint>
#include <cuda/atomic>
#include <cuda/barrier>
#define K extern "C" __global__ void
__constant__ float coeff[64];
__device__ float table[1024];

K texture_fetch(cudaTextureObject_t t, cudaTextureObject_t u, float* c, float f) {
    int i = threadIdx.x;
    float4 v = tex2D<float4>(t, i * 0.1f, f);
    c[i] = v.x + v.y * v.z + tex1Dfetch<float>(u, i) + tex3D<float>(t, f, i, 2.f) + tex2DLod<float>(t, f, f, 1.f) + tex2DLayered<float>(t, f, f, i);
    float4 g = tex2Dgather<float4>(t, f, f, 1);
    c[i + 32] = g.w + v.w + tex2DGrad<float>(t, f, f, make_float2(f, 1), make_float2(1, f));
}
K surface_copy(cudaSurfaceObject_t s, cudaSurfaceObject_t d, int w) {
    for (int x = threadIdx.x; x < w; x += blockDim.x) {
        uint4 v = surf2Dread<uint4>(s, x * 16, blockIdx.x);
        v.x ^= v.y;
        surf2Dwrite(v, d, x * 16, blockIdx.x);
    }
}
K convolve(const float* a, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 64; ++k) s += coeff[k] * a[i + k];
    for (int k = 0; k < n; ++k) s += coeff[(k + i) & 63] * table[(i * k) & 1023];
    c[i] = s;
}
struct Big { float m[4][4]; const float* p; int n; double d; };
K by_value(Big b, float* c) {
    float s = 0;
    for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) s += b.m[i][j] * b.p[i * b.n + j + threadIdx.x];
    c[threadIdx.x] = s * (float)b.d + b.m[threadIdx.x & 3][threadIdx.x >> 2 & 3];
}
K hints(const float4* a, float4* c, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float4 v = __ldcs(a + i), w = __ldcg(a + i + n), x = __ldca(a + 2 * i), y = __ldlu(a + i + 7);
        __stcs(c + i, make_float4(v.x + w.x, v.y * x.y, v.z - y.z, w.w));
        __stwt(c + i + n, v);
        asm volatile("prefetch.global.L2 [%0];" ::"l"(a + i + 4096));
    }
}
K cxx_atomics(int* a, int* c) {
    cuda::atomic_ref<int, cuda::thread_scope_device> r(*a);
    cuda::atomic_ref<int, cuda::thread_scope_block> q(a[1]);
    c[0] = r.fetch_add(3, cuda::memory_order_acq_rel) + q.load(cuda::memory_order_acquire);
    r.store(5, cuda::memory_order_release);
    c[1] = r.exchange(9) + q.fetch_max(7, cuda::memory_order_relaxed);
    int e = 3;
    while (!r.compare_exchange_weak(e, 8)) e &= 7;
}
K generic_pointers(float* g, int which, float* c) {
    __shared__ float s[64];
    float l[16];
    for (int k = 0; k < 16; ++k) l[k] = g[k] * which;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float* p = which == 0 ? g : which == 1 ? s : l;
    for (int k = 0; k < which * 8; ++k) p[(k * 5) & 15] += p[(k + which) & 15];
    c[threadIdx.x] = p[threadIdx.x & 15] + l[which & 15];
}
K align_mix(const char* a, short* b, longlong2* c, int n) {
    int t = threadIdx.x;
    longlong2 v = c[t];
    for (int k = 0; k < n; ++k) {
        v.x += a[t + k];
        v.y ^= (long long)b[t + k] << k;
        b[t + k] = (short)(v.x >> 2);
    }
    c[t] = v;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
K block_barrier(const float* a, float* c, int n) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ float s[256];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        cuda::memcpy_async(&s[threadIdx.x], &a[k * 256 + threadIdx.x], sizeof(float), bar);
        bar.arrive_and_wait();
        c[k * 256 + threadIdx.x] = s[255 - threadIdx.x];
        auto token = bar.arrive();
        bar.wait(std::move(token));
    }
}
#endif
K device_malloc(int n, int** out) {
    int* p = new int[n];
    p[threadIdx.x] = n;
    out[threadIdx.x] = p;
    if (n > 5) delete[] p;
}
struct Shape { __device__ virtual float area(float s) const = 0; };
struct Square : Shape { __device__ float area(float s) const override { return s * s; } };
struct Disc : Shape { __device__ float area(float s) const override { return 3.14f * s * s; } };
K virtual_calls(float* c, int n) {
    Square a; Disc b;
    const Shape* s[2] = {&a, &b};
    for (int k = 0; k < n; ++k) c[threadIdx.x] += s[(k + threadIdx.x) & 1]->area(c[k]);
}
