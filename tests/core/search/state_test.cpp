// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is killed and goes on from a stored state is the run that was never killed, for every agent that keeps
// one, wherever it was cut; and a state that is damaged, of another run or made up leads nowhere worse than
// proposing everything again.
#include <random>
#include <tuple>

#include "core/model/sm_model.h"
#include "core/search/auto_state.h"
#include "core/search/race_starts.h"
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
            o.log_speedup += half * (static_cast<double>(dice % 2001) - 1000) / 1000;
            o.low = o.log_speedup - half;
            o.high = o.log_speedup + half;
            o.verdict = o.low > 0 ? Verdict::Faster : o.high < 0 ? Verdict::Slower : Verdict::Unclear;
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
    std::vector<SavedState> states;
    bool proposed_all = false;
    bool went_its_own_way = false;  // auto
};

struct Wish {
    std::string agent;
    std::size_t batch = 1;
    bool gpu = false;
    std::string settings = "{}";
    StepId state_every = 20;
    std::string kernel = "bmm_mma";
    double noise = 0.004;
};

SearchContext context_of(const Wish& wish) {
    SearchContext context = wish.kernel == "bmm_mma" ? bmm_context(7) : context_of_sample(wish.kernel, 7);
    context.settings_json = wish.settings;
    return context;
}

// Counts the calls, to see how many steps were proposed again.
class Counting final : public Searcher {
  public:
    Counting(std::unique_ptr<Searcher> inner, std::size_t& proposed)
        : inner_(std::move(inner)), proposed_(proposed) {}
    std::string name() const override { return inner_->name(); }
    std::vector<Proposal> propose(std::size_t n) override {
        auto out = inner_->propose(n);
        proposed_ += out.size();
        return out;
    }
    ObserveResult observe(const std::vector<Observation>& seen) override { return inner_->observe(seen); }
    void prefetch(std::size_t n) override { inner_->prefetch(n); }
    bool save_state(StateWriter& out) const override { return inner_->save_state(out); }
    Status restore_state(StateReader& in) override { return inner_->restore_state(in); }

  private:
    std::unique_ptr<Searcher> inner_;
    std::size_t& proposed_;
};

// `before`: the log and the newest state at a kill.
Result<Run> go_on(const Wish& wish, std::uint64_t steps, const std::vector<StepRecord>& before = {},
                  std::optional<SavedState> state = {}, std::size_t* proposed = nullptr) {
    const SearchContext context = context_of(wish);
    auto searcher = make_searcher(wish.agent, context);
    REQUIRE(searcher);
    std::unique_ptr<Evaluator> evaluator = make_model_evaluator(context.kernel, {});
    if (wish.gpu) evaluator = std::make_unique<RepeatableGpu>(context.kernel, wish.noise);
    RunSettings settings;
    settings.agent = wish.agent;
    settings.batch = wish.batch;
    settings.budget.steps = steps;
    settings.state_every = wish.state_every;
    MemorySink sink;
    std::size_t count = 0;
    TuneRun run(context, settings, std::make_unique<Counting>(std::move(*searcher), count), *evaluator, &sink,
                nullptr);
    if (!before.empty()) {
        LoggedSteps history(context.start, before);
        if (state) history.set_state(*state);
        if (auto resumed = run.resume_from(history); !resumed) return fail(resumed.error());
    }
    if (proposed != nullptr) *proposed = count;
    REQUIRE(run.run({}));
    Run out{before, sink.states};
    out.steps.insert(out.steps.end(), sink.steps.begin(), sink.steps.end());
    for (std::size_t i = 0; i < sink.metrics.size(); ++i)
        if (sink.metrics[i] == "method" && static_cast<int>(sink.values[i]) == AutoState::Own)
            out.went_its_own_way = true;
    return out;
}

std::vector<StepRecord> first(const Run& run, StepId count) {
    return {run.steps.begin(), run.steps.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::optional<SavedState> newest(const Run& run, StepId upto) {
    std::optional<SavedState> out;
    for (const SavedState& state : run.states)
        if (state.step <= upto) out = state;
    return out;
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
                          r.outcome.log_speedup, r.outcome.low, r.outcome.high, r.reward, r.accepted, r.best,
                          r.repeated);
    };
    std::size_t same = 0;
    while (same < a.steps.size() && facts(a.steps[same]) == facts(b.steps[same]))
        ++same;
    CHECK(same == a.steps.size());
}

}  // namespace

