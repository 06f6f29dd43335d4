// SPDX-License-Identifier: GPL-3.0-or-later
// Group tests: most edits that help are worth far less than one comparison can show, so a climb that asks of
// each edit whether it is an improvement stops early. Here a round draws a pool of edits of the present
// schedule, tests each once and drops what clearly loses, then tests random parts of the rest together, and
// a linear fit with shrinkage says what each is worth (core/search/group_fit.h). What the fit hopes for and the best of
// the tests are tested again, since the best of many owe much to luck; the best of these are looked at closer, and the
// best of all is where the next round begins.
//
// How much of the pool a part takes follows what parts bring: where effects add up, half of it; on a GPU, near a good
// schedule, a dozen edits of which none loses alone lose some percent together, and a part is two or three. As many parts
// are tested as earn their place among the best beside single edits.
//
// What a round takes is a decision, not a claim: every test is a comparison with the run's start, the present
// schedule moves by estimates, and each round estimates the present schedule anew from all of its tests. Where
// nothing gains it may drift to an equal schedule, since the next gain is often not next to the first of them; what
// falls clearly behind the best goes back to it.
// What is claimed is chosen apart (core/search/finalists.h).
//
// How many subsets a round tests follows what rounds bring: half as many again where a round moved nothing,
// since the gains that are left are then below what it can see, fewer where it did.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/search/arm.h"
#include "core/search/finalists.h"
#include "core/search/group_round.h"
#include "core/search/promising.h"
#include "core/search/step_ranges.h"

namespace cubinlab {
namespace {

constexpr int kStaleRounds = 8;
constexpr Look kTest{};
constexpr double kFailed = -1;        // log speed-up: of what did not run
constexpr double kDriftsTo = 0.004;   // and how far below the best that may lead
constexpr double kCloserNoise = 0.4;  // of a closer look, in those of a test, at most
constexpr double kErrors = 3.5;       // half an interval of a closer look, in standard errors, about

// Parts of the pool: one of five is to be better than none of it (Rechenberg's rule).
constexpr double kLeastShare = 0.06, kMostShare = 0.5, kGoodParts = 0.2;
constexpr std::size_t kLeastSubsets = 6;
constexpr double kLeastWorth = 0.1, kRemembered = 0.8;

// What a pending proposal tests.
struct Tested {
    std::vector<std::uint8_t> edits;
    int best = -1;  // of the round's best tests
};

class GroupSearcher final : public StoredArm<GroupSearcher> {
  public:
    GroupSearcher(const SearchContext& context, const Settings& settings)
        : start_(context.start),
          checker_(context.checker),
          pool_size_(static_cast<std::size_t>(settings.at("pool"))),
          subsets_(static_cast<std::size_t>(settings.at("subsets"))),
          take_above_(settings.at("take_above")),
          longest_(settings.at("longest")),
          drift_(settings.at("drift")),
          most_again_(static_cast<std::size_t>(settings.at("again"))),
          most_best_(static_cast<std::size_t>(settings.at("best_tests"))),
          prior_(context.prior ? context.prior->fingerprint() : 0),
          around_(context),
          rng_(context.seed),
          here_{context.start, 0, 0, 0},
          top_(here_),
          finalists_(context.start),
          credit_(kClassPrior) {}

    std::string name() const override { return "group"; }
    const Standing& here() const override { return here_; }
    void go_on_from(const Standing& standing) override {
        here_ = standing;
        round_.pool.clear();
        carried_.clear();
        round_.candidates.clear();
        round_.best_tests.clear();
        length_ = 1;
        if (standing.log_speedup > top_.log_speedup) top_ = standing;
        ahead_.reset();
    }
    void believe(StepId step, double log_speedup) override {
        if (step == here_.step) here_.log_speedup = log_speedup;
        if (step == top_.step) top_.log_speedup = log_speedup;
    }

