// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates candidates. One interface, two implementations: the SM model (core/model) and the GPU
// (core/gpu/client). A shown number always names the evaluator that produced it; modelled cycles are never
// shown as time.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/result/machine_info.h"
#include "core/result/model_info.h"
#include "core/result/outcome.h"
#include "core/result/sampling.h"
#include "core/schedule/schedule.h"

namespace cubinlab {

enum class EvaluatorKind : std::uint8_t { Model, Gpu };
const char* to_string(EvaluatorKind kind);  // "model", "gpu"

// Which evaluator a run asks for. Auto: a GPU that runs the kernel, else the model.
enum class EvaluatorPolicy : std::uint8_t { Auto, Gpu, Model };
const char* to_string(EvaluatorPolicy policy);  // "auto", "gpu", "model"
std::optional<EvaluatorPolicy> parse_evaluator_policy(std::string_view text);
EvaluatorPolicy policy_for(EvaluatorKind kind);  // an evaluator of that kind, or an error

// The verdict as exports write it. FASTER, SAME and SLOWER are for measurements; modelled cycles get kModelledVerdict.
inline constexpr const char* kModelledVerdict = "MODELLED";
const char* verdict_text(EvaluatorKind kind, const Outcome& outcome);

struct EvaluatorInfo {
    EvaluatorKind kind = EvaluatorKind::Model;
    std::string device;         // "NVIDIA H200, driver 580.159.04" or "SM model sm_90"
    std::string unit;           // "us" or "modelled cycles"
    double original_cost = 0;   // of the unmodified kernel
    double timer_step_us = 0;   // GPU: calibration
    double aa_spread = 0;       // GPU: standard deviation of the log-ratio of an original-original pair
    double detectable = 0;      // GPU: smallest log speed-up that a refined comparison resolves
    bool deterministic = true;  // the original gives the same output bits every time
    MachineInfo gpu;            // GPU: all other facts (clocks, versions)
    ModelInfo model;            // model: its settings
};

class Evaluator {
  public:
    virtual ~Evaluator() = default;
    virtual const EvaluatorInfo& info() const = 0;
    // The first figure of a schedule is final: it has no interval, and measuring again gives the same.
    virtual bool exact() const { return false; }
    // Its figures depend on edits of this kind; agents propose no others. Without caches, hints change nothing.
    virtual bool judges(EditKind kind) const { return kind != EditKind::Hint; }

    // Evaluates legal candidates against `reference` (usually the incumbent best). Outcomes have the order of
    // the candidates. Whatever a candidate does (fault, hang, wrong result) is in its Outcome. An error means
    // that the evaluator cannot be used any more.
    virtual Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates,
                                                  const Schedule& reference, Effort effort,
                                                  std::stop_token stop) = 0;

    // The same with the caller's choice of samples. An evaluator with exact figures ignores `sampling`.
    virtual Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates,
                                                 const Schedule& reference, Effort effort,
                                                 const Sampling& sampling, std::stop_token stop) {
        (void)sampling;
        return evaluate(candidates, reference, effort, std::move(stop));
    }
};

// An evaluator that takes samples: evaluate() is measure() with the samples that the effort prescribes.
class MeasuringEvaluator : public Evaluator {
  public:
    bool judges(EditKind) const override { return true; }
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) final {
        return measure(candidates, reference, effort, {}, std::move(stop));
    }
    Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates, const Schedule& reference,
                                         Effort effort, const Sampling& sampling,
                                         std::stop_token stop) override = 0;
};

}  // namespace cubinlab
