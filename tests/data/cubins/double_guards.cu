// SPDX-License-Identifier: GPL-3.0-or-later
// A double written in each pass of a loop that is unrolled, under a guard of that pass: both may hold, and the second write
// stands 4 cycles behind the first. nvcc -arch=sm_80 -maxrregcount=24 -cubin -o double_guards.80.cubin double_guards.cu
extern "C" __global__ void last_difference(double* out, const double* in, const int* next, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    int state = next[t];
    double difference = in[t], step = in[t + n], scale = in[t + 3 * n], value = in[t + 4 * n];
    if (state > 4 && state <= 6)
        for (int i = 0; i < 4; i++) {
            if (next[state & 7] > 0)
                state = next[state & 15];
            else
                difference = value - scale;
            value = step - scale * value;
            if (state & 1) state = (int)value;
        }
    out[t] = difference + step + scale + value;
    out[t + n] = scale;
}
