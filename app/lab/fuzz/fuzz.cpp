// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/fuzz/fuzz.h"

#include <optional>

#include "app/lab/fuzz/directed_walk.h"
#include "app/lab/fuzz/fuzz_shrink.h"
#include "app/lab/fuzz/legal_walk.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;

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

struct Bad {
    Schedule schedule;
    std::string rule;
};

// One stall lowered, one wait dropped, or one step up, that a data-flow rule refuses.
std::optional<Bad> known_bad(const HazardChecker& checker, const KernelPtr& kernel, Rng& rng) {
    const Schedule original(kernel);
    for (int tries = 0; tries < 200; ++tries) {
        const InstrId id = rng.below(static_cast<std::uint32_t>(original.size()));
        ControlCode c = original.control(id);
        Mutation m;
        switch (rng.below(3)) {
            case 0:
                if (c.stall < 2) continue;
                --c.stall;
                m = Mutation::control(original, id, c);
                break;
            case 1:
                if (c.wait_mask == 0) continue;
                c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & (c.wait_mask - 1));
                m = Mutation::control(original, id, c);
                break;
            default:
                if (id == 0 || kernel->block_of(id) != kernel->block_of(id - 1) || kernel->pinned(id) ||
                    kernel->pinned(id - 1))
                    continue;
                m = Mutation::move_before(id, id - 1);
        }
        if (checker.allows(original, m)) continue;
        const Legality hazards = checker.explain(original, m);
        if (hazards.empty() || !rule_changes_results(hazards.front().rule)) continue;
        if (auto result = m.applied(original))
            return Bad{std::move(*result), to_string(hazards.front().rule)};
    }
    return std::nullopt;
}

class FuzzRun {
  public:
    FuzzRun(const CheckerPtr& checker, Evaluator* evaluator, const FuzzSettings& settings,
            std::stop_token stop)
        : checker_(checker),
          evaluator_(evaluator),
          settings_(settings),
          stop_(std::move(stop)),
          maker_(checker, settings.seed, settings.longest_walk),
          bad_rng_(settings.seed ^ 0xbadull ^ (settings.first << 20)),
          original_(checker->kernel()),
          next_(settings.first) {
        if (!settings.directed_base) return;
        directed_.emplace(checker_, maker_, *settings.directed_base);
        report_.directed = directed_->count();
    }

    FuzzReport run(const std::function<void(const FuzzReport&)>& progress) {
        const auto start = Clock::now();
        const auto over = [&] {
            return stop_.stop_requested() || (settings_.time && Clock::now() - start >= *settings_.time);
        };
        while (report_.legal < settings_.candidates && !ended_ && !over()) {
            fill_batch();
            if (!run_batch()) break;
            report_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
            report_.next_walk = next_;
            if (progress) progress(report_);
        }
        if (report_.end.empty() && !ended_ && report_.legal < settings_.candidates)
            report_.end = stop_.stop_requested() ? "stopped" : "time is up";
        return std::move(report_);
    }

  private:
    void fill_batch() {
        schedules_.clear();
        walks_.clear();
        bad_rules_.clear();
        std::uint64_t legal = report_.legal;
        while (schedules_.size() < settings_.batch && legal < settings_.candidates) {
            auto walk = walk_number(next_);
            if (!walk) {
                ended_ = true;
                break;
            }
            ++next_;
            ++legal;
            const bool agreed = checker_->legal(walk->schedule);
            if (!agreed) note_disagreement(*walk);
            schedules_.push_back(walk->schedule);
            walks_.push_back(std::move(*walk));
            bad_rules_.emplace_back();
            if (evaluator_ && settings_.bad_every && legal % settings_.bad_every == 0)
                if (auto bad = known_bad(*checker_, checker_->kernel(), bad_rng_)) {
                    schedules_.push_back(std::move(bad->schedule));
                    walks_.push_back({0, original_, {}});
                    bad_rules_.push_back(bad->rule);
                }
        }
    }

    std::optional<Walk> walk_number(std::uint64_t index) const {
        if (settings_.self_check) return Walk{index, original_, {}};
        if (settings_.hints) return maker_.make_hints(index);
        return directed_ ? directed_->make(index) : maker_.make(index);
    }

