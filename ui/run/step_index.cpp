// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/step_index.h"

#include <algorithm>

namespace cubinlab::ui {
namespace {
constexpr std::uint32_t kNoInstr = (1U << 18) - 1;
}

bool StepFilter::everything() const {
    return *this == StepFilter{};
}

bool StepFilter::admits(const StepBrief& brief) const {
    if (!brief.present || !((kinds >> brief.kind) & 1U) || !((outcomes >> brief.outcome) & 1U)) return false;
    if ((accepted_only && !brief.accepted) || (best_only && !brief.best)) return false;
    return instructions.empty() || (brief.instr < instructions.size() && instructions[brief.instr]);
}

void StepIndex::clear() {
    briefs_.clear();
}

void StepIndex::add(const StepRecord& record) {
    if (record.step <= last() || record.step > last() + 100'000'000) return;
    briefs_.resize(static_cast<std::size_t>(record.step - 1), StepBrief{});
    StepBrief b{};
    b.instr = std::min<std::uint32_t>(record.mutation.instr(), kNoInstr);
    b.kind = static_cast<std::uint32_t>(record.mutation.kind()) & 15U;
    b.outcome = static_cast<std::uint32_t>(record.outcome.kind) & 7U;
    b.verdict = static_cast<std::uint32_t>(record.outcome.verdict) & 3U;
    b.accepted = record.accepted;
    b.best = record.best;
    b.repeated = record.repeated;
    b.present = 1;
    briefs_.push_back(b);
}

bool StepIndex::has(StepId step) const {
    return step >= 1 && step <= last() && at(step).present;
}

StepId StepIndex::next(StepId from, int direction, const StepFilter& filter) const {
    StepId step = direction > 0 ? std::max<StepId>(0, from) + 1 : std::min(last() + 1, from) - 1;
    for (; step >= 1 && step <= last(); step += direction > 0 ? 1 : -1)
        if (filter.admits(at(step))) return step;
    return 0;
}

}  // namespace cubinlab::ui
