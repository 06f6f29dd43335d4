// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/evaluator.h"

namespace cubinlab {

const char* to_string(EvaluatorKind kind) {
    return kind == EvaluatorKind::Gpu ? "gpu" : "model";
}

const char* to_string(OutcomeKind kind) {
    switch (kind) {
        case OutcomeKind::Ok:
            return "ok";
        case OutcomeKind::Illegal:
            return "illegal";
        case OutcomeKind::WrongResult:
            return "wrong-result";
        case OutcomeKind::WildStore:
            return "wild-store";
        case OutcomeKind::Fault:
            return "fault";
        case OutcomeKind::Hang:
            return "hang";
        case OutcomeKind::WorkerLost:
            return "worker-lost";
        case OutcomeKind::Error:
            return "error";
    }
    return "error";
}

const char* to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::Faster:
            return "FASTER";
        case Verdict::Same:
            return "SAME";
        case Verdict::Slower:
            return "SLOWER";
        case Verdict::Unclear:
            return "UNCLEAR";
    }
    return "UNCLEAR";
}

}  // namespace cubinlab
