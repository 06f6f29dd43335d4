// SPDX-License-Identifier: GPL-3.0-or-later
// Prints an explanation of the SM model as text or as JSON.
#pragma once
#include "app/cli/base/output.h"
#include "core/model/explanation_change.h"
#include "core/tuning/explain_settings.h"

namespace cubinlab::cli {

Json to_json(const Kernel& kernel, const Explanation& explanation);
Json to_json(const Kernel& kernel, const Explanation& before, const Explanation& after,
             const ExplanationChange& change);
void print_explanation(const Kernel& kernel, const Explanation& explanation, const ExplainSettings& settings);
void print_change(const Kernel& kernel, const Explanation& before, const Explanation& after,
                  const ExplanationChange& change);

}  // namespace cubinlab::cli
