// SPDX-License-Identifier: GPL-3.0-or-later
// A surface that is read and written in one loop: ptxas lets the barrier of the later store speak for the older one.
// nvcc 13.0 -O3: sm_75, sm_86 and sm_90.
extern "C" __global__ void feedback(cudaSurfaceObject_t s, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; ++k) {
        const int at = ((x + k) & 255) * 4;
        float v, u;
        surf2Dread(&v, s, at, k);
        surf2Dwrite(v * 1.5f + 1.f, s, at, k);
        surf2Dread(&u, s, at, k);
        surf2Dwrite(u + v, s, at, k + 1);
    }
}