    std::vector<Proposal> propose(std::size_t n) override {
        pending_.clear();
        tested_.clear();
        if (round_.pool.empty() && !exact_)
            if (auto claim = finalists_.claim_if_due(top_)) {
                pending_.push_back(std::move(*claim));
                claiming_ = true;
                return pending_;
            }
        // Rounds that tested nothing new mean that nothing is left.
        while (n > 0 && pending_.empty() && stale_rounds_ < kStaleRounds) {
            if (round_.pool.empty()) begin_round();
            fill(n);
            // The next phase needs what this one will have seen.
            if (pending_.empty()) advance();
        }
        return pending_;
    }

    // Single edits and subsets do not hang on the figures of those before them.
    void look_ahead(std::size_t n) override {
        if (round_.pool.empty() || round_.phase >= GroupPhase::Again || phase_done()) return;
        if (!claiming_ && !finalists_.closing() && !ahead_) ahead_ = filled(n);
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const std::size_t count = std::min(observations.size(), pending_.size());
        const Standing from = here_;
        for (const Observation& seen : observations)
            result.reward.push_back(reward_of(seen.outcome, from.log_speedup));
        if (finalists_.closing()) {
            finalists_.observe_closing(observations);
        } else if (claiming_) {
            claiming_ = false;
            if (count > 0) take_claim(observations[0]);
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                own_.add(observations[i].step);
                note(i, observations[i]);
            }
            if (phase_done()) advance();
        }
        for (std::size_t i = 0; i < count; ++i)
            result.accepted.push_back(here_.step != from.step && here_.step == observations[i].step);
        if (told_) {
            result.metrics.push_back({"explained", round_.fit.explained});
            result.metrics.push_back({"taken", static_cast<double>(round_.taken)});
            told_ = false;
        }
        return result;
    }

    std::vector<Proposal> close(std::size_t) override {
        finalists_.offer(top_);
        pending_ = finalists_.close();
        tested_.clear();
        return pending_;
    }

    template <class S, class F>
    static void fields(S& s, F& f) {
        f.form(kState + s.prior_);
        f.rng(s.rng_);
        f.estimated(s.here_);
        f.estimated(s.top_);
        f.part(s.finalists_);
        for (auto& share : s.credit_)
            f.real(share, 0, kMostCredit);
        f.number(s.swept_, s.around_.by_heat().size() + s.around_.producers().size());
        f.real(s.length_, 1, s.longest_);
        f.real(s.share_, kLeastShare, kMostShare);
        f.real(s.worth_, kLeastWorth, 1);
        f.flag(s.exact_);
        f.number(s.stale_rounds_, kStaleRounds);
        f.part(s.own_);
        if constexpr (F::kReads) s.proposed_ = s.own_.words(f.in);
        pool_fields(f, s.carried_, s.pool_size_);
        round_fields(f, s.round_, s.pool_size_, s.here_);
        if constexpr (F::kReads) s.ahead_.reset();
    }

  private:
    static constexpr std::uint64_t kState = 4;  // form of its state, and of its decisions
    static constexpr double kMostCredit = 1e6;

    void take_claim(const Observation& seen) {
        const double believed = finalists_.seen_claim(pending_[0], seen);
        if (!seen.outcome.ok()) {
            const Standing start{start_, 0, 0, 0};
            top_ = start;
            go_on_from(start);
        } else if (pending_[0].result == top_.schedule) {
            believe(top_.step, believed);
        }
    }

    void begin_round() {
        round_.phase = GroupPhase::Singles;
        ++stale_rounds_;  // until something new is put forward
        round_.fit = {};
        round_.tests.clear();
        round_.best_tests.clear();
        round_.next = 0;
        round_.made = 0;
        round_.judged = 0;
        std::unordered_set<Hash128> seen = {here_.schedule.hash()};
        std::vector<PoolEdit> kept = std::move(carried_);
        carried_.clear();
        for (PoolEdit& edit : kept)
            add(seen, around_.apply(here_.schedule, std::move(edit.mutation)), edit.kind);
        sweep(seen);
        for (std::size_t tries = 0; round_.pool.size() < pool_size_ && tries < 40 * pool_size_; ++tries) {
            std::array<double, kEditClasses> shares = credit_;
            for (std::size_t k = 0; k < kEditClasses; ++k)
                shares[k] += 0.3 * kClassPrior[k];
            const EditClass kind = draw_class(shares, rng_);
            add(seen, around_.draw(here_.schedule, kind, rng_), static_cast<int>(kind));
        }
    }

