// Stores and copies whose operand is overwritten when a later load, copy or SYNCS has come back, and nothing else in their queue.
// nvcc 13.0: -arch=sm_80 -cubin, -arch=sm_90a -cubin.
extern "C" __global__ void stored_then_loaded(unsigned* out, const unsigned* in, unsigned n) {
    unsigned v = threadIdx.x;
#pragma unroll 1
    for (unsigned k = 0; k < n; ++k) {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(out + k), "r"(v) : "memory");
        unsigned x;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(in + k) : "memory");
        v = v * 3 + x;
    }
    out[n] = v;
}

// A generic address may be local memory's, so the load stays behind the store.
extern "C" __global__ void stored_then_local(unsigned* out, const unsigned* in, unsigned n) {
    volatile unsigned local[32];
    for (unsigned k = 0; k < 32; ++k)
        local[in[k] & 31] = k;
    unsigned v = threadIdx.x;
#pragma unroll 1
    for (unsigned k = 0; k < n; ++k) {
        asm volatile("st.u32 [%0], %1;" ::"l"(out), "r"(v) : "memory");
        v = v * 3 + local[k & 31];
    }
    out[n] = v;
}

extern "C" __global__ void copied_twice(const unsigned* in, unsigned* out, unsigned n) {
    __shared__ unsigned shared[512];
    const unsigned data = (unsigned)__cvta_generic_to_shared(shared) + threadIdx.x * 4;
    unsigned a = threadIdx.x, b = n;
#pragma unroll 1
    for (unsigned k = 0; k < n; ++k) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(data), "l"(in + a) : "memory");
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(data + 1024), "l"(in + b) : "memory");
        a = a * 3 + 1;
        b = b * 5 + k;
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = shared[threadIdx.x];
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void stored_then_tested(unsigned* out, unsigned n) {
    __shared__ unsigned shared[256];
    __shared__ unsigned long long barrier;
    const unsigned data = (unsigned)__cvta_generic_to_shared(shared) + threadIdx.x * 4;
    const unsigned address = (unsigned)__cvta_generic_to_shared(&barrier);
    unsigned v = threadIdx.x;
#pragma unroll 1
    for (unsigned k = 0; k < n; ++k) {
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(data), "r"(v) : "memory");
        unsigned done;
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(address), "r"(k & 1)
            : "memory");
        v = v * 3 + done;
    }
    out[threadIdx.x] = v;
}
#endif

// MOVM overwrites the operand with no barrier.
extern "C" __global__ void stored_then_transposed(unsigned* out, unsigned n) {
    unsigned v = threadIdx.x, w = n;
#pragma unroll 1
    for (unsigned k = 0; k < n; ++k) {
        asm volatile("st.u32 [%0], %1;" ::"l"(out), "r"(v) : "memory");
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(v) : "r"(w));
        w = w * 3 + v;
    }
    out[n] = w;
}
