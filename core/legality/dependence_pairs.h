// SPDX-License-Identifier: GPL-3.0-or-later
// All register dependences of a kernel, inside blocks and across block edges, with the cycles that each
// needs. Computed once from the original order: every legal reordering has the same ones. Internal.
//
// Inside a block: `local`, grouped by the second instruction. Across edges: an *exposure* is a register
// access that a later block may conflict with. Each block lists the exposures that may reach its entry, the
// instructions that use them and those that pass through. A data-flow analysis of ages (cycles since issue,
// minimum over all paths) yields the distances.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/legality/dependency_graph.h"
#include "core/legality/hazard_checker.h"
#include "core/legality/register_access.h"

namespace cubinlab {

struct RegDependence {
    InstrId first = kNone;
    InstrId second = kNone;  // kNone: unknown code after an edge
    RegIndex reg = 0;
    DependenceKind kind = DependenceKind::Raw;
    bool by_scoreboard = false;   // waits prove the pair; `need` may require a distance as well
    std::uint16_t table = 0;      // cycles from the tables; 0: not in a table
    std::uint16_t original = 0;   // cycles in the original schedule, at most kDistanceCap
    std::uint16_t need = 0;       // cycles enforced
    std::uint16_t with_wait = 0;  // cycles from the tables if a wait proves the pair
};

struct Exposure {
    InstrId first = kNone;  // kNone: unknown code before a block
    RegIndex reg = 0;
    std::uint8_t operand = 0;
    bool write = false;
};

struct CrossUse {
    std::uint32_t in = 0;  // index into BlockFlow::in
    RegDependence dependence;
};

struct BlockFlow {
    struct Out {
        std::uint32_t exposure = 0;
        std::int32_t in = -1;  // passes through from this entry; -1: issued by `first` in this block
    };
    struct Target {
        std::uint32_t out = 0;
        BlockId block = 0;
        std::uint32_t in = 0;
    };
    std::vector<std::uint32_t> in;  // exposures
    std::uint32_t ages = 0;         // index of the first entry of `in` in ScheduleTiming::ages
    std::vector<CrossUse> uses;
    std::vector<Out> out;
    std::vector<Target> targets;
    // Index of the uses of an entry, the targets of an out, and the out of an in.
    std::vector<std::uint32_t> uses_begin;
    std::vector<std::uint32_t> targets_begin;
    std::vector<std::int32_t> out_of_in;
    void index();
};

inline constexpr int kNeverMet = 1 << 20;  // age of an exposure that does not reach a block

// Issue cycles of a schedule.
struct ScheduleTiming {
    std::vector<int> cycle;  // by InstrId: from the block's start to the issue
    std::vector<int> total;  // by block: from its start to the start of the next
    std::vector<int> ages;   // of exposures at block entries, block after block

    // Parallel to BlockFlow::in.
    std::span<const int> age_in(const BlockFlow& flow) const {
        return {ages.data() + flow.ages, flow.in.size()};
    }
};

// Minimum cycles that an instruction with this control code delays the next one.
int effective_stall(const ControlCode& control);

class DependencePairs {
  public:
    DependencePairs(const Kernel& kernel, CheckMode mode);

    std::span<const RegDependence> local_of(InstrId second) const {
        return {local_.data() + local_begin_[second], local_begin_[second + 1] - local_begin_[second]};
    }
    const std::vector<RegDependence>& local() const { return local_; }
    const BlockFlow& flow(BlockId block) const { return flows_[block]; }
    const Exposure& exposure(std::uint32_t index) const { return exposures_[index]; }
    int longest_need() const { return longest_need_; }
    std::size_t uncovered() const { return uncovered_; }
    std::size_t count() const { return count_; }
    // False if the cross-block dependences are too many to store (a large jump table in a loop); then nothing
    // is known about them.
    bool complete() const { return complete_; }

    ScheduleTiming timing(const Schedule& schedule) const;
    // As above, if only `block` differs from the schedule of `from`.
    ScheduleTiming timing(const Schedule& schedule, BlockId block, const ScheduleTiming& from) const;
    // Computes cycle and total of one block.
    static void block_timing(const Schedule& schedule, const Block& block, ScheduleTiming& timing,
                             BlockId id);

  private:
    friend class PairBuilder;
    // BlockFlow::targets of all blocks: an exposure that leaves a block and enters another one.
    struct Passage {
        std::uint32_t to = 0;    // index in ScheduleTiming::ages
        std::int32_t from = -1;  // index there if it passes through; -1: issued by `first`
        InstrId first = kNone;
        BlockId block = 0;  // the block it enters
    };
    std::span<const Passage> passages(BlockId from) const {
        return {passages_.data() + passages_begin_[from], passages_begin_[from + 1] - passages_begin_[from]};
    }
    static int age_of(const Passage& passage, BlockId from, const ScheduleTiming& timing);
    void index_passages();
    void propagate(ScheduleTiming& timing) const;
    void settle(const Kernel& kernel, CheckMode mode);
    void need_with_wait(CheckMode mode, RegDependence& dependence);
    void settle_one(const Kernel& kernel, CheckMode mode, RegDependence& dependence, int original);

    const FlowGraph* graph_ = nullptr;
    std::vector<RegDependence> local_;
    std::vector<std::uint32_t> local_begin_;
    std::vector<Exposure> exposures_;
    std::vector<BlockFlow> flows_;
    std::vector<Passage> passages_;
    std::vector<std::size_t> passages_begin_;  // by block, and the end
    std::size_t entries_ = 0;                  // total of all blocks
    int longest_need_ = 1;
    std::size_t uncovered_ = 0;
    std::size_t count_ = 0;
    bool complete_ = true;
};

}  // namespace cubinlab
