// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workflow/fuzz.h"

#include <optional>
#include <random>

namespace cubinlab {
namespace {

// The engine is specified by the standard and the same everywhere; distributions are not, so none is used.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    std::uint32_t below(std::uint32_t n) { return n == 0 ? 0 : static_cast<std::uint32_t>(engine_() % n); }

  private:
    std::mt19937_64 engine_;
};

std::optional<Mutation> random_move(const HazardChecker& checker, const Schedule& schedule, Dice& dice) {
    const InstrId id = dice.below(static_cast<std::uint32_t>(schedule.size()));
    if (schedule.kernel()->pinned(id)) return std::nullopt;
    const SlotRange slots = checker.slots(schedule, id);
    if (slots.highest <= slots.lowest) return std::nullopt;
    const Position to = slots.lowest + dice.below(slots.highest - slots.lowest + 1);
    if (to == schedule.position_of(id) || !slots.contains(to)) return std::nullopt;
    return Mutation::move_to(schedule, id, to);
}

std::optional<Mutation> random_control(const HazardChecker& checker, const Schedule& schedule, Dice& dice) {
    const InstrId id = dice.below(static_cast<std::uint32_t>(schedule.size()));
    const std::vector<ControlCode> edits = checker.control_edits(schedule, id);
    if (edits.empty()) return std::nullopt;
    return Mutation::control(schedule, id, edits[dice.below(static_cast<std::uint32_t>(edits.size()))]);
}

struct Walk {
    Schedule schedule;
    std::uint64_t mutations = 0;
};

Walk random_walk(const HazardChecker& checker, const KernelPtr& kernel, int longest, Dice& dice) {
    Walk walk{Schedule(kernel), 0};
    const int length = 1 + static_cast<int>(dice.below(static_cast<std::uint32_t>(longest)));
    for (int tries = 0; tries < 20 * length && walk.mutations < static_cast<std::uint64_t>(length); ++tries) {
        const auto m = dice.below(2) ? random_move(checker, walk.schedule, dice)
                                     : random_control(checker, walk.schedule, dice);
        if (!m || !checker.allows(walk.schedule, *m)) continue;
        if (m->apply(walk.schedule)) ++walk.mutations;
    }
    return walk;
}

bool rule_changes_results(Rule rule) {
    switch (rule) {
        case Rule::RawDistance:
        case Rule::WarDistance:
        case Rule::WawDistance:
        case Rule::RawScoreboard:
        case Rule::WarScoreboard:
        case Rule::WawScoreboard:
        case Rule::SetToWait:
        case Rule::Dependence:
            return true;
        default:
            return false;
    }
}

// Drops edits of a failing legal candidate, one at a time, while it stays legal and keeps failing.
Mutation shrink(const HazardChecker& checker, const KernelPtr& kernel, Evaluator& evaluator, Mutation failing,
                const std::stop_token& stop) {
    const Schedule original(kernel);
    for (std::size_t i = failing.edits.size();
         i-- > 0 && failing.edits.size() > 1 && !stop.stop_requested();) {
        Mutation fewer = failing;
        fewer.edits.erase(fewer.edits.begin() + static_cast<std::ptrdiff_t>(i));
        auto candidate = fewer.applied(original);
        if (!candidate || !checker.check(*candidate).empty()) continue;
        auto outcome = evaluator.evaluate(std::span(&*candidate, 1), original, Effort::Screen, stop);
        if (!outcome) break;
        if (!outcome->front().ok()) failing = std::move(fewer);
    }
    return failing;
}

struct Bad {
    Schedule schedule;
    std::string rule;
};

// One stall lowered, or one step up, that a data-flow rule refuses.
std::optional<Bad> known_bad(const HazardChecker& checker, const KernelPtr& kernel, Dice& dice) {
    const Schedule original(kernel);
    for (int tries = 0; tries < 200; ++tries) {
        const InstrId id = dice.below(static_cast<std::uint32_t>(original.size()));
        Mutation m;
        if (dice.below(2) == 0) {
            ControlCode c = original.control(id);
            if (c.stall < 2) continue;
            --c.stall;
            m = Mutation::control(original, id, c);
        } else {
            if (id == 0 || kernel->block_of(id) != kernel->block_of(id - 1) || kernel->pinned(id) ||
                kernel->pinned(id - 1))
                continue;
            m = Mutation::move_before(id, id - 1);
        }
        const Legality hazards = checker.explain(original, m);
        if (hazards.empty() || !rule_changes_results(hazards.front().rule)) continue;
        if (auto result = m.applied(original))
            return Bad{std::move(*result), to_string(hazards.front().rule)};
    }
    return std::nullopt;
}

}  // namespace

Result<FuzzReport> fuzz_kernel(const CheckerPtr& checker, Evaluator* evaluator, const FuzzSettings& settings,
                               std::stop_token stop, const std::function<void(const FuzzReport&)>& progress) {
    FuzzReport report;
    Dice dice(settings.seed);
    const KernelPtr& kernel = checker->kernel();
    const Schedule original(kernel);
    while (report.legal < settings.candidates && !stop.stop_requested()) {
        std::vector<Schedule> batch;
        std::vector<std::string> bad_rule;  // by batch index; empty = legal
        while (batch.size() < settings.batch &&
               report.legal + batch.size() < settings.candidates + bad_rule.size()) {
            Walk walk = random_walk(*checker, kernel, settings.longest_walk, dice);
            report.mutations += walk.mutations;
            if (!checker->check(walk.schedule).empty()) {
                ++report.disagreements;
                if (report.failures.size() < 100)
                    report.failures.push_back({"disagreement",
                                               checker->check(walk.schedule).front().explanation,
                                               difference(original, walk.schedule).encode(),
                                               {}});
            }
            batch.push_back(std::move(walk.schedule));
            bad_rule.emplace_back();
            if (evaluator && settings.bad_every && (report.legal + batch.size()) % settings.bad_every == 0)
                if (auto bad = known_bad(*checker, kernel, dice)) {
                    batch.push_back(std::move(bad->schedule));
                    bad_rule.push_back(bad->rule);
                }
        }
        std::vector<Outcome> outcomes(batch.size());
        if (evaluator) {
            auto evaluated = evaluator->evaluate(batch, original, Effort::Screen, stop);
            if (!evaluated) {
                report.end = evaluated.error().message();
                return report;
            }
            outcomes = std::move(*evaluated);
        }
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const bool failed = evaluator && !outcomes[i].ok();
            if (!bad_rule[i].empty()) {
                ++report.bad;
                auto& [seen, all] = report.bad_by_rule[bad_rule[i]];
                ++all;
                if (failed) {
                    ++seen;
                    ++report.bad_seen;
                }
                continue;
            }
            ++report.legal;
            if (!failed) continue;
            ++report.legal_failed;
            if (report.failures.size() >= 100) continue;
            Mutation edits = difference(original, batch[i]);
            if (static_cast<int>(report.failures.size()) < settings.shrink)
                edits = shrink(*checker, kernel, *evaluator, std::move(edits), stop);
            report.failures.push_back(
                {to_string(outcomes[i].kind), outcomes[i].detail, edits.encode(), edits.text(*kernel)});
        }
        if (progress) progress(report);
    }
    return report;
}

}  // namespace cubinlab
