// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/weights.h"

#include <algorithm>
#include <cmath>

namespace cubinlab {
namespace {

double normal(Rng& random) {
    constexpr double kTwoPi = 6.283185307179586;
    const double u = 1.0 - random.unit();  // (0, 1]
    return std::sqrt(-2.0 * std::log(u)) * std::cos(kTwoPi * random.unit());
}

}  // namespace

void initialise_layer(torch::Tensor weight, torch::Tensor bias, double gain, Rng& random) {
    const torch::NoGradGuard guard;
    const std::int64_t rows = weight.size(0);
    const std::int64_t columns = weight.numel() / rows;
    torch::Tensor flat = torch::empty({std::max(rows, columns), std::min(rows, columns)});
    float* data = flat.data_ptr<float>();
    for (std::int64_t i = 0; i < flat.numel(); ++i)
        data[i] = static_cast<float>(normal(random));
    auto [q, r] = torch::linalg_qr(flat, "reduced");
    q = q * torch::diagonal(r).sign();
    if (rows < columns) q = q.t();
    weight.copy_(q.reshape(weight.sizes()) * gain);
    bias.zero_();
}

}  // namespace cubinlab