    void add(std::unordered_set<Hash128>& seen, std::optional<Edited> edited, int kind) {
        if (!edited || round_.pool.size() >= pool_size_ || !seen.insert(edited->result.hash()).second) return;
        round_.pool.push_back({std::move(edited->mutation), kind});
    }

    // A third of the pool is what usually pays, hottest first: a stall one lower, a producer a few places up.
    void sweep(std::unordered_set<Hash128>& seen) {
        const std::vector<InstrId>& hot = around_.by_heat();
        const std::vector<InstrId>& producers = around_.producers();
        const std::size_t until = round_.pool.size() + pool_size_ / 3;
        while (round_.pool.size() < std::min(until, pool_size_) && swept_ < hot.size() + producers.size()) {
            const std::size_t at = swept_++;
            if (at % 2 == 0 && at / 2 < producers.size()) {
                const InstrId id = producers[at / 2];
                const Position here = here_.schedule.position_of(id);
                const Position room = here - checker_->slots(here_.schedule, id).lowest;
                const Position up = std::min<Position>(room, 1 + rng_.below(6));
                add(seen, around_.move_to(here_.schedule, id, here - up),
                    static_cast<int>(EditClass::LoadEarlier));
            }
            if (at < hot.size())
                add(seen, around_.stall_by(here_.schedule, hot[at], -1), static_cast<int>(EditClass::Stall));
        }
    }

    // At most `wanted` single edits or subsets, and where the round stands after them.
    struct Filled {
        std::size_t wanted = 0;
        std::vector<Proposal> proposals;
        std::vector<Tested> tests;
        Rng rng;
        std::size_t next = 0, made = 0;
    };

    Filled filled(std::size_t n) const {
        Filled out{n, {}, {}, rng_, round_.next, round_.made};
        if (round_.phase == GroupPhase::Singles)
            while (out.next < round_.pool.size() && out.proposals.size() < n)
                put({static_cast<std::uint8_t>(out.next++)}, out);
        if (round_.phase == GroupPhase::Subsets)
            for (; out.made < wanted_subsets() && out.proposals.size() < n; ++out.made)
                put(random_subset(out.rng), out);
        return out;
    }

    void fill(std::size_t n) {
        if (!ahead_ || ahead_->wanted != n) ahead_ = filled(n);
        Filled now = std::move(*ahead_);
        ahead_.reset();
        rng_ = now.rng;
        round_.next = now.next;
        round_.made = now.made;
        if (round_.phase >= GroupPhase::Again)
            for (; round_.judged < round_.best_tests.size() && now.proposals.size() < n; ++round_.judged) {
                const BestTest& best = round_.best_tests[round_.judged];
                now.proposals.push_back(best.proposal);
                now.proposals.back().look = round_.phase == GroupPhase::Again ? kTest : kCloser;
                now.tests.push_back({best.edits, static_cast<int>(round_.judged)});
            }
        for (const Proposal& proposal : now.proposals)
            if (proposed_.insert(proposal.result.hash()).second) stale_rounds_ = 0;
        pending_ = std::move(now.proposals);
        tested_ = std::move(now.tests);
    }

    // Applies those of `edits` that are legal one after the other.
    std::optional<BestTest> together(const std::vector<std::uint8_t>& edits) const {
        std::optional<Edited> all;
        std::vector<std::uint8_t> in;
        for (const std::uint8_t e : edits) {
            auto one = around_.apply(all ? all->result : here_.schedule, round_.pool[e].mutation);
            if (!one) continue;
            append_edit(all, std::move(*one));
            in.push_back(e);
        }
        if (!all || all->result == here_.schedule) return std::nullopt;
        std::sort(in.begin(), in.end());
        return BestTest{{here_.step, std::move(all->mutation), std::move(all->result), false, kTest},
                        std::move(in), 0, 0};
    }

