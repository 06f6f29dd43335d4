// SPDX-License-Identifier: GPL-3.0-or-later
// A graph that the GPU launches itself (tail launch of its own graph), three times. Prints what it counted.
//   nvcc -arch=sm_90 -rdc=true device_graph.cu -lcudadevrt
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define MUST(call)                                                     \
    do {                                                               \
        if (const cudaError_t code = (call)) {                         \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(code)); \
            std::exit(1);                                              \
        }                                                              \
    } while (0)

__global__ void again(int* count) {
    if (++*count < 3) cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

int main() {
    int* count = nullptr;
    MUST(cudaMalloc(&count, 4));
    MUST(cudaMemset(count, 0, 4));
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    again<<<1, 1, 0, stream>>>(count);
    cudaGraph_t graph;
    MUST(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t exec;
    MUST(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    MUST(cudaGraphUpload(exec, stream));
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaDeviceSynchronize());
    int host = 0;
    MUST(cudaMemcpy(&host, count, 4, cudaMemcpyDeviceToHost));
    std::printf("result %d\n", host);
    return 0;
}
