// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/repair.h"

#include <algorithm>
#include <optional>

#include "core/legality/stall_repair.h"

namespace cubinlab {
namespace {

constexpr int kPasses = 6;  // dropped edits get another chance once others are in

class Repairer {
  public:
    Repairer(const HazardChecker& checker, const Schedule& bad)
        : checker_(checker), bad_(bad), original_(bad.kernel()), now_(bad.kernel()) {}

    Schedule run() {
        for (int pass = 0; pass < kPasses; ++pass) {
            const Schedule before = now_;
            take_moves();
            take_controls();
            take_other_fields();
            if (now_ == before) break;
        }
        return now_;
    }

  private:
    bool take(const Mutation& mutation) {
        if (!checker_.allows(now_, mutation)) return false;
        return mutation.apply(now_).has_value();
    }

    // Each on its own: one that cannot be had must not cost the others.
    void take_moves() {
        for (const Edit& edit : difference(now_, bad_).edits) {
            if (!is_move(edit.kind)) continue;
            const Mutation move{{edit}};
            if (take(move)) continue;
            if (const auto repaired = add_required_stalls(checker_, now_, move); repaired && take(*repaired))
                continue;
            const auto without = without_reuse(move);
            if (!without) continue;
            if (const auto repaired = add_required_stalls(checker_, now_, *without)) take(*repaired);
        }
    }

    // A move that breaks reuse flags, with those flags cleared: a cleared flag is always legal.
    std::optional<Mutation> without_reuse(const Mutation& move) const {
        Mutation out = move;
        for (const Hazard& h : checker_.explain(now_, move)) {
            if (h.rule != Rule::Reuse || h.earlier == kNone) continue;
            ControlCode code = now_.control(h.earlier);
            if (code.reuse == 0) continue;
            code.reuse = 0;
            const Edit clear = Mutation::control(now_, h.earlier, code).edits.front();
            if (std::find(out.edits.begin(), out.edits.end(), clear) == out.edits.end())
                out.edits.push_back(clear);
        }
        if (out.edits.size() == move.edits.size()) return std::nullopt;
        return out;
    }

    void take_controls() {
        for (InstrId id = 0; id < now_.size(); ++id) {
            if (now_.control(id) == bad_.control(id)) continue;
            for (const ControlCode& code : wishes(id))
                if (!(code == now_.control(id)) && take(Mutation::control(now_, id, code))) break;
        }
    }

    void take_other_fields() {
        for (const Edit& edit : difference(now_, bad_).edits)
            if (!is_move(edit.kind) && edit.kind != EditKind::Control) take({{edit}});
    }

    // From the illegal schedule's code to ever more of the present one.
    std::vector<ControlCode> wishes(InstrId id) const {
        const ControlCode wanted = bad_.control(id);
        const ControlCode present = now_.control(id);
        std::vector<ControlCode> out{wanted};
        const auto add = [&](ControlCode code) {
            for (int stall = wanted.stall; stall <= std::max<int>(wanted.stall, present.stall); ++stall) {
                code.stall = static_cast<std::uint8_t>(stall);
                out.push_back(code);
            }
        };
        add(wanted);
        ControlCode code = wanted;
        code.yield = !code.yield;
        add(code);
        code = wanted;
        code.reuse = present.reuse;
        add(code);
        code.yield = present.yield;
        add(code);
        code.write_barrier = present.write_barrier;
        code.read_barrier = present.read_barrier;
        code.wait_mask = static_cast<std::uint8_t>(present.wait_mask | wanted.wait_mask);
        add(code);
        code.wait_mask = present.wait_mask;
        add(code);
        return out;
    }

    const HazardChecker& checker_;
    const Schedule& bad_;
    Schedule original_;
    Schedule now_;  // legal
};

}  // namespace

Result<Repaired> repair(const HazardChecker& checker, const Schedule& bad) {
    const Schedule original(bad.kernel());
    if (!checker.legal(original))
        return fail(ErrorCode::Refused, "the original has findings of its own, so nothing can be proven",
                    bad.kernel()->name());
    Repaired out{bad, {}, difference(original, bad).edits.size(), 0, checker.check(bad)};
    if (!out.hazards.empty()) out.schedule = Repairer(checker, bad).run();
    out.changes = difference(bad, out.schedule);
    out.edits_kept = difference(original, out.schedule).edits.size();
    return out;
}

}  // namespace cubinlab
