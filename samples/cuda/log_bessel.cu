// SPDX-License-Identifier: GPL-3.0-or-later
// log I_v(x), the logarithm of the modified Bessel function of the first kind, without overflow: for large orders the uniform
// asymptotic expansion (DLMF 10.41.3), else the power series (DLMF 10.25.2). A thread computes two values.
//
//   nvcc -O3 -arch=sm_90a -cubin log_bessel.cu

namespace {

constexpr double kTwoPi = 6.283185307179586;

__device__ double uniform(double v, double x) {
    const double z = x / v, root = sqrt(1 + z * z), t = 1 / root, t2 = t * t, i = 1 / v;
    const double eta = root + log(z / (1 + root));
    const double u1 = t * (3 - 5 * t2) / 24;
    const double u2 = t2 * (81 + t2 * (-462 + 385 * t2)) / 1152;
    const double u3 = t * t2 * (30375 + t2 * (-369603 + t2 * (765765 - 425425 * t2))) / 414720;
    const double u4 = t2 * t2 * (4465125 + t2 * (-94121676 + t2 * (349922430 + t2 * (-446185740 + 185910725 * t2)))) / 39813120;
    return v * eta - 0.5 * log(kTwoPi * v) - 0.5 * log(root) + log1p(i * (u1 + i * (u2 + i * (u3 + i * u4))));
}

// log Gamma(v + 1) for v > 0: Stirling's series behind eight steps of the recurrence.
__device__ double log_factorial(double v) {
    double product = 1;
#pragma unroll
    for (int i = 1; i <= 8; ++i)
        product *= v + i;
    const double z = v + 9, r = 1 / (z * z);
    const double tail = (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r / 1680))) / z;
    return (z - 0.5) * log(z) - z + 0.5 * log(kTwoPi) + tail - log(product);
}

__device__ double series(double v, double x) {
    const double q = 0.25 * x * x;
    double term = 1, sum = 1;
#pragma unroll 8
    for (int k = 1; k <= 64; ++k) {
        term *= q / (k * (v + k));
        sum += term;
    }
    return v * log(0.5 * x) - log_factorial(v) + log(sum);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(128) log_bessel(const double* __restrict__ order, const double* __restrict__ x,
                                                             double* __restrict__ out, int count) {
    const int first = (blockIdx.x * 128 + threadIdx.x) * 2;
    if (first + 1 >= count) return;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const double v = fabs(order[first + i]) * 16 + 0.5, at = fabs(x[first + i]) * 8 + 0.01;
        out[first + i] = v > 13 ? uniform(v, at) : series(v, at);
    }
}
