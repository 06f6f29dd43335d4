// SPDX-License-Identifier: GPL-3.0-or-later
// Searches the priorities of a list scheduler: an evolution strategy draws weights for the hottest blocks,
// the list scheduler makes an order of each block, and legal schedules are measured. Starts alternate between
// the current order and the critical path, since the start determines the schedules that are found; each
// start builds on the best schedule so far.
//
// A generation is ranked by one screening per candidate. The best of a generation is refined, and only that
// moves the search.
#include <algorithm>

#include "core/search/agents/finalists.h"
#include "core/search/agents/sub_searcher.h"
#include "core/search/engine/worker_pool.h"
#include "core/search/moves/environment.h"
#include "core/search/moves/evolution_strategy.h"
#include "core/search/moves/list_scheduler.h"

namespace cubinlab {
namespace {

constexpr std::size_t kFewest = 8;   // least instructions of a block
constexpr Position kLargest = 3000;  // most instructions: the time for an order is quadratic
constexpr int kTries = 12;           // draws for one legal candidate
constexpr int kWorse = 12;           // generations without a gain before another start
constexpr double kStep = 0.7;

class ListSearcher final : public SubSearcher {
  public:
    ListSearcher(const SearchContext& context, const Settings& settings)
        : context_(context),
          scope_(context),
          most_blocks_(static_cast<std::size_t>(settings.at("blocks"))),
          rng_(context.seed),
          here_{context.start},
          finalists_(context.start),
          es_(Point(1, 0), kStep),
          starts_(static_cast<std::size_t>(settings.at("start"))) {
        reorder_.editable.assign(context.kernel->size(), false);
        for (const InstrId id : scope_.ids())
            reorder_.editable[id] = true;
        choose_blocks();
        begin();
    }

    std::string name() const override { return "list"; }
    const SearchPoint& here() const override { return here_; }
    void restart_from(const SearchPoint& point) override {
        here_ = point;
        begin();
    }
    void disable_claims() override { finalists_.disable_claims(); }
    void update_estimate(StepId step, double log_speedup) override {
        if (step == here_.step) here_.speedup.log = log_speedup;
    }
    bool at_checkpoint() const override { return !refinement_; }

    std::vector<Proposal> propose(std::size_t n) override {
        pending_.clear();
        points_.clear();
        if (blocks_.empty()) return {};
        if (refinement_) {
            pending_.push_back(std::move(*refinement_));
            refinement_.reset();
            return pending_;
        }
        if (!exact_)
            if (auto claim = finalists_.claim_if_due(here_)) {
                pending_.push_back(std::move(*claim));
                claiming_ = true;
                return pending_;
            }
        const std::size_t wanted = std::min(n, es_.size() - seen_points_.size());
        for (int misses = 0, tries = 0; pending_.size() < wanted && misses < 4;)
            for (Drawn& drawn : draw(wanted - pending_.size())) {
                ++tries;
                misses += !drawn.schedule && tries == kTries;
                if (drawn.schedule || tries == kTries) tries = 0;
                if (!drawn.schedule) continue;
                pending_.push_back({here_.step, difference(here_.schedule, *drawn.schedule),
                                    std::move(*drawn.schedule), false, MeasureRequest{}});
                points_.push_back(std::move(drawn.point));
            }
        if (pending_.empty() && ++barren_ < 6) {
            next_start();
            return propose(n);
        }
        if (!pending_.empty()) barren_ = 0;
        return pending_;
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        const std::size_t count = std::min(observations.size(), pending_.size());
        const StepId from = here_.step;
        for (const Observation& seen : observations)
            result.reward.push_back(reward_of(seen.outcome, here_.speedup.log));
        result.accepted.assign(observations.size(), false);
        if (finalists_.closing()) {
            finalists_.observe_closing(observations);
        } else if (claiming_) {
            claiming_ = false;
            if (count > 0) take_claim(observations[0]);
        } else if (points_.empty()) {
            if (count > 0) judge_refinement(observations[0]);
        } else {
            for (std::size_t i = 0; i < count; ++i)
                note(i, observations[i]);
            if (seen_points_.size() >= es_.size()) end_generation(result);
        }
        for (std::size_t i = 0; i < count; ++i)
            result.accepted[i] = here_.step != from && here_.step == observations[i].step;
        return result;
    }

    std::vector<Proposal> close(std::size_t) override {
        finalists_.offer(here_);
        pending_ = finalists_.close();
        points_.clear();
        return pending_;
    }

  private:
    void take_claim(const Observation& seen) {
        const bool of_here = pending_[0].result == here_.schedule;
        const double revised = finalists_.seen_claim(pending_[0], seen);
        if (!seen.outcome.ok())
            restart_from({context_.start});
        else if (of_here)
            here_.speedup.log = revised;
    }

    // Deepest loops first, longest blocks first.
    void choose_blocks() {
        const FlowGraph& flow = context_.kernel->flow();
        std::vector<BlockId> all;
        for (BlockId b = 0; b < flow.blocks.size(); ++b) {
            const Block& block = flow.blocks[b];
            const bool editable = scope_.ids().empty() ? false : scope_.editable(block.first);
            if (block.count >= kFewest && block.count <= kLargest && editable) all.push_back(b);
        }
        std::stable_sort(all.begin(), all.end(), [&](BlockId a, BlockId b) {
            const Block &x = flow.blocks[a], &y = flow.blocks[b];
            return x.loop_depth != y.loop_depth ? x.loop_depth > y.loop_depth : x.count > y.count;
        });
        if (all.size() > most_blocks_) all.resize(most_blocks_);
        blocks_ = std::move(all);
    }

