// Loops whose passes are known by hand for the launch of tests/core/model/trip_counts_test.cpp: 2 blocks of 64 threads.
// nvcc -arch=sm_90a -cubin -o trips.90a.cubin trips.cu; sm_80 the same
#define KEEP_LOOP _Pragma("unroll 1")

extern "C" __global__ void up(float* out, int n) {  // n passes
    float sum = 0;
    KEEP_LOOP for (int i = 0; i < n; ++i) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void down(float* out, int n) {  // n passes
    float sum = 0;
    KEEP_LOOP for (int i = n; i > 0; --i) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void by_unsigned_step(float* out, unsigned n) {  // from 7 by 13 below n
    float sum = 0;
    KEEP_LOOP for (unsigned i = 7; i < n; i += 13) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void by_four(float* out, int n) {  // n / 4 passes of four, n % 4 of one
    float sum = 0;
#pragma unroll 4
    for (int i = 0; i < n; ++i) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void to_thread(float* out) {  // another count in each thread
    float sum = 0;
    KEEP_LOOP for (int i = 0; i < threadIdx.x; ++i) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void to_block(float* out) {
    float sum = 0;
    KEEP_LOOP for (int i = 0; i < 3 + 5 * blockIdx.x; ++i) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void stride_of_grid(float* out, int n) {  // n / 128 passes where 128 divides n
    float sum = 0;
    KEEP_LOOP for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void in_each_other(float* out, int n, int m) {  // n of the outer, m of the inner
    float sum = 0;
    KEEP_LOOP for (int i = 0; i < n; ++i) {
        KEEP_LOOP for (int j = 0; j < m; ++j) sum = sum * 1.5f + out[i + j];
        out[i] = sum;
    }
}
extern "C" __global__ void triangle(float* out, int n) {  // 1 to n of the inner
    float sum = 0;
    KEEP_LOOP for (int i = 0; i < n; ++i) {
        KEEP_LOOP for (int j = 0; j <= i; ++j) sum = sum * 1.5f + out[i + j];
        out[i] = sum;
    }
}
extern "C" __global__ void halves(float* out) {  // 64, 32, ... 1: seven passes
    KEEP_LOOP for (int s = blockDim.x; s > 0; s >>= 1) {
        out[threadIdx.x] += out[threadIdx.x + s];
        __syncthreads();
    }
}
extern "C" __global__ void of_64_bits(float* out, long long n) {  // n passes
    float sum = 0;
    KEEP_LOOP for (long long i = 0; i < n; ++i) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void to_memory(float* out, const int* n) {
    float sum = 0;
    KEEP_LOOP for (int i = 0; i < *n; ++i) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void until(float* out, int n) {  // left early on what is in memory
    float sum = 0;
    KEEP_LOOP for (int i = 0; i < n; ++i) {
        sum = sum * 1.5f + out[i];
        if (out[i] < 0) break;
    }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void tiles(float* out, int n, int tile) {  // ceil(n / tile) passes
    float sum = 0;
    const int count = (n + tile - 1) / tile;
    KEEP_LOOP for (int i = 0; i < count; ++i) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void tiles_of_64(float* out, int n) {  // ceil(n / 64) passes
    float sum = 0;
    KEEP_LOOP for (int i = 0; i < (n + 63) / 64; ++i) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void per_warp(float* out, int n) {  // the warp's number from its first lane
    const int warp = __shfl_sync(~0u, threadIdx.x / 32, 0);
    float sum = 0;
    KEEP_LOOP for (int i = warp; i < n; i += blockDim.x / 32) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void with_a_division(double* out, int n) {  // n passes, a function in each
    double sum = 1;
    KEEP_LOOP for (int i = 0; i < n; ++i) sum = out[i] / sum;
    out[threadIdx.x] = sum;
}
extern "C" __global__ void only_if(float* out, int n, int choice) {  // n passes of one of the two
    float sum = 0;
    if (choice > 10) {
        KEEP_LOOP for (int i = 0; i < n; ++i) sum = sum * 1.5f + out[i];
    } else {
        KEEP_LOOP for (int i = 0; i < n; ++i) sum = sum * 2.5f - out[i] * sum;
    }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void powers(float* out, unsigned n) {  // 1, 3, 9 ... below n
    float sum = 0;
    KEEP_LOOP for (unsigned i = 1; i < n; i *= 3) sum = sum * 1.5f + out[i];
    out[threadIdx.x] = sum;
}
extern "C" __global__ void for_ever(float* out, int n) {  // the count never comes to its end
    float sum = 0;
    int i = 0;
    KEEP_LOOP while (i != n) { sum = sum * 1.5f + out[i]; i = i == 5 ? 0 : i + 1; }
    out[threadIdx.x] = sum;
}
extern "C" __global__ void some_in_the_middle(float* out, int n, int m) {  // a branch that nobody knows, inside
    float sum = 0;
    int steps = 0;
    KEEP_LOOP for (int i = 0; i < n; ++i) {
        if (out[i] > sum) {
            sum = sum * 1.5f + out[i];
            KEEP_LOOP for (int j = 0; j < m; ++j) sum += out[j];
        } else {
            out[i] = sum;
            ++steps;
        }
    }
    out[threadIdx.x] = sum + steps;
}
