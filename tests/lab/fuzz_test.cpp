// SPDX-License-Identifier: GPL-3.0-or-later
// Random legal walks and the search for the mutation that breaks one.
#include "app/lab/fuzz/fuzz.h"

#include <set>

#include "app/lab/fuzz/legal_walk.h"
#include "tests/support/sample_checker.h"

using namespace cubinlab;

namespace {

const CheckerPtr& softmax() {
    static const CheckerPtr checker = test::checker_of_sample("softmax");
    return checker;
}

// Fails for every schedule for which `broken` holds.
class FakeGpu final : public Evaluator {
  public:
    explicit FakeGpu(std::function<bool(const Schedule&)> broken) : broken_(std::move(broken)) {}
    const EvaluatorInfo& info() const override { return info_; }
    Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule&, Effort,
                                          std::stop_token) override {
        std::vector<Outcome> out;
        for (const Schedule& candidate : candidates) {
            Outcome one;
            one.kind = broken_(candidate) ? OutcomeKind::WrongResult : OutcomeKind::Ok;
            if (!one.ok()) one.detail = "input set 0 differs";
            out.push_back(one);
        }
        return out;
    }

  private:
    std::function<bool(const Schedule&)> broken_;
    EvaluatorInfo info_;
};

}  // namespace

TEST_CASE("walks are legal at every step and hold every kind of mutation") {
    std::map<std::string, std::uint64_t> kinds;
    std::size_t mutations = 0;
    for (const char* name : {"softmax", "bmm_mma", "flash_attn"}) {
        const CheckerPtr checker = test::checker_of_sample(name);
        const WalkMaker maker(checker, 7);
        for (std::uint64_t i = 0; i < 6; ++i) {
            const Walk walk = maker.make(i);
            REQUIRE_FALSE(walk.mutations.empty());
            CHECK(walk.mutations.size() <= 50);
            count_kinds(walk, kinds);
            mutations += walk.mutations.size();
            Schedule s(checker->kernel());
            for (const Mutation& m : walk.mutations) {
                INFO(name << " walk " << i << ": " << m.text(*checker->kernel()) << " [" << m.encode()
                          << "]");
                CHECK(*Mutation::decode(m.encode()) == m);
                const auto back = required(m.inverse(s));
                const Schedule before = s;
                REQUIRE(m.apply(s));
                CHECK(*back->applied(s) == before);
                CHECK(checker->legal(s));
            }
            CHECK(s == walk.schedule);
        }
    }
    std::string list;
    for (const auto& [kind, count] : kinds)
        list += kind + " " + std::to_string(count) + "  ";
    WARN(mutations << " mutations: " << list);
    for (const char* kind : {"move", "move+stall", "stall", "yield", "reuse", "wait", "reassign"})
        CHECK(kinds[kind] > 0);
}

TEST_CASE("a walk is the same whatever ran before it") {
    const WalkMaker one(softmax(), 3), other(softmax(), 3), another(softmax(), 4);
    const Walk fifth = one.make(5);
    one.make(0);
    CHECK(one.make(5).mutations == fifth.mutations);
    CHECK(other.make(5).mutations == fifth.mutations);
    CHECK_FALSE(another.make(5).mutations == fifth.mutations);
    CHECK(one.prefix(fifth, fifth.mutations.size()) == fifth.schedule);
    CHECK(one.prefix(fifth, 0) == Schedule(softmax()->kernel()));
}

TEST_CASE("a run that is split counts what the whole run counts") {
    FuzzSettings settings;
    settings.candidates = 12;
    settings.seed = 9;
    settings.batch = 5;
    const auto whole = required(fuzz_kernel(softmax(), nullptr, settings, {}, {}));
    CHECK(whole->legal == 12);
    CHECK(whole->next_walk == 12);
    CHECK(whole->disagreements == 0);
    settings.candidates = 7;
    const auto first = fuzz_kernel(softmax(), nullptr, settings, {}, {});
    settings.first = first->next_walk;
    settings.candidates = 5;
    const auto second = fuzz_kernel(softmax(), nullptr, settings, {}, {});
    CHECK(first->mutations + second->mutations == whole->mutations);
    std::map<std::string, std::uint64_t> sum = first->by_kind;
    for (const auto& [kind, count] : second->by_kind)
        sum[kind] += count;
    CHECK(sum == whole->by_kind);
}

