// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/reorder.h"

#include <algorithm>
#include <array>
#include <functional>

#include "core/legality/base_state.h"
#include "core/legality/stall_repair.h"
#include "core/schedule/scoreboard_edits.h"

namespace cubinlab {
namespace {

constexpr std::uint8_t kAllScoreboards = (1u << kScoreboards) - 1;

std::uint8_t bit_of(std::uint8_t scoreboard) {
    return static_cast<std::uint8_t>(1u << scoreboard);
}

class Reorderer {
  public:
    Reorderer(const HazardChecker& checker, const Schedule& legal, BlockId block,
              const ReorderSettings& settings)
        : checker_(checker),
          impl_(checker.internals()),
          legal_(legal),
          block_(legal.kernel()->flow().blocks[block]),
          block_id_(block),
          settings_(settings),
          schedule_(legal) {}

    std::optional<Schedule> run(std::span<const InstrId> order) {
        for (Position k = 0; k < block_.count; ++k)
            if (schedule_.at(block_.first + k) != order[k]) schedule_.move(order[k], block_.first + k);
        Findings findings(true);
        if (impl_.order_of_block(schedule_, block_, findings)) return std::nullopt;
        set_reuse();
        if (settings_.new_scoreboards) find_local();
        if (!set_waits()) return std::nullopt;
        lower_stalls(schedule_, block_);
        return raise_block_stalls(checker_, legal_, std::move(schedule_), block_id_, editable());
    }

    std::optional<Schedule> tighten() {
        lower_stalls(schedule_, block_);
        return raise_block_stalls(checker_, legal_, std::move(schedule_), block_id_, editable(),
                                  block_cycles(legal_, block_id_));
    }

  private:
    const Kernel& kernel() const { return *legal_.kernel(); }
    bool may_edit(InstrId id) const {
        return (settings_.editable.empty() || settings_.editable[id]) && !impl_.held[id] &&
               !kernel().instruction(id).has(Trait::UnknownOpcode);
    }
    std::function<bool(InstrId)> editable() const {
        return [this](InstrId id) { return settings_.editable.empty() || settings_.editable[id]; };
    }

    void lower_stalls(Schedule& schedule, const Block& block) const {
        for (InstrId id = block.first; id < block.end(); ++id) {
            if (!may_edit(id) || impl_.workaround.tied(id)) continue;
            ControlCode code = schedule.control(id);
            if (code.stall <= 1) continue;
            code.stall = 1;
            schedule.set_control(id, code);
        }
    }

    // Removes flags that became unsafe and adds flags if the next instruction reads the register.
    void set_reuse() {
        const auto at = [&](Position p) { return schedule_.at(p); };
        for (Position p = block_.first; p < block_.end(); ++p) {
            const InstrId id = schedule_.at(p);
            ControlCode code = schedule_.control(id);
            const std::uint8_t before = code.reuse;
            if (before > 7) continue;
            for (int slot = 0; slot < 3; ++slot) {
                const auto flag = static_cast<std::uint8_t>(1u << slot);
                if ((code.reuse & flag) != 0 && impl_.reuse_rule.check(at, block_, p, flag))
                    code.reuse = static_cast<std::uint8_t>(code.reuse & ~flag);
                if ((code.reuse & flag) == 0 && settings_.add_reuse && next_reads(p, slot) &&
                    !impl_.reuse_rule.check(at, block_, p, flag))
                    code.reuse = static_cast<std::uint8_t>(code.reuse | flag);
            }
            if (code.reuse == before) continue;
            Findings findings(true);
            if (may_edit(id) && !impl_.control(id, code, findings)) schedule_.set_control(id, code);
        }
    }

    bool next_reads(Position p, int slot) const {
        if (p + 1 >= block_.end() || !impl_.reuse_rule.has_slot(schedule_.at(p), slot)) return false;
        const Instruction& next = kernel().instruction(schedule_.at(p + 1));
        return next.unit == kernel().instruction(schedule_.at(p)).unit &&
               impl_.reuse_rule.has_slot(schedule_.at(p + 1), slot);
    }

