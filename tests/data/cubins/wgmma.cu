// SPDX-License-Identifier: GPL-3.0-or-later
// Warpgroup kernels of the kinds that have shapes of their own: integers, single bits, sparse. Each has one
// group. wgmma.90a.cubin: nvcc 13.0, -O3 -arch=sm_90a -cubin.
#define OPEN "wgmma.fence.sync.aligned;\n"
#define CLOSE "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
#define FOUR(c, i) "+r"(c[i]), "+r"(c[i + 1]), "+r"(c[i + 2]), "+r"(c[i + 3])
#define FOUR_F(c, i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3])
#define TWELVE "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11}"

using Descriptor = unsigned long long;

template <class T, int N>
__device__ void load(T (&c)[N], const T* data) {
    for (int i = 0; i < N; ++i)
        c[i] = data[i * 128 + threadIdx.x];
}

template <class T, int N>
__device__ void store(T* data, const T (&c)[N]) {
    for (int i = 0; i < N; ++i)
        data[i * 128 + threadIdx.x] = c[i];
}

extern "C" __global__ void s8_n24(int* data, Descriptor a, Descriptor b) {
    int c[12];
    load(c, data);
    asm volatile(OPEN "wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.s8 " TWELVE ", %12, %13, 1;\n" CLOSE
                 : FOUR(c, 0), FOUR(c, 4), FOUR(c, 8)
                 : "l"(a), "l"(b));
    store(data, c);
}

// Thirty-two shapes of N/8 would read this as N = 32.
extern "C" __global__ void b1_n48(int* data, Descriptor a, Descriptor b) {
    int c[24];
    load(c, data);
    asm volatile(OPEN
                 "wgmma.mma_async.sync.aligned.m64n48k256.s32.b1.b1.and.popc {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,"
                 "%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23}, %24, %25, 1;\n" CLOSE
                 : FOUR(c, 0), FOUR(c, 4), FOUR(c, 8), FOUR(c, 12), FOUR(c, 16), FOUR(c, 20)
                 : "l"(a), "l"(b));
    store(data, c);
}

extern "C" __global__ void sparse_s8_n24(int* data, Descriptor a, Descriptor b, int mask) {
    int c[12];
    load(c, data);
    const int metadata = (data[threadIdx.x] ^ mask) + 1;
    asm volatile(OPEN "wgmma.mma_async.sp.sync.aligned.m64n24k64.s32.s8.s8 " TWELVE
                      ", %12, %13, %14, 0, 1;\n" CLOSE
                 : FOUR(c, 0), FOUR(c, 4), FOUR(c, 8)
                 : "l"(a), "l"(b), "r"(metadata));
    store(data, c);
}

extern "C" __global__ void sparse_f16_n24(float* data, Descriptor a, Descriptor b, int mask) {
    float c[12];
    load(c, data);
    const int metadata = (__float_as_int(data[threadIdx.x]) ^ mask) + 1;
    asm volatile(OPEN "wgmma.mma_async.sp.sync.aligned.m64n24k32.f32.f16.f16 " TWELVE
                      ", %12, %13, %14, 1, 1, 1, 1, 0, 0;\n" CLOSE
                 : FOUR_F(c, 0), FOUR_F(c, 4), FOUR_F(c, 8)
                 : "l"(a), "l"(b), "r"(metadata));
    store(data, c);
}

extern "C" __global__ void sparse_e4m3_n24(float* data, Descriptor a, Descriptor b, int mask) {
    float c[12];
    load(c, data);
    const int metadata = (__float_as_int(data[threadIdx.x]) ^ mask) + 1;
    asm volatile(OPEN "wgmma.mma_async.sp.sync.aligned.m64n24k64.f32.e4m3.e5m2 " TWELVE
                      ", %12, %13, %14, 0, 1, 1, 1;\n" CLOSE
                 : FOUR_F(c, 0), FOUR_F(c, 4), FOUR_F(c, 8)
                 : "l"(a), "l"(b), "r"(metadata));
    store(data, c);
}

// The second group's metadata needs a result of the first.
extern "C" __global__ void sparse_twice(int* data, Descriptor a, Descriptor b, int mask) {
    int c[12];
    load(c, data);
    int metadata = (data[threadIdx.x] ^ mask) + 1;
    for (int i = 0; i < 2; ++i) {
        asm volatile(OPEN "wgmma.mma_async.sp.sync.aligned.m64n24k64.s32.s8.s8 " TWELVE
                          ", %12, %13, %14, 0, 1;\n" CLOSE
                     : FOUR(c, 0), FOUR(c, 4), FOUR(c, 8)
                     : "l"(a), "l"(b), "r"(metadata)
                     : "memory");
        metadata += c[0];
    }
    data[8192 + threadIdx.x] = metadata;
    store(data, c);
}

extern "C" __global__ void sparse_registers(int* data, Descriptor b, int mask) {
    int c[12], a[4];
    load(c, data);
    load(a, data + 2048);
    const int metadata = (data[threadIdx.x] ^ mask) + 1;
    asm volatile(OPEN "wgmma.mma_async.sp.sync.aligned.m64n24k64.s32.s8.s8 " TWELVE
                      ", {%12,%13,%14,%15}, %16, %17, 0, 1;\n" CLOSE
                 : FOUR(c, 0), FOUR(c, 4), FOUR(c, 8)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(metadata));
    store(data, c);
}
