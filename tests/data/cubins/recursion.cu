// SPDX-License-Identifier: GPL-3.0-or-later
// A function that calls itself inside a divergent region saves barrier registers in general ones and puts them back:
// nvcc -arch=sm_80 -cubin -o recursion.80.cubin recursion.cu
__device__ __noinline__ int fib(int n, int* o) {
    if (n < 2) return n;
    int a = 0;
    if (o[n] & 1) {
        a = fib(n - 1, o);
        o[n + 1] += a;
    }
    __syncwarp();
    int b = fib(n - 2, o);
    return a + b;
}
extern "C" __global__ void k(int* o) { o[threadIdx.x] = fib(o[threadIdx.x], o); }
