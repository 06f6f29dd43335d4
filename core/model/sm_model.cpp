// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sm_model.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/enum_names.h"
#include "core/model/assumed_passes.h"
#include "core/model/model_setup.h"
#include "core/model/model_version.h"
#include "core/model/sub_core.h"

namespace cubinlab {

const char* to_string(WaitReason reason) {
    return enum_name<WaitReason::Barrier>({"none", "stall count", "scoreboard", "unit busy", "register port",
                                           "memory queue", "other warp", "barrier"},
                                          reason, "none");
}

namespace {

// Issue cycles of warp 0 and what held it last before each.
class Detail final : public SubCoreObserver {
  public:
    explicit Detail(ModelRun& run) : run_(run) {}

    void step(const SubCore& core, std::uint64_t now, std::uint64_t when, std::size_t warp) override {
        if (warp != 0) return;
        const SubCore::WarpState s = core.warp_state(0);
        const ModelProgram& program = core.program();
        const Block& block = (*program.blocks)[(*program.trace)[s.pass].block];
        if (s.at == block.first) {
            if (started_) run_.block_cycles[block_] = static_cast<double>(when - entered_);
            entered_ = when;
            block_ = (*program.trace)[s.pass].block;
        }
        const std::uint64_t soonest = started_ ? last_issue_ + 1 : 0;
        run_.issue_cycle[s.at] = static_cast<std::uint32_t>(when - entered_);
        run_.waited[s.at] = static_cast<std::uint32_t>(when - soonest);
        run_.reason[s.at] = when == soonest ? WaitReason::None : last_reason(s, program, now);
        last_issue_ = when;
        started_ = true;
    }

  private:
    WaitReason last_reason(const SubCore::WarpState& s, const ModelProgram& program,
                           std::uint64_t now) const {
        std::uint64_t at = s.next_issue;
        WaitReason why = s.next_issue > last_issue_ + 1 ? WaitReason::Stall : WaitReason::None;
        const auto bound = [&](std::uint64_t cycle, WaitReason by) {
            if (cycle <= at) return;
            at = cycle;
            why = by;
        };
        for (unsigned mask = program.ops[s.at].control.wait_mask & 0x3fu; mask != 0; mask &= mask - 1)
            bound(s.release[static_cast<unsigned>(__builtin_ctz(mask))], WaitReason::Scoreboard);
        bound(s.named, WaitReason::Scoreboard);
        bound(s.ready, WaitReason::Barrier);
        bound(now, WaitReason::OtherWarp);
        bound(s.pipe, WaitReason::Unit);
        bound(s.port, WaitReason::RegisterPort);
        bound(s.queue, WaitReason::MemoryQueue);
        return why;
    }

    ModelRun& run_;
    std::uint64_t entered_ = 0, last_issue_ = 0;
    BlockId block_ = 0;
    bool started_ = false;
};

}  // namespace

struct SmModel::Impl {
    ModelSetup setup;

    template <class Cycles>
    double mean(Cycles cycles) const {
        double sum = 0;
        for (const std::uint64_t stagger : setup.staggers())
            sum += cycles(stagger);
        return sum / static_cast<double>(setup.staggers().size());
    }
};

SmModel::SmModel(KernelPtr kernel, SmModelSettings settings)
    : impl_(new Impl{ModelSetup(std::move(kernel), std::move(settings))}) {}

SmModel::~SmModel() = default;

ModelRun SmModel::run(const Schedule& schedule) const {
    ModelRun detail;
    detail.issue_cycle.assign(schedule.size(), 0);
    detail.waited.assign(schedule.size(), 0);
    detail.reason.assign(schedule.size(), WaitReason::None);
    detail.block_cycles.assign(impl_->setup.kernel->flow().blocks.size(), 0.0);
    const ModelProgram program = impl_->setup.program(schedule);
    SubCore core(program);
    Detail observer(detail);
    core.run(0, observer);  // positions and reasons: warps in step
    detail.cycles = impl_->mean([&](std::uint64_t stagger) { return core.run(stagger); });
    return detail;
}

double SmModel::cycles(const Schedule& schedule) const {
    const ModelProgram program = impl_->setup.program(schedule);
    SubCore core(program);
    return impl_->mean([&](std::uint64_t stagger) { return core.run(stagger); });
}

const SmModelSettings& SmModel::settings() const {
    return impl_->setup.settings;
}
int SmModel::simulated_warps() const {
    return impl_->setup.simulated.warps;
}

ModelEvaluator::ModelEvaluator(KernelPtr kernel, SmModelSettings settings, SettingsOfKernel settings_of)
    : kernel_(kernel), model_(std::move(kernel), settings), settings_of_(std::move(settings_of)) {
    info_.kind = EvaluatorKind::Model;
    info_.device = "SM model " + kernel_->arch().name();
    info_.unit = "modelled cycles";
    info_.original_cost = model_.cycles(Schedule(kernel_));
    ModelInfo& used = info_.model;
    used.version = kModelVersion;
    used.warps_per_subcore = static_cast<std::uint64_t>(model_.simulated_warps());
    used.threads_per_block = static_cast<std::uint64_t>(settings.threads_per_block);
    used.dynamic_shared_bytes = settings.dynamic_shared_bytes;
    used.blocks_in_grid = settings.blocks_in_grid;
    put_passes(used, *kernel_, settings);
}

const SmModel* ModelEvaluator::model_of(const KernelPtr& kernel) {
    if (kernel == kernel_) return &model_;
    if (!settings_of_) return nullptr;
    if (kernel != other_) {
        other_ = kernel;
        other_model_.emplace(other_, settings_of_(*other_));
    }
    return &*other_model_;
}

Result<std::vector<Outcome>> ModelEvaluator::evaluate(std::span<const Schedule> candidates,
                                                      const Schedule& reference, Effort,
                                                      std::stop_token stop) {
    const Hash128 hash = reference.hash();
    if (!reference_hash_ || *reference_hash_ != hash) {
        const SmModel* model = model_of(reference.kernel());
        if (!model) return fail(ErrorCode::BadUse, "the reference belongs to another kernel");
        reference_cycles_ = model->cycles(reference);
        reference_hash_ = hash;
    }
    std::vector<Outcome> outcomes;
    outcomes.reserve(candidates.size());
    for (const Schedule& candidate : candidates) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped while modelling");
        outcomes.push_back(outcome_of(candidate, model_of(candidate.kernel()), reference_cycles_));
    }
    return outcomes;
}

Outcome ModelEvaluator::outcome_of(const Schedule& candidate, const SmModel* model, double reference_cycles) {
    Outcome outcome;
    if (!model) {
        outcome.detail = "a schedule of another kernel";
        return outcome;
    }
    outcome.kind = OutcomeKind::Ok;
    outcome.code_hash = candidate.hash();
    outcome.cost = model->cycles(candidate);
    outcome.speedup =
        Speedup::exactly(outcome.cost == reference_cycles ? 0 : std::log(reference_cycles / outcome.cost));
    outcome.verdict = outcome.speedup.verdict(0);
    return outcome;
}

std::unique_ptr<Evaluator> make_model_evaluator(KernelPtr kernel, SmModelSettings settings, SettingsOfKernel settings_of) {
    return std::make_unique<ModelEvaluator>(std::move(kernel), std::move(settings), std::move(settings_of));
}

}  // namespace cubinlab
