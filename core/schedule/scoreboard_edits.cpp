// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/scoreboard_edits.h"

#include <algorithm>

namespace cubinlab {
namespace {

std::uint8_t bit_of(std::uint8_t slot) {
    return static_cast<std::uint8_t>(1u << slot);
}

bool is_slot(std::uint8_t slot) {
    return slot < kScoreboardSlots;
}

// Scoreboards that an instruction increments.
std::uint8_t sets(const ControlCode& control) {
    std::uint8_t mask = 0;
    for (const std::uint8_t slot : {control.write_barrier, control.read_barrier})
        if (is_slot(slot)) mask = static_cast<std::uint8_t>(mask | bit_of(slot));
    return mask;
}

bool names(const Instruction& i, std::uint8_t slot) {
    return i.named_scoreboard == static_cast<std::int8_t>(slot);
}

// Walks forward from the producer along every path up to the first wait.
class Follow {
  public:
    Follow(const Schedule& schedule, InstrId producer, std::uint8_t slot)
        : schedule_(schedule),
          kernel_(*schedule.kernel()),
          producer_(producer),
          slot_(slot),
          seen_(kernel_.flow().blocks.size(), false) {}

    BarrierUse run() {
        use_.passed.push_back(producer_);
        scan(kernel_.block_of(producer_), schedule_.position_of(producer_) + 1);
        while (!work_.empty()) {
            const BlockId b = work_.back();
            work_.pop_back();
            if (seen_[b]) continue;
            seen_[b] = true;
            scan(b, kernel_.flow().blocks[b].first);
        }
        std::sort(use_.waiters.begin(), use_.waiters.end());
        use_.waiters.erase(std::unique(use_.waiters.begin(), use_.waiters.end()), use_.waiters.end());
        return std::move(use_);
    }

  private:
    void scan(BlockId b, Position from) {
        const Block& block = kernel_.flow().blocks[b];
        for (Position p = from; p < block.end(); ++p) {
            const InstrId id = schedule_.at(p);
            if (names(kernel_.instruction(id), slot_)) use_.by_name = true;
            if ((schedule_.control(id).wait_mask & bit_of(slot_)) != 0) {
                use_.waiters.push_back(id);
                return;
            }
            if (id == producer_) return;
            use_.passed.push_back(id);
        }
        work_.insert(work_.end(), block.successors.begin(), block.successors.end());
    }

    const Schedule& schedule_;
    const Kernel& kernel_;
    InstrId producer_;
    std::uint8_t slot_;
    std::vector<bool> seen_;
    std::vector<BlockId> work_;
    BarrierUse use_;
};

// Walks backward from an instruction up to the last wait: can another producer be pending on the slot?
class LookBack {
  public:
    LookBack(const Schedule& schedule, InstrId producer, BarrierSide side, std::uint8_t slot)
        : schedule_(schedule),
          kernel_(*schedule.kernel()),
          producer_(producer),
          side_(side),
          slot_(slot),
          seen_(kernel_.flow().blocks.size(), false) {}

    bool others_before(InstrId id) {
        if (scan(kernel_.block_of(id), schedule_.position_of(id))) return true;
        while (!work_.empty()) {
            const BlockId b = work_.back();
            work_.pop_back();
            if (seen_[b]) continue;
            seen_[b] = true;
            if (scan(b, kernel_.flow().blocks[b].end())) return true;
        }
        return false;
    }

  private:
    bool sets_it(InstrId id) const {
        const ControlCode& control = schedule_.control(id);
        const bool own = id == producer_;
        return (control.write_barrier == slot_ && !(own && side_ == BarrierSide::Write)) ||
               (control.read_barrier == slot_ && !(own && side_ == BarrierSide::Read));
    }

    bool scan(BlockId b, Position end) {
        const Block& block = kernel_.flow().blocks[b];
        for (Position p = end; p-- > block.first;) {
            const InstrId id = schedule_.at(p);
            if (sets_it(id)) return true;
            if ((schedule_.control(id).wait_mask & bit_of(slot_)) != 0) return false;
        }
        if (block.unknown_predecessors && b != 0) return true;
        work_.insert(work_.end(), block.predecessors.begin(), block.predecessors.end());
        return false;
    }

