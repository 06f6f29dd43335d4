// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/starts/start_searcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <nlohmann/json.hpp>

#include "core/search/engine/worker_pool.h"

namespace cubinlab {
namespace {

constexpr MeasureRequest kAgain{Effort::Refine, {.loads = 2}};
constexpr double kEnoughWeight = 9;  // a screening and two refinements
constexpr MeasureRequest kFinal{Effort::Refine, {.loads = 6}};
constexpr MeasureRequest kClaim{Effort::Confirm, {}};
constexpr std::size_t kFinalists = 6;
constexpr int kMostClaims = 3;
constexpr std::size_t kAgainOf = 8;  // the best this many are measured again
constexpr double kFailed = -1;       // log speed-up that an order which fails counts as, below any other
constexpr std::size_t kRounds = 6;   // of compilations without a new code, before the search is exhausted

}  // namespace

std::string name_of(const Start& start) {
    Start made_of = start;
    made_of.cubin = {};
    made_of.decisions = {};
    const std::string text = to_json(made_of).dump();
    return hash_bytes(text.data(), text.size()).hex().substr(0, 16);
}

StartSearcher::StartSearcher(const KernelPtr& original, StartSpace space, StartSupply& supply, std::uint64_t seed,
                             std::shared_ptr<OrderLearner> learner)
    : supply_(supply),
      population_(space, seed),
      first_(space.compilers.begin(), space.compilers.end()),
      learner_(std::move(learner)),
      shares_(seed ^ 0x57a275ull) {
    seen_.insert(original->hash());
}

void StartSearcher::draw(std::size_t n) {
    while (drawn_.size() < n) {
        if (!first_.empty()) {
            drawn_.push_back({{std::move(first_.front())}, {}, 0});
            first_.pop_front();
        } else if (learner_ && shares_.chance(learner_->settings().share)) {
            DrawnStart drawn{population_.child(StartPopulation::Keys::Kept), {}, 0};
            drawn.base = population_.estimate_of(drawn.bred);
            drawn.order = learner_->draw(drawn.bred.start.keys);
            drawn_.push_back(std::move(drawn));
        } else {
            drawn_.push_back({population_.child(), {}, 0});
        }
    }
}

// Orders are built by several threads: each depends on what was drawn alone.
void StartSearcher::build_drawn() {
    shared_pool().run(drawn_.size(), [this](std::size_t i) {
        DrawnStart& drawn = drawn_[i];
        if (!drawn.order) return;
        drawn.built = learner_->build(*drawn.order);
        drawn.bred.start.keys = std::move(drawn.built->order.keys);
        drawn.bred.start.decisions = text_of(drawn.built->order.decisions);
    });
}

void StartSearcher::make_drawn() {
    if (learner_) build_drawn();
    std::vector<Start> starts;
    for (const DrawnStart& drawn : drawn_)
        starts.push_back(drawn.bred.start);
    auto kernels = supply_.make(starts);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (!kernels[i]) {
            ++failed_;
        } else if (seen_.insert((*kernels[i])->hash()).second) {
            made_.push_back({std::move(drawn_[i]), std::move(*kernels[i])});
        }
    }
    drawn_.clear();
}

// Compiles what was decided before the batch in flight: the next propose() would do the same.
void StartSearcher::prefetch(std::size_t) {
    if (!drawn_.empty()) make_drawn();
}

Proposal StartSearcher::ask(MeasuredStart start, bool is_new, std::optional<MeasureRequest> request) {
    Mutation mutation;
    mutation.start = name_of(start.start);
    Proposal out{is_new ? start.parent : 0, std::move(mutation), Schedule(start.kernel), false, request};
    asked_.push_back({std::move(start), is_new});
    return out;
}

// The best starts whose figures are still uncertain.
void StartSearcher::ask_again(std::size_t n, std::vector<Proposal>& out) {
    const auto& best = population_.best_first();
    for (std::size_t i = 0; i < std::min(kAgainOf, best.size()) && n > 0; ++i) {
        if (best[i].figure.weight() >= kEnoughWeight || best[i].figure.mean() <= 0) continue;
        out.push_back(ask(best[i], false, kAgain));
        --n;
    }
}

