// SPDX-License-Identifier: GPL-3.0-or-later
// A reduction by warp 0 alone: ptxas asks with BRA.DIV whether all lanes are there, without a guard and, before sm_90,
// without a register. nvcc 13.0 -O3: sm_75, sm_86 and sm_90.
extern "C" __global__ void block_sum(float* data, int n) {
    __shared__ float parts[32];
    float v = threadIdx.x < n ? data[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = parts[threadIdx.x];
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_xor_sync(0xffffffff, v, d);
        if (threadIdx.x == 0) parts[0] = v;
    }
    __syncthreads();
    if (threadIdx.x < n) data[threadIdx.x] *= parts[0];
}
