// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moves/hint_moves.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/schedule/loops.h"

namespace cubinlab {
namespace {

constexpr std::size_t kMostGroups = 24, kMostInstructions = 32;
constexpr int kMostTraced = 24;  // definitions that a search for a pointer visits
constexpr unsigned kPointerBytes = 8;

const KernelParam* pointer_at(const KernelInfo& info, std::uint32_t constant) {
    const auto holds = [&](const KernelParam& p) {
        const std::uint32_t first = info.param_base + p.offset;
        return p.size == kPointerBytes && constant >= first && constant < first + kPointerBytes;
    };
    const auto found = std::ranges::find_if(info.params, holds);
    return found == info.params.end() ? nullptr : &*found;
}

// The constant that an instruction reads: LDC, ULDC, or an operand in a constant bank. All have its offset in bits 38-53.
std::optional<std::uint32_t> constant_of(const Instruction& i) {
    const unsigned form = i.word.bits(9, 3);
    const bool operand = i.memory.space == MemorySpace::None && (form == 3 || form == 5);
    if (i.memory.space != MemorySpace::Constant && !operand) return std::nullopt;
    return static_cast<std::uint32_t>(i.word.bits(38, 16));
}

// Finds the pointer parameter of an address through the last definitions before it, in the compiler's order.
class PointerTrace {
  public:
    explicit PointerTrace(const Kernel& kernel) : kernel_(kernel) {}

    const KernelParam* of(InstrId access) {
        left_ = kMostTraced;
        for (const Operand& o : kernel_.instruction(access).operands)
            if (o.read && o.role == Role::Address)
                if (const KernelParam* found = definition(o, access)) return found;
        return nullptr;
    }

  private:
    const KernelParam* definition(const Operand& wanted, InstrId before) {
        for (InstrId id = before; id-- > 0;) {
            const Instruction& i = kernel_.instruction(id);
            const bool defines = std::ranges::any_of(
                i.operands, [&](const Operand& o) { return o.write && o.overlaps(wanted); });
            if (defines) return sources(i, id);
        }
        return nullptr;
    }

    const KernelParam* sources(const Instruction& i, InstrId id) {
        if (left_-- <= 0) return nullptr;
        if (const auto constant = constant_of(i))
            if (const KernelParam* found = pointer_at(kernel_.info(), *constant)) return found;
        for (const Operand& o : i.operands)
            if (o.read && (o.file == RegFile::Gpr || o.file == RegFile::UGpr) && o.role != Role::Descriptor)
                if (const KernelParam* found = definition(o, id)) return found;
        return nullptr;
    }

    const Kernel& kernel_;
    int left_ = 0;
};

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
