// SPDX-License-Identifier: GPL-3.0-or-later
// Checks one mutation of a legal schedule at a cost that depends on its reach: only pairs with an end in the
// changed window, the scoreboard states until they are no worse than before, and block edges if the window is
// near them. The answer equals that of the full check (a property test compares them).
#include <algorithm>

#include "core/legality/base_state.h"
#include "core/legality/block_view.h"
#include "core/legality/rules/wait_rule.h"

namespace cubinlab {

namespace {

class WindowCheck {
  public:
    WindowCheck(const HazardChecker::Impl& impl, const Schedule& base, const BlockView& view,
                std::vector<int>& cycles, ScoreboardState& state)
        : impl_(impl),
          base_(base),
          view_(view),
          state_(BaseState::of(impl, base)),
          block_(view.block()),
          id_(view.block_id()),
          low_(view.low()),
          high_(view.high()),
          cycles_(cycles),
          scratch_(state) {}

    // All rules except the scoreboard proof. Final: no longer move of the instruction in this direction is
    // legal either, because crossed instructions stay crossed and distances only shrink.
    enum class Local { Legal, Final, Illegal };
    Local local_rules() {
        Findings findings(true);
        if (!order_kept()) return Local::Final;
        if (!workaround_kept()) return Local::Illegal;
        for (const auto& [id, control] : view_.controls())
            if (impl_.control(id, control, findings)) return Local::Illegal;
        lay_out();
        if (!inside_distances() || !entry_distances() || !exit_distances()) return Local::Final;
        return waits_kept(findings) && spacing_kept(findings) && reuse_kept() ? Local::Legal : Local::Illegal;
    }

    enum class Proof { Holds, Fails, NeedsFull };
    Proof scoreboards() {
        Proof answer = Proof::Holds;
        for (std::size_t which = 0; which < impl_.proofs() && answer != Proof::Fails; ++which) {
            const Proof one = scoreboards_by(which);
            if (one != Proof::Holds) answer = one;
        }
        return answer;
    }

  private:
    Proof scoreboards_by(std::size_t which) {
        const ScoreboardProof& proof = impl_.proof(which);
        const Position start = (low_ - block_.first) / BaseState::kStride;
        const ScoreboardSpan from = state_.checkpoint(id_, start, which);
        scratch_.assign(from.begin(), from.end());
        for (Position p = block_.first + start * BaseState::kStride; p < block_.end(); ++p) {
            const Position offset = p - block_.first;
            if (p > high_ && offset % BaseState::kStride == 0 &&
                at_most(scratch_, state_.checkpoint(id_, offset / BaseState::kStride, which)))
                return Proof::Holds;
            const InstrId instr = view_.at(p);
            if (proof.step(scratch_, instr, view_.control(instr))) return failure(instr, which);
        }
        return at_most(scratch_, state_.exit_state(id_, which)) ? Proof::Holds : Proof::NeedsFull;
    }

    // A block of a loop receives its own exit state: if that improved, so did the entry.
    Proof failure(InstrId instr, std::size_t which) const {
        if (!impl_.in_cycle[id_]) return Proof::Fails;
        return impl_.proof(which).touches(instr, state_.entry(id_, which)) ? Proof::NeedsFull : Proof::Fails;
    }

    bool order_kept() const {
        if (view_.moves() == 0) return true;
        if (view_.moves() == 1) return single_move_kept(view_.single_move());
        for (Position p = low_; p <= high_; ++p) {
            const InstrId id = view_.at(p);
            if (p != id && impl_.fixed(id)) return false;
            for (const OrderEdge& e : impl_.order.before(id))
                if (view_.position_of(e.first) > p) return false;
        }
        return true;
    }

    bool single_move_kept(InstrId moved) const {
        const Position at = view_.position_of(moved);
        for (const OrderEdge& e : impl_.order.before(moved))
            if (view_.position_of(e.first) > at) return false;
        for (const OrderEdge& e : impl_.order.after(moved))
            if (view_.position_of(e.second) < at) return false;
        for (Position p = low_; p <= high_; ++p)
            if (view_.at(p) != p && impl_.fixed(view_.at(p))) return false;
        return true;
    }

    bool workaround_kept() const {
        if (!impl_.workaround.any() || view_.moves() == 0) return true;
        for (Position p = low_ > block_.first ? low_ - 1 : low_; p <= high_; ++p) {
            const InstrId id = view_.at(p);
            if (impl_.workaround.tied(id) && (p + 1 >= block_.end() || view_.at(p + 1) != id + 1))
                return false;
        }
        return true;
    }

