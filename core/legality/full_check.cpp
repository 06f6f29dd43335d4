// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <atomic>
#include <set>
#include <utility>

#include "core/legality/checker_impl.h"
#include "core/legality/tables/latency.h"
#include "core/legality/tables/latency_classes.h"
#include "core/legality/rules/wait_rule.h"
#include "core/legality/rules/wgmma_rule.h"
#include "core/schedule/loops.h"

namespace cubinlab {

namespace {

std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> counter{0};
    return ++counter;
}

}  // namespace

HazardChecker::Impl::Impl(KernelPtr k, CheckMode m)
    : kernel(std::move(k)),
      mode(m),
      original(kernel),
      pairs(*kernel, m),
      memory(*kernel),
      workaround(*kernel),
      order(*kernel, pairs, memory),
      in_cycle(blocks_in_cycles(kernel->flow())),
      scoreboards(original, pairs, memory, in_cycle, m),
      reuse_rule(original, m),
      control_rules(*kernel, m, scoreboards),
      spacing(*kernel, m),
      serial(next_serial()) {
    held.assign(kernel->size(), false);
    // Pairs that the proof does not cover in the original must not change.
    if (mode == CheckMode::AgainstOriginal) unproven = scoreboards.excuse_original(original, held);
    if (unproven != 0) {
        trusting = std::make_unique<ScoreboardProof>(original, scoreboards);
        trusting->excuse_original(original, held);
    }
    for (const InstrId id : scoreboards.counted_parts())
        held[id] = true;
    if (mode == CheckMode::AgainstOriginal) hold_compiler_faults();
}

// Where the original overwrites a register that a wgmma may still read, the time between the two decides: neither comes
// closer, and nothing between them becomes shorter.
void HazardChecker::Impl::hold_compiler_faults() {
    std::set<std::pair<InstrId, InstrId>> pairs_held;
    for (const WgmmaReuse& r : reused_wgmma_registers(original)) {
        if (!pairs_held.emplace(r.wgmma, r.writer).second) continue;
        held[r.wgmma] = held[r.writer] = true;
        if (kernel->block_of(r.wgmma) != kernel->block_of(r.writer) || r.writer < r.wgmma) continue;
        std::fill(held.begin() + r.wgmma, held.begin() + r.writer, true);
    }
    unproven += pairs_held.size();
}

bool HazardChecker::Impl::order_of_block(const Schedule& schedule, const Block& block,
                                         Findings& findings) const {
    for (Position p = block.first; p < block.end(); ++p) {
        const InstrId id = schedule.at(p);
        if (schedule.position_of(id) != id && fixed(id) &&
            findings.add({Rule::Pinned, held[id] ? Clause::Unproven : Clause::Plain, id, kNone}))
            return true;
        if (workaround.tied(id) && (p + 1 >= block.end() || schedule.at(p + 1) != id + 1) &&
            findings.add(
                {Rule::Pinned, Clause::Workaround, id, p + 1 < block.end() ? schedule.at(p + 1) : kNone}))
            return true;
        for (const OrderEdge& e : order.before(id))
            if (schedule.position_of(e.first) > p &&
                findings.add({e.rule, Clause::Plain, e.first, id, 0, 0, e.reg, -1, e.resource}))
                return true;
    }
    return false;
}

bool HazardChecker::Impl::controls_of_block(const Schedule& schedule, const Block& block,
                                            Findings& findings) const {
    for (InstrId id = block.first; id < block.end(); ++id)
        if (control(id, schedule.control(id), findings)) return true;
    return false;
}

bool HazardChecker::Impl::field(InstrId id, const FieldValue& value, Findings& findings) const {
    const FieldKind& kind = field_of(value.kind);
    return kind.refusal != nullptr &&
           !kind.refusal(kernel->arch(), kernel->instruction(id), value.bits).empty() &&
           findings.add({Rule::Field, Clause::Plain, id, kNone});
}

bool HazardChecker::Impl::fields(const Schedule& schedule, Findings& findings) const {
    for (const auto& [id, word] : schedule.overrides())
        for (const FieldKind* kind : kFieldKinds)
            if (field(id, {kind->kind, schedule.field(*kind, id)}, findings)) return true;
    return false;
}

bool HazardChecker::Impl::control(InstrId id, const ControlCode& code, Findings& findings) const {
    if (held[id]) {
        const ControlCode own = kernel->instruction(id).control();
        const bool same = code.stall >= own.stall && code.yield == own.yield &&
                          code.write_barrier == own.write_barrier && code.read_barrier == own.read_barrier &&
                          (own.wait_mask & ~code.wait_mask) == 0;
        if (!same && findings.add({Rule::Pinned, Clause::Unproven, id, kNone})) return true;
    }
    // The dummy loads must also keep their cycles; yield changes none (measured).
    if (mode == CheckMode::AgainstOriginal && workaround.tied(id) &&
        code.stall != kernel->instruction(id).control().stall &&
        findings.add({Rule::Pinned, Clause::Workaround, id, id}))
        return true;
    return control_rules.check(id, code, findings);
}

