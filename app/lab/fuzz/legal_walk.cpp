// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/fuzz/legal_walk.h"

#include <algorithm>

#include "core/legality/stall_repair.h"
#include "core/schedule/edit_kind.h"
#include "core/schedule/scoreboard_edits.h"

namespace cubinlab {
namespace {

// One stream of random numbers for each walk: seed and index mixed (splitmix64's finaliser).
std::uint64_t walk_seed(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15ull + index;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

}  // namespace

WalkMaker::WalkMaker(CheckerPtr checker, std::uint64_t seed, int longest)
    : checker_(std::move(checker)), seed_(seed), longest_(std::max(1, longest)) {
    const Kernel& kernel = *checker_->kernel();
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const ControlCode control = kernel.instruction(id).control();
        if (control.write_barrier != kNoBarrier || control.read_barrier != kNoBarrier) setters_.push_back(id);
        if (control.wait_mask != 0) waiters_.push_back(id);
    }
}

Walk WalkMaker::make(std::uint64_t index) const {
    Rng rng(walk_seed(seed_, index));
    Walk walk{index, Schedule(checker_->kernel()), {}};
    const auto length = 1 + rng.below(static_cast<std::uint32_t>(longest_));
    for (std::uint32_t tries = 0; tries < 20 * length && walk.mutations.size() < length; ++tries) {
        auto mutation = draw(walk.schedule, rng);
        if (mutation && mutation->apply(walk.schedule)) walk.mutations.push_back(std::move(*mutation));
    }
    return walk;
}

Walk WalkMaker::make_hints(std::uint64_t index) const {
    constexpr int kTries = 8;
    Rng rng(walk_seed(seed_, index));
    Walk walk{index, Schedule(checker_->kernel()), {}};
    const Kernel& kernel = *checker_->kernel();
    const double share = rng.chance(0.5) ? 1 : 0.3;
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const Word& word = kernel.instruction(id).word;
        if (!kHintField.has(word) || !rng.chance(share)) continue;
        for (int tries = 0; tries < kTries; ++tries) {
            const FieldBits bits = rng.below(kHintField.mask + 1);
            if (!kHintField.fits(word, bits) || bits == walk.schedule.field(kHintField, id)) continue;
            auto mutation = if_legal(walk.schedule, Mutation::field(walk.schedule, kHintField, id, bits));
            if (!mutation || !mutation->apply(walk.schedule)) continue;
            walk.mutations.push_back(std::move(*mutation));
            break;
        }
    }
    return walk;
}

Schedule WalkMaker::prefix(const Walk& walk, std::size_t count) const {
    Schedule out(checker_->kernel());
    for (std::size_t i = 0; i < std::min(count, walk.mutations.size()); ++i)
        if (!walk.mutations[i].apply(out)) break;
    return out;
}

std::optional<Mutation> WalkMaker::draw(const Schedule& schedule, Rng& rng) const {
    struct Share {
        Draw draw;
        std::uint32_t weight;
    };
    static constexpr Share kShares[] = {
        {&WalkMaker::move, 22},   {&WalkMaker::move_and_pay, 24}, {&WalkMaker::stall, 14},
        {&WalkMaker::yield, 6},   {&WalkMaker::reuse, 10},        {&WalkMaker::wait, 4},
        {&WalkMaker::barrier, 4}, {&WalkMaker::reassign, 8},      {&WalkMaker::wait_elsewhere, 8},
    };
    std::uint32_t all = 0;
    for (const Share& share : kShares)
        all += share.weight;
    std::uint32_t ticket = rng.below(all);
    for (const Share& share : kShares) {
        if (ticket < share.weight) return (this->*share.draw)(schedule, rng);
        ticket -= share.weight;
    }
    return std::nullopt;
}

InstrId WalkMaker::any(Rng& rng) const {
    return rng.below(static_cast<std::uint32_t>(checker_->kernel()->size()));
}

std::optional<Mutation> WalkMaker::if_legal(const Schedule& schedule,
                                            std::optional<Mutation> mutation) const {
    if (!mutation || !checker_->allows(schedule, *mutation)) return std::nullopt;
    return mutation;
}

std::optional<Mutation> WalkMaker::move(const Schedule& schedule, Rng& rng) const {
    const InstrId id = any(rng);
    const Position at = schedule.position_of(id);
    if (rng.chance(0.5)) {  // as far as it goes
        const SlotRange slots = checker_->slots(schedule, id);
        const Position to = rng.chance(0.5) ? slots.lowest : slots.highest;
        if (to == at) return std::nullopt;
        return if_legal(schedule, Mutation::move_to(schedule, id, to));
    }
    const auto [low, high] = checker_->order_range(schedule, id);
    const Position to = low + rng.below(high - low + 1);
    if (to == at) return std::nullopt;
    return if_legal(schedule, Mutation::move_to(schedule, id, to));
}

