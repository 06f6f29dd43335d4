// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/fuzz/directed_walk.h"

#include <algorithm>
#include <string_view>

#include "app/lab/fuzz/control_edits.h"
#include "core/legality/stall_repair.h"

namespace cubinlab {
namespace {

// Moves of `id` to every place that lies beyond an instruction of the kind, or to any if it is one itself: as
// it is where that is legal, else with the stall counts that make it so.
void moves_of(const HazardChecker& checker, const Schedule& base, InstrId id,
              std::vector<DirectedEdit>& out) {
    const Kernel& kernel = *base.kernel();
    const SlotRange slots = checker.slots(base, id);
    const auto [low, high] = checker.order_range(base, id);
    const Position at = base.position_of(id);
    for (const bool up : {true, false}) {
        std::set<std::string> passed;
        if (is_async_or_fence(kernel.instruction(id))) passed.insert(kernel.instruction(id).mnemonic);
        const Position end = up ? std::min(low, slots.lowest) : std::max(high, slots.highest);
        for (Position to = at; to != end;) {
            to = up ? to - 1 : to + 1;
            const Instruction& other = kernel.instruction(base.at(to));
            if (is_async_or_fence(other)) passed.insert(other.mnemonic);
            if (passed.empty()) continue;
            const Mutation move = Mutation::move_to(base, id, to);
            if (slots.contains(to))
                out.push_back({move, passed});
            else if (auto repaired = add_required_stalls(checker, base, move))
                out.push_back({std::move(*repaired), passed});
        }
    }
}

}  // namespace

bool is_async_or_fence(const Instruction& instruction) {
    switch (instruction.unit) {
        case Unit::AsyncGroup:
        case Unit::Fence:
        case Unit::Depbar:
        case Unit::Barrier:
        case Unit::Gmma:
            return true;
        default:
            break;
    }
    const std::string_view name = instruction.mnemonic;
    return instruction.has(Trait::AsyncIssue) || instruction.has(Trait::Fence) || name == "USETMAXREG" ||
           name == "CCTL" || name == "ELECT";
}

std::vector<DirectedEdit> directed_edits(const HazardChecker& checker, const Schedule& base) {
    const Kernel& kernel = *base.kernel();
    const auto size = static_cast<Position>(base.size());
    std::vector<DirectedEdit> out;
    for (Position at = 0; at < size; ++at)
        if (!kernel.pinned(base.at(at))) moves_of(checker, base, base.at(at), out);
    for (Position at = 0; at < size; ++at) {
        const InstrId id = base.at(at);
        std::set<std::string> near;
        for (Position p = at == 0 ? 0 : at - 1; p <= std::min(size - 1, at + 1); ++p) {
            const Instruction& other = kernel.instruction(base.at(p));
            if (kernel.block_of(base.at(p)) == kernel.block_of(id) && is_async_or_fence(other))
                near.insert(other.mnemonic);
        }
        if (near.empty()) continue;
        for (const ControlCode& control : control_edits(checker, base, id))
            out.push_back({Mutation::control(base, id, control), near});
    }
    return out;
}

DirectedWalks::DirectedWalks(CheckerPtr checker, const WalkMaker& maker, std::uint64_t base)
    : base_{0, Schedule(checker->kernel()), {}} {
    if (base > 0) base_ = maker.make(base - 1);
    edits_ = directed_edits(*checker, base_.schedule);
}

std::optional<Walk> DirectedWalks::make(std::uint64_t index) const {
    if (index >= edits_.size()) return std::nullopt;
    Walk out = base_;
    out.index = index;
    const Mutation& last = edits_[index].mutation;
    if (!last.apply(out.schedule)) return std::nullopt;
    out.mutations.push_back(last);
    return out;
}

}  // namespace cubinlab
