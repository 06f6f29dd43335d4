// Kernels whose names depend on the path of this file (anonymous.one, anonymous.other: two folders), and static ones.
//   nvcc -cubin -arch=sm_90 -o anonymous.one.cubin anonymous.cu
namespace {
__device__ float factor = 2.f;
__global__ void blend(float* out, const float* a, const float* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; ++k) s += a[i + k * 32] * b[i * n + k] + factor;
    out[i] = s;
}
}  // namespace
static __global__ void shift(float* out, const float* a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; ++k) out[i * n + k] = a[i * n + k] * 3.f + a[i];
}
void run(float* out, const float* a, const float* b, int n) {
    blend<<<1, 32>>>(out, a, b, n);
    shift<<<1, 32>>>(out, a, n);
}