    void put(const std::vector<std::uint8_t>& edits, Filled& into) const {
        auto all = together(edits);
        if (!all) return;
        into.proposals.push_back(std::move(all->proposal));
        into.tests.push_back({std::move(all->edits)});
    }

    std::vector<std::uint8_t> open_edits() const {
        std::vector<std::uint8_t> out;
        for (std::size_t i = 0; i < round_.pool.size(); ++i)
            if (round_.pool[i].open) out.push_back(static_cast<std::uint8_t>(i));
        return out;
    }

    // A part of what is left, two at least and rather of the better ones, in the order drawn: of two that exclude each other
    // either may come first.
    std::vector<std::uint8_t> random_subset(Rng& rng) const {
        std::vector<std::uint8_t> left = by_effect(), out;
        std::size_t size = 0;
        for (std::size_t i = 0; i < left.size(); ++i)
            size += rng.chance(share_);
        size = std::min(left.size(), std::max<std::size_t>(size, 2));
        while (out.size() < size) {
            const double u = rng.unit();
            const auto at = left.begin() + static_cast<std::ptrdiff_t>(u * u * static_cast<double>(left.size()));
            out.push_back(*at);
            left.erase(at);
        }
        return out;
    }

    // The open edits, best first.
    std::vector<std::uint8_t> by_effect() const {
        std::vector<std::uint8_t> out = open_edits();
        std::sort(out.begin(), out.end(), [&](std::uint8_t a, std::uint8_t b) {
            return round_.fit.effect[a] != round_.fit.effect[b] ? round_.fit.effect[a] > round_.fit.effect[b]
                                                                : a < b;
        });
        return out;
    }

    void note(std::size_t i, const Observation& seen) {
        const Tested& test = tested_[i];
        BestTest* best = test.best >= 0 ? &round_.best_tests[static_cast<std::size_t>(test.best)] : nullptr;
        if (!seen.outcome.ok()) {
            // Whatever it was, an edit that fails alone is not tried again.
            if (test.edits.size() == 1) {
                round_.pool[test.edits[0]].open = false;
                ahead_.reset();
            }
            if (best) best->value = kFailed;
            return;
        }
        const double value = seen.outcome.log_speedup;
        exact_ = exact_ || seen.outcome.low == seen.outcome.high;
        round_.tests.push_back({test.edits, value, 0});
        const Standing standing{pending_[i].result, seen.step, value, seen.outcome.low};
        if (round_.phase == GroupPhase::Closer || (exact_ && (seen.best || best)))
            round_.candidates.push_back({standing, test.edits});
        if (best) {
            best->value = (best->value * best->tests + value) / (best->tests + 1);
            ++best->tests;
        } else if (!exact_) {
            keep_best_test(pending_[i], test, value);
        }
    }

    std::size_t wanted_subsets() const {
        return std::max(kLeastSubsets,
                        static_cast<std::size_t>(static_cast<double>(subsets_) * length_ * worth_));
    }

    bool phase_done() const {
        if (round_.pool.empty()) return false;
        if (round_.phase == GroupPhase::Singles) return round_.next >= round_.pool.size();
        if (round_.phase == GroupPhase::Subsets) return round_.made >= wanted_subsets();
        return round_.judged >= round_.best_tests.size();
    }

    void advance() {
        ahead_.reset();
        if (round_.phase == GroupPhase::Singles) discard();
        if (round_.phase == GroupPhase::Singles && open_edits().size() >= 2)
            round_.phase = GroupPhase::Subsets;
        else if (round_.phase <= GroupPhase::Subsets)
            begin_again();
        else if (round_.phase == GroupPhase::Again)
            begin_closer();
        else
            end_round();
    }

    // An edit that lost by more than one test's noise is not worth a place in the subsets.
    void discard() {
        round_.fit = fit_groups(round_.tests, round_.pool.size());
        for (const GroupTest& test : round_.tests)
            if (test.edits.size() == 1 && test.value < base() - round_.fit.noise)
                round_.pool[test.edits[0]].open = false;
    }

    void begin_again() {
        round_.fit = fit_groups(round_.tests, round_.pool.size());
        told_ = true;
        learn_parts();
        add_combinations();
        round_.phase = GroupPhase::Again;
        round_.judged = 0;
        if (round_.best_tests.empty()) end_round();
    }

