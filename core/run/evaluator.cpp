// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/evaluator.h"

namespace cubinlab {

const char* to_string(EvaluatorKind kind) {
    return kind == EvaluatorKind::Gpu ? "gpu" : "model";
}

}  // namespace cubinlab
