// SPDX-License-Identifier: GPL-3.0-or-later
// Double precision with comparisons that guard arithmetic and branches: Newton steps, a Horner scheme and a bisection.
//   nvcc -arch=sm_90a -O3 -std=c++17 -cubin fp64_guard.cu -o fp64_guard.cubin
#include "device.cuh"

KERNEL __launch_bounds__(128) fp64_guard(const double* in, double* out, int steps, double limit) {
    const int at = blockIdx.x * 128 + threadIdx.x;
    const double a = in[at * 2], b = in[at * 2 + 1];
    double x = 1.0 + 0.25 * a, y = b, low = -8.0, high = 8.0, sum = 0.0;
    int count = 0;
#pragma unroll 2
    for (int i = 0; i < steps; ++i) {
        const double square = x * x + 1.0;
        double poly = fma(fma(fma(0.125, y, -0.5), y, 0.75), y, a);
        if (poly > limit) poly = limit - poly * 0.5;
        if (poly < -limit && square < 40.0) {
            poly = fma(poly, 0.25, b);
            ++count;
        }
        const double middle = 0.5 * (low + high);
        const bool above = fma(middle, middle, middle * a) >= square;
        high = above ? middle : high;
        low = above ? low : middle;
        x = fma(x, 0.5, square * 0.03125) - (above ? 0.125 : poly * 0.015625);
        y = fmin(fmax(y * 0.5 + poly, -6.0), 6.0);
        if (x > 12.0) x = x * 0.25;
        sum += (x != y) ? x * y : 1.0;
    }
    out[at] = sum + static_cast<double>(count) + 0.5 * (low + high);
}
