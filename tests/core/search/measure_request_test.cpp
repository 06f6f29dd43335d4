// SPDX-License-Identifier: GPL-3.0-or-later
// Requests: what a searcher decides by is measured as it asks and claims nothing; what is claimed is confirmed, at the
// end, best first, and a claim that fails is followed by the next.
#include "core/search/agents/finalists.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

Schedule with_stall(const Schedule& start, int stall) {
    Schedule out = start;
    ControlCode control = out.control(0);
    control.stall = static_cast<std::uint8_t>(stall);
    out.set_control(0, control);
    return out;
}

// Every stall of the script with the same request; in the end it claims the stalls of `claims`, in order, until one
// holds.
class Requesting final : public Searcher {
  public:
    Requesting(Schedule start, MeasureRequest request, std::vector<int> stalls, std::vector<int> claims)
        : start_(std::move(start)),
          request_(request),
          stalls_(std::move(stalls)),
          claims_(std::move(claims)) {}
    std::string name() const override { return "requesting"; }
    std::vector<Proposal> propose(std::size_t n) override { return take(stalls_, request_, n); }
    std::vector<Proposal> close(std::size_t) override {
        closing_ = true;
        if (held) return {};
        return take(claims_, {Effort::Confirm, {}}, 1);
    }
    ObserveResult observe(const std::vector<Observation>& seen) override {
        ObserveResult out;
        for (const Observation& o : seen) {
            observed.push_back(o);
            held = held || (o.best && closing_);
            out.reward.push_back(0);
            out.accepted.push_back(false);
        }
        return out;
    }
    std::vector<Observation> observed;
    bool held = false;

  private:
    std::vector<Proposal> take(std::vector<int>& from, const MeasureRequest& request, std::size_t n) {
        std::vector<Proposal> out;
        for (; out.size() < n && !from.empty(); from.erase(from.begin())) {
            const Schedule result = with_stall(start_, from.front());
            out.push_back({0, difference(start_, result), result, false, request});
        }
        return out;
    }
    Schedule start_;
    MeasureRequest request_;
    std::vector<int> stalls_, claims_;
    bool closing_ = false;
};

struct MeasureCall {
    int stall, reference;
    Effort effort;
    Sampling sampling;
    friend bool operator==(const MeasureCall&, const MeasureCall&) = default;
};

class MeasureEvaluator final : public Evaluator {
  public:
    explicit MeasureEvaluator(std::function<Outcome(const MeasureCall&)> answer)
        : answer_(std::move(answer)) {
        info_.kind = EvaluatorKind::Gpu;
        info_.aa_spread = 0.01;
    }
    const EvaluatorInfo& info() const override { return info_; }
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) override {
        return measure(candidates, reference, effort, {}, stop);
    }
    Result<std::vector<Outcome>> measure(std::span<const Schedule> candidates, const Schedule& reference,
                                         Effort effort, const Sampling& sampling, std::stop_token) override {
        std::vector<Outcome> out;
        for (const Schedule& s : candidates) {
            calls.push_back({s.control(0).stall, reference.control(0).stall, effort, sampling});
            out.push_back(answer_(calls.back()));
        }
        return out;
    }
    std::vector<MeasureCall> calls;

  private:
    EvaluatorInfo info_;
    std::function<Outcome(const MeasureCall&)> answer_;
};

}  // namespace

TEST_CASE("a request is compared with the start, as long as it was asked for, and never becomes best") {
    const SearchContext context = bmm_context();
    MeasureEvaluator evaluator([](const MeasureCall&) { return figure(Verdict::Faster, 0.05, 0.001); });
    MemorySink sink;
    const MeasureRequest request{Effort::Refine, {7, 3}};
    TuneRun run(
        context, {},
        std::make_unique<Requesting>(context.start, request, std::vector{3, 3, 4}, std::vector<int>{}),
        evaluator, &sink, nullptr);
    const auto summary = required(run.run({}));
    const int start = context.start.control(0).stall;
    // The same words twice: measured twice.
    CHECK(evaluator.calls == std::vector<MeasureCall>{{3, start, Effort::Refine, {7, 3}},
                                                      {3, start, Effort::Refine, {7, 3}},
                                                      {4, start, Effort::Refine, {7, 3}}});
    CHECK(summary->best_step == 0);
    CHECK(summary->repeated == 0);
    for (const StepRecord& step : sink.steps)
        CHECK_FALSE(step.best);
}