TEST_CASE("killed anywhere and restored, each agent makes the run that was never killed") {
    constexpr StepId kSteps = 240;
    // Small enough for several rounds, starts and races in so few steps.
    const std::string with_a_start =
        *with_starts(R"({"turn": 16, "stalls": 1})", bmm_context().start, {slower_by_a_cycle()});
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
                const auto whole = go_on(wish, kSteps);
                REQUIRE(whole);
                REQUIRE(whole->states.size() > 5);
                for (int kill = 0; kill < 4; ++kill) {
                    const auto at = static_cast<StepId>(1 + random() % (kSteps - 1));
                    INFO("killed after step " << at);
                    std::size_t proposed = 0;
                    const auto again = go_on(wish, kSteps, first(*whole, at), newest(*whole, at), &proposed);
                    REQUIRE(again);
                    check_equal(*again, *whole);
                    CHECK(proposed < 40 + 2 * batch);  // the steps after the state, not all of them
                }
            }
}

TEST_CASE("auto restores the climb on its own way, in its first turn and in a later one") {
    constexpr StepId kSteps = 5200;
    const Wish wish{"auto", 16, true, R"({"turn": 120})", 40, "gemm_leaky"};
    const auto whole = go_on(wish, kSteps);
    REQUIRE(whole);
    REQUIRE(whole->went_its_own_way);
    for (const StepId at : {700, 2610, 3500, 4711, 5100}) {
        INFO("killed after step " << at);
        std::size_t proposed = 0;
        const auto again = go_on(wish, kSteps, first(*whole, at), newest(*whole, at), &proposed);
        REQUIRE(again);
        check_equal(*again, *whole);
        CHECK(proposed < 300);
    }
}

TEST_CASE("a run that is killed twice, and one whose budget cut a batch, go on as if nothing had happened") {
    for (const char* agent : {"random", "greedy", "anneal", "group"}) {
        INFO(agent);
        const Wish wish{agent, 7, false,
                        agent == std::string("group") ? R"({"pool": 8, "subsets": 8})" : "{}"};
        const auto whole = go_on(wish, 200);
        auto part = go_on(wish, 52);  // 7 * 7 + 3
        part = go_on(wish, 120, part->steps, newest(*part, 52));
        REQUIRE(part);
        part = go_on(wish, 200, part->steps, newest(*part, 120));
        REQUIRE(part);
        check_equal(*part, *whole);
    }
}

TEST_CASE("a run that came to its end keeps a state there, so that going on proposes little again") {
    for (const auto& [agent, small] :
         {std::pair("greedy", "{}"), std::pair("group", R"({"pool": 8, "subsets": 8})"),
          std::pair("list", "{}"), std::pair("auto", R"({"turn": 16})")}) {
        INFO(agent);
        Wish wish{agent, 4, true, small};
        wish.state_every = 1000000;  // none but that
        const auto ended = go_on(wish, 120);
        REQUIRE(ended);
        const auto state = newest(*ended, static_cast<StepId>(ended->steps.size()));
        if (!state) continue;  // a test waited for its closer look
        CHECK(state->step == 120);
        std::size_t proposed = 0;
        const auto further = go_on(wish, ended->steps.size() + 40,
                                   first(*ended, static_cast<StepId>(ended->steps.size())), state, &proposed);
        REQUIRE(further);
        CHECK(proposed <= 2 * wish.batch);
        CHECK(further->steps.size() > ended->steps.size());
        // As if all had been proposed again.
        const auto plainly =
            go_on(wish, ended->steps.size() + 40, first(*ended, static_cast<StepId>(ended->steps.size())));
        REQUIRE(plainly);
        check_equal(*further, *plainly);
    }
}

