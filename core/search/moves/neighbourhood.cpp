// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/neighbourhood.h"

#include <algorithm>

#include "core/legality/move_along.h"

namespace cubinlab {
namespace {

constexpr int kMoveTries = 6;  // draws of a slot for one move

std::uint64_t weight_of(const Kernel& kernel, InstrId id) {
    const unsigned depth = kernel.flow().blocks[kernel.block_of(id)].loop_depth;
    return 1ull << (2 * std::min(depth, 6u));
}

std::vector<std::uint64_t> sums_of(const Kernel& kernel, const std::vector<InstrId>& ids) {
    std::vector<std::uint64_t> sums;
    std::uint64_t sum = 0;
    for (const InstrId id : ids)
        sums.push_back(sum += weight_of(kernel, id));
    return sums;
}

}  // namespace

EditClass draw_class(const std::array<double, kEditClasses>& shares, Rng& rng) {
    double sum = 0;
    for (const double share : shares)
        sum += share;
    double ticket = rng.unit() * sum;
    for (std::size_t i = 0; i + 1 < kEditClasses; ++i) {
        if (ticket < shares[i]) return static_cast<EditClass>(i);
        ticket -= shares[i];
    }
    return static_cast<EditClass>(kEditClasses - 1);
}

Neighbourhood::Neighbourhood(const SearchContext& context) : checker_(context.checker), scope_(context) {
    const Kernel& kernel = *context.kernel;
    for (const InstrId id : scope_.ids()) {
        const ControlCode control = kernel.instruction(id).control();
        if (control.write_barrier != kNoBarrier || control.read_barrier != kNoBarrier) setters_.push_back(id);
        if (control.wait_mask != 0) waiters_.push_back(id);
        if (!scope_.movable(id)) continue;
        movable_.push_back(id);
        const Instruction& instruction = kernel.instruction(id);
        if (instruction.has(Trait::VariableLatency) || instruction.has(Trait::AsyncIssue))
            producers_.push_back(id);
    }
    by_heat_ = scope_.ids();
    std::stable_sort(by_heat_.begin(), by_heat_.end(),
                     [&](InstrId a, InstrId b) { return weight_of(kernel, a) > weight_of(kernel, b); });
    editable_sums_ = sums_of(kernel, scope_.ids());
    producer_sums_ = sums_of(kernel, producers_);
    movable_sums_ = sums_of(kernel, movable_);
    setter_sums_ = sums_of(kernel, setters_);
    waiter_sums_ = sums_of(kernel, waiters_);
}

InstrId Neighbourhood::draw_id(const std::vector<InstrId>& ids, const std::vector<std::uint64_t>& sums,
                               Rng& rng) const {
    if (ids.empty()) return kNone;
    const std::uint64_t ticket =
        rng.below(static_cast<std::uint32_t>(std::min<std::uint64_t>(sums.back(), 0xffffffffu)));
    return ids[static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end(), ticket) - sums.begin())];
}

// Half of the draws are instructions that signal through a scoreboard, though these are the minority.
InstrId Neighbourhood::draw_mover(Rng& rng) const {
    if (!producers_.empty() && rng.chance(0.5)) return draw_id(producers_, producer_sums_, rng);
    return draw_id(movable_, movable_sums_, rng);
}

std::optional<Edited> Edited::of(const Schedule& schedule, Mutation mutation) {
    auto result = mutation.applied(schedule);
    if (!result) return std::nullopt;
    return Edited{std::move(mutation), std::move(*result)};
}

std::optional<Edited> Neighbourhood::apply(const Schedule& schedule, Mutation mutation) const {
    if (!checker_->allows(schedule, mutation)) return std::nullopt;
    return Edited::of(schedule, std::move(mutation));
}

std::optional<Edited> Neighbourhood::move_to(const Schedule& schedule, InstrId id, Position to) const {
    if (!scope_.movable(id) || to == schedule.position_of(id)) return std::nullopt;
    return apply(schedule, Mutation::move_to(schedule, id, to));
}

std::optional<Edited> Neighbourhood::stall_by(const Schedule& schedule, InstrId id, int change) const {
    ControlCode control = schedule.control(id);
    const int stall = control.stall + change;
    if (!scope_.editable(id) || change == 0 || stall < 1 || stall > 15) return std::nullopt;
    control.stall = static_cast<std::uint8_t>(stall);
    return apply(schedule, Mutation::control(schedule, id, control));
}

