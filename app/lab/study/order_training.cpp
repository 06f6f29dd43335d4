// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/order_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "app/lab/study/stopwatch.h"
#include "core/start/find_ptx.h"
#include "core/start/open_device_code.h"
#include "core/start/start_maker.h"
#include "core/tuning/choose_end.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostBatches = 40;  // of one kernel without an update: it yields too few new codes

const SearchMetric* metric(const std::vector<SearchMetric>& metrics, std::string_view name) {
    const auto found = std::ranges::find(metrics, name, &SearchMetric::name);
    return found == metrics.end() ? nullptr : &*found;
}

}  // namespace

Result<OrderKernel> open_order_kernel(const std::string& file, EvaluatorPolicy policy, const GpuSettings& gpu,
                                      const std::string& arch, const std::stop_token& stop) {
    auto container = TRY(open_device_code(file, arch, stop));
    auto choice = TRY(choose_kernel(*container, {}));
    auto ptx = TRY(find_ptx(*container, choice));
    if (!ptx) return fail(ErrorCode::NotFound, "no PTX of the kernel is in the file or next to it", file);
    OrderKernel out;
    out.name = std::filesystem::path(file).stem().string();
    auto kernel = TRY(Kernel::load(choice.cubin, choice.kernel));
    out.kernel = kernel;
    auto workload = TRY(find_workload(*kernel, {}));
    auto maker = TRY(StartMaker::create({std::move(*ptx), choice.cubin, choice.kernel,
                                         launches_of(kernel->arch(), kernel->info(), workload)}));
    if (maker.order_problem()) return fail(*maker.order_problem());
    StartSpace space{maker.option_starts(), maker.units(), TRY(maker.order_facts())};
    CompilerSettings compiler;
    compiler.cache.clear();  // orders do not come back
    out.starts = std::make_shared<RecordedStarts>(out.kernel, std::move(maker), std::move(space), compiler, stop);
    auto evaluator = TRY(choose_evaluator(out.kernel, workload, policy, gpu, stop));
    out.evaluator = std::move(evaluator.evaluator);
    out.workload = std::move(workload);
    out.gpu = gpu;
    return out;
}

StartsPlay::StartsPlay(OrderKernel on, std::uint64_t seed, std::shared_ptr<OrderLearner> learner)
    : on_(std::move(on)), searcher_(on_.kernel, on_.starts->space(), *on_.starts, seed, std::move(learner)) {}

Result<bool> StartsPlay::play(std::size_t batch, const std::stop_token& stop) {
    const auto proposals = searcher_.propose(batch);
    (void)on_.starts->take_new();
    if (proposals.empty()) return false;
    std::vector<Observation> seen(proposals.size());
    const auto judge = [&](bool again, Effort effort, const Sampling& sampling) -> Status {
        std::vector<Schedule> schedules;
        std::vector<std::size_t> at;
        for (std::size_t i = 0; i < proposals.size(); ++i)
            if (proposals[i].request.has_value() == again) {
                schedules.push_back(proposals[i].result);
                at.push_back(i);
            }
        if (schedules.empty()) return {};
        auto outcomes = TRY(on_.evaluator->measure(schedules, Schedule(on_.kernel), effort, sampling, stop));
        for (std::size_t k = 0; k < at.size(); ++k)
            seen[at[k]] = {0, std::move(outcomes[k]), false, on_.evaluator->exact()};
        return {};
    };
    TRY(judge(false, Effort::Screen, {}));
    TRY(judge(true, Effort::Refine, {.loads = 2}));
    for (std::size_t i = 0; i < seen.size(); ++i) {
        seen[i].step = ++step_;
        if (!seen[i].outcome.ok()) continue;
        if (!proposals[i].request) ++measured_;
        tried_.try_emplace(proposals[i].result.hash(), Tried{{}, proposals[i].result}).first->second.figure.add(seen[i].outcome);
    }
    metrics_ = searcher_.observe(seen).metrics;
    return true;
}

const StartsPlay::Tried* StartsPlay::best_tried() const {
    const bool exact = on_.evaluator->exact();
    const auto figure = [&](const Tried& t) { return exact ? t.figure.mean() : t.figure.shrunken(); };
    const Tried* best = nullptr;
    for (const auto& [code, one] : tried_)
        if (!one.figure.failed() && (!best || figure(one) > figure(*best) ||
                                     (figure(one) == figure(*best) && one.schedule.hash() < best->schedule.hash())))
            best = &one;
    return best;
}

double StartsPlay::best() const {
    const Tried* const best = best_tried();
    if (!best) return 0;
    return std::max(0.0, on_.evaluator->exact() ? best->figure.mean() : best->figure.shrunken());
}

Result<std::optional<double>> StartsPlay::measured_again(const std::stop_token& stop) const {
    const Tried* const best = best_tried();
    if (!best || StartsPlay::best() <= 0) return std::optional<double>();
    if (on_.evaluator->exact() || !on_.workload) return std::optional(StartsPlay::best());
    const TuningEnd end{{}, 0, best->schedule, {}};
    const auto chosen = TRY(choose_in_fresh_processes(
        on_.kernel, {&end, 1}, *on_.workload, on_.gpu, {}, [](const MeasurementRecord&) { return Status(); }, stop));
    return chosen ? std::optional(chosen->speedup.log) : std::nullopt;
}

Result<OrderTrained> train_orders(std::vector<OrderKernel> kernels, const OrderTraining& training,
                                  const std::function<void(const std::string&)>& progress, const std::stop_token& stop) {
    if (kernels.empty()) return fail(ErrorCode::BadUse, "there is no kernel to train on");
    const auto began = std::chrono::steady_clock::now();
    std::vector<std::shared_ptr<const ptx::OrderFacts>> facts;
    std::vector<std::unique_ptr<StartsPlay>> plays;
    auto learner = std::make_shared<OrderLearner>(kernels.front().starts->space().facts, training.settings, training.seed);
    for (OrderKernel& kernel : kernels) {
        facts.push_back(kernel.starts->space().facts);
        plays.push_back(std::make_unique<StartsPlay>(kernel, training.seed + plays.size(), learner));
    }
    OrderTrained out;
    const auto over = [&] {
        return stop.stop_requested() || out.updates * OrderLearner::kEpisodes >= training.episodes ||
               (training.seconds > 0 && seconds_since(began) > training.seconds);
    };
    std::vector<bool> left(plays.size(), true);
    while (!over() && std::ranges::find(left, true) != left.end())
        for (std::size_t k = 0; k < plays.size() && !over(); ++k) {
            if (!left[k]) continue;
            learner->play_on(facts[k]);
            bool updated = false;
            for (std::size_t batch = 0; batch < kMostBatches && !updated && left[k] && !over(); ++batch) {
                auto played = plays[k]->play(training.batch, stop);
                if (!played) progress(fmt::format("{} is left out: {}", kernels[k].name, played.error().message()));
                left[k] = played && *played;
                updated = metric(plays[k]->metrics(), "order_gain") != nullptr;
            }
            left[k] = left[k] && updated;
            if (!updated) continue;
            ++out.updates;
            progress(fmt::format("{:5} {:6.0f} s  {:28} gain of the orders {:+.3f} %, best {:+.2f} %",
                                 out.updates * OrderLearner::kEpisodes, seconds_since(began), kernels[k].name,
                                 100 * metric(plays[k]->metrics(), "order_gain")->value, 100 * std::expm1(plays[k]->best())));
        }
    out.episodes = out.updates * OrderLearner::kEpisodes;
    out.weights = learner->weights();
    return out;
}

}  // namespace cubinlab
