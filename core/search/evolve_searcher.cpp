// SPDX-License-Identifier: GPL-3.0-or-later
// Steady-state evolution: a small population of distinct schedules, tournament selection, mutation by random
// legal edits, and crossover that takes whole blocks from one parent or the other. Blocks are the natural
// cut: moves stay inside them. A child whose blocks do not fit at their edges is refused by the checker and
// not proposed.
#include <algorithm>

#include "core/search/built_in_searchers.h"
#include "core/search/neighbourhood.h"
#include "core/search/standing.h"

namespace cubinlab {
namespace {

class EvolveSearcher final : public Searcher {
  public:
    EvolveSearcher(const SearchContext& context, const Settings& settings)
        : settings_(settings), around_(context), rng_(context.seed) {
        population_.push_back({context.start, 0, 0, 0});
    }

    std::string name() const override { return "evolve"; }

    std::vector<Proposal> propose(std::size_t n) override {
        pending_.clear();
        for (std::size_t tries = 0; pending_.size() < n && tries < 64 * n; ++tries) {
            const Standing& parent = tournament();
            auto child = offspring(parent);
            if (child)
                pending_.push_back({parent.step, std::move(child->mutation), std::move(child->result)});
        }
        return pending_;
    }

    ObserveResult observe(const std::vector<Observation>& observations) override {
        ObserveResult result;
        for (std::size_t i = 0; i < observations.size() && i < pending_.size(); ++i) {
            const Observation& seen = observations[i];
            result.reward.push_back(reward_of(seen.outcome, log_of(pending_[i].parent)));
            result.accepted.push_back(
                seen.outcome.ok() &&
                admit({pending_[i].result, seen.step, seen.outcome.log_speedup, seen.outcome.low}));
        }
        return result;
    }

  private:
    const Standing& tournament() {
        const auto size = static_cast<std::uint32_t>(population_.size());
        const Standing& a = population_[rng_.below(size)];
        const Standing& b = population_[rng_.below(size)];
        return a.low >= b.low ? a : b;
    }

    std::optional<Edited> offspring(const Standing& parent) {
        const auto edits = static_cast<unsigned>(settings_.at("edits"));
        if (population_.size() < 2 || !rng_.chance(settings_.at("crossover")))
            return around_.draw_some(parent.schedule, edits, rng_);
        Schedule child = parent.schedule;
        const Standing& other = tournament();
        for (const Block& block : child.kernel()->flow().blocks)
            if (rng_.chance(0.5)) take_block(child, other.schedule, block);
        Mutation mutation = difference(parent.schedule, child);
        // The shortest difference may name a locked instruction as the one that moved.
        const bool touches_locked =
            std::any_of(mutation.edits.begin(), mutation.edits.end(),
                        [&](const Edit& edit) { return !around_.scope().editable(edit.instr); });
        if (mutation.empty() || touches_locked || !around_.legal(parent.schedule, mutation))
            return std::nullopt;
        return Edited{std::move(mutation), std::move(child)};
    }

    static void take_block(Schedule& child, const Schedule& other, const Block& block) {
        for (Position p = block.first; p < block.end(); ++p) {
            const InstrId id = other.at(p);
            if (child.position_of(id) != p) child.move(id, p);
            child.set_control(id, other.control(id));
        }
    }

    double log_of(StepId step) const {
        for (const Standing& member : population_)
            if (member.step == step) return member.log_speedup;
        return 0;
    }

    // The worst member makes room; equals are kept out.
    bool admit(Standing candidate) {
        for (const Standing& member : population_)
            if (member.schedule == candidate.schedule) return false;
        if (population_.size() < static_cast<std::size_t>(settings_.at("population"))) {
            population_.push_back(std::move(candidate));
            return true;
        }
        const auto worst =
            std::min_element(population_.begin(), population_.end(),
                             [](const Standing& a, const Standing& b) { return a.low < b.low; });
        if (candidate.low <= worst->low) return false;
        *worst = std::move(candidate);
        return true;
    }

    Settings settings_;
    Neighbourhood around_;
    Rng rng_;
    std::vector<Standing> population_;
    std::vector<Proposal> pending_;
};

const std::vector<SettingRange>& evolve_settings() {
    static const std::vector<SettingRange> known = {
        {"population", 12, 2, 1000}, {"crossover", 0.3, 0, 1}, {"edits", 2, 1, 16}};
    return known;
}

}  // namespace

extern const BuiltInSearcher built_in_evolve{
    "evolve", "Evolution", "A population of schedules with mutation and crossover of whole blocks.",
    evolve_settings, [](const SearchContext& context, const Settings& settings) -> std::unique_ptr<Searcher> {
        return std::make_unique<EvolveSearcher>(context, settings);
    }};

}  // namespace cubinlab
