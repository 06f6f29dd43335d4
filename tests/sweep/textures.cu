// SPDX-License-Identifier: GPL-3.0-or-later
// Every texture and surface instruction: dimensions, level of detail, gradients, gathers, offsets, queries.
#include <cstdint>
#define K extern "C" __global__ void
#define T cudaTextureObject_t
#define F (float)threadIdx.x

K tex_1d(T t, float* c, float f) { c[threadIdx.x] = tex1D<float>(t, F) + tex1DLod<float>(t, f, F) + tex1DGrad<float>(t, F, f, 2 * f) + tex1Dfetch<float>(t, threadIdx.x); }
K tex_1d_layered(T t, float2* c, float f, int l) {
    float2 a = tex1DLayered<float2>(t, F, l), b = tex1DLayeredLod<float2>(t, f, l, F), d = tex1DLayeredGrad<float2>(t, f, l, F, f);
    c[threadIdx.x] = make_float2(a.x + b.x * d.y, a.y - b.y + d.x);
}
K tex_2d(T t, float4* c, float f) {
    float4 a = tex2D<float4>(t, F, f), b = tex2DLod<float4>(t, f, F, f), d = tex2DGrad<float4>(t, f, F, make_float2(f, F), make_float2(F, f));
    c[threadIdx.x] = make_float4(a.x + b.x + d.x, a.y * b.y, a.z, b.w + d.z);
}
K tex_2d_layered(T t, float* c, float f, int l) {
    c[threadIdx.x] = tex2DLayered<float>(t, F, f, l) + tex2DLayeredLod<float>(t, f, F, l, f) + tex2DLayeredGrad<float>(t, f, F, l, make_float2(f, F), make_float2(F, f));
}
K tex_3d(T t, float4* c, float f) {
    float4 a = tex3D<float4>(t, F, f, f), b = tex3DLod<float4>(t, f, F, f, F), d = tex3DGrad<float4>(t, f, F, f, make_float4(f, F, 1, 0), make_float4(F, f, 2, 0));
    c[threadIdx.x] = make_float4(a.x + b.x + d.x, a.y * b.y, a.z, b.w + d.z);
}
K tex_cube(T t, float* c, float f, int l) {
    c[threadIdx.x] = texCubemap<float>(t, F, f, f) + texCubemapLod<float>(t, f, F, f, F) + texCubemapLayered<float>(t, f, f, F, l) +
                     texCubemapLayeredLod<float>(t, f, F, F, l, f);
}
K tex_gather(T t, float4* c, float f) {
    float4 a = tex2Dgather<float4>(t, F, f, 0), b = tex2Dgather<float4>(t, f, F, 1), d = tex2Dgather<float4>(t, f, f, 2), e = tex2Dgather<float4>(t, F, F, 3);
    c[threadIdx.x] = make_float4(a.x + b.y, b.x + d.y, d.z, e.w * a.w);
}
K tex_integers(T t, T u, uint4* c, int x) {
    uint4 a = tex2D<uint4>(t, F, F);
    int2 b = tex1Dfetch<int2>(u, x + threadIdx.x);
    uchar4 d = tex1Dfetch<uchar4>(u, x * threadIdx.x);
    short s = tex2D<short>(t, F, 2.f);
    a.x += b.x + d.y, a.y ^= b.y, a.z += s;
    c[threadIdx.x] = a;
}
K tex_pipelined(T t, float* c, int n, float f) {
    float s = 0;
    for (int k = 0; k < n; ++k) {
        float4 v = tex2D<float4>(t, k + F, f);
        s += v.x * tex1Dfetch<float>(t, k) + v.y + v.z * v.w + tex2D<float>(t, f, k);
    }
    c[threadIdx.x] = s;
}
K tex_divergent(T t, float* c, float f) {
    float v = f;
    if (threadIdx.x & 3) v = tex2D<float>(t, F, f);
    if (v > 2) v += tex3D<float>(t, v, f, F);
    c[threadIdx.x] = v;
}
K tex_offsets_and_queries(T t, float* c, int* q, float f) {
    float x, y, z, w;
    asm volatile("tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], {3, 4};" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(t), "f"(F), "f"(f));
    c[threadIdx.x] = x + y + z + w;
    asm volatile("tex.level.3d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%8}], %9, {1, 2, 3, 0};" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(t), "f"(F), "f"(f), "f"(f), "f"(f), "f"(F));
    c[threadIdx.x + 32] = x * y + z + w;
    asm volatile("tld4.g.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}], {1, 2};" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(t), "f"(F), "f"(f));
    c[threadIdx.x + 64] = x * y + z - w;
    int i, j;
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(i) : "l"(t));
    asm volatile("txq.num_mipmap_levels.b32 %0, [%1];" : "=r"(j) : "l"(t));
    q[threadIdx.x] = i * j;
}
#define S cudaSurfaceObject_t
K surf_read(S s, uint4* c, int x, int y, int z) {
    uint4 a = surf2Dread<uint4>(s, x * 16, y), b = surf3Dread<uint4>(s, x * 16, y, z);
    uint2 d = surf1Dread<uint2>(s, threadIdx.x * 8), e = surf2DLayeredread<uint2>(s, x * 8, y, z);
    unsigned short h = surf2Dread<unsigned short>(s, x * 2, y, cudaBoundaryModeClamp);
    unsigned char g = surf1Dread<unsigned char>(s, x, cudaBoundaryModeZero);
    int f = surf1DLayeredread<int>(s, x * 4, z) + surfCubemapread<int>(s, x * 4, y, z) + surfCubemapLayeredread<int>(s, x * 4, y, z);
    c[threadIdx.x] = make_uint4(a.x + b.y + d.x, a.y + e.y, a.z + h, a.w + g + f);
}
K surf_write(S s, const uint4* c, int x, int y, int z) {
    uint4 v = c[threadIdx.x];
    surf2Dwrite(v, s, x * 16, y);
    surf3Dwrite(v, s, x * 16, y, z, cudaBoundaryModeClamp);
    surf1Dwrite(make_uint2(v.x, v.y), s, threadIdx.x * 8);
    surf2DLayeredwrite(v.z, s, x * 4, y, z);
    surf1Dwrite((unsigned short)v.x, s, x * 2);
    surf2Dwrite((unsigned char)v.x, s, x, y);
    surf1DLayeredwrite(v.w, s, x * 4, z);
}
K surf_loop(S s, S d, int w, int h) {
    for (int y = threadIdx.y; y < h; y += blockDim.y)
        for (int x = threadIdx.x; x < w; x += blockDim.x) {
            float a = surf2Dread<float>(s, x * 4, y), b = surf2Dread<float>(s, x * 4 + 4, y), c = surf2Dread<float>(s, x * 4, y + 1);
            surf2Dwrite(a * 0.5f + b * c, d, x * 4, y);
        }
}
K surf_reduce(S s, int v) {
    asm volatile("sured.b.add.2d.s32.trap [%0, {%1,%2}], %3;" ::"l"(s), "r"((int)threadIdx.x * 4), "r"(v), "r"(v));
    asm volatile("sured.b.max.1d.u32.clamp [%0, {%1}], %2;" ::"l"(s), "r"((int)threadIdx.x * 4), "r"(v));
}
