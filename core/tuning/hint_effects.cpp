// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/hint_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "core/base/number_of.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/sass/cache_hint.h"

namespace cubinlab {
namespace {

constexpr std::size_t kStepsRead = 400;  // of a run

// Empty if the mutation has an edit other than a hint.
std::string hints_of(const Kernel& kernel, const Mutation& mutation) {
    std::map<std::pair<bool, std::string>, std::size_t> counts;  // store, hint
    for (const Edit& edit : mutation.edits) {
        if (edit.kind != EditKind::Hint || edit.instr >= kernel.size()) return {};
        ++counts[{kernel.instruction(edit.instr).memory.writes, CacheHint::from_bits(edit.after).text()}];
    }
    std::string out;
    for (const auto& [key, count] : counts)
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", number_of(count, key.first ? "store" : "load"),
                           key.second);
    return out;
}

}  // namespace

Result<std::vector<HintEffect>> hint_effects(SessionReader& reader, const Kernel& kernel, std::size_t most) {
    std::map<std::pair<std::string, std::optional<Cache>>, HintEffect> found;
    for (const RunInfo& run : TRY(reader.runs())) {
        if (run.evaluator.kind != EvaluatorKind::Gpu || run.start_run != 0) continue;
        for (const StepRecord& step : TRY(reader.steps(run.id, 0, kStepsRead))) {
            if (step.parent != 0 || step.repeated || !step.outcome.ok()) continue;
            std::string hints = hints_of(kernel, step.mutation);
            if (hints.empty()) continue;
            const std::optional<Cache> cache = cache_of(run.evaluator);
            found[{hints, cache}] = {hints, step.outcome.speedup, step.outcome.verdict, cache,
                                     run.evaluator.device};
        }
    }
    std::vector<HintEffect> out;
    for (auto& [key, effect] : found)
        out.push_back(std::move(effect));
    std::ranges::stable_sort(out, std::greater{}, [](const HintEffect& e) { return e.speedup.log; });
    out.resize(std::min(out.size(), most));
    return out;
}

}  // namespace cubinlab
