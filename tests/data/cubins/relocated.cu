// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled as relocatable device code: the addresses of what is defined elsewhere are left to relocations.
extern __device__ int outside(int x);
extern __device__ int table[64];

extern "C" __global__ void k_relocated(int* out, int i) {
    int v = table[i & 63] + out[i];
    out[i] = outside(v) + v;
}