TEST_CASE("the culprit of a failing walk is the mutation that broke it") {
    // A pretended hole: whatever lowers the stall of one of these breaks the results.
    const Schedule original(softmax()->kernel());
    const auto lowered = [&](const Schedule& s) {
        for (InstrId id = 0; id < s.size(); id += 7)
            if (s.control(id).stall < original.control(id).stall) return true;
        return false;
    };
    FakeGpu gpu(lowered);
    FuzzSettings settings;
    settings.candidates = 10;
    settings.seed = 2;
    settings.bad_every = 0;
    settings.shrink = 5;
    const auto report = required(fuzz_kernel(softmax(), &gpu, settings, {}, {}));
    REQUIRE(report->legal_failed > 0);
    const FuzzFailure& f = report->failures.front();
    CHECK(f.outcome == "wrong-result");
    CHECK(f.reproduced);
    // The culprit turns a sound schedule into a failing one.
    const WalkMaker maker(softmax(), settings.seed);
    const Walk walk = maker.make(f.walk);
    REQUIRE(f.steps.size() == walk.mutations.size());
    std::size_t at = 0;
    while (walk.mutations[at].encode() != f.culprit || !lowered(maker.prefix(walk, at + 1)))
        ++at;
    CHECK_FALSE(lowered(maker.prefix(walk, at)));
    // And the smallest failing form still fails, and none of its edits can go.
    const auto fewest = required(Mutation::decode(f.mutation));
    CHECK(lowered(*fewest->applied(original)));
    for (std::size_t i = 0; fewest->edits.size() > 1 && i < fewest->edits.size(); ++i) {
        Mutation fewer = *fewest;
        fewer.edits.erase(fewer.edits.begin() + static_cast<std::ptrdiff_t>(i));
        const auto without = fewer.applied(original);
        CHECK((!without || !softmax()->legal(*without) || !lowered(*without)));
    }
    CHECK_FALSE(f.text.empty());
}

TEST_CASE("known-bad edits are told apart from legal ones") {
    FakeGpu blind([](const Schedule&) { return false; });
    FuzzSettings settings;
    settings.candidates = 20;
    settings.bad_every = 4;
    const auto report = required(fuzz_kernel(softmax(), &blind, settings, {}, {}));
    CHECK(report->legal == 20);
    CHECK(report->bad >= 4);
    CHECK(report->bad_seen == 0);
    FakeGpu sees([&](const Schedule& s) { return !softmax()->legal(s); });
    const auto seen = fuzz_kernel(softmax(), &sees, settings, {}, {});
    CHECK(seen->bad_seen == seen->bad);
    CHECK(seen->legal_failed == 0);
}

TEST_CASE("a candidate that was late once and passes when run again is counted apart, a wrong result never") {
    // The first answer about each schedule is the given outcome, every later one is right.
    struct OnceBad : Evaluator {
        explicit OnceBad(OutcomeKind first) : kind(first) {}
        const EvaluatorInfo& info() const override { return facts; }
        Result<std::vector<Outcome>> evaluate(std::span<const Schedule> candidates, const Schedule&, Effort,
                                              std::stop_token) override {
            std::vector<Outcome> out(candidates.size());
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i].kind = seen.insert(candidates[i].hash().hex()).second ? kind : OutcomeKind::Ok;
            return out;
        }
        OutcomeKind kind;
        EvaluatorInfo facts;
        std::set<std::string> seen;
    };
    FuzzSettings settings;
    settings.candidates = 6;
    settings.bad_every = 0;
    settings.shrink = 0;
    OnceBad late(OutcomeKind::Hang);
    const auto hangs = required(fuzz_kernel(softmax(), &late, settings, {}, {}));
    CHECK(hangs->hangs_once == 6);
    CHECK(hangs->legal_failed == 0);
    REQUIRE(hangs->failures.size() == 6);
    CHECK_FALSE(hangs->failures.front().reproduced);
    OnceBad wrong(OutcomeKind::WrongResult);
    const auto wrongs = required(fuzz_kernel(softmax(), &wrong, settings, {}, {}));
    CHECK(wrongs->hangs_once == 0);
    CHECK(wrongs->legal_failed == 6);
}

TEST_CASE("a fuzz run ends when its time is up and says where to go on") {
    FuzzSettings settings;
    settings.candidates = 1'000'000'000;
    settings.time = std::chrono::milliseconds(1);
    settings.batch = 2;
    const auto report = required(fuzz_kernel(softmax(), nullptr, settings, {}, {}));
    CHECK(report->legal < settings.candidates);
    CHECK(report->next_walk == report->legal);
    CHECK(report->end == "time is up");
}
