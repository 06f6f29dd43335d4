// SPDX-License-Identifier: GPL-3.0-or-later
// A search for both caches: what counts, what is tried, and what may be claimed.
#include <functional>

#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/mean_outcome.h"
#include "core/gpu/client/parts_evaluator.h"
#include "core/schedule/mutation.h"
#include "tests/support/catch.h"
#include "tests/support/sample_kernel.h"

using namespace cubinlab;

namespace {

Outcome outcome(double log_speedup, double half, Verdict verdict) {
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.verdict = verdict;
    out.speedup.log = log_speedup;
    out.speedup.low = log_speedup - half;
    out.speedup.high = log_speedup + half;
    out.cost = 10;
    return out;
}

Outcome hot_and_cold(const Outcome& hot, const Outcome& cold, bool claim, double same_within) {
    return over_caches({hot, cold}, {Cache::Hot, Cache::Cold}, claim, same_within);
}

// Answers by the stall of instruction 0.
class Scripted final : public Evaluator {
  public:
    using Answer = std::function<Outcome(int stall)>;
    Scripted(Answer answer, double deviation, std::vector<int>& asked)
        : answer_(std::move(answer)), asked_(asked) {
        info_.kind = EvaluatorKind::Gpu;
        info_.aa_spread = deviation;
        info_.original_cost = 10;
    }
    const EvaluatorInfo& info() const override { return info_; }
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule&, Effort,
                                          std::stop_token) override {
        std::vector<Outcome> out;
        for (const Schedule& schedule : candidates) {
            asked_.push_back(schedule.control(0).stall);
            out.push_back(answer_(schedule.control(0).stall));
        }
        return out;
    }

  private:
    Answer answer_;
    std::vector<int>& asked_;
    EvaluatorInfo info_;
};

}  // namespace

TEST_CASE("The figure for both caches is the mean, and a loss in one of them counts") {
    const Outcome gain = outcome(0.04, 0.002, Verdict::Faster);
    Outcome both = hot_and_cold(gain, outcome(0.00, 0.004, Verdict::Unclear), true, 0.002);
    CHECK(both.verdict == Verdict::Faster);
    CHECK(both.speedup.log == Approx(0.02));
    CHECK(both.speedup.low == Approx(0.02 - 0.003));
    CHECK(both.speedup.high == Approx(0.02 + 0.003));
    CHECK(both.detail.find("mean of caches: hot +4.08 %") != std::string::npos);

    // +4 % hot, -1 % cold: a gain in the mean, a loss all the same, and it is told which way round.
    both = hot_and_cold(gain, outcome(-0.01, 0.002, Verdict::Slower), false, 0.002);
    CHECK(both.verdict == Verdict::Slower);
    CHECK(both.speedup.log == Approx(-0.01));
    CHECK(both.detail.find("slower cold") != std::string::npos);

    // Not surely a loss: it may be looked at further, not claimed.
    const Outcome perhaps = outcome(-0.004, 0.006, Verdict::Unclear);
    CHECK(hot_and_cold(gain, perhaps, false, 0.002).verdict == Verdict::Faster);
    CHECK(hot_and_cold(gain, perhaps, true, 0.002).verdict == Verdict::Unclear);
    CHECK(hot_and_cold(perhaps, gain, true, 0.002).detail.find("may lose hot") != std::string::npos);
}

TEST_CASE("A shape that is SLOWER with one cache keeps the mean of both from being FASTER") {
    const Outcome gain = outcome(0.04, 0.002, Verdict::Faster), loss = outcome(-0.01, 0.002, Verdict::Slower);
    const std::vector<std::string> names = {"first", "short"};
    const Outcome all = over_shapes({gain, gain}, names, 0.002),
                  mixed = over_shapes({gain, loss}, names, 0.002);
    CHECK(hot_and_cold(all, all, true, 0.002).verdict == Verdict::Faster);
    for (const Outcome& both :
         {hot_and_cold(mixed, all, true, 0.002), hot_and_cold(all, mixed, true, 0.002)}) {
        CHECK(both.verdict == Verdict::Unclear);
        CHECK(both.speedup.low > 0.002);
        CHECK(both.detail.find("SLOWER in a shape, so not FASTER") != std::string::npos);
        // What the shapes did with either cache is told.
        CHECK(both.detail.find("cold, mean of shapes: first") != std::string::npos);
    }
}

TEST_CASE("A shape's name does not take the mean of both caches for a loss") {
    const Outcome gain = outcome(0.04, 0.002, Verdict::Faster);
    const Outcome all = over_shapes({gain, gain}, {"first", "SLOWER in short"}, 0.002);
    CHECK(hot_and_cold(all, all, true, 0.002).verdict == Verdict::Faster);
    CHECK(hot_and_cold(all, all, true, 0.002).shape_count == 2);
}

TEST_CASE("What fails in either cache has failed") {
    const Outcome gain = outcome(0.04, 0.002, Verdict::Faster);
    Outcome wrong;
    wrong.kind = OutcomeKind::WrongResult;
    wrong.detail = "output params[0] differs";
    CHECK(hot_and_cold(wrong, gain, false, 0.002).kind == OutcomeKind::WrongResult);
    const Outcome cold = hot_and_cold(gain, wrong, true, 0.002);
    CHECK(cold.kind == OutcomeKind::WrongResult);
    CHECK(cold.detail == "cold: output params[0] differs");
}

TEST_CASE("Candidates that fail or lose hot are not tried cold, the others keep their places") {
    const KernelPtr k = test::kernel_of_sample("softmax");
    const Schedule start(k);
    std::vector<int> hot_asked, cold_asked;
    const auto hot = [](int stall) {
        if (stall == 3) return outcome(-0.02, 0.002, Verdict::Slower);
        Outcome out = outcome(0.01 * stall, 0.002, Verdict::Faster);
        if (stall == 4) out.kind = OutcomeKind::Fault;
        return out;
    };
    const auto cold = [](int stall) { return outcome(0.002 * stall, 0.002, Verdict::Unclear); };
    std::vector<EvaluatorPart> parts;
    parts.push_back({"first", Cache::Hot, std::make_unique<Scripted>(hot, 0.003, hot_asked)});
    parts.push_back({"first", Cache::Cold, std::make_unique<Scripted>(cold, 0.004, cold_asked)});
    const auto evaluator = over_parts(std::move(parts), Cache::Both, 0.002);
    std::vector<Schedule> candidates;
    for (const int stall : {2, 3, 4, 5}) {
        ControlCode control = start.control(0);
        control.stall = static_cast<std::uint8_t>(stall);
        candidates.push_back(*Mutation::control(start, 0, control).applied(start));
    }
    const auto seen = required(evaluator->evaluate(candidates, start, Effort::Screen, {}));
    REQUIRE(seen->size() == 4);
    CHECK(hot_asked == std::vector<int>{2, 3, 4, 5});
    CHECK(cold_asked == std::vector<int>{2, 5});
    CHECK((*seen)[0].speedup.log == Approx(0.012));  // of 0.02 and 0.004
    CHECK((*seen)[1].speedup.log == Approx(-0.02));
    CHECK((*seen)[2].kind == OutcomeKind::Fault);
    CHECK((*seen)[3].speedup.log == Approx(0.03));
    // A mean of two pairs that deviate by 0.3 and 0.4 %.
    CHECK(evaluator->info().aa_spread == Approx(0.0025));
    CHECK(cache_of(evaluator->info()) == Cache::Both);
}