    const Schedule& schedule_;
    const Kernel& kernel_;
    InstrId producer_;
    BarrierSide side_;
    std::uint8_t slot_;
    std::vector<bool> seen_;
    std::vector<BlockId> work_;
};

void set_barrier(ControlCode& control, BarrierSide side, std::uint8_t slot) {
    (side == BarrierSide::Write ? control.write_barrier : control.read_barrier) = slot;
}

}  // namespace

std::uint8_t barrier_of(const ControlCode& control, BarrierSide side) {
    return side == BarrierSide::Write ? control.write_barrier : control.read_barrier;
}

BarrierUse barrier_use(const Schedule& schedule, InstrId producer, BarrierSide side) {
    const std::uint8_t slot = barrier_of(schedule.control(producer), side);
    if (!is_slot(slot)) return {};
    return Follow(schedule, producer, slot).run();
}

std::vector<std::uint8_t> free_scoreboards(const Schedule& schedule, InstrId producer, BarrierSide side) {
    const BarrierUse use = barrier_use(schedule, producer, side);
    if (use.passed.empty()) return {};
    std::uint8_t busy = 0;
    const auto note = [&](InstrId id) {
        const ControlCode& control = schedule.control(id);
        const Instruction& i = schedule.kernel()->instruction(id);
        busy = static_cast<std::uint8_t>(busy | control.wait_mask | sets(control));
        if (i.named_scoreboard >= 0) busy = static_cast<std::uint8_t>(busy | 1u << i.named_scoreboard);
    };
    for (const InstrId id : use.passed)
        note(id);
    for (const InstrId id : use.waiters)
        busy = static_cast<std::uint8_t>(busy | schedule.control(id).wait_mask);
    std::vector<std::uint8_t> free;
    for (std::uint8_t slot = 0; slot < kScoreboardSlots; ++slot)
        if ((busy & bit_of(slot)) == 0 && !LookBack(schedule, producer, side, slot).others_before(producer))
            free.push_back(slot);
    return free;
}

std::optional<Mutation> reassign_scoreboard(const Schedule& schedule, InstrId producer, BarrierSide side,
                                            std::uint8_t to) {
    if (producer >= schedule.size() || !is_slot(to)) return std::nullopt;
    const std::uint8_t from = barrier_of(schedule.control(producer), side);
    if (!is_slot(from) || from == to) return std::nullopt;
    const BarrierUse use = barrier_use(schedule, producer, side);
    if (use.by_name) return std::nullopt;
    const auto changed_waits = [&](InstrId waiter) {
        std::uint8_t mask = static_cast<std::uint8_t>(schedule.control(waiter).wait_mask | bit_of(to));
        if (!LookBack(schedule, producer, side, from).others_before(waiter))
            mask = static_cast<std::uint8_t>(mask & ~bit_of(from));
        return mask;
    };
    ControlCode own = schedule.control(producer);
    set_barrier(own, side, to);
    // In a loop, a producer may wait for its own previous iteration.
    const bool waits_itself =
        std::find(use.waiters.begin(), use.waiters.end(), producer) != use.waiters.end();
    if (waits_itself) own.wait_mask = changed_waits(producer);
    Mutation out = Mutation::control(schedule, producer, own);
    for (const InstrId waiter : use.waiters) {
        if (waiter == producer) continue;
        ControlCode control = schedule.control(waiter);
        control.wait_mask = changed_waits(waiter);
        if (!(control == schedule.control(waiter)))
            out.edits.push_back(Mutation::control(schedule, waiter, control).edits.front());
    }
    return out;
}

std::optional<Mutation> move_wait(const Schedule& schedule, InstrId from, int scoreboard, InstrId to) {
    if (from >= schedule.size() || to >= schedule.size() || from == to || scoreboard < 0 ||
        scoreboard >= kScoreboardSlots)
        return std::nullopt;
    const std::uint8_t bit = bit_of(static_cast<std::uint8_t>(scoreboard));
    ControlCode leaves = schedule.control(from);
    ControlCode takes = schedule.control(to);
    if ((leaves.wait_mask & bit) == 0 || (takes.wait_mask & bit) != 0) return std::nullopt;
    leaves.wait_mask = static_cast<std::uint8_t>(leaves.wait_mask & ~bit);
    takes.wait_mask = static_cast<std::uint8_t>(takes.wait_mask | bit);
    Mutation out = Mutation::control(schedule, from, leaves);
    out.edits.push_back(Mutation::control(schedule, to, takes).edits.front());
    return out;
}

std::optional<Mutation> toggle_reuse(const Schedule& schedule, InstrId id, int slot) {
    if (id >= schedule.size() || slot < 0 || slot > 2) return std::nullopt;
    ControlCode control = schedule.control(id);
    control.reuse = static_cast<std::uint8_t>(control.reuse ^ (1u << slot));
    return Mutation::control(schedule, id, control);
}

}  // namespace cubinlab
