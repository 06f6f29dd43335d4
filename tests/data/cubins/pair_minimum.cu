// Minimum and maximum of pairs of 16 bits that say which operand each half took: VIMNMX with two predicate results on sm_90.
// nvcc -cubin -arch=sm_90 pair_minimum.cu -o pair_minimum.90.cubin (13.0)
extern "C" __global__ void pair_minimum(unsigned* values, bool* taken) {
    const unsigned i = threadIdx.x;
    bool high, low;
    values[i] = __vibmax_s16x2(values[i + 32], values[i + 64], &high, &low);
    taken[i] = high;
    taken[i + 32] = low;
}