    // Starts an evolution from the current schedule.
    void begin() {
        schedulers_.clear();
        for (const BlockId block : blocks_)
            schedulers_.emplace_back(*context_.checker, here_.schedule, block);
        const ListWeights weights =
            starts_ % 2 == 0 ? ListWeights::near_original() : ListWeights::critical_path();
        Point mean;
        for (std::size_t b = 0; b < blocks_.size(); ++b)
            mean.insert(mean.end(), weights.weight.begin(), weights.weight.end());
        if (mean.empty()) mean.push_back(0);
        es_ = EvolutionStrategy(std::move(mean), kStep * (1 + static_cast<double>(starts_ / 2 % 3)));
        seen_points_.clear();
        seen_values_.clear();
        generation_best_.reset();
        best_value_ = -1;
        worse_ = 0;
    }

    void next_start() {
        ++starts_;
        begin();
    }

    // A point, the random state after it, and its schedule if that is legal and new.
    struct Drawn {
        Point point;
        Rng rng;
        std::optional<Schedule> schedule;
    };

    // Draws `n` points on several cores. Returns those up to and including the first without a schedule.
    std::vector<Drawn> draw(std::size_t n) {
        std::vector<Drawn> out;
        while (out.size() < n) {
            Point point = es_.draw(rng_);
            out.push_back({std::move(point), rng_, std::nullopt});
        }
        shared_pool().run(n, [&](std::size_t i) { out[i].schedule = scheduled(out[i].point); });
        const auto bad = std::find_if(out.begin(), out.end(), [](const Drawn& d) { return !d.schedule; });
        if (bad == out.end()) return out;
        // Undo the draws after it.
        rng_ = bad->rng;
        out.erase(bad + 1, out.end());
        return out;
    }

    std::optional<Schedule> scheduled(const Point& point) const {
        Schedule now = here_.schedule;
        bool changed = false;
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            ListWeights weights;
            std::copy_n(point.begin() + static_cast<std::ptrdiff_t>(b * kListFeatures), kListFeatures,
                        weights.weight.begin());
            auto next =
                reorder_block(*context_.checker, now, blocks_[b], schedulers_[b].order(weights), reorder_);
            if (!next) continue;
            changed = changed || !(*next == now);
            now = std::move(*next);
        }
        if (changed && !(now == here_.schedule)) return now;
        return std::nullopt;
    }

    void note(std::size_t i, const Observation& seen) {
        const Outcome& outcome = seen.outcome;
        exact_ = exact_ || seen.exact;
        seen_points_.push_back(points_[i]);
        seen_values_.push_back(outcome.ok() ? outcome.speedup.log : -1);
        if (!outcome.ok()) return;
        if (generation_best_ && generation_best_->speedup.log >= outcome.speedup.log) return;
        generation_best_ = SearchPoint{pending_[i].result, seen.step, outcome.speedup};
    }

    void end_generation(ObserveResult& result) {
        es_.tell(seen_points_, seen_values_);
        seen_points_.clear();
        seen_values_.clear();
        result.metrics.push_back({"step_length", es_.step()});
        const bool better = generation_best_ && generation_best_->speedup.log > best_value_;
        worse_ = better ? 0 : worse_ + 1;
        if (better) {
            best_value_ = generation_best_->speedup.log;
            if (best_value_ > here_.speedup.log) ask_refinement();
        }
        generation_best_.reset();
        if (worse_ >= kWorse || es_.done()) next_start();
    }

    void ask_refinement() {
        candidate_ = *generation_best_;
        if (exact_) {
            here_ = *candidate_;
            return;
        }
        refinement_ = Proposal{here_.step, difference(here_.schedule, candidate_->schedule),
                               candidate_->schedule, false, kRefineRequest};
    }

    // The closer look alone: the screening was the largest of many.
    void judge_refinement(const Observation& seen) {
        if (!candidate_ || !seen.outcome.ok()) return;
        best_value_ = std::min(best_value_, seen.outcome.speedup.log);
        if (seen.outcome.speedup.log <= here_.speedup.log) return;
        here_ = {candidate_->schedule, seen.step, seen.outcome.speedup};
        finalists_.offer(here_);
    }

    SearchContext context_;
    EditScope scope_;
    std::size_t most_blocks_;
    Rng rng_;
    SearchPoint here_;
    Finalists finalists_;
    ReorderSettings reorder_;
    std::vector<BlockId> blocks_;
    std::vector<ListScheduler> schedulers_;  // for the start of this evolution
    EvolutionStrategy es_;
    std::size_t starts_ = 0;
    int worse_ = 0, barren_ = 0;
    bool exact_ = false, claiming_ = false;
    double best_value_ = -1;  // of this evolution
    std::vector<Point> points_, seen_points_;
    std::vector<double> seen_values_;
    std::optional<SearchPoint> generation_best_, candidate_;
    std::optional<Proposal> refinement_;
    std::vector<Proposal> pending_;
};

}  // namespace

const std::vector<SettingRange>& list_settings() {
    static const std::vector<SettingRange> known = {{"blocks", 2, 1, 8}, {"start", 0, 0, 1}};
    return known;
}

std::unique_ptr<SubSearcher> make_list_searcher(const SearchContext& context, const Settings& settings) {
    return std::make_unique<ListSearcher>(context, settings);
}

extern const BuiltInSearcher built_in_list{
    "list", "List scheduling",
    "Reorders whole blocks by a list scheduler and searches for the priorities that make the fastest one.",
    list_settings, [](const SearchContext& context, const Settings& settings) -> std::unique_ptr<Searcher> {
        return make_list_searcher(context, settings);
    }};

}  // namespace cubinlab
