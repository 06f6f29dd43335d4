// A barrier in front of a loop whose first instruction reads shared memory: nothing but the barrier's own stall count
// keeps the two apart.
extern "C" __global__ void barrier_at_edge(float* out, const float* in, int n) {
    __shared__ volatile float shared[256];
    shared[threadIdx.x] = in[threadIdx.x];
    volatile float* mine = shared + (threadIdx.x ^ 1);
    float sum = 0;
    __syncthreads();
#pragma unroll 1
    do {
        sum += *mine;
    } while (--n > 0);
    out[threadIdx.x] = sum;
}
