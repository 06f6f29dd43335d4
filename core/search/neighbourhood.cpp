// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/neighbourhood.h"

#include <algorithm>

namespace cubinlab {
namespace {

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

Neighbourhood::Neighbourhood(const SearchContext& context) : checker_(context.checker), scope_(context) {
    const Kernel& kernel = *context.kernel;
    for (const InstrId id : scope_.ids()) {
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
}

InstrId Neighbourhood::draw_id(const std::vector<InstrId>& ids, const std::vector<std::uint64_t>& sums,
                               Rng& rng) const {
    if (ids.empty()) return kNone;
    const std::uint64_t ticket =
        rng.below(static_cast<std::uint32_t>(std::min<std::uint64_t>(sums.back(), 0xffffffffu)));
    return ids[static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end(), ticket) - sums.begin())];
}

std::optional<Edited> Neighbourhood::apply(const Schedule& schedule, Mutation mutation) const {
    if (!checker_->allows(schedule, mutation)) return std::nullopt;
    auto result = mutation.applied(schedule);
    if (!result) return std::nullopt;
    return Edited{std::move(mutation), std::move(*result)};
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

std::optional<Edited> Neighbourhood::draw_move(const Schedule& schedule, InstrId id, bool earlier_only,
                                               Rng& rng) const {
    if (id == kNone) return std::nullopt;
    const Position at = schedule.position_of(id);
    const SlotRange slots = checker_->slots(schedule, id);
    Position lowest = std::min(slots.lowest, at);
    Position highest = earlier_only ? at : std::max(slots.highest, at);
    // Half of the moves are short: most gains are, and far slots outnumber near ones.
    if (rng.chance(0.5)) {
        lowest = std::max(lowest, at >= 4 ? at - 4 : 0);
        highest = std::min(highest, at + 4);
    }
    if (highest <= lowest) return std::nullopt;
    const Position to = lowest + rng.below(highest - lowest + 1);
    if (to == at || !slots.contains(to)) return std::nullopt;
    return move_to(schedule, id, to);
}

// A move whose stall cycles stay where they were: the instruction takes a stall of 1 along, the one that came
// before it keeps the cycles for the rest. Without this a moved instruction drags its wait to the new place.
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
    }
    return std::nullopt;
}

std::optional<Edited> Neighbourhood::draw_some(const Schedule& schedule, unsigned most, Rng& rng) const {
    const unsigned wanted = 1 + rng.below(std::max(1u, most));
    std::optional<Edited> all;
    for (unsigned found = 0, tries = 0; found < wanted && tries < 64; ++tries) {
        const auto kind = static_cast<EditClass>(rng.below(kEditClasses));
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

std::vector<Mutation> Neighbourhood::all_of(const Schedule& schedule, InstrId id) const {
    std::vector<Mutation> out;
    const auto keep = [&](std::optional<Edited> edited) {
        if (edited) out.push_back(std::move(edited->mutation));
    };
    for (const int change : {-1, -2, -3, 1, 2, 3})
        keep(stall_by(schedule, id, change));
    keep(flip_yield(schedule, id));
    if (!scope_.movable(id)) return out;
    const SlotRange slots = checker_->slots(schedule, id);
    for (Position to = slots.lowest; to <= slots.highest; ++to)
        if (slots.contains(to)) keep(move_to(schedule, id, to));
    return out;
}

}  // namespace cubinlab
