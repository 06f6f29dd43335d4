// A rebuild in which another kernel came before this one, and the lines are others.
extern "C" __global__ void another_one(int* p) { p[threadIdx.x] += 3; }


#include "kernel.cu"
