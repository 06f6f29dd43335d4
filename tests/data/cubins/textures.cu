// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of texture fetches: with one barrier for several, behind counted waits, under guards; surfaces.
// nvcc 13.0 -O3 -std=c++17: sm_75, sm_86 and sm_90.
#include <cstdint>

extern "C" __global__ void march(cudaTextureObject_t t, float* o, float3 at, float3 step, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += tex3D<float>(t, at.x, at.y, at.z);
        at = make_float3(at.x + step.x, at.y + step.y, at.z + step.z);
    }
    o[threadIdx.x] = sum;
}

extern "C" __global__ void blur(cudaTextureObject_t t, float* o, const float* weights, float x, int y) {
    __shared__ float s[128];
    float sum = 0;
#pragma unroll
    for (int i = -4; i <= 4; ++i)
        sum += weights[i + 4] * tex2DLayered<float>(t, x + i + threadIdx.x, 0.5f * i, y);
    s[threadIdx.x] = sum;
    __syncthreads();
    o[threadIdx.x] = s[127 - threadIdx.x] + tex2DLayered<float>(t, s[threadIdx.x ^ 1], x, y);
}

extern "C" __global__ void shapes(cudaTextureObject_t t, cudaTextureObject_t u, float4* o, float f, int l) {
    const float a = f * threadIdx.x;
    const float4 plane = tex2DLod<float4>(t, a, f, a + f), gathered = tex2Dgather<float4>(t, a, f, 2);
    const float4 cube = texCubemapLayered<float4>(u, a, f, f * f, l);
    const float one = tex1Dfetch<float>(t, threadIdx.x * l);
    o[threadIdx.x] = make_float4(plane.x + one, plane.y * gathered.x, gathered.w + cube.y, plane.w + cube.z);
}

extern "C" __global__ void filter(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w) {
    const int x = threadIdx.x + blockIdx.x * blockDim.x, y = blockIdx.y;
    if (x + 1 >= w) return;
    const float a = surf2Dread<float>(from, x * 4, y), b = surf2Dread<float>(from, x * 4 + 4, y);
    const float c = surf2Dread<float>(from, x * 4, y + 1);
    surf2Dwrite(a * 0.5f + b * c, to, x * 4, y);
}
