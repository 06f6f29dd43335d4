// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is killed and resumed is the run that was never killed, for every agent and wherever it was cut.
#include <random>
#include <tuple>

#include "core/model/sm_model.h"
#include "core/search/agents/auto_state.h"
#include "core/search/agents/race_schedules.h"
#include "tests/core/search/search_fixture.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

// Measures as a GPU would, with intervals, promotions and confirmations, but always the same of the same words.
class RepeatableGpu final : public Evaluator {
  public:
    RepeatableGpu(const KernelPtr& kernel, double noise)
        : model_(make_model_evaluator(kernel, {})), noise_(noise) {
        info_ = model_->info();
        info_.kind = EvaluatorKind::Gpu;
    }
    const EvaluatorInfo& info() const override { return info_; }
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule& reference,
                                          Effort effort, std::stop_token stop) override {
        auto out = model_->evaluate(candidates, reference, effort, stop);
        if (!out) return out;
        for (std::size_t i = 0; i < out->size(); ++i) {
            Outcome& o = (*out)[i];
            const double half = effort == Effort::Screen ? noise_ : noise_ / 4;
            const auto dice = candidates[i].hash().lo ^ reference.hash().hi;
            o.speedup.log += half * (static_cast<double>(dice % 2001) - 1000) / 1000;
            o.speedup.low = o.speedup.log - half;
            o.speedup.high = o.speedup.log + half;
            o.verdict = o.speedup.low > 0    ? Verdict::Faster
                        : o.speedup.high < 0 ? Verdict::Slower
                                             : Verdict::Unclear;
            if (dice % 37 == 0) o = failure(OutcomeKind::WrongResult);
        }
        return out;
    }

  private:
    std::unique_ptr<Evaluator> model_;
    double noise_;  // of a screening, at most
    EvaluatorInfo info_;
};

struct Run {
    std::vector<StepRecord> steps;
    bool went_its_own_way = false;  // auto
};

struct Wish {
    std::string agent;
    std::size_t batch = 1;
    bool gpu = false;
    std::string settings = "{}";
    std::string kernel = "bmm_mma";
    double noise = 0.004;
};

SearchContext context_of(const Wish& wish) {
    SearchContext context = wish.kernel == "bmm_mma" ? bmm_context(7) : context_of_sample(wish.kernel, 7);
    context.settings_json = wish.settings;
    return context;
}

// `before`: the log at a kill.
Result<Run> run_to(const Wish& wish, std::uint64_t steps, const std::vector<StepRecord>& before = {}) {
    const SearchContext context = context_of(wish);
    auto searcher = required(make_searcher(wish.agent, context));
    std::unique_ptr<Evaluator> evaluator = make_model_evaluator(context.kernel, {});
    if (wish.gpu) evaluator = std::make_unique<RepeatableGpu>(context.kernel, wish.noise);
    RunSettings settings;
    settings.agent = wish.agent;
    settings.batch = wish.batch;
    settings.budget.steps = steps;
    MemorySink sink;
    TuneRun run(context, settings, std::move(*searcher), *evaluator, &sink, nullptr);
    if (!before.empty())
        if (auto resumed = run.resume_from(before); !resumed) return fail(resumed.error());
    REQUIRE(run.run({}));
    Run out{before};
    out.steps.insert(out.steps.end(), sink.steps.begin(), sink.steps.end());
    for (std::size_t i = 0; i < sink.metrics.size(); ++i)
        if (sink.metrics[i] == "method" && static_cast<int>(sink.values[i]) == AutoState::Own)
            out.went_its_own_way = true;
    return out;
}

std::vector<StepRecord> first(const Run& run, StepId count) {
    return {run.steps.begin(), run.steps.begin() + static_cast<std::ptrdiff_t>(count)};
}

// The first stall count that may be one larger.
Schedule slower_by_a_cycle() {
    const SearchContext context = bmm_context();
    for (InstrId id = 0;; ++id) {
        ControlCode control = context.start.control(id);
        ++control.stall;
        auto slower = Mutation::control(context.start, id, control).applied(context.start);
        if (slower && context.checker->check(*slower).empty()) return *slower;
    }
}

void check_equal(const Run& a, const Run& b) {
    REQUIRE(a.steps.size() == b.steps.size());
    const auto facts = [](const StepRecord& r) {
        return std::tuple(r.step, r.parent, r.mutation.encode(), r.schedule_hash, r.outcome.kind,
                          r.outcome.speedup.log, r.outcome.speedup.low, r.outcome.speedup.high, r.reward,
                          r.accepted, r.best, r.repeated);
    };
    std::size_t same = 0;
    while (same < a.steps.size() && facts(a.steps[same]) == facts(b.steps[same]))
        ++same;
    CHECK(same == a.steps.size());
}

}  // namespace

