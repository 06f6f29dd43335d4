// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/claims/modelled_figures.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/claims/stored_figures.h"
#include "core/model/occupancy.h"

namespace cubinlab {
namespace {

// What make_model_evaluator writes into EvaluatorInfo::json. Absent (an older version): the default, and the
// original's cost then says whether that was right.
SmModelSettings settings_of(const EvaluatorInfo& info) {
    SmModelSettings out;
    const auto stored = parse_json_or_discard(info.json);
    if (!stored.is_object()) return out;
    const auto read = [&](const char* key, auto& into, unsigned most = (1u << 30) - 1) {
        const auto found = stored.find(key);
        if (found != stored.end() && found->is_number_unsigned() && *found <= most)
            into = found->get<std::decay_t<decltype(into)>>();
    };
    // The model runs every warp of a block: a larger number than any launch has would fill the memory.
    read("threads_per_block", out.threads_per_block, kMostThreadsPerBlock);
    read("dynamic_shared_bytes", out.dynamic_shared_bytes);
    read("blocks_in_grid", out.blocks_in_grid);
    read("loop_trips", out.loop_trips);
    read("global_latency", out.global_latency);
    read("shared_latency", out.shared_latency);
    return out;
}

bool same_cost(double a, double b) {
    return a > 0 && b > 0 && std::abs(std::log(a / b)) <= kFigureTolerance;
}

bool near(double a, double b) {
    return std::abs(a - b) <= kFigureTolerance;
}

// Exactly 0 is SAME; runs of before the model compared with the start at once may be a rounding away from it.
bool verdict_fits(const Outcome& outcome) {
    if (std::abs(outcome.log_speedup) < 1e-9) return outcome.verdict != Verdict::Unclear;
    return outcome.verdict == (outcome.log_speedup > 0 ? Verdict::Faster : Verdict::Slower);
}

// `cost` by the model, or as stored where this model is not the one that made it; start 0: not known.
Status check_cycles(double start, double cost, bool by_model, const Outcome& stored,
                    const std::string& which) {
    const double log_speedup = start > 0 && cost > 0 ? std::log(start / cost) : stored.log_speedup;
    if (same_cost(cost, stored.cost) && near(log_speedup, stored.log_speedup) &&
        near(stored.low, stored.log_speedup) && near(stored.high, stored.log_speedup) && verdict_fits(stored))
        return {};
    return fail(
        ErrorCode::Corrupt,
        fmt::format("the stored figure does not follow from the schedule: {} says {} {:.4f}x at {:.6g} "
                    "modelled cycles; {} gives {:.4f}x at {:.6g}",
                    which, to_string(stored.verdict), std::exp(stored.log_speedup), stored.cost,
                    by_model ? "the model" : "the stored cost", std::exp(log_speedup), cost));
}

std::string another_model(double stored, double now) {
    return fmt::format(
        "another version of the model made it: that gave the original {:.6g} cycles, this one gives {:.6g}",
        stored, now);
}

}  // namespace

Result<std::string> check_modelled_figure(const KernelPtr& kernel, const EvaluatorInfo& machine,
                                          const Schedule& start, const Schedule& schedule,
                                          const Outcome& stored, const std::string& which) {
    SmModel model(kernel, settings_of(machine));
    const double original = model.cycles(Schedule(kernel));
    if (!same_cost(original, machine.original_cost)) return another_model(machine.original_cost, original);
    TRY(check_cycles(model.cycles(start), model.cycles(schedule), true, stored, which));
    return std::string();
}

Result<ModelledFigures> ModelledFigures::create(SessionReader& reader, KernelPtr kernel, const RunInfo& run) {
    const SmModelSettings settings = settings_of(run.evaluator);
    ModelledFigures out(reader, kernel, run, std::make_unique<SmModel>(kernel, settings));
    const double original = out.model_->cycles(Schedule(kernel));
    if (!same_cost(original, run.evaluator.original_cost)) {
        out.other_model_ = another_model(run.evaluator.original_cost, original);
        if (run.start_run == 0) out.start_cycles_ = run.evaluator.original_cost;
        return out;
    }
    auto start = TRY(reader.schedule_at(kernel, run.id, 0));
    out.start_cycles_ = out.model_->cycles(start);
    return out;
}

Result<std::string> ModelledFigures::check(const StepRecord& record) {
    const Outcome& stored = record.outcome;
    double cost = stored.cost;
    if (other_model_.empty()) {
        constexpr std::size_t kMostKnown = 1 << 16;
        if (cycles_.size() >= kMostKnown) cycles_.clear();
        auto [known, fresh] = cycles_.try_emplace(record.schedule_hash, 0.0);
        if (fresh) {
            auto schedule = TRY(reader_->schedule_at(kernel_, run_.id, record.step));
            known->second = model_->cycles(schedule);
        }
        cost = known->second;
    }
    TRY(check_cycles(start_cycles_, cost, other_model_.empty(), stored,
                     fmt::format("run {}, step {}", run_.id, record.step)));
    return other_model_;
}

}  // namespace cubinlab