    // Results that are waited for only inside the block, and the scoreboards that only they use.
    void find_local() {
        local_.assign(block_.count, {false, false});
        free_ = kAllScoreboards;
        for (InstrId id = block_.first; id < block_.end(); ++id) {
            const ControlCode& code = legal_.control(id);
            for (const BarrierSide side : {BarrierSide::Write, BarrierSide::Read}) {
                const std::uint8_t slot = barrier_of(code, side);
                if (slot >= kScoreboards) continue;
                const bool local = may_edit(id) && waited_inside(id, side);
                local_[id - block_.first][side == BarrierSide::Read] = local;
                if (!local) free_ = static_cast<std::uint8_t>(free_ & ~bit_of(slot));
            }
            const std::uint8_t kept = kept_waits(id);
            free_ = static_cast<std::uint8_t>(free_ & ~kept);
        }
        // Results that are pending from other blocks keep their scoreboards.
        for (const ScoreboardWord& word : BaseState::of(impl_, legal_).entry(block_id_))
            for (int s = 0; s < kScoreboards; ++s)
                if ((word.rows[0] & word.rows[static_cast<std::size_t>(s) + 1]) != 0)
                    free_ = static_cast<std::uint8_t>(free_ & ~(1u << s));
    }

    bool waited_inside(InstrId id, BarrierSide side) const {
        const BarrierUse use = barrier_use(legal_, id, side);
        if (use.by_name || use.waiters.empty()) return false;
        const auto behind = [&](InstrId other) {
            return kernel().block_of(other) == block_id_ &&
                   legal_.position_of(other) >= legal_.position_of(id);
        };
        return std::all_of(use.waiters.begin(), use.waiters.end(), behind) &&
               std::all_of(use.passed.begin(), use.passed.end(), behind);
    }

    // Waits beyond the proof: those of instructions that cannot change, and waits of DEPBAR by name.
    std::uint8_t kept_waits(InstrId id) const {
        const std::uint8_t mask = legal_.control(id).wait_mask;
        if (!may_edit(id) || impl_.fixed(id)) return mask;
        return static_cast<std::uint8_t>(impl_.waits_for(id, ControlCode{}));
    }

    using States = std::vector<ScoreboardState>;  // by proof

    bool set_waits() {
        States state;
        for (std::size_t which = 0; which < impl_.proofs(); ++which)
            state.push_back(BaseState::of(impl_, legal_).entry(block_id_, which));
        in_use_.fill(0);
        for (Position p = block_.first; p < block_.end(); ++p) {
            const InstrId id = schedule_.at(p);
            ControlCode code = schedule_.control(id);
            if (settings_.new_scoreboards) choose_scoreboards(id, code);
            if (!wait_for_what_it_meets(state, id, code)) return false;
            schedule_.set_control(id, code);
            for (std::size_t which = 0; which < state.size(); ++which)
                impl_.proof(which).advance(state[which], id, code);
            const std::uint8_t waits = impl_.waits_for(id, code);
            for (int s = 0; s < kScoreboards; ++s)
                if ((waits >> s & 1) != 0) in_use_[static_cast<std::size_t>(s)] = 0;
            for (const std::uint8_t slot : {code.write_barrier, code.read_barrier})
                if (slot < kScoreboards) ++in_use_[slot];
        }
        return true;
    }

    void choose_scoreboards(InstrId id, ControlCode& code) const {
        const auto& [write, read] = local_[id - block_.first];
        std::uint8_t taken = 0;
        const auto choose = [&](std::uint8_t& slot) {
            const bool alone = in_use_[slot] == 0 && (free_ >> slot & 1) != 0;
            for (std::uint8_t s = 0; s < kScoreboards && !alone; ++s)
                if ((free_ >> s & 1) != 0 && in_use_[s] == 0 && (taken >> s & 1) == 0) {
                    slot = s;
                    break;
                }
            taken = static_cast<std::uint8_t>(taken | bit_of(slot));
        };
        if (write && code.write_barrier < kScoreboards) choose(code.write_barrier);
        if (read && code.read_barrier < kScoreboards) choose(code.read_barrier);
    }

    // The conflicts of `id` in `state` with these waits.
    std::vector<ScoreboardConflict> meets(const States& state, InstrId id, const ControlCode& code) const {
        States copy = state;
        std::vector<ScoreboardConflict> found;
        for (std::size_t which = 0; which < copy.size(); ++which)
            impl_.proof(which).step(copy[which], id, code, &found);
        return found;
    }

    bool wait_for_what_it_meets(const States& state, InstrId id, ControlCode& code) const {
        if (!may_edit(id)) return meets(state, id, code).empty();
        code.wait_mask = impl_.fixed(id) ? legal_.control(id).wait_mask : std::uint8_t{0};
        for (int round = 0; round <= kScoreboards; ++round) {
            const std::vector<ScoreboardConflict> found = meets(state, id, code);
            if (found.empty()) return true;
            std::uint8_t more = 0;
            for (const ScoreboardConflict& c : found)
                more = static_cast<std::uint8_t>(more | answer_to(c));
            if ((more & ~code.wait_mask) == 0) {
                more = one_that_helps(state, id, code, found.size());
                if (more == 0) return false;
            }
            code.wait_mask = static_cast<std::uint8_t>(code.wait_mask | more);
        }
        return false;
    }

