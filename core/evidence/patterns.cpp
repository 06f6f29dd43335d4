// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "core/base/file.h"
#include "core/gpu/client/gpu_evaluator.h"

namespace cubinlab {
namespace {

double square(double x) {
    return x * x;
}

// What the edits of fields changed, in the order of the fields and their parts.
std::string joined_changes(const std::vector<EditDescription>& described) {
    std::string text;
    for (const FieldKind* kind : kFieldKinds)
        for (const FieldPart& part : kind->parts) {
            std::set<std::string> labels;
            for (const EditDescription& edit : described)
                if (edit.kind == kind->kind && ((edit.before ^ edit.after) & part.mask) != 0)
                    labels.insert(part.label(edit.before, edit.after));
            for (const std::string& label : labels)
                text += (text.empty() ? "" : ", ") + label;
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

Result<std::map<PatternKey, Pattern>> patterns_of_run(const PatternInput& input,
                                                      const std::stop_token& stop) {
    std::map<PatternKey, Pattern> found;
    ParentSchedules parents(input);
    Outcome start;
    start.kind = OutcomeKind::Ok;
    for (const StepRecord& record : input.accepted) {
        if (stop.stop_requested()) break;
        const Outcome* before = record.parent == 0 ? &start : input.outcome_of(record.parent);
        if (!record.outcome.ok() || before == nullptr || !before->ok()) continue;
        auto parent = TRY(parents.of(record));
        auto described = TRY(describe(parent, record.mutation));
        PatternKey key = pattern_of(*input.kernel, described);
        if (key.opcode.empty()) continue;
        Pattern& pattern = found[key];
        pattern.key = std::move(key);
        const double gain = record.outcome.speedup.log - before->speedup.log;
        pattern.best_gain = pattern.steps.empty() ? gain : std::max(pattern.best_gain, gain);
        pattern.total_gain += gain;
        pattern.half_width =
            std::sqrt(square(pattern.half_width) +
                      square((record.outcome.speedup.high - record.outcome.speedup.low) / 2) +
                      square((before->speedup.high - before->speedup.low) / 2));
        pattern.steps.push_back(record.step);
        if (touches(record.mutation, input.minimised)) ++pattern.carrying;
        auto after = TRY(record.mutation.applied(parent));
        parents.keep(record, std::move(after));
    }
    return found;
}

void add_to(Pattern& sum, const Pattern& run) {
    sum.best_gain = sum.steps.empty() ? run.best_gain : std::max(sum.best_gain, run.best_gain);
    sum.total_gain += run.total_gain;
    sum.half_width = std::sqrt(square(sum.half_width) + square(run.half_width));
    sum.carrying += run.carrying;
    sum.steps.insert(sum.steps.end(), run.steps.begin(), run.steps.end());
    ++sum.runs;
}

// The clock of the first step, in microseconds, separates runs that began in the same second.
Result<std::string> identity_of(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run) {
    const auto first = TRY(reader.figures(run.id, 0, 1));
    if (first.empty()) return std::string();
    return fmt::format("{} {} {} {} {} {}", kernel->hash().hex(), run.agent, run.seed, run.started,
                       first.front().hash.hex(), first.front().time_us);
}

Error in_session(Error error, const std::filesystem::path& session) {
    if (error.where.find(session.string()) == std::string::npos)
        error.where = error.where.empty() ? session.string() : session.string() + ", " + error.where;
    return error;
}

// The sessions of the folder and the open one, each once. A folder that does not exist has none.
std::vector<std::filesystem::path> sessions_of(const PatternRequest& request) {
    auto listed = files_of_folder(request.folder, ".db");
    std::vector<std::filesystem::path> out =
        listed ? std::move(*listed) : std::vector<std::filesystem::path>{};
    const bool known = std::any_of(out.begin(), out.end(), [&](const std::filesystem::path& path) {
        std::error_code error;
        return std::filesystem::equivalent(path, request.session, error);
    });
    if (!request.session.empty() && !known) out.push_back(request.session);
    return out;
}

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
        return std::any_of(minimised.edits.begin(), minimised.edits.end(), [&](const Edit& kept) {
            return kept.instr == edit.instr && alike(kept.kind, edit.kind);
        });
    });
}

Status PatternCounts::add(const PatternInput& input, const std::stop_token& stop) {
    auto found = TRY(patterns_of_run(input, stop));
    for (const auto& [key, pattern] : found) {
        Counted& counted = found_[{input.evaluator, input.cache, key}];
        counted.pattern.key = key;
        counted.pattern.evaluator = input.evaluator;
        counted.pattern.cache = input.cache;
        add_to(counted.pattern, pattern);
        counted.kernels.insert(input.kernel->hash());
        counted.pattern.kernels = counted.kernels.size();
    }
    ++runs_;
    return {};
}

Status PatternCounts::add(SessionReader& reader, const KernelPtr& session_kernel, const RunInfo& run,
                          const Mutation& minimised, const std::stop_token& stop) {
    TRY(reader.whole(run.id));
    const KernelPtr kernel = TRY(reader.run_kernel(session_kernel, run.id));
    // Of the steps that were not accepted only the figures are kept: a rejected step can be a parent.
    struct Figures {
        float gain, half_width;
        bool ok;
    };
    std::vector<Figures> figures{{0, 0, true}};
    PatternInput input;
    input.kernel = kernel;
    input.evaluator = run.evaluator.kind;
    input.cache = cache_of(run.evaluator);
    input.minimised = minimised;
    for (StepId after = 0; !stop.stop_requested();) {
        auto chunk = TRY(reader.steps(run.id, after, kStepsAtOnce));
        if (chunk.empty()) break;
        after = chunk.back().step;
        for (StepRecord& record : chunk) {
            const Outcome& o = record.outcome;
            figures.resize(static_cast<std::size_t>(record.step), {0, 0, false});
            figures.push_back({static_cast<float>(o.speedup.log),
                               static_cast<float>((o.speedup.high - o.speedup.low) / 2), o.ok()});
            record.outcome.samples = {};
            // Another compilation is no edit.
            if (record.accepted && o.ok() && record.mutation.start.empty()) input.accepted.push_back(std::move(record));
        }
    }
    input.schedule_at = [&](StepId step) { return reader.schedule_at(kernel, run.id, step); };
    Outcome parent;
    input.outcome_of = [&](StepId step) -> const Outcome* {
        if (step < 0 || static_cast<std::size_t>(step) >= figures.size()) return nullptr;
        const Figures& f = figures[static_cast<std::size_t>(step)];
        parent.kind = f.ok ? OutcomeKind::Ok : OutcomeKind::Error;
        parent.speedup.log = static_cast<double>(f.gain);
        parent.speedup.low = parent.speedup.log - static_cast<double>(f.half_width);
        parent.speedup.high = parent.speedup.log + static_cast<double>(f.half_width);
        return &parent;
    };
    return add(input, stop);
}

Status PatternCounts::add_session(const std::filesystem::path& session, const std::optional<Hash128>& only,
                                  const std::stop_token& stop) {
    const auto add_all = [&]() -> Status {
        auto reader = TRY(SessionReader::open(session));
        auto kernel = TRY(reader->kernel());
        if (only && kernel->hash() != *only) return {};
        const std::size_t before = runs_;
        auto runs = TRY(reader->runs());
        for (const RunInfo& run : runs) {
            if (run.steps == 0 || stop.stop_requested()) continue;
            auto identity = TRY(identity_of(*reader, kernel, run));
            if (seen_.contains(identity)) {
                ++copies_;
                continue;
            }
            TRY(add(*reader, kernel, run, {}, stop));
            seen_.insert(std::move(identity));
        }
        if (runs_ > before) ++sessions_;
        return {};
    };
    if (auto added = add_all(); !added) return fail(in_session(added.error(), session));
    return {};
}

std::vector<Pattern> PatternCounts::patterns() const {
    std::vector<Pattern> out;
    for (const auto& [key, counted] : found_)
        out.push_back(counted.pattern);
    std::stable_sort(out.begin(), out.end(), [](const Pattern& a, const Pattern& b) {
        if (a.evaluator != b.evaluator) return a.evaluator == EvaluatorKind::Gpu;
        if (a.cache != b.cache) return listed_before(a.cache, b.cache);
        return a.total_gain > b.total_gain;
    });
    return out;
}

Result<PatternReport> count_patterns(const PatternRequest& request, const std::stop_token& stop) {
    PatternCounts counts;
    PatternReport out;
    out.scope = request.scope;
    if (request.scope == PatternScope::Run) {
        const auto add_run = [&]() -> Status {
            auto reader = TRY(SessionReader::open(request.session));
            auto kernel = TRY(reader->kernel());
            auto run = TRY(reader->run(request.run));
            return counts.add(*reader, kernel, run, request.minimised, stop);
        };
        if (auto added = add_run(); !added) return fail(in_session(added.error(), request.session));
        out.sessions = 1;
    } else {
        std::optional<Hash128> only;
        if (request.scope == PatternScope::Kernel) only = request.kernel;
        for (const std::filesystem::path& session : sessions_of(request)) {
            if (stop.stop_requested()) break;
            if (auto added = counts.add_session(session, only, stop); !added)
                out.unread.push_back(added.error());
        }
        out.sessions = counts.sessions();
    }
    out.patterns = counts.patterns();
    out.runs = counts.runs();
    out.copies = counts.copies();
    return out;
}

}  // namespace cubinlab
