// SPDX-License-Identifier: GPL-3.0-or-later
// nvcc -ptx -arch=sm_90a assembly.cu: inline assembly of one and of several lines, with scopes, registers and loops of its
// own; asynchronous copies, mma, wgmma, mbarrier.
#include <cstdint>

__device__ uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void copy16(uint32_t to, const void* from, bool on) {
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  .reg .b32 size<2>;\n"
        "  setp.ne.b32 p, %2, 0;\n"
        "  selp.b32 size0, 16, 0, p;  // nothing is read where it is off\n"
        "  cp.async.cg.shared.global [%0], [%1], 16, size0;\n"
        "}\n" ::"r"(to), "l"(from), "r"(int(on)));
}

extern "C" __global__ void pipeline(const uint16_t* a, const uint16_t* b, float* c, int steps) {
    __shared__ alignas(128) uint16_t tile[2][2][64 * 32];
    const int t = threadIdx.x;
    float sum[4] = {};
    for (int s = 0; s < 2; ++s) {
        copy16(shared_address(&tile[s][0][t * 8]), a + (s * 128 + t) * 8, s < steps);
        copy16(shared_address(&tile[s][1][t * 8]), b + (s * 128 + t) * 8, s < steps);
        asm volatile("cp.async.commit_group;");
    }
    for (int s = 0; s < steps; ++s) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        uint32_t x[4], y[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(shared_address(&tile[s & 1][0][(t & 31) * 16])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(y[0]), "=r"(y[1])
                     : "r"(shared_address(&tile[s & 1][1][(t & 15) * 16])));
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32\n"
            "    {%0, %1, %2, %3},\n"
            "    {%4, %5, %6, %7},\n"
            "    {%8, %9},\n"
            "    {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
        __syncthreads();
        copy16(shared_address(&tile[s & 1][0][t * 8]), a + ((s + 2) * 128 + t) * 8, s + 2 < steps);
        copy16(shared_address(&tile[s & 1][1][t * 8]), b + ((s + 2) * 128 + t) * 8, s + 2 < steps);
        asm volatile("cp.async.commit_group;");
    }
    *reinterpret_cast<float4*>(c + 4 * t) = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

__device__ void wait_for(uint32_t barrier, uint32_t phase) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "WAIT:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@done bra FINISHED;\n"
        "bra WAIT;\n"
        "FINISHED:\n"
        "}\n" ::"r"(barrier), "r"(phase)
        : "memory");
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) warpgroup(const uint64_t* descriptors, float* out, int steps) {
    __shared__ alignas(8) uint64_t barrier;
    const uint32_t address = shared_address(&barrier);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address));
    __syncthreads();
    float d[4] = {};
    for (int s = 0; s < steps; ++s) {
        if (threadIdx.x == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address) : "memory");
        wait_for(address, s & 1);
        const uint64_t left = descriptors[2 * s], right = descriptors[2 * s + 1];
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        asm volatile(
            "{\n"
            ".reg .pred p;\n"
            "setp.ne.b32 p, %6, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
            "{%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n"
            "}\n"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "l"(left), "l"(right), "r"(s));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        for (float& f : d) asm volatile("" : "+f"(f)::"memory");
    }
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
