// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/tried_edits.h"

#include <algorithm>
#include <optional>

#include "core/claims/session_runs.h"
#include "core/measure/gpu_evaluator.h"
#include "core/measure/statistics.h"

namespace cubinlab {
namespace {

// The same instruction all along, but for stall counts that pay for its move.
bool one_change(const std::vector<EditDescription>& described) {
    if (described.empty()) return false;
    const auto moves = std::count_if(described.begin(), described.end(),
                                     [](const EditDescription& edit) { return edit.direction() != 0; });
    if (moves > 1) return false;
    if (moves == 0) return described.size() == 1;
    return std::all_of(described.begin(), described.end(), [](const EditDescription& edit) {
        if (edit.kind != EditKind::Control) return true;
        const std::vector<std::string> changes = control_changes(edit.before, edit.after);
        return std::all_of(changes.begin(), changes.end(),
                           [](const std::string& change) { return change.starts_with("stall"); });
    });
}

constexpr double kAlpha = 0.05;

struct Figure {
    double log_speedup = 0;
    bool ok = false;
};

// A single edit that was tried.
struct Try {
    PatternKey key;
    double log_speedup = 0, low = 0;
};

// Steps of one parent mostly follow each other.
class Parents {
  public:
    Parents(SessionReader& reader, const KernelPtr& kernel, RunId run)
        : reader_(reader), kernel_(kernel), run_(run) {}
    Result<const Schedule*> of(StepId step) {
        if (!last_ || last_step_ != step) {
            last_ = TRY(reader_.schedule_at(kernel_, run_, step));
            last_step_ = step;
        }
        return &*last_;
    }

