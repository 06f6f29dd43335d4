// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/explanation_change.h"

#include <algorithm>
#include <cmath>

#include "core/model/wait_text.h"

namespace cubinlab {
namespace {

constexpr double kNoChange = 0.01;  // cycles a pass
constexpr std::size_t kMostEdits = 4;

std::vector<ReasonChange> reasons_of(const Explanation& before, const Explanation& after) {
    std::vector<ReasonChange> out;
    const auto at = [&](const ReasonCycles& r) -> ReasonChange& {
        for (ReasonChange& c : out)
            if (c.reason == r.reason && c.slot == r.slot) return c;
        out.push_back({r.reason, r.slot});
        return out.back();
    };
    for (const ReasonCycles& r : before.reasons)
        at(r).before = before.per_pass(r);
    for (const ReasonCycles& r : after.reasons)
        at(r).after = after.per_pass(r);
    std::stable_sort(out.begin(), out.end(), [](const ReasonChange& a, const ReasonChange& b) {
        return std::abs(a.after - a.before) > std::abs(b.after - b.before);
    });
    return out;
}

// The cause of one wait that changed most, and what it was where it was larger.
struct ChangedCause {
    WaitCause cause;
    bool in_before = true;
    double change = 0;
};

ChangedCause changed_cause(const InstrWait* before, const InstrWait* after) {
    ChangedCause most;
    const auto look = [&](const InstrWait* here, const InstrWait* there, bool in_before) {
        if (!here) return;
        for (const WaitCause& cause : here->causes) {
            double other = 0;
            if (there)
                for (const WaitCause& c : there->causes)
                    if (c.reason == cause.reason && c.slot == cause.slot && c.by == cause.by)
                        other += c.cycles;
            if (cause.cycles - other > most.change) most = {cause, in_before, cause.cycles - other};
        }
    };
    look(before, after, true);
    look(after, before, false);
    return most;
}

// How near an edit is to the wait of `instr` for `by`: 0 of one of the two, 1 moved past one, 2 between them.
int nearness(const EditDescription& edit, const Schedule& schedule, InstrId instr, InstrId by) {
    if (edit.instr == instr || edit.instr == by) return 0;
    for (const InstrId passed : edit.past)
        if (passed == instr || passed == by) return 1;
    if (by == kNone) return 3;
    const auto [low, high] = std::minmax(schedule.position_of(instr), schedule.position_of(by));
    const Position at = schedule.position_of(edit.instr);
    return at > low && at < high ? 2 : 3;
}

}  // namespace

bool opposed(const Explanation& before, const Explanation& after) {
    return after.loop && (after.path_cycles - before.path_cycles) * (after.cycles() - before.cycles()) < 0;
}

ExplanationChange compare(const Schedule& a, const Explanation& before, const Schedule& b,
                          const Explanation& after) {
    ExplanationChange out;
    out.mutation = difference(a, b);
    for (const Edit& edit : out.mutation.edits)
        out.edits.push_back(Mutation{{edit}}.text(*a.kernel()));
    const auto edits = describe(a, out.mutation);
    const std::vector<EditDescription> described = edits ? *edits : std::vector<EditDescription>{};
    out.reasons = reasons_of(before, after);
    std::vector<const InstrWait*> left(a.size(), nullptr), right(a.size(), nullptr);
    for (const InstrWait& w : before.waits)
        left[w.instr] = &w;
    for (const InstrWait& w : after.waits)
        right[w.instr] = &w;
    for (InstrId id = 0; id < a.size(); ++id) {
        WaitChange change;
        change.instr = id;
        change.before = left[id] ? left[id]->cycles : 0;
        change.after = right[id] ? right[id]->cycles : 0;
        if (std::abs(change.after - change.before) < kNoChange) continue;
        const ChangedCause cause = changed_cause(left[id], right[id]);
        if (cause.change > 0) change.text = wait_text(cause.in_before ? a : b, id, cause.cause, a);
        for (int near = 0; near < 3; ++near)
            for (std::size_t e = 0; e < described.size() && change.edits.size() < kMostEdits; ++e)
                if (nearness(described[e], cause.in_before ? a : b, id, cause.cause.by) == near)
                    change.edits.push_back(e);
        out.waits.push_back(std::move(change));
    }
    std::stable_sort(out.waits.begin(), out.waits.end(), [](const WaitChange& x, const WaitChange& y) {
        return std::abs(x.after - x.before) > std::abs(y.after - y.before);
    });
    return out;
}

}  // namespace cubinlab