    // What the fit hopes for: the edits above so many of their errors.
    void add_combinations() {
        const std::vector<std::uint8_t> order = by_effect();
        std::vector<std::vector<std::uint8_t>> made;
        round_.taken = 0;
        for (const double errors : {0.0, 2.0 * take_above_, take_above_}) {
            std::vector<std::uint8_t> edits;
            for (const std::uint8_t e : order)
                if (round_.fit.effect[e] > errors * round_.fit.error[e] && round_.fit.effect[e] > 0)
                    edits.push_back(e);
            round_.taken = edits.size();  // the last, above the error that is asked for
            if (edits.empty() || std::find(made.begin(), made.end(), edits) != made.end()) continue;
            if (auto all = together(edits)) round_.best_tests.push_back(std::move(*all));
            made.push_back(std::move(edits));
        }
    }

    void begin_closer() {
        std::vector<BestTest>& best = round_.best_tests;
        std::stable_sort(best.begin(), best.end(),
                         [](const BestTest& a, const BestTest& b) { return a.value > b.value; });
        best.erase(best.begin() + static_cast<std::ptrdiff_t>(std::min(best.size(), most_best_)), best.end());
        std::erase_if(best, [&](const BestTest& b) { return b.value <= here_.log_speedup - drift_; });
        round_.phase = GroupPhase::Closer;
        round_.judged = 0;
        if (exact_ || best.empty()) end_round();
    }

    // Effects of edits seldom add up on a GPU, and the best that were seen are candidates as they are.
    void keep_best_test(const Proposal& proposal, const Tested& test, double value) {
        if (value <= here_.log_speedup - drift_) return;
        const auto at = std::find_if(round_.best_tests.begin(), round_.best_tests.end(),
                                     [&](const BestTest& other) { return other.value < value; });
        round_.best_tests.insert(at, {proposal, test.edits, value, 1});
        if (round_.best_tests.size() > most_again_) round_.best_tests.pop_back();
    }

    // Of the parts that were tested: whether they are better than none, and how many are among the best.
    void learn_parts() {
        double parts = 0, good = 0, best = 0;
        for (const GroupTest& test : round_.tests)
            if (test.edits.size() > 1) {
                ++parts;
                good += test.value > base();
            }
        if (parts == 0) return;
        for (const BestTest& test : round_.best_tests)
            best += test.edits.size() > 1;
        share_ = std::clamp(share_ * (good > kGoodParts * parts ? 1.3 : 0.75), kLeastShare, kMostShare);
        const double singles = static_cast<double>(round_.tests.size()) - parts;
        const double single_best = static_cast<double>(round_.best_tests.size()) - best;
        if (round_.best_tests.empty()) return;
        const double hits = best / parts, single_hits = single_best / std::max(singles, 1.0);
        const double worth = hits >= single_hits ? 1.0 : hits / single_hits;
        worth_ = std::clamp(kRemembered * worth_ + (1 - kRemembered) * worth, kLeastWorth, 1.0);
    }

    // Where a candidate stands by the fit and by its own closer look, each weighed by its error.
    double estimate(const GroupCandidate& of) const {
        if (exact_) return of.at.log_speedup;
        double predicted = base(), variance = round_.fit.noise * round_.fit.noise / 4;
        for (const std::uint8_t e : of.edits) {
            predicted += round_.fit.effect[e];
            variance += round_.fit.error[e] * round_.fit.error[e];
        }
        const double error =
            std::min(kCloserNoise * round_.fit.noise, (of.at.log_speedup - of.at.low) / kErrors);
        const double own = error * error;
        return (predicted * own + of.at.log_speedup * variance) / (own + variance);
    }

    double base() const { return round_.fit.base.empty() ? here_.log_speedup : round_.fit.base.front(); }

