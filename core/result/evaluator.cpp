// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/evaluator.h"

namespace cubinlab {

const char* to_string(EvaluatorKind kind) {
    return kind == EvaluatorKind::Gpu ? "gpu" : "model";
}

const char* verdict_text(EvaluatorKind kind, const Outcome& outcome) {
    return kind == EvaluatorKind::Model && outcome.ok() ? kModelledVerdict : to_string(outcome.verdict);
}

}  // namespace cubinlab