std::optional<Edited> Neighbourhood::flip_yield(const Schedule& schedule, InstrId id) const {
    if (!scope_.editable(id)) return std::nullopt;
    ControlCode control = schedule.control(id);
    control.yield = !control.yield;
    return apply(schedule, Mutation::control(schedule, id, control));
}

bool Neighbourhood::all_editable(const Mutation& mutation) const {
    return std::all_of(mutation.edits.begin(), mutation.edits.end(),
                       [&](const Edit& edit) { return scope_.editable(edit.instr); });
}

std::optional<Edited> Neighbourhood::flip_reuse(const Schedule& schedule, InstrId id, int slot) const {
    if (!scope_.editable(id)) return std::nullopt;
    auto mutation = toggle_reuse(schedule, id, slot);
    return mutation ? apply(schedule, std::move(*mutation)) : std::nullopt;
}

// Adds the required stall counts and removes the excess ones.
std::optional<Edited> Neighbourhood::with_stalls(const Schedule& schedule, const Mutation& moves) const {
    StallRepairSettings settings;
    settings.may_change = [this](InstrId id) { return scope_.editable(id); };
    settings.max_cycles = 12;
    auto repaired = add_required_stalls(*checker_, schedule, moves, settings);
    if (!repaired) return std::nullopt;
    return Edited::of(schedule, remove_excess_stalls(*checker_, schedule, *repaired, settings));
}

std::optional<Edited> Neighbourhood::move_and_pay(const Schedule& schedule, InstrId id, Position to) const {
    if (!scope_.movable(id) || to == schedule.position_of(id)) return std::nullopt;
    return with_stalls(schedule, Mutation::move_to(schedule, id, to));
}

std::optional<Edited> Neighbourhood::move_along_and_pay(const Schedule& schedule, InstrId id,
                                                        Position to) const {
    const auto moves = move_along(*checker_, schedule, id, to);
    if (!moves || !std::ranges::all_of(moves->edits, [&](const Edit& e) { return scope_.movable(e.instr); }))
        return std::nullopt;
    return with_stalls(schedule, *moves);
}

std::optional<Edited> Neighbourhood::reverted(const Schedule& schedule, const Edit& edit) const {
    if (!is_move(edit.kind)) {
        const FieldKind& kind = field_of(edit.kind);
        if (!scope_.editable(edit.instr) || schedule.field(kind, edit.instr) == edit.after)
            return std::nullopt;
        return apply(schedule, Mutation::field(schedule, kind, edit.instr, edit.after));
    }
    const auto moved = Mutation{{edit}}.applied(schedule);
    if (!moved) return std::nullopt;
    const Position to = moved->position_of(edit.instr);
    if (auto alone = move_and_pay(schedule, edit.instr, to)) return alone;
    return move_along_and_pay(schedule, edit.instr, to);
}

std::optional<Edited> Neighbourhood::reassign(const Schedule& schedule, InstrId id, BarrierSide side,
                                              std::uint8_t slot) const {
    auto mutation = reassign_scoreboard(schedule, id, side, slot);
    if (!mutation || !all_editable(*mutation)) return std::nullopt;
    return apply(schedule, std::move(*mutation));
}

std::optional<Edited> Neighbourhood::wait_elsewhere(const Schedule& schedule, InstrId from, int scoreboard,
                                                    InstrId to) const {
    auto mutation = move_wait(schedule, from, scoreboard, to);
    if (!mutation || !all_editable(*mutation)) return std::nullopt;
    return apply(schedule, std::move(*mutation));
}

std::optional<Edited> Neighbourhood::draw_move_and_pay(const Schedule& schedule, InstrId id, Rng& rng) const {
    if (id == kNone) return std::nullopt;
    const Position at = schedule.position_of(id);
    auto [low, high] = checker_->order_range(schedule, id);
    const Position reach = 1 + rng.below(rng.chance(0.5) ? 4 : 24);
    if (at - low > reach) low = at - reach;
    if (high - at > reach) high = at + reach;
    const Position to = low + rng.below(high - low + 1);
    return move_and_pay(schedule, id, to);
}

// Farther than the order permits alone, mostly up: earlier results and addresses usually pay.
std::optional<Edited> Neighbourhood::draw_move_along(const Schedule& schedule, InstrId id, Rng& rng) const {
    if (id == kNone) return std::nullopt;
    const Kernel& kernel = *scope_.kernel();
    const Block& block = kernel.flow().blocks[kernel.block_of(id)];
    const auto [low, high] = checker_->order_range(schedule, id);
    const bool up = rng.chance(0.7);
    const Position room = up ? low - block.first : block.end() - 1 - high;
    const Position reach = std::min<Position>(room, 1 + rng.below(rng.chance(0.5) ? 4 : 16));
    if (reach == 0) return std::nullopt;
    return move_along_and_pay(schedule, id, up ? low - reach : high + reach);
}