TEST_CASE("greedy restores the list of what is left to try") {
    // One instruction is open: drawing finds nothing new soon, and the rest is enumerated until nothing is left.
    SearchContext context = bmm_context();
    for (InstrId id = 0; id < context.kernel->size(); ++id)
        if (id != 41) context.locked.push_back(id);
    const auto evaluator = make_model_evaluator(context.kernel, {});
    const auto run = [&](const std::vector<StepRecord>& before, const std::vector<SavedState>& states,
                         StepId most) {
        RunSettings settings;
        settings.budget.steps = static_cast<std::uint64_t>(most);
        settings.state_every = 1;
        MemorySink sink;
        TuneRun tune(context, settings, *make_searcher("greedy", context), *evaluator, &sink, nullptr);
        LoggedSteps history(context.start, before);
        if (!before.empty()) {
            history.set_state(states.at(before.size() - 1));
            REQUIRE(tune.resume_from(history));
        }
        const auto summary = tune.run({});
        REQUIRE(summary);
        std::vector<StepRecord> all = before;
        all.insert(all.end(), sink.steps.begin(), sink.steps.end());
        return std::tuple(all, sink.states, summary->end);
    };
    const auto [whole, states, end] = run({}, {}, 5000);
    CHECK(end == "exhausted");
    REQUIRE(states.size() == whole.size());
    for (std::size_t cut = 1; cut < whole.size(); cut += 1 + whole.size() / 40) {
        INFO("killed after step " << cut);
        const std::vector<StepRecord> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
        const auto [again, more, ended] = run(part, states, 5000);
        CHECK(ended == "exhausted");
        check_equal({again, {}}, {whole, {}});
    }
}

TEST_CASE("a state of another run is passed over") {
    const Wish wish{"greedy", 4, false, "{}"};
    const auto whole = go_on(wish, 120);
    REQUIRE(whole);
    const auto late = newest(*whole, 120);
    const auto part = first(*whole, 60);
    for (const auto& state : {newest(*go_on({"anneal", 4, false, "{}"}, 60), 60).value(),
                              newest(*go_on({"greedy", 5, false, "{}"}, 60), 60).value(),
                              newest(*go_on({"greedy", 4, false, R"({"edits": 2})"}, 60), 60).value(),
                              SavedState{40, {}}, SavedState{-3, late->bytes}}) {
        std::size_t proposed = 0;
        const auto again = go_on(wish, 120, part, state, &proposed);
        REQUIRE(again);
        check_equal(*again, *whole);
        CHECK(proposed == 60);
    }
}

TEST_CASE("a log that ends before its state was kept has lost steps, and is not gone on with") {
    const Wish wish{"greedy", 4, false, "{}"};
    const auto whole = go_on(wish, 120);
    REQUIRE(whole);
    const auto late = newest(*whole, 120);
    REQUIRE(late->step > 60);
    REQUIRE(go_on(wish, 124, first(*whole, late->step), late));
    for (const StepId lost : {late->step - 1, StepId{60}}) {
        const auto again = go_on(wish, 124, first(*whole, lost), late);
        REQUIRE_FALSE(again);
        CHECK(again.error().code == ErrorCode::Corrupt);
        CHECK_THAT(again.error().message(), contains_text("steps are missing from its end"));
    }
}

TEST_CASE(
    "a damaged state never crashes, is never believed against the log, and proposes legal schedules only") {
    std::mt19937 random(11);
    const CheckerPtr checker = bmm_context().checker;
    for (const char* agent : {"random", "greedy", "anneal", "group", "list", "auto"}) {
        INFO(agent);
        const bool measured = agent == std::string("group") || agent == std::string("auto");
        const Wish wish{agent, 2, measured, agent == std::string("auto") ? R"({"turn": 16})" : "{}"};
        const auto whole = go_on(wish, 60);
        REQUIRE(whole);
        const auto state = newest(*whole, 60);
        for (int i = 0; i < 60; ++i) {
            SavedState bad = *state;
            const std::size_t at = random() % bad.bytes.size();
            if (i % 4 == 0)
                bad.bytes.resize(at);
            else if (i % 4 == 1)
                bad.bytes.insert(bad.bytes.begin() + static_cast<std::ptrdiff_t>(at), std::byte{0xff});
            else
                bad.bytes[at] ^= static_cast<std::byte>(1u << random() % 8);
            // A tail to be held against, or none.
            const StepId logged = i % 2 == 0 ? 60 : bad.step;
            const auto again = go_on(wish, 66, first(*whole, logged), bad);
            if (!again) {
                CHECK(again.error().code == ErrorCode::Corrupt);
                continue;
            }
            Schedule now = bmm_context().start;
            const LoggedSteps history(now, again->steps);
            for (const StepRecord& record : again->steps) {
                if (record.step <= logged) continue;
                auto made = const_cast<LoggedSteps&>(history).schedule_at(record.step);
                REQUIRE(made);
                CHECK(checker->legal(*made));
            }
        }
    }
}
