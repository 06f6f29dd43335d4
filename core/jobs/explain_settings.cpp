// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/jobs/explain_settings.h"

#include <algorithm>

#include "core/jobs/evaluator_choice.h"

namespace cubinlab {

ExplainSettings explain_settings(const Kernel& kernel, const std::optional<Workload>& workload) {
    ExplainSettings out;
    out.model = model_settings(workload);
    out.threads_from = workload ? "the workload" : "an assumption";
    if (workload) return out;
    // A required size is what every launch has, a largest one what most of them have.
    const auto& info = kernel.info();
    const auto& block = info.required_block ? info.required_block : info.max_threads;
    if (!block) return out;
    const std::uint64_t threads = std::uint64_t{(*block)[0]} * (*block)[1] * (*block)[2];
    if (threads == 0) return out;
    out.model.threads_per_block = static_cast<int>(std::min<std::uint64_t>(threads, 1024));
    out.threads_from = "the cubin";
    return out;
}

}  // namespace cubinlab