    void end_round() {
        learn_classes();
        keep_promising();
        if (!exact_) here_.log_speedup = base();
        if (here_.step == top_.step) top_.log_speedup = here_.log_speedup;
        const GroupCandidate* chosen = nullptr;
        double highest = here_.log_speedup - (exact_ ? 0 : drift_);
        for (const GroupCandidate& candidate : round_.candidates) {
            const double value = estimate(candidate);
            if (value <= highest) continue;
            chosen = &candidate;
            highest = value;
        }
        const bool better = chosen && highest > here_.log_speedup;
        if (chosen) {
            here_ = chosen->at;
            here_.log_speedup = highest;
        }
        if (here_.log_speedup > top_.log_speedup) {
            top_ = here_;
            finalists_.offer(here_);
        } else if (here_.log_speedup < top_.log_speedup - kDriftsTo) {
            here_ = top_;
        }
        length_ = std::clamp(better ? length_ * 0.7 : length_ * 1.5, 1.0, longest_);
        round_.candidates.clear();
        round_.pool.clear();
    }

    void learn_classes() {
        for (std::size_t e = 0; e < round_.pool.size() && e < round_.fit.effect.size(); ++e) {
            double& share = credit_[static_cast<std::size_t>(round_.pool[e].kind)];
            const bool paid = round_.pool[e].open &&
                              round_.fit.effect[e] > take_above_ * round_.fit.error[e] &&
                              round_.fit.effect[e] > 0;
            share = 0.99 * share + (paid ? 0.25 : 0.0);
        }
    }

    // Edits that look useful but were not sure enough are tested again beside new ones.
    void keep_promising() {
        for (std::size_t e = 0;
             e < round_.pool.size() && e < round_.fit.effect.size() && carried_.size() < pool_size_ / 4; ++e)
            if (round_.pool[e].open && round_.fit.effect[e] > 0.3 * round_.fit.error[e] &&
                round_.fit.effect[e] <= take_above_ * round_.fit.error[e])
                carried_.push_back(round_.pool[e]);
    }

    Schedule start_;
    CheckerPtr checker_;
    std::size_t pool_size_, subsets_;
    double take_above_;
    double longest_;  // round, in times the subsets of the setting
    double drift_;    // log speed-up that a round may cost where nothing gains
    std::size_t most_again_, most_best_;  // tests that are made again, and of these looked at closer
    std::uint64_t prior_;  // which one, 0: none
    Neighbourhood around_;
    Rng rng_;
    Standing here_;
    Standing top_;  // the best so far, by estimate
    Finalists finalists_;
    GroupRound round_;
    std::vector<PoolEdit> carried_;
    std::size_t swept_ = 0;
    double length_ = 1;  // of a round, in subsets of the setting
    double share_ = kMostShare;  // of the pool in a part
    double worth_ = 1;           // of a part beside a single edit
    bool exact_ = false, claiming_ = false;
    bool told_ = false;
    std::array<double, kEditClasses> credit_;
    std::unordered_set<Hash128> proposed_;
    StepRanges own_;        // whose words were proposed
    int stale_rounds_ = 0;  // in a row that proposed no new words
    std::vector<Proposal> pending_;
    std::vector<Tested> tested_;
    std::optional<Filled> ahead_;  // what comes next in this phase, unless an edit is left out before
};

}  // namespace

const std::vector<SettingRange>& group_settings() {
    static const std::vector<SettingRange> known = {{"pool", 48, 4, 200},      {"subsets", 40, 4, 1000},
                                                    {"take_above", 1, 0, 10},  {"longest", 3, 1, 100},
                                                    {"drift", 0.0008, 0, 0.1}, {"best_tests", 2, 0, 100},
                                                    {"again", 8, 0, 90},       {"prior", 0, 0, 1}};
    return known;
}

std::unique_ptr<Arm> make_group_arm(const SearchContext& context, const Settings& settings) {
    return std::make_unique<GroupSearcher>(context, settings);
}

extern const BuiltInSearcher built_in_group{
    "group", "Group tests",
    "Tests many edits together and takes all that a shrunken estimate says are gains, however small.",
    group_settings, [](const SearchContext& context, const Settings& settings) -> std::unique_ptr<Searcher> {
        return make_group_arm(context, settings);
    }};

}  // namespace cubinlab
