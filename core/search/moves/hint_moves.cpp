// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/hint_moves.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/insight/pointer_trace.h"
#include "core/schedule/loops.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostGroups = 24, kMostInstructions = 32;

// The accesses with an eviction priority, those in deeper loops first.
std::vector<InstrId> hinted_accesses(const EditScope& scope) {
    const Kernel& kernel = *scope.kernel();
    std::vector<InstrId> out;
    for (const InstrId id : scope.ids())
        if (has_eviction(kernel.instruction(id).word)) out.push_back(id);
    std::ranges::stable_sort(out, std::greater{}, [&](InstrId id) {
        return kernel.flow().blocks[kernel.block_of(id)].loop_depth;
    });
    return out;
}

std::vector<HintTarget> kernel_targets(const Kernel& kernel, const std::vector<InstrId>& accesses) {
    HintTarget all = accesses, loads, stores;
    for (const InstrId id : accesses)
        (kernel.instruction(id).memory.writes ? stores : loads).push_back(id);
    if (loads.empty() || stores.empty()) return {all};
    return {all, loads, stores};
}

std::vector<HintTarget> group_targets(const Kernel& kernel, const std::vector<InstrId>& accesses) {
    using Key = std::tuple<bool, int, BlockId, bool>;  // pointer known, which or base register, loop, store
    PointerTrace trace(kernel);
    std::map<Key, std::size_t> known;
    std::vector<HintTarget> out;
    for (const InstrId id : accesses) {
        const Instruction& i = kernel.instruction(id);
        const std::vector<BlockId> loop = blocks_of_loop(kernel.flow(), kernel.block_of(id));
        const KernelParam* pointer = trace.of(id);
        const Key key{pointer != nullptr, pointer != nullptr ? pointer->ordinal : i.memory.base,
                      loop.empty() ? kNone : loop.front(), i.memory.writes};
        const auto [at, added] = known.emplace(key, out.size());
        if (added) out.emplace_back();
        out[at->second].push_back(id);
    }
    out.resize(std::min(out.size(), kMostGroups));
    return out;
}

}  // namespace

std::vector<HintTarget> hint_targets(const EditScope& scope, HintLevel level) {
    const Kernel& kernel = *scope.kernel();
    const std::vector<InstrId> accesses = hinted_accesses(scope);
    std::vector<HintTarget> out;
    if (accesses.empty()) return out;
    if (level == HintLevel::Kernel) out = kernel_targets(kernel, accesses);
    if (level == HintLevel::Group) out = group_targets(kernel, accesses);
    if (level == HintLevel::Instruction)
        for (std::size_t i = 0; i < std::min(accesses.size(), kMostInstructions); ++i)
            out.push_back({accesses[i]});
    for (HintTarget& target : out)
        std::ranges::sort(target);
    return out;
}

std::optional<Edited> with_eviction(const HazardChecker& checker, const Schedule& schedule,
                                    const HintTarget& target, Eviction eviction) {
    const Kernel& kernel = *schedule.kernel();
    Mutation mutation;
    for (const InstrId id : target) {
        CacheHint hint = CacheHint::from_bits(schedule.field(kHintField, id));
        if (hint.eviction == eviction) continue;
        hint.eviction = eviction;
        if (hint_refusal(kernel.arch(), kernel.instruction(id), hint).empty())
            mutation.edits.push_back(Mutation::field(schedule, kHintField, id, hint.bits()).edits.front());
    }
    if (mutation.empty() || !checker.allows(schedule, mutation)) return std::nullopt;
    return Edited::of(schedule, std::move(mutation));
}

}  // namespace cubinlab