bool HazardChecker::Impl::reuse(const ReuseRule::Finding& f, const ReuseRule& rule, Findings& findings) {
    Clause clause = Clause::ReuseUnread;
    if (f.reg == 255)
        clause = Clause::ReuseNoOperand;
    else if (f.blocker != kNone)
        clause = rule.blocked_by_write(f) ? Clause::ReuseWritten : Clause::ReuseReplaced;
    return findings.add({Rule::Reuse, clause, f.flagged, f.blocker, 0, 0,
                         f.reg == 255 ? kTrackedCount : static_cast<RegIndex>(f.reg), f.slot});
}

bool HazardChecker::Impl::reuse_of_block(const Schedule& schedule, const Block& block,
                                         Findings& findings) const {
    const auto at = [&](Position p) { return schedule.at(p); };
    for (Position p = block.first; p < block.end(); ++p) {
        const std::uint8_t flags = schedule.control(schedule.at(p)).reuse;
        if (flags == 0) continue;
        const auto finding = reuse_rule.check(at, block, p, flags);
        if (finding && reuse(*finding, reuse_rule, findings)) return true;
    }
    return false;
}

std::uint8_t HazardChecker::Impl::sets(const ControlCode& control) {
    std::uint8_t mask = 0;
    for (const std::uint8_t barrier : {control.write_barrier, control.read_barrier})
        if (barrier < kScoreboards) mask = static_cast<std::uint8_t>(mask | 1u << barrier);
    return mask;
}

std::uint8_t HazardChecker::Impl::waits_for(InstrId id, const ControlCode& control) const {
    const Instruction& i = kernel->instruction(id);
    std::uint8_t mask = static_cast<std::uint8_t>(control.wait_mask | latency::waits_by_name(i));
    if (i.named_scoreboard >= 0 && i.named_scoreboard < kScoreboards && latency::is_named(i, "DEPBAR"))
        mask = static_cast<std::uint8_t>(mask | 1u << i.named_scoreboard);
    return mask;
}

bool HazardChecker::Impl::set_to_wait(InstrId setter, InstrId waiter, std::uint8_t common, int have,
                                      Findings& findings) const {
    // ptxas issues UTMACMDFLUSH and the DEPBAR that names its scoreboard back to back. It also does so for
    // other setters (S2UR, TEX); a search accepts that only for the same pair in the original. For the wait
    // mask of a DEPBAR the general rule holds.
    const Instruction& first = kernel->instruction(setter);
    if (latency::is_named(kernel->instruction(waiter), "DEPBAR")) {
        const bool flush = latency::is_named(first, "UTMACMDFLUSH");
        if (flush || mode == CheckMode::Absolute)
            common = static_cast<std::uint8_t>(common & ~waits_for(waiter, ControlCode{}));
        else if (waiter == setter + 1 && effective_stall(original.control(setter)) <= have)
            common = static_cast<std::uint8_t>(
                common & ~(waits_for(waiter, original.control(waiter)) & sets(original.control(setter))));
    }
    for (int s = 0; s < kScoreboards; ++s)
        if ((common >> s & 1) != 0 &&
            findings.add({Rule::SetToWait, Clause::Plain, setter, waiter, 2, have, kTrackedCount, s}))
            return true;
    return false;
}

bool HazardChecker::Impl::distance(const RegDependence& d, int have, Findings& findings) const {
    if (have >= d.need) return false;
    Rule rule = Rule::RawDistance;
    Clause clause = d.table == 0 && !d.by_scoreboard ? Clause::ShorterThanOriginal : Clause::Plain;
    if (d.kind == DependenceKind::War) rule = Rule::WarDistance;
    if (d.kind == DependenceKind::Waw) rule = Rule::WawDistance;
    if (d.first == kNone || d.second == kNone)
        clause = Clause::UnknownCode;
    else if (is_virtual(d.reg)) {
        rule = Rule::IssueFloor;
        clause = Clause::BarrierToMemory;
    }
    return findings.add({rule, clause, d.first, d.second, d.need, have, d.reg});
}

