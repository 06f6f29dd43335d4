// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result/evaluator.h"

#include "core/base/enum_names.h"

namespace cubinlab {
namespace {

constexpr const char* kPolicies[] = {"auto", "gpu", "model"};

}  // namespace

const char* to_string(EvaluatorKind kind) {
    return kind == EvaluatorKind::Gpu ? "gpu" : "model";
}

const char* to_string(EvaluatorPolicy policy) {
    return enum_name<EvaluatorPolicy::Model>(kPolicies, policy, "auto");
}

std::optional<EvaluatorPolicy> parse_evaluator_policy(std::string_view text) {
    return enum_value<EvaluatorPolicy::Model>(kPolicies, text);
}

EvaluatorPolicy policy_for(EvaluatorKind kind) {
    return kind == EvaluatorKind::Gpu ? EvaluatorPolicy::Gpu : EvaluatorPolicy::Model;
}

const char* verdict_text(EvaluatorKind kind, const Outcome& outcome) {
    return kind == EvaluatorKind::Model && outcome.ok() ? kModelledVerdict : to_string(outcome.verdict);
}

}  // namespace cubinlab
