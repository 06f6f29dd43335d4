// SPDX-License-Identifier: GPL-3.0-or-later
// Trains the policy that builds orders of PTX over many kernels, and compares searches over starts by the number of codes that
// they evaluate. The evaluator is the SM model or a GPU.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/schedule/kernel.h"
#include "core/search/starts/order_learner.h"
#include "core/search/starts/start_searcher.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/recorded_starts.h"

namespace cubinlab {

struct OrderKernel {
    std::string name;
    KernelPtr kernel;
    std::shared_ptr<RecordedStarts> starts;
    std::shared_ptr<Evaluator> evaluator;
    std::optional<Workload> workload;
    GpuSettings gpu;
};
// FILE: a cubin, a PTX or a CUDA source, as `cubinlab starts` accepts it. Errors: those of its parts; Unsupported (the order of
// the PTX cannot change, or the architecture cannot be judged).
Result<OrderKernel> open_order_kernel(const std::string& file, EvaluatorPolicy policy, const GpuSettings& gpu,
                                      const std::string& arch, const std::stop_token& stop);

// A search over starts of one kernel, batch by batch.
class StartsPlay {
  public:
    StartsPlay(OrderKernel on, std::uint64_t seed, std::shared_ptr<OrderLearner> learner);
    // False: nothing is left to try. Errors: those of the evaluator.
    Result<bool> play(std::size_t batch, const std::stop_token& stop);
    std::size_t measured() const { return measured_; }
    // Log speed-up of the best by the search's own figures, shrunken where they are noisy.
    double best() const;
    // The same start, measured on a GPU in fresh processes; none if that failed or nothing beat the original.
    Result<std::optional<double>> measured_again(const std::stop_token& stop) const;
    const std::vector<SearchMetric>& metrics() const { return metrics_; }  // of the last batch

  private:
    OrderKernel on_;
    StartSearcher searcher_;
    StepId step_ = 0;
    std::size_t measured_ = 0;
    struct Tried {
        StartEstimate figure;
        Schedule schedule;
    };
    const Tried* best_tried() const;
    std::unordered_map<Hash128, Tried> tried_;  // by code
    std::vector<SearchMetric> metrics_;
};

struct OrderTraining {
    std::size_t episodes = 2000;
    double seconds = 0;  // 0: no limit
    std::size_t batch = 32;
    std::uint64_t seed = 1;
    ConstructSettings settings;
};
struct OrderTrained {
    OrderWeights weights;
    std::size_t episodes = 0, updates = 0;
};
// One update of the weights on each kernel in turn, so that kernels count equally. A kernel whose evaluator fails is left out.
Result<OrderTrained> train_orders(std::vector<OrderKernel> kernels, const OrderTraining& training,
                                  const std::function<void(const std::string&)>& progress, const std::stop_token& stop);

}  // namespace cubinlab
