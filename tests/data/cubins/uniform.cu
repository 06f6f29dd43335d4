// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels in which ptxas lets a memory instruction follow the uniform register that it uses by two cycles.
//   nvcc 13.0: nvcc -arch=sm_90a -cubin -o uniform.90a.cubin uniform.cu
extern "C" __global__ void surface(cudaSurfaceObject_t image, int* out) {
    surf1Dwrite(5, image, threadIdx.x * 4);
    const int back = surf1Dread<int>(image, threadIdx.x * 4 + 4);
    surf1Dwrite(7, image, threadIdx.x * 4);
    out[threadIdx.x] = back;
}

extern "C" __global__ void elected(int* out) {
    unsigned chosen;
    asm volatile("{.reg .pred q; elect.sync _|q, 0xffffffff; selp.u32 %0, 1, 0, q;}" : "=r"(chosen));
    if (chosen) out[0] = threadIdx.x;
    out[threadIdx.x + 3] = __reduce_add_sync(~0u, (unsigned)threadIdx.x);
}

extern "C" __global__ void neighbour(int* out) {
    __shared__ int shared[32];
    shared[threadIdx.x & 31] = threadIdx.x;
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    const int own = out[3];
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    unsigned place;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(place) : "r"((unsigned)__cvta_generic_to_shared(shared)));
    int other;
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(other) : "r"(place));
    out[threadIdx.x] = other + own;
}

extern "C" __global__ void copied(int* out, const int* in) {
    __shared__ alignas(128) int shared[1024];
    shared[threadIdx.x] = in[threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x) return;
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out),
                 "r"((unsigned)__cvta_generic_to_shared(shared))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    shared[5] = 3;
    out[900] = shared[7];
}
