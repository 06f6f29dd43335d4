// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe.h"

#include <algorithm>
#include <optional>

#include "app/lab/probe/register_name.h"
#include "core/legality/dependency_graph.h"

namespace cubinlab {
namespace {

bool is_distance_rule(Rule rule) {
    return rule == Rule::RawDistance || rule == Rule::WarDistance || rule == Rule::WawDistance;
}

ProbeClass class_of(const Kernel& kernel, const Hazard& hazard) {
    const Instruction& first = kernel.instruction(hazard.earlier);
    const char* kind = hazard.rule == Rule::RawDistance   ? "raw"
                       : hazard.rule == Rule::WarDistance ? "war"
                                                          : "waw";
    return {kind, (first.guarded() ? "@P " : "") + std::string(to_string(first.unit)),
            to_string(kernel.instruction(hazard.later).unit),
            register_prefix(parse_register(hazard.resource).file)};
}

// Stall counts from the producer on lowered until the pair stands `distance` apart; each stays at 1 or more.
std::optional<Mutation> bring_closer(const Schedule& schedule, InstrId from, InstrId to, int distance) {
    int have = 0;
    for (Position p = schedule.position_of(from); p < schedule.position_of(to); ++p)
        have += schedule.control(schedule.at(p)).stall;
    int surplus = have - distance;
    Mutation m;
    for (Position p = schedule.position_of(from); p < schedule.position_of(to) && surplus > 0; ++p) {
        const InstrId id = schedule.at(p);
        ControlCode c = schedule.control(id);
        const int cut = std::min(surplus, c.stall - 1);
        if (cut <= 0) continue;
        surplus -= cut;
        c.stall = static_cast<std::uint8_t>(c.stall - cut);
        if (c.stall < 12 && schedule.control(id).stall >= 12) c.yield = false;
        m.edits.push_back(Mutation::control(schedule, id, c).edits.front());
    }
    if (surplus > 0 || m.empty()) return std::nullopt;
    return m;
}

class Prober {
  public:
    Prober(const CheckerPtr& checker, Evaluator& evaluator, const ProbeSettings& settings,
           ProbeReport& report, std::stop_token stop)
        : checker_(*checker),
          evaluator_(evaluator),
          settings_(settings),
          report_(report),
          stop_(std::move(stop)),
          original_(checker->kernel()) {}

    Status pairs() {
        const Kernel& kernel = *original_.kernel();
        for (InstrId id = 0; id < kernel.size() && !stop_.stop_requested(); ++id)
            for (const Dependence& edge : dependences_of(original_, id)) {
                if (edge.from != id || edge.scoreboard >= 0 || edge.loop_carried ||
                    kernel.block_of(edge.to) != kernel.block_of(id))
                    continue;
                if (edge.kind != DependenceKind::Raw && edge.kind != DependenceKind::War &&
                    edge.kind != DependenceKind::Waw)
                    continue;
                if (auto ok = pair(edge); !ok) return ok;
            }
        return {};
    }

    Status yields() {
        Schedule all = original_;
        for (InstrId id = 0; id < all.size() && !stop_.stop_requested(); ++id) {
            ControlCode c = original_.control(id);
            if (original_.kernel()->pinned(id)) continue;
            if (c.stall == 1 && !c.yield) {
                c.yield = true;
                all.set_control(id, c);
                Schedule one = original_;
                one.set_control(id, c);
                if (auto ok = count(one, report_.yield_at_stall_1); !ok) return ok;
            } else if (c.stall >= 12 && c.yield) {
                c.yield = false;
                Schedule one = original_;
                one.set_control(id, c);
                if (auto ok = count(one, report_.no_yield_at_long_stall); !ok) return ok;
            }
        }
        if (all == original_) return {};
        return count(all, report_.yield_at_all_stall_1);
    }

  private:
    Status pair(const Dependence& edge) {
        const int have = edge.distance;
        for (int distance = have - 1; distance >= std::max(1, have - 8) && !stop_.stop_requested();
             --distance) {
            const auto mutation = bring_closer(original_, edge.from, edge.to, distance);
            if (!mutation) return {};
            const Legality hazards = checker_.explain(original_, *mutation);
            if (hazards.empty()) continue;  // still legal by the table
            const auto target = std::find_if(hazards.begin(), hazards.end(), [&](const Hazard& h) {
                return is_distance_rule(h.rule) && h.earlier == edge.from && h.later == edge.to;
            });
            if (target == hazards.end()) return {};
            const ProbeClass wanted = class_of(*original_.kernel(), *target);
            // Attributable only if every pair that became too short is of this class, and none is shorter
            // than this one.
            for (const Hazard& h : hazards)
                if (!is_distance_rule(h.rule) || class_of(*original_.kernel(), h) != wanted ||
                    h.need - h.have > target->need - target->have)
                    return {};
            ProbeTally& tally = report_.classes[wanted];
            tally.table = std::max(tally.table, target->need);
            tally.compiler_minimum = std::min(tally.compiler_minimum, have);
            if (target->need - distance > settings_.below) return {};
            if (++instances_[{wanted, distance}] > settings_.pairs_per_class) continue;
            auto candidate = mutation->applied(original_);
            if (!candidate) return fail(candidate.error());
            if (auto ok = count(*candidate, tally.at[distance]); !ok) return ok;
        }
        return {};
    }

    Status count(const Schedule& candidate, std::pair<std::uint64_t, std::uint64_t>& tally) {
        for (int i = 0; i < settings_.repeats; ++i) {
            auto outcome = evaluator_.evaluate(std::span(&candidate, 1), original_, Effort::Screen, stop_);
            if (!outcome) return fail(outcome.error());
            ++report_.candidates;
            ++tally.second;
            if (outcome->front().ok()) continue;
            ++tally.first;
            return {};  // one failure is proof enough, and each costs a fresh worker
        }
        return {};
    }

    const HazardChecker& checker_;
    Evaluator& evaluator_;
    ProbeSettings settings_;
    ProbeReport& report_;
    std::stop_token stop_;
    Schedule original_;
    std::map<std::pair<ProbeClass, int>, int> instances_;
};

}  // namespace

Status probe_kernel(const CheckerPtr& checker, Evaluator& evaluator, const ProbeSettings& settings,
                    ProbeReport& report, std::stop_token stop) {
    Prober prober(checker, evaluator, settings, report, std::move(stop));
    if (auto ok = prober.pairs(); !ok) return ok;
    return prober.yields();
}

}  // namespace cubinlab
