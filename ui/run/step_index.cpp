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

bool StepFilter::admits(const StepBrief& brief, std::span<const InstrId> further) const {
    if (!brief.present || !((kinds >> brief.kind) & 1U) || !((outcomes >> brief.outcome) & 1U)) return false;
    if ((accepted_only && !brief.accepted) || (best_only && !brief.best)) return false;
    if (instructions.empty()) return true;
    const auto wanted = [&](InstrId id) { return id < instructions.size() && instructions[id]; };
    return wanted(brief.instr) || std::any_of(further.begin(), further.end(), wanted);
}

void StepIndex::clear() {
    briefs_.clear();
    further_.clear();
    further_ids_.clear();
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
    const std::size_t before = further_ids_.size();
    keep_further(record);
    b.several = further_ids_.size() > before;
    briefs_.push_back(b);
}

void StepIndex::keep_further(const StepRecord& record) {
    const auto begin = static_cast<std::ptrdiff_t>(further_ids_.size());
    for (const Edit& edit : record.mutation.edits)
        if (edit.instr != record.mutation.instr()) further_ids_.push_back(edit.instr);
    std::sort(further_ids_.begin() + begin, further_ids_.end());
    further_ids_.erase(std::unique(further_ids_.begin() + begin, further_ids_.end()), further_ids_.end());
    if (static_cast<std::size_t>(begin) < further_ids_.size())
        further_.push_back({static_cast<std::uint32_t>(record.step), static_cast<std::uint32_t>(begin)});
}

std::span<const InstrId> StepIndex::further(StepId step) const {
    if (!at(step).several) return {};
    const auto found = std::lower_bound(further_.begin(), further_.end(), step,
                                        [](const Further& f, StepId s) { return f.step < s; });
    const auto next = std::next(found);
    const std::size_t end = next == further_.end() ? further_ids_.size() : next->begin;
    return std::span(further_ids_).subspan(found->begin, end - found->begin);
}

bool StepIndex::has(StepId step) const {
    return step >= 1 && step <= last() && at(step).present;
}

StepId StepIndex::next(StepId from, int direction, const StepFilter& filter) const {
    StepId step = direction > 0 ? std::max<StepId>(0, from) + 1 : std::min(last() + 1, from) - 1;
    for (; step >= 1 && step <= last(); step += direction > 0 ? 1 : -1)
        if (admits(step, filter)) return step;
    return 0;
}

}  // namespace cubinlab::ui
