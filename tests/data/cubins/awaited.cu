// What others count on and no register shows: an mbarrier that has been set up, a fence for the copy unit, copies that a
// DEPBAR waits for by name. nvcc 13.0, -arch=sm_90a -cubin.
#include <cstdint>

__device__ uint32_t shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

extern "C" __global__ void set_up(float* out, int n) {
    __shared__ __align__(8) uint64_t barrier;
    const uint32_t at = shared_address(&barrier);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(n) : "memory");
    __syncthreads();
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(at) : "memory");
    out[threadIdx.x] = n;
}

extern "C" __global__ void copy_out(float* out, const float* in, int n) {
    __shared__ __align__(128) float rows[256];
    const uint32_t at = shared_address(rows);
    rows[threadIdx.x] = in[threadIdx.x];
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out), "r"(at)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    rows[threadIdx.x + 1] = in[n];
}

extern "C" __global__ void fenced(int* out, int n) {
    __shared__ int words[64];
    words[threadIdx.x] = n;
    __threadfence_block();
    out[threadIdx.x] = words[threadIdx.x ^ 1];
}
