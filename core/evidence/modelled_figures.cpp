// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/modelled_figures.h"

#include <fmt/format.h>

#include <cmath>

#include "core/evidence/measured_code.h"
#include "core/evidence/model_settings.h"
#include "core/evidence/stored_figures.h"
#include "core/model/assumed_passes.h"
#include "core/model/model_version.h"
#include "core/model/occupancy.h"

namespace cubinlab {
namespace {

// What make_model_evaluator says of its settings. The cost of the original shows whether they are right.
SmModelSettings settings_of(const EvaluatorInfo& info, const Kernel& kernel) {
    SmModelSettings out;
    const ModelInfo& stored = info.model;
    const auto take = [](const auto& from, auto& into, unsigned most = (1u << 30) - 1) {
        if (from && *from <= most) into = static_cast<std::decay_t<decltype(into)>>(*from);
    };
    // The model runs every warp of a block: a larger number than any launch has would fill the memory.
    take(stored.threads_per_block, out.threads_per_block, kMostThreadsPerBlock);
    take(stored.dynamic_shared_bytes, out.dynamic_shared_bytes);
    take(stored.blocks_in_grid, out.blocks_in_grid);
    take(stored.loop_trips, out.loop_trips);
    out.trips = stored_passes(stored, kernel);
    return out;
}

bool same_cost(double a, double b) {
    return a > 0 && b > 0 && std::abs(std::log(a / b)) <= kFigureTolerance;
}

bool rounds_to(double a, double b) {
    return std::abs(a - b) <= kFigureTolerance;
}

// Exactly 0 is SAME. A rounding away from it any verdict fits.
bool verdict_fits(const Outcome& outcome) {
    if (std::abs(outcome.speedup.log) < 1e-9) return outcome.verdict != Verdict::Unclear;
    return outcome.verdict == (outcome.speedup.log > 0 ? Verdict::Faster : Verdict::Slower);
}

// `cost` by the model, or as stored where this model is not the one that made it; start 0: not known.
Status check_cycles(double start, double cost, bool by_model, const Outcome& stored,
                    const std::string& which) {
    const double log_speedup = start > 0 && cost > 0 ? std::log(start / cost) : stored.speedup.log;
    if (same_cost(cost, stored.cost) && rounds_to(log_speedup, stored.speedup.log) &&
        rounds_to(stored.speedup.low, stored.speedup.log) && rounds_to(stored.speedup.high, stored.speedup.log) &&
        verdict_fits(stored))
        return {};
    return fail(ErrorCode::Corrupt,
                fmt::format("the stored figure does not follow from the schedule: {} says {} {} at {:.6g} "
                            "modelled cycles; {} gives {} at {:.6g}",
                            which, to_string(stored.verdict), factor_text(stored.speedup.log), stored.cost,
                            by_model ? "the model" : "the stored cost", factor_text(log_speedup), cost));
}

// Why the model of this program is not the one that made the figures; empty: it is. A session that names no version shows
// it by the cost of the original.
Result<std::string> another_model(const EvaluatorInfo& machine, const SmModel& model,
                                  const KernelPtr& kernel) {
    if (!machine.device.empty() && machine.device != "SM model " + kernel->arch().name())
        return fail(ErrorCode::Corrupt,
                    fmt::format("the SM model judged it, but its machine's row names the device '{}'",
                                machine.device));
    if (std::string another = modelled_by_another(machine); !another.empty()) return another;
    const double original = model.cycles(Schedule(kernel));
    if (same_cost(original, machine.original_cost)) return std::string();
    const std::string costs = fmt::format("that gave the original {:.6g} cycles, this one gives {:.6g}",
                                          machine.original_cost, original);
    if (model_version_of(machine) == 0) return "modelled by another version of the model: " + costs;
    return fail(
        ErrorCode::Corrupt,
        "the session says that this version of the model judged it, with the settings that it stores, but " +
            costs);
}

// Another compilation has loops of its own: its settings follow from the launch.
double cycles_of_start(const Schedule& schedule, const std::optional<Workload>& workload) {
    return SmModel(schedule.kernel(), model_settings(*schedule.kernel(), workload)).cycles(schedule);
}

}  // namespace

Result<std::string> check_modelled_figure(const KernelPtr& original, const std::optional<Workload>& workload,
                                          const EvaluatorInfo& machine, const Schedule& schedule,
                                          const Outcome& stored, const std::string& which) {
    SmModel model(original, settings_of(machine, *original));
    if (const auto another = another_model(machine, model, original); !another || !another->empty())
        return another;
    const double cost =
        schedule.kernel() == original ? model.cycles(schedule) : cycles_of_start(schedule, workload);
    TRY(check_cycles(model.cycles(Schedule(original)), cost, true, stored, which));
    return std::string();
}

Result<ModelledFigures> ModelledFigures::create(SessionReader& reader, KernelPtr kernel, const RunInfo& run) {
    KernelPtr original = TRY(reader.kernel());
    if (kernel->hash() == original->hash()) original = kernel;
    ModelledFigures out(reader, kernel, run, original,
                        std::make_unique<SmModel>(original, settings_of(run.evaluator, *original)));
    if (auto workload = Workload::parse(TRY(reader.workload_json(run.id))))
        out.workload_ = std::move(*workload);
    out.other_model_ = TRY(another_model(run.evaluator, *out.model_, original));
    if (!out.other_model_.empty()) {
        if (run.start_run == 0) out.start_cycles_ = run.evaluator.original_cost;
        return out;
    }
    const auto start = TRY(reader.schedule_at(kernel, run.id, 0));
    out.start_cycles_ = out.cycles(start);
    return out;
}

double ModelledFigures::cycles(const Schedule& schedule) {
    const KernelPtr& kernel = schedule.kernel();
    if (kernel->hash() == original_->hash()) return model_->cycles(schedule);
    if (kernel != start_) {  // a run stays with one, but for the run over starts
        start_ = kernel;
        start_model_ = std::make_unique<SmModel>(kernel, model_settings(*kernel, workload_));
    }
    return start_model_->cycles(schedule);
}

Result<std::string> ModelledFigures::check(const StepRecord& record) {
    const Outcome& stored = record.outcome;
    TRY(check_measured_code(run_, record));
    double cost = stored.cost;
    if (other_model_.empty()) {
        constexpr std::size_t kMostKnown = 1 << 16;
        if (cycles_.size() >= kMostKnown) cycles_.clear();
        auto [known, fresh] = cycles_.try_emplace(record.schedule_hash, 0.0);
        if (fresh) {
            const auto schedule = TRY(reader_->schedule_at(kernel_, run_.id, record.step));
            known->second = cycles(schedule);
        }
        cost = known->second;
    }
    TRY(check_cycles(start_cycles_, cost, other_model_.empty(), stored,
                     fmt::format("run {}, step {}", run_.id, record.step)));
    return other_model_;
}

}  // namespace cubinlab