    // Issue cycles inside the window; after it the shift is constant.
    void lay_out() {
        cycles_.resize(high_ - low_ + 1);
        int cycle = state_.timing().cycle[base_.at(low_)];
        for (Position p = low_; p <= high_; ++p) {
            cycles_[p - low_] = cycle;
            cycle += effective_stall(view_.control(view_.at(p)));
        }
        window_end_ = cycle;
        const int before =
            high_ + 1 < block_.end() ? state_.timing().cycle[base_.at(high_ + 1)] : state_.timing().total[id_];
        shift_ = cycle - before;
        total_ = state_.timing().total[id_] + shift_;
    }

    int cycle_of(InstrId id) const {
        const Position p = view_.position_of(id);
        if (p < low_) return state_.timing().cycle[id];
        return p > high_ ? state_.timing().cycle[id] + shift_ : cycles_[p - low_];
    }

    bool inside_distances() const {
        const int longest = impl_.pairs.longest_need();
        for (Position p = low_; p < block_.end(); ++p) {
            const InstrId id = view_.at(p);
            const int cycle = cycle_of(id);
            if (p > high_ && cycle - window_end_ >= longest) return true;
            for (const RegDependence& d : impl_.pairs.local_of(id))
                if (d.need > 1 && cycle - cycle_of(d.first) < d.need) return false;
        }
        return true;
    }

    bool mine(InstrId id) const { return id >= block_.first && id < block_.end(); }

    // Cycles from the issue of an exposure to the start of this block, in the mutated order if it is ours.
    int age_at_entry(std::uint32_t in) const {
        const Exposure& e = impl_.pairs.exposure(impl_.pairs.flow(id_).in[in]);
        const int age = state_.timing().age_in(impl_.pairs.flow(id_))[in];
        if (e.first == kNone || !mine(e.first)) return age;
        const int tail_before = state_.timing().total[id_] - state_.timing().cycle[e.first];
        return age - tail_before + (total_ - cycle_of(e.first));
    }

    bool entry_distances() const {
        const int longest = impl_.pairs.longest_need();
        const BlockFlow& flow = impl_.pairs.flow(id_);
        // Its own results around a loop may issue anywhere in the window.
        const bool far = cycles_.front() >= longest && !impl_.in_cycle[id_];
        if (far && total_ >= longest && total_ - window_end_ >= longest) return true;
        for (const CrossUse& use : flow.uses) {
            const RegDependence& d = use.dependence;
            const int before = use.in == kNone ? -cycle_of(d.first) : age_at_entry(use.in);
            const int within = d.second == kNone ? total_ : cycle_of(d.second);
            if (before < kNeverMet / 2 && before + within < d.need) return false;
        }
        return true;
    }

    bool exit_distances() const {
        const int longest = impl_.pairs.longest_need();
        if (total_ - window_end_ >= longest) return true;
        const BlockFlow& flow = impl_.pairs.flow(id_);
        for (std::uint32_t o = 0; o < flow.out.size(); ++o) {
            const BlockFlow::Out& out = flow.out[o];
            int age = 0;
            int before = 0;
            if (out.in < 0) {
                const InstrId first = impl_.pairs.exposure(out.exposure).first;
                age = total_ - cycle_of(first);
                before = state_.timing().total[id_] - state_.timing().cycle[first];
            } else {
                const int in = state_.timing().age_in(flow)[static_cast<std::size_t>(out.in)];
                age = in + total_;
                before = in + state_.timing().total[id_];
            }
            if (age < before && age < longest && !reaches(id_, o, age)) return false;
        }
        return true;
    }

    // Follows an exposure that leaves a block younger than before.
    bool reaches(BlockId from, std::uint32_t out, int age) const {
        const BlockFlow& flow = impl_.pairs.flow(from);
        for (std::uint32_t t = flow.targets_begin[out]; t < flow.targets_begin[out + 1]; ++t) {
            const BlockFlow::Target& target = flow.targets[t];
            const BlockFlow& next = impl_.pairs.flow(target.block);
            if (target.block == id_ || age >= state_.timing().age_in(next)[target.in]) continue;
            if (!meets(target, age)) return false;
            const std::int32_t through = next.out_of_in[target.in];
            const int later = age + state_.timing().total[target.block];
            if (through >= 0 && later < impl_.pairs.longest_need() &&
                !reaches(target.block, static_cast<std::uint32_t>(through), later))
                return false;
        }
        return true;
    }

