// nvcc -arch=sm_80 -cubin, ptxas 13.0: before sm_90 shared memory is addressed by a register times 4, 8 or 16.
extern "C" __global__ void scaled_twice(int* out, const int* in) {
    __shared__ volatile int s[512];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    const int a = s[t], b = s[t];
    out[t] = a;
    out[t + 512] = b;
}

extern "C" __global__ void scaled_apart(int* out, const int* in) {
    __shared__ int s[1024];
    const int t = threadIdx.x;
    const int a = in[t], b = in[t + 512];
    s[t] = a;
    s[t + 512] = b;
    __syncthreads();
    out[t] = s[t ^ 1] + s[(t ^ 1) + 512];
}

// One register, two factors: 4 t and 8 t are one place for t = 0.
extern "C" __global__ void two_scales(int* out, const int* in) {
    extern __shared__ int s[];
    const int t = threadIdx.x;
    const int a = in[t], b = in[t + 512];
    s[t] = a;
    reinterpret_cast<int2*>(s)[t].x = b;
    __syncthreads();
    out[t] = s[t ^ 1];
}