TEST_CASE("a request that names no number of pairs gets what the kernel's noise asks for, a claim does not") {
    const SearchContext context = bmm_context();
    MeasureEvaluator evaluator([](const MeasureCall&) { return figure(Verdict::Unclear, 0, 0.001); });
    for (const MeasureRequest& request :
         {MeasureRequest{}, MeasureRequest{Effort::Refine, {.loads = 3}},
          MeasureRequest{Effort::Refine, {7, 3}}, MeasureRequest{Effort::Confirm, {}}}) {
        TuneRun run(context, {},
                    std::make_unique<Requesting>(context.start, request, std::vector{3}, std::vector<int>{}),
                    evaluator, nullptr, nullptr);
        REQUIRE(run.run({}));
        const Sampling& asked = evaluator.calls.back().sampling;
        CHECK(asked.by_noise == (request.effort != Effort::Confirm && request.sampling.pairs == 0));
        CHECK(asked.pairs == request.sampling.pairs);
        CHECK(asked.loads == request.sampling.loads);
    }
}

TEST_CASE("the end claims in order until one claim holds, and a lower confirmation may follow a higher one") {
    const SearchContext context = bmm_context();
    MeasureEvaluator evaluator([](const MeasureCall& call) {
        return call.stall == 3   ? figure(Verdict::Unclear, 0.001, 0.004)
               : call.stall == 4 ? figure(Verdict::Faster, 0.04, 0.004)
                                 : figure(Verdict::Faster, 0.09, 0.004);
    });
    MemorySink sink;
    TuneRun run(context, {},
                std::make_unique<Requesting>(context.start, MeasureRequest{Effort::Confirm, {}},
                                             std::vector{5}, std::vector{3, 4, 2}),
                evaluator, &sink, nullptr);
    const auto summary = required(run.run({}));
    // 5 was confirmed at 0.09 in mid-run; 3 fails in the end, 4 holds and is what the run claims.
    CHECK(run.best().control(0).stall == 4);
    CHECK(summary->best.log == 0.04);
    CHECK(sink.steps.size() == 3);
    CHECK(summary->best_step == sink.steps.back().step);
}

TEST_CASE("a run that is stopped still claims") {
    const SearchContext context = bmm_context();
    MeasureEvaluator evaluator([](const MeasureCall&) { return figure(Verdict::Faster, 0.04, 0.004); });
    TuneRun run(context, {},
                std::make_unique<Requesting>(context.start, MeasureRequest{}, std::vector{5}, std::vector{4}),
                evaluator, nullptr, nullptr);
    std::stop_source stop;
    stop.request_stop();
    const auto summary = required(run.run(stop.get_token()));
    CHECK(summary->end == RunEnd::Stopped);
    CHECK(run.best().control(0).stall == 4);
}

TEST_CASE("finalists: measured alike, then claimed best first, a failed claim followed by the next") {
    const Schedule start = bmm_context().start;
    Finalists finalists(start);
    for (const int stall : {2, 3, 4, 5, 6})
        finalists.offer({with_stall(start, stall), stall, 0.01 * stall, 0});
    std::vector<Proposal> asked = finalists.close();
    REQUIRE(asked.size() == 4);  // the least of five was left out
    std::vector<Observation> seen;
    for (const Proposal& p : asked) {
        CHECK(p.parent == 0);
        CHECK(*p.mutation.applied(start) == p.result);
        REQUIRE(p.request);
        CHECK(p.request->effort == Effort::Refine);
        // The one of the largest estimate was lucky.
        const int stall = p.result.control(0).stall;
        seen.push_back({10, figure(Verdict::Faster, stall == 6 ? 0.0 : 0.01 * stall, 0.001), false});
    }
    finalists.observe_closing(seen);
    asked = finalists.close();
    REQUIRE(asked.size() == 1);
    CHECK(asked[0].result.control(0).stall == 5);
    CHECK(asked[0].request->effort == Effort::Confirm);
    finalists.observe_closing({{20, figure(Verdict::Unclear, 0.001, 0.01), false}});
    asked = finalists.close();
    REQUIRE(asked.size() == 1);
    CHECK(asked[0].result.control(0).stall == 4);
    finalists.observe_closing({{21, figure(Verdict::Faster, 0.03, 0.01), true}});
    CHECK(finalists.close().empty());
}

TEST_CASE("finalists: a claim is due where the estimate has grown, and what holds is not claimed again") {
    const Schedule start = bmm_context().start;
    Finalists finalists(start);
    CHECK_FALSE(finalists.claim_if_due({with_stall(start, 3), 1, 0.001, 0}));
    const SearchPoint good{with_stall(start, 4), 2, 0.02, 0};
    const auto claim = required(finalists.claim_if_due(good));
    finalists.seen_claim(*claim, {5, figure(Verdict::Faster, 0.019, 0.001), true});
    CHECK_FALSE(finalists.claim_if_due(good));
    CHECK(finalists.close().empty());
}
