// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/patterns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace cubinlab {
namespace {

double square(double x) {
    return x * x;
}

// Everything but moves changes control codes; a move keeps its instruction's.
std::string joined_changes(const std::vector<EditDescription>& described) {
    static const char* const kOrder[] = {"stall down",    "stall up",      "yield on",        "yield off",
                                         "wait for less", "wait for more", "wait for others", "write barrier",
                                         "read barrier",  "reuse"};
    std::set<std::string> seen;
    for (const EditDescription& edit : described)
        if (edit.kind == EditKind::Control)
            for (std::string& change : control_changes(edit.before, edit.after))
                seen.insert(std::move(change));
    std::string text;
    for (const char* name : kOrder) {
        if (seen.count(name) == 0) continue;
        if (!text.empty()) text += ", ";
        text += name;
    }
    return text;
}

// The schedule of a step's parent: mostly the step before it among the accepted ones.
class ParentSchedules {
  public:
    explicit ParentSchedules(const PatternInput& input) : input_(input) {}

    Result<Schedule> of(const StepRecord& record) {
        if (last_ && last_step_ == record.parent) return *last_;
        return input_.schedule_at(record.parent);
    }
    void keep(const StepRecord& record, Schedule schedule) {
        last_step_ = record.step;
        last_ = std::move(schedule);
    }

  private:
    const PatternInput& input_;
    std::optional<Schedule> last_;
    StepId last_step_ = -1;
};

}  // namespace

std::string PatternKey::text() const {
    std::string text = opcode;
    if (direction != 0) text += direction < 0 ? " up" : " down";
    if (!past.empty()) text += " past " + past;
    if (!control.empty()) text += (direction != 0 ? ", " : " ") + control;
    return text;
}

PatternKey pattern_of(const Kernel& kernel, const std::vector<EditDescription>& described) {
    PatternKey key;
    if (described.empty()) return key;
    const auto move = std::find_if(described.begin(), described.end(),
                                   [](const EditDescription& edit) { return edit.direction() != 0; });
    const EditDescription& lead = move != described.end() ? *move : described.front();
    key.opcode = kernel.instruction(lead.instr).mnemonic;
    key.direction = lead.direction();
    std::map<std::string, int> passed;
    for (const InstrId id : lead.past)
        ++passed[instruction_class(kernel.instruction(id))];
    int most = 0;
    for (const auto& [name, count] : passed) {
        if (count <= most) continue;
        most = count;
        key.past = name;
    }
    key.control = joined_changes(described);
    return key;
}

bool touches(const Mutation& step, const Mutation& minimised) {
    return std::any_of(step.edits.begin(), step.edits.end(), [&](const Edit& edit) {
        const bool control = edit.kind == EditKind::Control;
        return std::any_of(minimised.edits.begin(), minimised.edits.end(), [&](const Edit& kept) {
            return kept.instr == edit.instr && (kept.kind == EditKind::Control) == control;
        });
    });
}

Result<std::vector<Pattern>> learn_patterns(const PatternInput& input, std::stop_token stop) {
    std::map<PatternKey, Pattern> found;
    ParentSchedules parents(input);
    for (const StepRecord& record : input.accepted) {
        if (stop.stop_requested()) break;
        Outcome start;
        start.kind = OutcomeKind::Ok;
        const Outcome* before = record.parent == 0 ? &start : input.outcome_of(record.parent);
        if (!record.outcome.ok() || before == nullptr || !before->ok()) continue;
        auto parent = TRY(parents.of(record));
        auto described = TRY(describe(parent, record.mutation));
        PatternKey key = pattern_of(*input.kernel, described);
        if (key.opcode.empty()) continue;
        Pattern& pattern = found[key];
        pattern.key = std::move(key);
        const double gain = record.outcome.log_speedup - before->log_speedup;
        pattern.best_gain = pattern.steps.empty() ? gain : std::max(pattern.best_gain, gain);
        pattern.total_gain += gain;
        pattern.half_width =
            std::sqrt(square(pattern.half_width) + square((record.outcome.high - record.outcome.low) / 2) +
                      square((before->high - before->low) / 2));
        pattern.steps.push_back(record.step);
        if (touches(record.mutation, input.minimised)) ++pattern.carrying;
        auto after = TRY(record.mutation.applied(parent));
        parents.keep(record, std::move(after));
    }
    std::vector<Pattern> out;
    for (auto& [key, pattern] : found)
        out.push_back(std::move(pattern));
    std::stable_sort(out.begin(), out.end(),
                     [](const Pattern& a, const Pattern& b) { return a.total_gain > b.total_gain; });
    return out;
}

Result<std::vector<Pattern>> learn_patterns(SessionReader& reader, const KernelPtr& kernel, RunId run,
                                            const Mutation& minimised, std::stop_token stop) {
    auto info = TRY(reader.run(run));
    // Of the steps that were not accepted only the figures are kept: a rejected step can be a parent.
    struct Figures {
        float gain, half_width;
        bool ok;
    };
    std::vector<Figures> figures{{0, 0, true}};
    PatternInput input;
    input.kernel = kernel;
    input.minimised = minimised;
    for (StepId after = 0; !stop.stop_requested();) {
        auto chunk = TRY(reader.steps(info.id, after, kStepsAtOnce));
        if (chunk.empty()) break;
        after = chunk.back().step;
        for (StepRecord& record : chunk) {
            const Outcome& o = record.outcome;
            figures.resize(static_cast<std::size_t>(record.step), {0, 0, false});
            figures.push_back(
                {static_cast<float>(o.log_speedup), static_cast<float>((o.high - o.low) / 2), o.ok()});
            record.outcome.samples = {};
            if (record.accepted && o.ok()) input.accepted.push_back(std::move(record));
        }
    }
    input.schedule_at = [&](StepId step) { return reader.schedule_at(kernel, info.id, step); };
    Outcome parent;
    input.outcome_of = [&](StepId step) -> const Outcome* {
        if (step < 0 || static_cast<std::size_t>(step) >= figures.size()) return nullptr;
        const Figures& f = figures[static_cast<std::size_t>(step)];
        parent.kind = f.ok ? OutcomeKind::Ok : OutcomeKind::Error;
        parent.log_speedup = static_cast<double>(f.gain);
        parent.low = parent.log_speedup - static_cast<double>(f.half_width);
        parent.high = parent.log_speedup + static_cast<double>(f.half_width);
        return &parent;
    };
    return learn_patterns(input, stop);
}

}  // namespace cubinlab