std::optional<Mutation> WalkMaker::move_and_pay(const Schedule& schedule, Rng& rng) const {
    const InstrId id = any(rng);
    const auto [low, high] = checker_->order_range(schedule, id);
    const Position to = low + rng.below(high - low + 1);
    if (to == schedule.position_of(id)) return std::nullopt;
    auto repaired = add_required_stalls(*checker_, schedule, Mutation::move_to(schedule, id, to));
    if (!repaired || !rng.chance(0.5)) return repaired;
    return remove_excess_stalls(*checker_, schedule, *repaired);
}

std::optional<Mutation> WalkMaker::stall(const Schedule& schedule, Rng& rng) const {
    const InstrId id = any(rng);
    ControlCode control = schedule.control(id);
    if (rng.chance(0.5)) {  // as low as it goes
        for (std::uint8_t stall = 1; stall < schedule.control(id).stall; ++stall) {
            control.stall = stall;
            if (auto m = if_legal(schedule, Mutation::control(schedule, id, control))) return m;
        }
        return std::nullopt;
    }
    control.stall = static_cast<std::uint8_t>(1 + rng.below(15));
    if (control == schedule.control(id)) return std::nullopt;
    return if_legal(schedule, Mutation::control(schedule, id, control));
}

std::optional<Mutation> WalkMaker::yield(const Schedule& schedule, Rng& rng) const {
    const InstrId id = any(rng);
    ControlCode control = schedule.control(id);
    control.yield = !control.yield;
    return if_legal(schedule, Mutation::control(schedule, id, control));
}

std::optional<Mutation> WalkMaker::reuse(const Schedule& schedule, Rng& rng) const {
    // Few operands may carry a flag: most draws find nothing to set.
    for (int tries = 0; tries < 16; ++tries)
        if (auto m = if_legal(schedule, toggle_reuse(schedule, any(rng), static_cast<int>(rng.below(3)))))
            return m;
    return std::nullopt;
}

std::optional<Mutation> WalkMaker::wait(const Schedule& schedule, Rng& rng) const {
    const InstrId id = any(rng);
    ControlCode control = schedule.control(id);
    control.wait_mask = static_cast<std::uint8_t>(control.wait_mask ^ (1u << rng.below(kScoreboardSlots)));
    return if_legal(schedule, Mutation::control(schedule, id, control));
}

std::optional<Mutation> WalkMaker::barrier(const Schedule& schedule, Rng& rng) const {
    const InstrId id = any(rng);
    ControlCode control = schedule.control(id);
    const std::uint32_t drawn = rng.below(kScoreboardSlots + 1);
    const auto slot = drawn == kScoreboardSlots ? kNoBarrier : static_cast<std::uint8_t>(drawn);
    (rng.chance(0.5) ? control.write_barrier : control.read_barrier) = slot;
    if (control == schedule.control(id)) return std::nullopt;
    return if_legal(schedule, Mutation::control(schedule, id, control));
}

std::optional<Mutation> WalkMaker::reassign(const Schedule& schedule, Rng& rng) const {
    if (setters_.empty()) return std::nullopt;
    const InstrId id = setters_[rng.below(static_cast<std::uint32_t>(setters_.size()))];
    const BarrierSide side = rng.chance(0.5) ? BarrierSide::Write : BarrierSide::Read;
    // Now and then a slot that is in use: legal too, at the price of waiting for more.
    if (rng.chance(0.25))
        return if_legal(
            schedule,
            reassign_scoreboard(schedule, id, side, static_cast<std::uint8_t>(rng.below(kScoreboardSlots))));
    const std::vector<std::uint8_t> free = free_scoreboards(schedule, id, side);
    if (free.empty()) return std::nullopt;
    return if_legal(schedule, reassign_scoreboard(schedule, id, side,
                                                  free[rng.below(static_cast<std::uint32_t>(free.size()))]));
}

std::optional<Mutation> WalkMaker::wait_elsewhere(const Schedule& schedule, Rng& rng) const {
    if (waiters_.empty()) return std::nullopt;
    const InstrId from = waiters_[rng.below(static_cast<std::uint32_t>(waiters_.size()))];
    const Kernel& kernel = *schedule.kernel();
    const Block& block = kernel.flow().blocks[kernel.block_of(from)];
    const Position at = schedule.position_of(from);
    const auto slot = static_cast<int>(rng.below(kScoreboardSlots));
    const std::uint32_t reach = 1 + rng.below(12);
    const bool later = rng.chance(0.5);
    const Position to = later ? std::min<Position>(block.end() - 1, at + reach)
                              : (at - block.first > reach ? at - reach : block.first);
    // Later only up to the consumer: the furthest that is legal.
    for (Position p = to; p != at; later ? --p : ++p) {
        auto m = if_legal(schedule, move_wait(schedule, from, slot, schedule.at(p)));
        if (m || !later) return m;
    }
    return std::nullopt;
}

void count_kinds(const Walk& walk, std::map<std::string, std::uint64_t>& counts) {
    for (const Mutation& m : walk.mutations)
        ++counts[to_string(m.kind())];
}

}  // namespace cubinlab