std::vector<Proposal> StartSearcher::propose(std::size_t n) {
    asked_.clear();
    std::vector<Proposal> out;
    if (!exact_) ask_again(n / 4, out);
    const std::size_t wanted = n - out.size();
    for (std::size_t round = 0; made_.size() < wanted && round < kRounds; ++round) {
        if (drawn_.empty()) draw(n);
        make_drawn();
    }
    while (out.size() < n && !made_.empty()) {
        Made& made = made_.front();
        BredStart& bred = made.drawn.bred;
        MeasuredStart start{
            .start = std::move(bred.start), .kernel = std::move(made.kernel), .parent = bred.parent, .figure = {}};
        out.push_back(ask(std::move(start), true, std::nullopt));
        asked_.back().episode = std::move(made.drawn.built);
        asked_.back().base = made.drawn.base;
        made_.pop_front();
    }
    if (made_.size() < n) draw(n);
    return out;
}

ObserveResult StartSearcher::observe(const std::vector<Observation>& observations) {
    ObserveResult result;
    for (std::size_t i = 0; i < observations.size(); ++i) {
        const Observation& seen = observations[i];
        Asked& asked = asked_[i];
        const double log = seen.outcome.speedup.log;
        result.reward.push_back(seen.outcome.ok() ? 100 * log : -1);
        result.accepted.push_back(seen.best);
        exact_ = seen.exact;
        best_claimed_ = best_claimed_ || seen.best;
        if (closing_ > 0) {
            if (i < finalists_.size() && closing_ == 1) finalists_[i].figure.add(seen.outcome);
            continue;
        }
        if (!asked.is_new) {
            population_.measured_again(asked.start.step, seen.outcome);
            continue;
        }
        if (asked.episode && seen.outcome.kind != OutcomeKind::WorkerLost)
            learner_->add(std::move(*asked.episode), seen.outcome.ok() ? log - asked.base : kFailed);
        if (!seen.outcome.ok()) continue;
        ++measured_;
        asked.start.step = seen.step;
        asked.start.figure.add(seen.outcome);
        population_.add(std::move(asked.start));
    }
    const auto& best = population_.best_first();
    const double lead = best.empty() ? 0 : best.front().figure.shrunken();
    result.metrics = {{"starts_measured", static_cast<double>(measured_)},
                      {"starts_failed", static_cast<double>(failed_)},
                      {"best_start", lead}};
    if (learner_) learner_->learn(result.metrics);
    result.doing = fmt::format("searches starts: {} codes measured, the best about {:+.1f} %", measured_,
                               100 * std::expm1(lead));
    return result;
}

// The best few are measured once more in the same way, since the largest of many noisy figures is too large; then they
// are claimed in that order until one is confirmed.
std::vector<Proposal> StartSearcher::close(std::size_t) {
    asked_.clear();
    std::vector<Proposal> out;
    if (closing_ == 0) {
        for (const MeasuredStart& start : population_.best_first())
            if (start.figure.mean() > 0 && finalists_.size() < kFinalists) finalists_.push_back(start);
        for (MeasuredStart& start : finalists_) {
            out.push_back(ask(start, false, kFinal));
            start.figure = {};
        }
        closing_ = 1;
        return out;
    }
    if (closing_ == 1) {
        std::erase_if(finalists_, [](const MeasuredStart& start) { return start.figure.failed(); });
        std::ranges::stable_sort(finalists_, std::greater(),
                                 [](const MeasuredStart& start) { return start.figure.mean(); });
    }
    const auto next = static_cast<std::size_t>(closing_++ - 1);
    if (best_claimed_ || next >= finalists_.size() || closing_ > kMostClaims + 1) return {};
    if (finalists_[next].figure.mean() <= 0) return {};
    out.push_back(ask(finalists_[next], false, kClaim));
    return out;
}

}  // namespace cubinlab
