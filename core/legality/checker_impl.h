// SPDX-License-Identifier: GPL-3.0-or-later
// The prepared rules of one kernel and the full check. Internal to core/legality.
#pragma once
#include <memory>

#include "core/legality/hazard_checker.h"
#include "core/legality/rules/control_rules.h"
#include "core/legality/rules/issue_spacing.h"
#include "core/legality/rules/order_edges.h"
#include "core/legality/rules/reuse_rule.h"
#include "core/legality/rules/workaround_loads.h"

namespace cubinlab {

struct HazardChecker::Impl {
    Impl(KernelPtr kernel, CheckMode mode);

    void check_all(const Schedule& schedule, Findings& findings) const;

    // Parts of the full check; each returns true to stop.
    bool order_of_block(const Schedule& schedule, const Block& block, Findings& findings) const;
    bool controls_of_block(const Schedule& schedule, const Block& block, Findings& findings) const;
    bool reuse_of_block(const Schedule& schedule, const Block& block, Findings& findings) const;
    template <class View>
    bool waits_of_block(const View& view, BlockId block, Findings& findings) const;
    template <class View>
    bool waits_inside(const View& view, const Block& block, Position from, Position to,
                      Findings& findings) const;
    // Checks setters less than two cycles before a block, in its predecessors.
    template <class View>
    bool waits_at_entry(const View& view, BlockId block, Findings& findings) const;
    bool distances(const Schedule& schedule, const std::vector<bool>& ordered, Findings& findings) const;
    bool scoreboard_proof(const Schedule& schedule, Findings& findings) const;
    bool conflicts_of(const ScoreboardProof& proof, const Schedule& schedule, Findings& findings) const;

    // Decides one mutation of a legal schedule: see incremental_check.h.
    // IllegalBeyond: a single move is illegal, and so is any longer one in this direction.
    enum class Verdict { Legal, Illegal, IllegalBeyond };
    Verdict decide(const Schedule& legal, const Mutation& mutation) const;
    // Number of answers of this thread that needed a proof over the whole kernel.
    static std::uint64_t& whole_proofs();

    // Shared with the incremental check.
    bool distance(const RegDependence& dependence, int have, Findings& findings) const;
    bool conflicts(const std::vector<ScoreboardConflict>& conflicts, Findings& findings) const;
    static bool reuse(const ReuseRule::Finding& finding, const ReuseRule& rule, Findings& findings);
    // Scoreboards that `id` waits for.
    std::uint8_t waits_for(InstrId id, const ControlCode& control) const;
    static std::uint8_t sets(const ControlCode& control);
    bool set_to_wait(InstrId setter, InstrId waiter, std::uint8_t common, int have, Findings& findings) const;
    // Positions that order permits: up to the nearest instruction that cannot be passed.
    std::pair<Position, Position> ordered_range(const Schedule& legal, InstrId id) const;

    std::vector<CheckNote> lane_notes(const Schedule& schedule) const;
    std::vector<CheckNote> early_releases(const Schedule& schedule) const;

    // The rewritten fields of all instructions, and one; true to stop.
    bool fields(const Schedule& schedule, Findings& findings) const;
    bool field(InstrId id, const FieldValue& value, Findings& findings) const;

    // Rules of one control code.
    bool control(InstrId id, const ControlCode& code, Findings& findings) const;
    // The instruction cannot move: pinned by the kernel, or in a pair that the proof does not cover.
    bool fixed(InstrId id) const { return held[id] || kernel->pinned(id); }
    void hold_compiler_faults();
    std::vector<bool> held;    // by InstrId: in a pair that the original does not prove
    std::size_t unproven = 0;  // number of such pairs

    KernelPtr kernel;
    CheckMode mode;
    Schedule original;
    DependencePairs pairs;
    MemoryOrder memory;
    WorkaroundLoads workaround;
    OrderEdges order;
    std::vector<bool> in_cycle;  // by block: it can reach itself
    ScoreboardProof scoreboards;
    // If the original leaves pairs unproven: a proof of these pairs with all assumptions of absolute mode,
    // else null.
    std::unique_ptr<ScoreboardProof> trusting;
    std::size_t proofs() const { return trusting ? 2 : 1; }
    const ScoreboardProof& proof(std::size_t which) const { return which == 0 ? scoreboards : *trusting; }
    ReuseRule reuse_rule;
    ControlRules control_rules;
    IssueSpacing spacing;
    std::uint64_t serial;  // identifies the checker in per-thread caches
};

}  // namespace cubinlab