bool HazardChecker::Impl::distances(const Schedule& schedule, const std::vector<bool>& ordered,
                                    Findings& findings) const {
    const FlowGraph& flow = kernel->flow();
    const ScheduleTiming timing = pairs.timing(schedule);
    for (BlockId b = 0; b < flow.blocks.size(); ++b) {
        if (!ordered[b]) continue;
        for (InstrId id = flow.blocks[b].first; id < flow.blocks[b].end(); ++id)
            for (const RegDependence& d : pairs.local_of(id))
                if (distance(d, timing.cycle[id] - timing.cycle[d.first], findings)) return true;
        for (const CrossUse& use : pairs.flow(b).uses) {
            const RegDependence& d = use.dependence;
            const int before =
                use.in == kNone ? -timing.cycle[d.first] : timing.age_in(pairs.flow(b))[use.in];
            const int within = d.second == kNone ? timing.total[b] : timing.cycle[d.second];
            if (before < kDistanceCap && distance(d, before + within, findings)) return true;
        }
    }
    return false;
}

bool HazardChecker::Impl::conflicts(const std::vector<ScoreboardConflict>& list, Findings& findings) const {
    for (const ScoreboardConflict& c : list) {
        Finding f{Rule::RawScoreboard, Clause::Plain, c.producer, c.consumer};
        f.scoreboard = c.unknown_scoreboard;
        f.resource = "completion";
        if (c.left) {
            f.rule = c.write ? Rule::RawScoreboard : Rule::WarScoreboard;
            f.clause = Clause::LeftPending;
            f.scoreboard = c.left_to_scoreboard;
        } else if (c.producer != kNone) {
            f.rule = c.write ? Rule::AsyncGroup : Rule::WarScoreboard;
            for (const RegAccess& a : accesses_of(kernel->instruction(c.producer)))
                for (const RegAccess& b : accesses_of(kernel->instruction(c.consumer))) {
                    if (a.reg != b.reg || (c.write ? !a.write : !a.read || !b.write)) continue;
                    f.reg = a.reg;
                    if (c.write) f.rule = b.read ? Rule::RawScoreboard : Rule::WawScoreboard;
                }
            if (f.reg == kTrackedCount) {
                f.rule = Rule::FenceOrder;
                f.clause = Clause::NotAwaited;
            }
        }
        if (findings.add(f)) return true;
    }
    return false;
}

bool HazardChecker::Impl::scoreboard_proof(const Schedule& schedule, Findings& findings) const {
    return conflicts_of(scoreboards, schedule, findings) ||
           (trusting && conflicts_of(*trusting, schedule, findings));
}

bool HazardChecker::Impl::conflicts_of(const ScoreboardProof& proof, const Schedule& schedule,
                                       Findings& findings) const {
    const std::vector<ScoreboardState> entries = proof.entry_states(schedule);
    std::vector<ScoreboardConflict> found;
    ScoreboardState state;
    for (BlockId b = 0; b < entries.size(); ++b) {
        const Block& block = kernel->flow().blocks[b];
        state = entries[b];
        for (Position p = block.first; p < block.end(); ++p) {
            const InstrId id = schedule.at(p);
            if (proof.step(state, id, schedule.control(id), findings.first_only() ? nullptr : &found) &&
                findings.first_only()) {
                findings.add({Rule::RawScoreboard, Clause::Plain, kNone, id});
                return true;
            }
            if (found.size() > Findings::kMost) return conflicts(found, findings);
        }
        if (&proof != &scoreboards) continue;
        if (proof.leaves(state, b, findings.first_only() ? nullptr : &found) && findings.first_only()) {
            findings.add({Rule::RawScoreboard, Clause::LeftPending, kNone, block.end() - 1});
            return true;
        }
    }
    return conflicts(found, findings);
}

void HazardChecker::Impl::check_all(const Schedule& schedule, Findings& findings) const {
    if (fields(schedule, findings)) return;
    const FlowGraph& flow = kernel->flow();
    std::vector<bool> ordered(flow.blocks.size(), true);
    bool all_ordered = true;
    for (BlockId b = 0; b < flow.blocks.size(); ++b) {
        const Block& block = flow.blocks[b];
        Findings here(findings.first_only());
        if (order_of_block(schedule, block, here) && here.first_only()) {
            findings.add({});
            return;
        }
        for (const Finding& f : here.list())
            if (findings.add(f)) return;
        if (here.bad()) ordered[b] = all_ordered = false;
        if (controls_of_block(schedule, block, findings)) return;
        // If the order is violated, other rules would only repeat the finding.
        if (!ordered[b]) continue;
        if (reuse_of_block(schedule, block, findings) || waits_of_block(schedule, b, findings) ||
            spacing.check(schedule, block, block.first + 1, block.end() + 1, findings))
            return;
    }
    if (distances(schedule, ordered, findings)) return;
    if (!all_ordered) return;
    if (mode == CheckMode::Absolute && check_wgmma_retirement(schedule, findings)) return;
    scoreboard_proof(schedule, findings);
}

}  // namespace cubinlab