    bool run_batch() {
        std::vector<Outcome> outcomes(schedules_.size());
        if (evaluator_ && !schedules_.empty()) {
            auto evaluated = evaluator_->evaluate(schedules_, original_, Effort::Screen, stop_);
            if (!evaluated) {
                report_.end = evaluated.error().message();
                return false;
            }
            outcomes = std::move(*evaluated);
        }
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            const bool failed = evaluator_ && !outcomes[i].ok();
            if (!bad_rules_[i].empty())
                note_bad(bad_rules_[i], failed);
            else
                note_legal(walks_[i], failed ? &outcomes[i] : nullptr);
        }
        return true;
    }

    void note_bad(const std::string& rule, bool seen) {
        auto& [seen_by_rule, all] = report_.bad_by_rule[rule];
        ++report_.bad;
        ++all;
        report_.bad_seen += seen;
        seen_by_rule += seen;
    }

    void note_legal(const Walk& walk, const Outcome* failure) {
        ++report_.legal;
        count_mutations(walk);
        if (!failure) return;
        if (failure->kind == OutcomeKind::Hang &&
            !FailureShrinker(*checker_, *evaluator_, maker_, stop_).fails(walk.schedule)) {
            ++report_.hangs_once;
            if (report_.failures.size() < 100)
                report_.failures.push_back(failure_of(walk, "hang, not repeated", failure->detail));
            return;
        }
        ++report_.legal_failed;
        if (report_.failures.size() >= 100) return;
        FuzzFailure out = failure_of(walk, to_string(failure->kind), failure->detail);
        if (shrunk_ < settings_.shrink && !walk.mutations.empty()) {
            ++shrunk_;
            FailureShrinker(*checker_, *evaluator_, maker_, stop_).shrink(walk, out);
        }
        report_.failures.push_back(std::move(out));
    }

    // Of a directed edit only itself: the way to its base is the same for all.
    void count_mutations(const Walk& walk) {
        if (!directed_) {
            report_.mutations += walk.mutations.size();
            count_kinds(walk, report_.by_kind);
            return;
        }
        ++report_.mutations;
        ++report_.by_kind[to_string(walk.mutations.back().kind())];
        for (const std::string& name : directed_->edit(walk.index).concerns)
            ++report_.by_concern[name];
    }

    void note_disagreement(const Walk& walk) {
        ++report_.disagreements;
        if (report_.failures.size() >= 100) return;
        const Legality hazards = checker_->check(walk.schedule);
        report_.failures.push_back(
            failure_of(walk, "disagreement", hazards.empty() ? "" : hazards.front().explanation));
    }

    FuzzFailure failure_of(const Walk& walk, std::string outcome, std::string detail) const {
        FuzzFailure out;
        out.walk = walk.index;
        out.outcome = std::move(outcome);
        out.detail = std::move(detail);
        const Mutation all = difference(original_, walk.schedule);
        out.mutation = all.encode();
        out.text = all.text(*checker_->kernel());
        for (const Mutation& m : walk.mutations)
            out.steps.push_back(m.encode());
        return out;
    }

    CheckerPtr checker_;
    Evaluator* evaluator_;
    const FuzzSettings& settings_;
    std::stop_token stop_;
    WalkMaker maker_;
    std::optional<DirectedWalks> directed_;
    bool ended_ = false;  // no further directed edit
    Rng bad_rng_;
    Schedule original_;
    std::uint64_t next_;
    int shrunk_ = 0;
    std::vector<Schedule> schedules_;
    std::vector<Walk> walks_;             // by schedule; known-bad ones have none
    std::vector<std::string> bad_rules_;  // by schedule; empty = legal
    FuzzReport report_;
};

}  // namespace

Result<FuzzReport> fuzz_kernel(const CheckerPtr& checker, Evaluator* evaluator, const FuzzSettings& settings,
                               std::stop_token stop, const std::function<void(const FuzzReport&)>& progress) {
    return FuzzRun(checker, evaluator, settings, std::move(stop)).run(progress);
}

}  // namespace cubinlab
