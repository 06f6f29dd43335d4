// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the candidates of each kind of measurement and their time. The rest of the run's time is the
// searcher's: proposals that the GPU waited for.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/lab/study/stopwatch.h"
#include "core/result/evaluator.h"

namespace cubinlab {

class TimedEvaluator final : public Evaluator {
  public:
    enum Way : std::size_t { kScreen, kPromote, kConfirm, kTest, kCloser, kClaim, kWays };
    static constexpr std::array<const char*, kWays> kNames = {"screen", "promote", "confirm",
                                                              "test",   "closer",  "claim"};
    struct Spent {
        std::uint64_t calls = 0, candidates = 0;
        double seconds = 0;
    };

    explicit TimedEvaluator(Evaluator& inner) : inner_(inner) {}
    const EvaluatorInfo& info() const override { return inner_.info(); }
    bool exact() const override { return inner_.exact(); }
    bool judges(EditKind kind) const override { return inner_.judges(kind); }
    const std::array<Spent, kWays>& spent() const { return spent_; }

    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) override {
        const auto start = std::chrono::steady_clock::now();
        auto out = inner_.evaluate(candidates, reference, effort, std::move(stop));
        note(static_cast<std::size_t>(effort), candidates.size(), seconds_since(start));
        return out;
    }
    Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates, const Schedule& reference,
                                         Effort effort, const Sampling& sampling,
                                         std::stop_token stop) override {
        const auto start = std::chrono::steady_clock::now();
        auto out = inner_.measure(candidates, reference, effort, sampling, std::move(stop));
        note(kTest + static_cast<std::size_t>(effort), candidates.size(), seconds_since(start));
        return out;
    }

  private:
    void note(std::size_t way, std::size_t candidates, double seconds) {
        Spent& spent = spent_[way];
        ++spent.calls;
        spent.candidates += candidates;
        spent.seconds += seconds;
    }

    Evaluator& inner_;
    std::array<Spent, kWays> spent_{};
};

}  // namespace cubinlab