std::optional<Edited> Neighbourhood::draw_reassign(const Schedule& schedule, Rng& rng) const {
    const InstrId id = draw_id(setters_, setter_sums_, rng);
    if (id == kNone) return std::nullopt;
    const BarrierSide side = rng.chance(0.5) ? BarrierSide::Write : BarrierSide::Read;
    const std::vector<std::uint8_t> free = free_scoreboards(schedule, id, side);
    if (free.empty()) return std::nullopt;
    return reassign(schedule, id, side, free[rng.below(static_cast<std::uint32_t>(free.size()))]);
}

std::optional<Edited> Neighbourhood::draw_wait(const Schedule& schedule, Rng& rng) const {
    const InstrId from = draw_id(waiters_, waiter_sums_, rng);
    if (from == kNone) return std::nullopt;
    const Kernel& kernel = *scope_.kernel();
    const Block& block = kernel.flow().blocks[kernel.block_of(from)];
    const Position at = schedule.position_of(from);
    const Position reach = 1 + rng.below(8);
    const Position lowest = at - block.first > reach ? at - reach : block.first;
    const Position highest = std::min<Position>(block.end() - 1, at + reach);
    const Position to = lowest + rng.below(highest - lowest + 1);
    return wait_elsewhere(schedule, from, static_cast<int>(rng.below(kScoreboardSlots)), schedule.at(to));
}

// Draws slots until one is legal, so that all legal slots are equally likely. That takes a few checks;
// checking every slot of a block takes hundreds.
std::optional<Edited> Neighbourhood::draw_move(const Schedule& schedule, InstrId id, bool earlier_only,
                                               Rng& rng) const {
    if (id == kNone) return std::nullopt;
    const Position at = schedule.position_of(id);
    auto [lowest, highest] = checker_->order_range(schedule, id);
    if (earlier_only) highest = at;
    // Half of the moves are short: most gains are from these, and there are more far slots than near ones.
    if (rng.chance(0.5)) {
        lowest = std::max(lowest, at >= 4 ? at - 4 : 0);
        highest = std::min(highest, at + 4);
    }
    if (highest <= lowest) return std::nullopt;
    for (int tries = 0; tries < kMoveTries; ++tries) {
        const Position to = lowest + rng.below(highest - lowest + 1);
        if (to == at) continue;
        if (auto moved = move_to(schedule, id, to)) return moved;
    }
    return std::nullopt;
}

// A move that leaves its stall cycles behind: the instruction moves with a stall of 1, and the one before it
// gets the other cycles. Otherwise a moved instruction takes its stall to the new position.
std::optional<Edited> Neighbourhood::draw_move_and_stall(const Schedule& schedule, InstrId id,
                                                         Rng& rng) const {
    if (id == kNone) return std::nullopt;
    const Kernel& kernel = *scope_.kernel();
    const Position at = schedule.position_of(id);
    const Block& block = kernel.flow().blocks[kernel.block_of(id)];
    const ControlCode own = schedule.control(id);
    if (at == block.first || own.stall < 2) return std::nullopt;
    const InstrId above = schedule.at(at - 1);
    ControlCode above_control = schedule.control(above);
    const int moved_cycles = own.stall - 1;
    if (!scope_.editable(above) || above_control.stall + moved_cycles > 15) return std::nullopt;
    const std::uint32_t reach = 1 + rng.below(12);
    const Position lowest = at - block.first > reach ? at - reach : block.first;
    const Position highest = std::min<Position>(block.end() - 1, at + reach);
    const Position to = lowest + rng.below(highest - lowest + 1);
    if (to == at) return std::nullopt;
    Mutation mutation = Mutation::move_to(schedule, id, to);
    ControlCode own_after = own;
    own_after.stall = 1;
    above_control.stall = static_cast<std::uint8_t>(above_control.stall + moved_cycles);
    mutation.edits.push_back(Mutation::control(schedule, id, own_after).edits.front());
    mutation.edits.push_back(Mutation::control(schedule, above, above_control).edits.front());
    return apply(schedule, std::move(mutation));
}

