// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/explain_settings.h"

#include "core/tuning/evaluator_choice.h"

namespace cubinlab {

ExplainSettings explain_settings(const Kernel& kernel, const std::optional<Workload>& workload) {
    ExplainSettings out;
    out.model = model_settings(kernel, workload);
    out.threads_from = threads_from(kernel, workload);
    return out;
}

}  // namespace cubinlab
