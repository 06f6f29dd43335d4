// SPDX-License-Identifier: GPL-3.0-or-later
// How good is a candidate? One interface, two implementations: the SM model (core/model) and the GPU
// (core/gpu). Whoever shows a number says which one produced it; a model's cycles are never shown as
// time.
#pragma once
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/result/outcome.h"
#include "core/result/sampling.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

enum class EvaluatorKind : std::uint8_t { Model, Gpu };
const char* to_string(EvaluatorKind kind);  // "model", "gpu"

// What exports say of an outcome. FASTER is a verdict of measurements: of modelled cycles it is kModelledVerdict.
inline constexpr const char* kModelledVerdict = "MODELLED";
const char* verdict_text(EvaluatorKind kind, const Outcome& outcome);

struct EvaluatorInfo {
    EvaluatorKind kind = EvaluatorKind::Model;
    std::string device;         // "NVIDIA H200, driver 580.159.04" or "SM model sm_90"
    std::string unit;           // "us" or "modelled cycles"
    double original_cost = 0;   // of the unmodified kernel
    double timer_step_us = 0;   // GPU: calibration
    double aa_spread = 0;       // GPU: standard deviation of an original-against-original log-ratio pair
    double detectable = 0;      // GPU: smallest log-speed-up that a promoted comparison finds
    bool deterministic = true;  // the original gives the same bits every time
    std::string json;           // everything else worth keeping (clocks, versions), one JSON object
};

class Evaluator {
  public:
    virtual ~Evaluator() = default;
    virtual const EvaluatorInfo& info() const = 0;

    // Evaluates candidates against `reference` (usually the incumbent best), results in the order given.
    // Candidates are legal already. An error means that the evaluator itself is unusable from now on;
    // anything a single candidate does (fault, hang, wrong result) is its Outcome.
    virtual Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates,
                                                  const Schedule& reference, Effort effort,
                                                  std::stop_token stop) = 0;

    // The same with samples of the caller's choice. An evaluator whose figures are exact, or that cannot
    // choose, ignores it.
    virtual Result<std::vector<Outcome>> look(std::span<const Schedule> candidates, const Schedule& reference,
                                              Effort effort, const Sampling& sampling, std::stop_token stop) {
        (void)sampling;
        return evaluate(candidates, reference, effort, std::move(stop));
    }
};

// One whose every evaluation is a look, of its own choice of samples where the caller has none.
class SamplingEvaluator : public Evaluator {
  public:
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) final {
        return look(candidates, reference, effort, {}, std::move(stop));
    }
    Result<std::vector<Outcome>> look(std::span<const Schedule> candidates, const Schedule& reference,
                                      Effort effort, const Sampling& sampling,
                                      std::stop_token stop) override = 0;
};

}  // namespace cubinlab
