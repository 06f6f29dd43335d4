// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/stall_repair.h"

#include <algorithm>
#include <set>

#include "core/legality/base_state.h"

namespace cubinlab {
namespace {

constexpr int kRounds = 8;        // repairs by findings of the full check
constexpr int kBlockRounds = 40;  // for a whole block, whose results all reach the next iteration

// Stall counts above 11 take effect only with yield; 0 is reserved.
int room(const ControlCode& control) {
    if (control.stall == 0) return 0;
    const int full = control.yield ? 15 : 11;
    return std::max(0, full - control.stall);
}

class StallRepair {
  public:
    StallRepair(const HazardChecker& checker, const Schedule& legal, const Mutation& mutation,
                const StallRepairSettings& settings)
        : impl_(checker.internals()),
          kernel_(*legal.kernel()),
          legal_(legal),
          settings_(settings),
          schedule_(legal),
          out_(mutation),
          own_(mutation.edits.size()) {}

    std::optional<Mutation> run(const HazardChecker& checker) {
        if (!out_.apply(schedule_)) return std::nullopt;
        std::set<BlockId> blocks;
        for (const Edit& edit : out_.edits) {
            blocks.insert(kernel_.block_of(edit.instr));
            if (edit.kind == EditKind::Control &&
                edit.control_before().stall != edit.control_after().stall)
                frozen_.push_back(edit.instr);
        }
        for (const BlockId b : blocks)
            if (!structure_holds(kernel_.flow().blocks[b]) || !raise_block(b)) return std::nullopt;
        for (int round = 0; round < kRounds; ++round) {
            if (added_ > settings_.max_cycles) return std::nullopt;
            if (checker.allows(legal_, out_)) return std::move(out_);
            if (!repair(blocks)) return std::nullopt;
        }
        return std::nullopt;
    }

    // Repairs one block of `schedule`.
    std::optional<Schedule> run(const HazardChecker& checker, Schedule schedule, BlockId block, int below) {
        schedule_ = std::move(schedule);
        if (!raise_block(block)) return std::nullopt;
        const Block& b = kernel_.flow().blocks[block];
        for (int round = 0; round < kBlockRounds; ++round) {
            // Repairs only add cycles. Without this limit, the full check would run for each block.
            if (cycles_between(b.first, b.end()) >= below) return std::nullopt;
            if (checker.legal(schedule_)) return std::move(schedule_);
            if (!repair({block})) return std::nullopt;
        }
        return std::nullopt;
    }

  private:
    // Rules that do not depend on stall counts.
    bool structure_holds(const Block& block) const {
        Findings first(true);
        return !impl_.order_of_block(schedule_, block, first) &&
               !impl_.reuse_of_block(schedule_, block, first);
    }

    bool may_change(InstrId id) const {
        return !kernel_.instruction(id).has(Trait::UnknownOpcode) &&
               std::find(frozen_.begin(), frozen_.end(), id) == frozen_.end() &&
               (!settings_.may_change || settings_.may_change(id));
    }

    void raise(InstrId id, int cycles) {
        ControlCode control = schedule_.control(id);
        control.stall = static_cast<std::uint8_t>(control.stall + cycles);
        added_ += cycles;
        for (std::size_t i = own_; i < out_.edits.size(); ++i)
            if (out_.edits[i].instr == id) {
                out_.edits[i].after = control.bits();
                schedule_.set_control(id, control);
                return;
            }
        out_.edits.push_back(Mutation::control(schedule_, id, control).edits.front());
        schedule_.set_control(id, control);
    }

    // Adds `cycles` to the instructions at [from, to), last first; returns the rest that does not fit.
    int add_what_fits(Position from, Position to, int cycles) {
        for (Position p = to; p-- > from && cycles > 0;) {
            const InstrId id = schedule_.at(p);
            const int part = may_change(id) ? std::min(cycles, room(schedule_.control(id))) : 0;
            if (part == 0) continue;
            raise(id, part);
            cycles -= part;
        }
        return cycles;
    }
    bool add(Position from, Position to, int cycles) { return add_what_fits(from, to, cycles) == 0; }

    int cycles_between(Position from, Position to) const {
        int cycles = 0;
        for (Position p = from; p < to; ++p)
            cycles += effective_stall(schedule_.control(schedule_.at(p)));
        return cycles;
    }

    // One pass over a block: raises stalls for the requirements of each instruction.
    bool raise_block(BlockId id) {
        const Block& block = kernel_.flow().blocks[id];
        const std::vector<int> entry = entry_needs(id);
        for (Position p = block.first; p < block.end(); ++p)
            if (!raise_for(block, p, entry[p - block.first])) return false;
        return true;
    }