    bool meets(const BlockFlow::Target& target, int age) const {
        const BlockFlow& flow = impl_.pairs.flow(target.block);
        for (std::uint32_t u = flow.uses_begin[target.in]; u < flow.uses_begin[target.in + 1]; ++u) {
            const RegDependence& d = flow.uses[u].dependence;
            const int within =
                d.second == kNone ? state_.timing().total[target.block] : state_.timing().cycle[d.second];
            if (age + within < d.need) return false;
        }
        return true;
    }

    bool waits_kept(Findings& findings) const {
        const Position from = std::max(low_, block_.first + 1);
        const Position to = std::min(block_.end(), high_ + 4);
        if (from < to && impl_.waits_inside(view_, block_, from, to, findings)) return false;
        if (low_ < block_.first + 3 && impl_.waits_at_entry(view_, id_, findings)) return false;
        if (high_ + 3 < block_.end()) return true;
        for (const BlockId next : block_.successors)
            if (impl_.waits_at_entry(view_, next, findings)) return false;
        return true;
    }

    bool spacing_kept(Findings& findings) const {
        const Position from = std::max(low_, block_.first + 1);
        const Position to = std::min(block_.end(), high_ + Position{IssueSpacing::kReach}) + 1;
        return !impl_.spacing.check(view_, block_, from, to, findings);
    }

    bool reuse_kept() const {
        const Position from =
            low_ < block_.first + ReuseRule::kReach ? block_.first : low_ - ReuseRule::kReach;
        const auto at = [&](Position p) { return view_.at(p); };
        for (Position p = from; p <= high_; ++p) {
            const std::uint8_t flags = view_.control(view_.at(p)).reuse;
            if (flags != 0 && impl_.reuse_rule.check(at, block_, p, flags)) return false;
        }
        return true;
    }

    const HazardChecker::Impl& impl_;
    const Schedule& base_;
    const BlockView& view_;
    const BaseState& state_;
    const Block& block_;
    BlockId id_;
    Position low_;
    Position high_;
    std::vector<int>& cycles_;
    ScoreboardState& scratch_;
    int window_end_ = 0;
    int shift_ = 0;
    int total_ = 0;
};

// Neither order nor control codes change: in any number of blocks, each edit is legal by itself.
bool only_other_fields(const Mutation& mutation) {
    return !mutation.empty() && std::ranges::all_of(mutation.edits, [](const Edit& edit) {
        return !is_move(edit.kind) && edit.kind != EditKind::Control;
    });
}

}  // namespace

HazardChecker::Impl::Verdict HazardChecker::Impl::decide(const Schedule& legal,
                                                         const Mutation& mutation) const {
    thread_local BlockView view;
    thread_local std::vector<int> cycles;
    thread_local ScoreboardState state;
    if (only_other_fields(mutation)) {
        const Result<Schedule> mutated = mutation.applied(legal);
        Findings findings(true);
        return mutated && !fields(*mutated, findings) ? Verdict::Legal : Verdict::Illegal;
    }
    const bool applied = view.apply(legal, mutation);
    if (!applied && view.single_block()) return Verdict::Illegal;
    if (applied)
        for (const BlockView::Field& f : view.fields())
            if (Findings findings(true); field(f.instr, f.value, findings)) return Verdict::Illegal;
    if (applied && view.low() > view.high()) return Verdict::Legal;
    auto proof = WindowCheck::Proof::NeedsFull;
    if (applied) {
        WindowCheck check(*this, legal, view, cycles, state);
        const auto local = check.local_rules();
        if (local != WindowCheck::Local::Legal)
            return local == WindowCheck::Local::Final ? Verdict::IllegalBeyond : Verdict::Illegal;
        proof = check.scoreboards();
    }
    if (proof != WindowCheck::Proof::NeedsFull)
        return proof == WindowCheck::Proof::Holds ? Verdict::Legal : Verdict::Illegal;
    ++whole_proofs();
    const Result<Schedule> mutated = mutation.applied(legal);
    if (!mutated) return Verdict::Illegal;
    Findings findings(true);
    if (applied)
        scoreboard_proof(*mutated, findings);
    else
        check_all(*mutated, findings);
    return findings.bad() ? Verdict::Illegal : Verdict::Legal;
}

}  // namespace cubinlab