TEST_CASE("killed anywhere and resumed, each agent makes the run that was never killed") {
    constexpr StepId kSteps = 240;
    // Small enough for several rounds, starts and races in so few steps.
    const std::string with_a_start =
        *with_schedules(R"({"turn": 16, "stalls": 1})", bmm_context().start, {slower_by_a_cycle()});
    const std::pair<const char*, const char*> agents[] = {{"random", "{}"},
                                                          {"greedy", "{}"},
                                                          {"anneal", "{}"},
                                                          {"group", R"({"pool": 8, "subsets": 8})"},
                                                          {"list", "{}"},
                                                          {"auto", R"({"turn": 16, "stalls": 1})"},
                                                          {"auto", with_a_start.c_str()}};
    for (const SearcherDescription& listed : searcher_descriptions()) {
        INFO(listed.name << " is not in this test");
        CHECK((listed.needs_torch ||
               std::any_of(std::begin(agents), std::end(agents),
                           [&](const auto& agent) { return listed.name == agent.first; })));
    }
    std::mt19937 random(5);
    for (const auto& [agent, small] : agents)
        for (const bool gpu : {false, true})
            for (const std::size_t batch : {1u, 7u}) {
                const Wish wish{agent, batch, gpu, small};
                INFO(agent << " " << small << ", batch " << batch << (gpu ? ", measured" : ", modelled"));
                const auto whole = required(run_to(wish, kSteps));
                for (int kill = 0; kill < 4; ++kill) {
                    const auto at = static_cast<StepId>(1 + random() % (kSteps - 1));
                    INFO("killed after step " << at);
                    const auto again = required(run_to(wish, kSteps, first(*whole, at)));
                    check_equal(*again, *whole);
                }
            }
}

TEST_CASE("auto resumes the climb on its own way, in its first turn and in a later one") {
    constexpr StepId kSteps = 5200;
    const Wish wish{"auto", 16, true, R"({"turn": 120})", "gemm_leaky"};
    const auto whole = required(run_to(wish, kSteps));
    REQUIRE(whole->went_its_own_way);
    for (const StepId at : {700, 4711}) {
        INFO("killed after step " << at);
        const auto again = required(run_to(wish, kSteps, first(*whole, at)));
        check_equal(*again, *whole);
    }
}

TEST_CASE("a run that is resumed twice, and one whose budget cut a batch, are the unbroken run") {
    for (const char* agent : {"random", "greedy", "anneal", "group"}) {
        INFO(agent);
        const Wish wish{agent, 7, false,
                        agent == std::string("group") ? R"({"pool": 8, "subsets": 8})" : "{}"};
        const auto whole = run_to(wish, 200);
        auto part = run_to(wish, 52);  // 7 * 7 + 3
        part = run_to(wish, 120, part->steps);
        REQUIRE(part);
        part = run_to(wish, 200, part->steps);
        REQUIRE(part);
        check_equal(*part, *whole);
    }
}

TEST_CASE("greedy resumes in the list of what is left to try") {
    // One instruction is open: drawing finds nothing new soon, and the rest is enumerated until nothing is left.
    SearchContext context = bmm_context();
    for (InstrId id = 0; id < context.kernel->size(); ++id)
        if (id != 41) context.locked.push_back(id);
    const auto evaluator = make_model_evaluator(context.kernel, {});
    const auto run = [&](const std::vector<StepRecord>& before, StepId most) {
        RunSettings settings;
        settings.budget.steps = static_cast<std::uint64_t>(most);
        MemorySink sink;
        TuneRun tune(context, settings, *make_searcher("greedy", context), *evaluator, &sink, nullptr);
        if (!before.empty()) REQUIRE(tune.resume_from(before));
        const auto summary = required(tune.run({}));
        std::vector<StepRecord> all = before;
        all.insert(all.end(), sink.steps.begin(), sink.steps.end());
        return std::pair(all, summary->end);
    };
    const auto [whole, end] = run({}, 5000);
    CHECK(end == RunEnd::Exhausted);
    for (std::size_t cut = 1; cut < whole.size(); cut += 1 + whole.size() / 40) {
        INFO("killed after step " << cut);
        const std::vector<StepRecord> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
        const auto [again, ended] = run(part, 5000);
        CHECK(ended == RunEnd::Exhausted);
        check_equal({again}, {whole});
    }
}