std::optional<Edited> Neighbourhood::draw(const Schedule& schedule, EditClass kind, Rng& rng) const {
    const std::vector<InstrId>& editable = scope_.ids();
    if (editable.empty()) return std::nullopt;
    switch (kind) {
        case EditClass::Stall: {
            const InstrId id = draw_id(editable, editable_sums_, rng);
            const int size = 1 + static_cast<int>(rng.below(3));
            return stall_by(schedule, id, rng.chance(0.75) ? -size : size);
        }
        case EditClass::Yield:
            return flip_yield(schedule, draw_id(editable, editable_sums_, rng));
        case EditClass::Move:
            return draw_move(schedule, draw_id(movable_, movable_sums_, rng), false, rng);
        case EditClass::LoadEarlier:
            return draw_move(schedule, draw_id(producers_, producer_sums_, rng), true, rng);
        case EditClass::MoveAndStall:
            return draw_move_and_stall(schedule, draw_id(movable_, movable_sums_, rng), rng);
        case EditClass::MoveAndPay:
            return draw_move_and_pay(schedule, draw_mover(rng), rng);
        case EditClass::Reuse:
            return flip_reuse(schedule, draw_id(editable, editable_sums_, rng),
                              static_cast<int>(rng.below(3)));
        case EditClass::Reassign:
            return draw_reassign(schedule, rng);
        case EditClass::WaitElsewhere:
            return draw_wait(schedule, rng);
        case EditClass::MoveAlong:
            return draw_move_along(schedule, draw_mover(rng), rng);
    }
    return std::nullopt;
}

std::optional<Edited> Neighbourhood::draw_some(const Schedule& schedule, unsigned most, Rng& rng) const {
    const unsigned wanted = 1 + rng.below(std::max(1u, most));
    std::optional<Edited> all;
    for (unsigned found = 0, tries = 0; found < wanted && tries < 64; ++tries) {
        const EditClass kind = draw_class(kClassPrior, rng);
        auto one = draw(all ? all->result : schedule, kind, rng);
        if (!one) continue;
        ++found;
        if (!all) {
            all = std::move(one);
            continue;
        }
        all->mutation.edits.insert(all->mutation.edits.end(), one->mutation.edits.begin(),
                                   one->mutation.edits.end());
        all->result = std::move(one->result);
    }
    if (all && all->result == schedule) return std::nullopt;
    return all;
}

std::vector<Proposal> Neighbourhood::drawn(const Schedule& schedule, StepId parent, unsigned most,
                                           std::size_t n, Rng& rng) const {
    std::vector<Proposal> out;
    for (std::size_t tries = 0; out.size() < n && tries < 64 * n; ++tries)
        if (auto edited = draw_some(schedule, most, rng))
            out.push_back({parent, std::move(edited->mutation), std::move(edited->result)});
    return out;
}

std::vector<Mutation> Neighbourhood::all_of(const Schedule& schedule, InstrId id) const {
    std::vector<Mutation> out;
    const auto keep = [&](std::optional<Edited> edited) {
        if (edited) out.push_back(std::move(edited->mutation));
    };
    for (const int change : {-1, -2, -3, 1, 2, 3})
        keep(stall_by(schedule, id, change));
    keep(flip_yield(schedule, id));
    for (int slot = 0; slot < 3; ++slot)
        keep(flip_reuse(schedule, id, slot));
    for (const BarrierSide side : {BarrierSide::Write, BarrierSide::Read})
        for (const std::uint8_t slot : free_scoreboards(schedule, id, side))
            keep(reassign(schedule, id, side, slot));
    const Position at = schedule.position_of(id);
    const Block& block = schedule.kernel()->flow().blocks[schedule.kernel()->block_of(id)];
    for (int slot = 0; slot < kScoreboardSlots; ++slot) {
        if ((schedule.control(id).wait_mask >> slot & 1) == 0) continue;
        for (Position to = at - std::min<Position>(3, at - block.first);
             to <= std::min<Position>(block.end() - 1, at + 3); ++to)
            if (to != at) keep(wait_elsewhere(schedule, id, slot, schedule.at(to)));
    }
    if (!scope_.movable(id)) return out;
    const SlotRange slots = checker_->slots(schedule, id);
    for (Position to = slots.lowest; to <= slots.highest; ++to)
        if (slots.contains(to)) keep(move_to(schedule, id, to));
    const auto [low, high] = checker_->order_range(schedule, id);
    for (Position to = std::max(low, at - std::min<Position>(8, at)); to <= std::min(high, at + 8); ++to)
        if (!slots.contains(to)) keep(move_and_pay(schedule, id, to));
    return out;
}

}  // namespace cubinlab