    // By position in the mutated order: cycles from the block's start that results of other blocks require.
    std::vector<int> entry_needs(BlockId id) const {
        const Block& block = kernel_.flow().blocks[id];
        const BlockFlow& flow = impl_.pairs.flow(id);
        const BaseState& state = BaseState::of(impl_, legal_);
        std::vector<int> needs(block.count, 0);
        for (const CrossUse& use : flow.uses) {
            const RegDependence& d = use.dependence;
            if (use.in == kNone || d.second == kNone) continue;
            const InstrId first = impl_.pairs.exposure(flow.in[use.in]).first;
            if (first != kNone && kernel_.block_of(first) == id) continue;  // around a loop: left to repair()
            int& need = needs[schedule_.position_of(d.second) - block.first];
            need = std::max(need, d.need - state.timing().age_in(flow)[use.in]);
        }
        return needs;
    }

    bool raise_for(const Block& block, Position p, int entry) {
        const InstrId id = schedule_.at(p);
        if (!raise_to_floor(id)) return false;
        if (entry > 0) {
            const int missing = entry - cycles_between(block.first, p);
            if (missing > 0 && !add(block.first, p, missing)) return false;
        }
        for (const RegDependence& d : impl_.pairs.local_of(id)) {
            if (d.need <= 1) continue;
            const Position first = schedule_.position_of(d.first);
            if (first >= p || p - first >= static_cast<Position>(d.need)) continue;
            const int missing = d.need - cycles_between(first, p);
            if (missing > 0 && !add(first, p, missing)) return false;
        }
        return raise_for_wait(block, p);
    }

    // Floors of one control code: a minimum stall, 2 with yield.
    bool raise_to_floor(InstrId id) {
        constexpr int kFloors = 2;
        for (int raised = 0; raised <= kFloors; ++raised) {
            Findings findings(false);
            impl_.control(id, schedule_.control(id), findings);
            if (!findings.bad()) return true;
            const Finding& f = findings.list().front();
            const bool fixable =
                f.rule == Rule::IssueFloor || (f.rule == Rule::StallYield && f.clause == Clause::YieldAtOne);
            if (!fixable || f.need <= f.have || !may_change(id)) return false;
            if (room(schedule_.control(id)) < f.need - f.have) return false;
            raise(id, f.need - f.have);
        }
        return false;
    }

    // Two cycles from setting a scoreboard to waiting for it.
    bool raise_for_wait(const Block& block, Position p) {
        for (Position from = p; from-- > block.first && cycles_between(from + 1, p) < 2;) {
            Findings findings(false);
            const InstrId setter = schedule_.at(from);
            const InstrId waiter = schedule_.at(p);
            const auto common =
                static_cast<std::uint8_t>(impl_.waits_for(waiter, schedule_.control(waiter)) &
                                          HazardChecker::Impl::sets(schedule_.control(setter)));
            const int have = cycles_between(from, p);
            if (common == 0 || have >= 2) continue;
            impl_.set_to_wait(setter, waiter, common, have, findings);
            if (findings.bad() && !add(from, p, 2 - have)) return false;
        }
        return true;
    }

    static bool fixable(const Finding& f) {
        switch (f.rule) {
            case Rule::RawDistance:
            case Rule::WarDistance:
            case Rule::WawDistance:
            case Rule::SetToWait:
            case Rule::IssueFloor:
                return f.need > f.have;
            default:
                return false;
        }
    }

    // Fixes what the pass does not cover (loops, block edges): one fix for each finding of the full check.
    bool repair(const std::set<BlockId>& blocks) {
        Findings findings(false);
        impl_.check_all(schedule_, findings);
        for (const Finding& f : findings.list())
            if (!fixable(f)) return false;
        const Finding* first = findings.list().empty() ? nullptr : &findings.list().front();
        if (!first) return false;
        for (const BlockId b : blocks)
            if (fix_finding(*first, b)) return true;
        return false;
    }