  private:
    SessionReader& reader_;
    const KernelPtr& kernel_;
    RunId run_;
    std::optional<Schedule> last_;
    StepId last_step_ = -1;
};

// What the parent is worth. The start is what all figures are against, and the model's are exact. A measured parent was mostly
// gone on from because its figure was high, so that noise has made it too high: what edits of it did against that looks
// worse than it was, on an H200 by 0.25 % in the mean. Most edits do nothing: the median of them all tells what it was worth.
std::optional<double> base_of(StepId parent, double known, EvaluatorKind evaluator,
                              const std::vector<Try>& edits) {
    if (parent == 0 || evaluator == EvaluatorKind::Model) return known;
    if (edits.size() < TriedEdits::kLeastSiblings) return std::nullopt;
    std::vector<double> values;
    for (const Try& edit : edits)
        values.push_back(edit.log_speedup);
    return median(std::move(values));
}

}  // namespace

double TriedPattern::deviation() const {
    if (tried < 2) return 0;
    const double n = static_cast<double>(tried);
    return std::sqrt(std::max(0.0, squares - sum * sum / n) / (n - 1));
}

double TriedPattern::half_width() const {
    const double radius = t_mixture_radius(tried, deviation(), kAlpha);
    return std::isfinite(radius) ? radius : -1;
}

Status TriedEdits::add(SessionReader& reader, const KernelPtr& kernel, const RunInfo& run,
                       const std::stop_token& stop) {
    const std::size_t number = runs_++;
    std::vector<Figure> figures{{0, true}};  // by step
    Parents parents(reader, kernel, run.id);
    std::map<StepId, std::vector<Try>> tries;  // by parent
    for (StepId after = 0; !stop.stop_requested();) {
        auto chunk = TRY(reader.steps(run.id, after, kStepsAtOnce));
        if (chunk.empty()) break;
        after = chunk.back().step;
        for (const StepRecord& record : chunk) {
            figures.resize(static_cast<std::size_t>(record.step) + 1);
            figures.back() = {record.outcome.log_speedup, record.outcome.ok()};
            const auto parent = static_cast<std::size_t>(record.parent);
            if (stop.stop_requested()) break;
            if (!record.outcome.ok() || record.repeated || parent >= figures.size() || !figures[parent].ok) {
                ++left_out_;
                continue;
            }
            auto schedule = TRY(parents.of(record.parent));
            auto described = TRY(describe(*schedule, record.mutation));
            if (!one_change(described)) {
                ++left_out_;
                continue;
            }
            tries[record.parent].push_back(
                {pattern_of(*kernel, described), record.outcome.log_speedup, record.outcome.low});
        }
    }
    for (auto& [parent, edits] : tries) {
        const double known = figures[static_cast<std::size_t>(parent)].log_speedup;
        const std::optional<double> base = base_of(parent, known, run.evaluator.kind, edits);
        if (!base)
            left_out_ += edits.size();
        else
            for (Try& edit : edits)
                count(std::move(edit.key), run.evaluator, edit.log_speedup - *base, edit.low > *base, number,
                      kernel->hash());
    }
    return {};
}

void TriedEdits::count(PatternKey key, const EvaluatorInfo& evaluator, double gain, bool gained,
                       std::size_t run, const Hash128& kernel) {
    ++steps_;
    const std::string cache = cache_of(evaluator);
    TriedPattern& pattern = found_[{evaluator.kind, cache, key}];
    pattern.best = pattern.tried == 0 ? gain : std::max(pattern.best, gain);
    pattern.key = std::move(key);
    pattern.evaluator = evaluator.kind;
    pattern.cache = cache;
    ++pattern.tried;
    pattern.gained += gained ? 1 : 0;
    pattern.sum += gain;
    pattern.squares += gain * gain;
    pattern.runs.insert(run);
    pattern.kernels.insert(kernel);
}

Status TriedEdits::add_session(const std::filesystem::path& session, const std::stop_token& stop) {
    const auto take = [&](SessionReader& reader, const KernelPtr& kernel, const RunInfo& run) {
        return add(reader, kernel, run, stop);
    };
    return each_run(session, taken_, take, stop);
}

std::vector<InstrId> places_of(const Schedule& schedule, const PatternKey& key) {
    constexpr Position kFar = 8;
    const Kernel& kernel = *schedule.kernel();
    std::vector<InstrId> out;
    for (Position at = 0; at < schedule.size(); ++at) {
        const InstrId id = schedule.at(at);
        if (key.opcode != kernel.instruction(id).mnemonic || kernel.pinned(id)) continue;
        bool there = key.direction == 0 || key.past.empty();
        for (Position n = 1; !there && n <= kFar; ++n) {
            if (key.direction < 0 ? at < n : at + n >= schedule.size()) break;
            const InstrId other = schedule.at(key.direction < 0 ? at - n : at + n);
            if (kernel.block_of(other) != kernel.block_of(id)) break;
            there = key.past == instruction_class(kernel.instruction(other));
        }
        if (there) out.push_back(id);
    }
    return out;
}

std::vector<TriedPattern> TriedEdits::patterns(std::uint64_t least) const {
    std::vector<TriedPattern> out;
    for (const auto& [key, pattern] : found_)
        if (pattern.tried >= std::max<std::uint64_t>(least, 1)) out.push_back(pattern);
    for (TriedPattern& pattern : out) {
        const auto kinds = std::count_if(out.begin(), out.end(), [&](const TriedPattern& other) {
            return other.evaluator == pattern.evaluator && other.cache == pattern.cache;
        });
        pattern.stands_out = std::abs(pattern.mean()) > t_mixture_radius(pattern.tried, pattern.deviation(),
                                                                         kAlpha / static_cast<double>(kinds));
    }
    std::stable_sort(out.begin(), out.end(), [](const TriedPattern& a, const TriedPattern& b) {
        if (a.evaluator != b.evaluator) return a.evaluator == EvaluatorKind::Gpu;
        if (a.cache != b.cache) return a.cache > b.cache;
        const bool known_a = a.half_width() >= 0, known_b = b.half_width() >= 0;
        if (known_a != known_b) return known_a;
        if (!known_a) return a.mean() > b.mean();
        return a.mean() - a.half_width() > b.mean() - b.half_width();
    });
    return out;
}

}  // namespace cubinlab
