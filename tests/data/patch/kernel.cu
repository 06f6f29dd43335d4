extern "C" __global__ void blend(const float* a, const float* b, float* out, int n, float f) {
    float s = 0.f, t = 1.f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i] * b[i] + f;
    __shared__ float part[256];
    part[threadIdx.x] = s;
    __syncthreads();
#ifdef CHANGED
    for (int k = 0; k < 8; ++k) t = t * part[(threadIdx.x + k) & 255] + f * t;
#else
    for (int k = 0; k < 8; ++k) t = t * part[(threadIdx.x + k) & 255] + f;
#endif
    out[blockIdx.x * blockDim.x + threadIdx.x] = t + s;
}
