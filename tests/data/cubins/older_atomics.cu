// Two atomics with results: where the operand of the first is overwritten, the first has come back, too.
// nvcc 13.0: -arch=sm_75 -cubin, -arch=sm_80 -cubin.
extern "C" __global__ void exchanged_twice(unsigned* memory, unsigned n) {
    unsigned a = threadIdx.x, sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < n; ++k) {
        unsigned x, y;
        asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(x) : "l"(memory + k), "r"(a) : "memory");
        asm volatile("atom.global.exch.b32 %0, [%1], %2;"
                     : "=r"(y)
                     : "l"(memory + k + 64), "r"(n)
                     : "memory");
        a = a * 3 + y;
        sum += x;
    }
    memory[n] = a + sum;
}