    bool fix_finding(const Finding& f, BlockId id) {
        const Block& block = kernel_.flow().blocks[id];
        const int missing = f.need - f.have;
        const auto inside = [&](InstrId i) { return i != kNone && kernel_.block_of(i) == id; };
        Position from = block.first;
        Position to = block.end();
        if (f.later == kNone && f.rule == Rule::IssueFloor)
            return false;  // floor of one control code: already raised
        if (inside(f.earlier) && inside(f.later)) {
            const Position a = schedule_.position_of(f.earlier);
            const Position b = schedule_.position_of(f.later);
            // Around a loop: adds after the earlier one first, so that the head is unchanged.
            if (a >= b) return add(block.first, b, add_what_fits(a, block.end(), missing));
            return add(a, b, missing);
        }
        if (inside(f.later)) to = schedule_.position_of(f.later);
        if (inside(f.earlier)) from = schedule_.position_of(f.earlier);
        return add(from, to, missing);
    }

    const HazardChecker::Impl& impl_;
    const Kernel& kernel_;
    const Schedule& legal_;
    const StallRepairSettings& settings_;
    Schedule schedule_;  // with all of `out_`
    Mutation out_;
    std::size_t own_;  // number of requested edits; the others are stall repairs
    std::vector<InstrId> frozen_;
    int added_ = 0;
};

// Instructions whose stall an edit may leave too high: the moved ones and their neighbours at both positions.
std::vector<InstrId> neighbours(const Schedule& before, const Schedule& after, const Mutation& mutation) {
    std::vector<InstrId> out;
    const Kernel& kernel = *before.kernel();
    const auto around = [&](const Schedule& s, InstrId id) {
        const Block& block = kernel.flow().blocks[kernel.block_of(id)];
        const Position p = s.position_of(id);
        if (p > block.first) out.push_back(s.at(p - 1));
        out.push_back(id);
        if (p + 1 < block.end()) out.push_back(s.at(p + 1));
    };
    for (const Edit& edit : mutation.edits) {
        around(before, edit.instr);
        around(after, edit.instr);
    }
    std::sort(out.begin(), out.end(),
              [&](InstrId a, InstrId b) { return after.position_of(a) < after.position_of(b); });
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

// Several payments are found one after another, and a later one can pay for an earlier one, too.
void take_back_spare(const HazardChecker& checker, const Schedule& legal, std::size_t first, Mutation& paid) {
    if (paid.edits.size() < first + 2) return;
    for (std::size_t i = first; i < paid.edits.size();) {
        Mutation less = paid;
        --less.edits[i].after;  // the stall count is in the lowest bits
        const bool unpaid = less.edits[i].after == less.edits[i].before;
        if (unpaid) less.edits.erase(less.edits.begin() + static_cast<std::ptrdiff_t>(i));
        if (!checker.allows(legal, less)) {
            ++i;
            continue;
        }
        paid = std::move(less);
    }
}

}  // namespace

std::optional<Mutation> add_required_stalls(const HazardChecker& checker, const Schedule& legal,
                                            const Mutation& mutation, const StallRepairSettings& settings) {
    if (checker.allows(legal, mutation)) return mutation;
    auto paid = StallRepair(checker, legal, mutation, settings).run(checker);
    if (paid) take_back_spare(checker, legal, mutation.edits.size(), *paid);
    return paid;
}

Mutation remove_excess_stalls(const HazardChecker& checker, const Schedule& legal, const Mutation& mutation,
                              const StallRepairSettings& settings) {
    Mutation out = mutation;
    auto after = mutation.applied(legal);
    if (!after) return out;
    std::vector<InstrId> sets_stall;
    for (const Edit& edit : mutation.edits)
        if (edit.kind == EditKind::Control &&
                edit.control_before().stall != edit.control_after().stall)
            sets_stall.push_back(edit.instr);
    for (const InstrId id : neighbours(legal, *after, mutation)) {
        if ((settings.may_change && !settings.may_change(id)) ||
            std::find(sets_stall.begin(), sets_stall.end(), id) != sets_stall.end())
            continue;
        for (int stall = 1; stall < after->control(id).stall; ++stall) {
            ControlCode control = after->control(id);
            control.stall = static_cast<std::uint8_t>(stall);
            Mutation less = out;
            less.edits.push_back(Mutation::control(*after, id, control).edits.front());
            if (!checker.allows(legal, less)) continue;
            out = std::move(less);
            after->set_control(id, control);
            break;
        }
    }
    return out;
}

std::optional<Schedule> raise_block_stalls(const HazardChecker& checker, const Schedule& legal,
                                           Schedule schedule, BlockId block,
                                           const std::function<bool(InstrId)>& may_change, int below) {
    const StallRepairSettings settings{may_change, 1 << 20};
    return StallRepair(checker, legal, {}, settings).run(checker, std::move(schedule), block, below);
}

}  // namespace cubinlab