    std::uint8_t answer_to(const ScoreboardConflict& c) const {
        if (c.unknown_scoreboard >= 0) return bit_of(static_cast<std::uint8_t>(c.unknown_scoreboard));
        if (c.producer == kNone) return 0;
        const ControlCode& code = schedule_.control(c.producer);
        std::uint8_t slot = c.write ? code.write_barrier : code.read_barrier;
        if (slot >= kScoreboards && !c.write) slot = code.write_barrier;
        return slot < kScoreboards ? bit_of(slot) : std::uint8_t{0};
    }

    // A later result of the group covers a result without a barrier.
    std::uint8_t one_that_helps(const States& state, InstrId id, const ControlCode& code,
                                std::size_t conflicts) const {
        for (std::uint8_t s = 0; s < kScoreboards; ++s) {
            if ((code.wait_mask >> s & 1) != 0) continue;
            ControlCode with = code;
            with.wait_mask = static_cast<std::uint8_t>(with.wait_mask | bit_of(s));
            if (meets(state, id, with).size() < conflicts) return bit_of(s);
        }
        return 0;
    }

    const HazardChecker& checker_;
    const HazardChecker::Impl& impl_;
    const Schedule& legal_;
    const Block& block_;
    BlockId block_id_;
    const ReorderSettings& settings_;
    Schedule schedule_;
    std::vector<std::array<bool, 2>> local_;  // by InstrId - block.first: write side, read side
    std::uint8_t free_ = 0;                   // scoreboards that only local results use
    std::array<int, kScoreboards> in_use_{};  // set since the last wait
};

}  // namespace

BlockProblem block_problem(const HazardChecker& checker, const Schedule& legal, BlockId block) {
    const HazardChecker::Impl& impl = checker.internals();
    const Block& b = legal.kernel()->flow().blocks[block];
    BlockProblem out;
    out.block = block;
    std::vector<std::vector<BlockEdge>> into(b.count);
    const auto index = [&](InstrId id) { return legal.position_of(id) - b.first; };
    for (Position p = b.first; p < b.end(); ++p) {
        const InstrId id = legal.at(p);
        out.nodes.push_back(id);
        out.fixed.push_back(impl.fixed(id) || impl.workaround.tied(id) ||
                            (id > b.first && impl.workaround.tied(id - 1)));
        for (const OrderEdge& e : impl.order.before(id))
            into[p - b.first].push_back({index(e.first), p - b.first, 1, false, false});
        for (const RegDependence& d : impl.pairs.local_of(id))
            if (d.first != kNone && index(d.first) < p - b.first)
                into[p - b.first].push_back({index(d.first), p - b.first, std::max<std::uint16_t>(d.need, 1),
                                             d.by_scoreboard, d.kind == DependenceKind::War});
    }
    for (std::uint32_t i = 0; i < into.size(); ++i) {
        out.begin.push_back(static_cast<std::uint32_t>(out.edges.size()));
        out.edges.insert(out.edges.end(), into[i].begin(), into[i].end());
    }
    out.begin.push_back(static_cast<std::uint32_t>(out.edges.size()));
    return out;
}

std::optional<Schedule> reorder_block(const HazardChecker& checker, const Schedule& legal, BlockId block,
                                      std::span<const InstrId> order, const ReorderSettings& settings) {
    return Reorderer(checker, legal, block, settings).run(order);
}

std::optional<Schedule> tighten_stalls(const HazardChecker& checker, const Schedule& legal,
                                       std::span<const BlockId> blocks, const ReorderSettings& settings) {
    Schedule now = legal;
    bool changed = false;
    for (const BlockId block : blocks) {
        auto tighter = Reorderer(checker, now, block, settings).tighten();
        if (!tighter) continue;
        now = std::move(*tighter);
        changed = true;
    }
    if (!changed) return std::nullopt;
    return now;
}

int block_cycles(const Schedule& schedule, BlockId block) {
    const Block& b = schedule.kernel()->flow().blocks[block];
    int cycles = 0;
    for (InstrId id = b.first; id < b.end(); ++id)
        cycles += effective_stall(schedule.control(id));
    return cycles;
}

}  // namespace cubinlab
