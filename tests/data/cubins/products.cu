// SPDX-License-Identifier: GPL-3.0-or-later
// FP64 and integer tensor products that wait for each other. nvcc -arch=sm_103a -cubin -o products.103a.cubin products.cu (CUDA 13.0)
extern "C" __global__ void doubles(double* out, const double* in) {
    double x = in[threadIdx.x], y = in[threadIdx.x + 32], z = in[threadIdx.x + 64];
    for (int k = 0; k < 4; ++k) {
        x = x * y + z;
        y = y + x;
    }
    out[threadIdx.x] = x + y;
}
extern "C" __global__ void integers(int* out, const int4* in) {
    int c[4] = {};
    const int4 a = in[threadIdx.x], b = in[threadIdx.x + 32];
    for (int k = 0; k < 4; ++k)
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                     : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
    for (int k = 0; k < 4; ++k) out[4 * threadIdx.x + k] = c[k];
}
extern "C" __global__ void both(double* out, int* sums, const double* in, const int4* words) {
    double d[2] = {in[0], in[1]};
    const double a = in[threadIdx.x], b = in[threadIdx.x + 32];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a), "d"(b));
    int c[4] = {};
    const int4 v = words[threadIdx.x], w = words[threadIdx.x + 32];
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "r"(w.x), "r"(w.y));
    sums[threadIdx.x] = c[0] + c[1] + c[2] + c[3];
    __syncwarp();
    out[threadIdx.x] = d[0] + d[1];
}
