// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/flow_graph.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "core/schedule/control_flow.h"
#include "core/schedule/loops.h"

namespace cubinlab {
namespace {

using OffsetSet = std::vector<std::uint32_t>;    // sorted, unique
using BarrierState = std::array<OffsetSet, 16>;  // by B register: targets of the BSSYs that may have set it

bool insert_all(OffsetSet& into, const OffsetSet& from) {
    if (std::includes(into.begin(), into.end(), from.begin(), from.end())) return false;
    OffsetSet merged;
    std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(merged));
    into = std::move(merged);
    return true;
}

// Maximum number of edges of branches without a target list.
constexpr std::size_t kMostGuessed = 1'000'000;

class FlowBuilder {
  public:
    FlowBuilder(const std::vector<Instruction>& code, const FlowHints& hints) : code_(code), hints_(hints) {
        for (const IndirectBranch& branch : hints.indirect_branches)
            indirect_.emplace(branch.offset, &branch);
    }

    FlowGraph build() {
        if (code_.empty()) return {};
        cut_blocks();
        connect();
        resolve_reconvergence();
        mark_unknown_predecessors();
        link_predecessors();
        find_loops(graph_, return_edges_);
        return std::move(graph_);
    }

  private:
    bool inside(std::int64_t offset) const {
        return offset >= 0 && offset % kWordBytes == 0 &&
               static_cast<std::uint64_t>(offset) / kWordBytes < code_.size();
    }
    BlockId block_at(std::int64_t offset) const {
        return graph_.block_of[static_cast<std::size_t>(offset) / kWordBytes];
    }
    const Instruction& last(BlockId b) const { return code_[graph_.blocks[b].end() - 1]; }
    std::uint32_t last_offset(BlockId b) const { return (graph_.blocks[b].end() - 1) * kWordBytes; }

    void cut_blocks() {
        std::vector<bool> starts(code_.size(), false);
        starts[0] = true;
        auto label = [&](std::int64_t offset) {
            if (inside(offset)) starts[static_cast<std::size_t>(offset) / kWordBytes] = true;
        };
        for (std::size_t i = 0; i < code_.size(); ++i) {
            label(code_[i].branch_target);
            if (flow_kind(code_[i]) != FlowKind::None && i + 1 < code_.size()) starts[i + 1] = true;
        }
        for (const std::uint32_t target : hints_.indirect_targets)
            label(target);
        for (const std::uint32_t entry : hints_.function_entries)
            label(entry);
        for (const IndirectBranch& branch : hints_.indirect_branches)
            for (const std::uint32_t target : branch.targets)
                label(target);
        graph_.block_of.resize(code_.size());
        for (Position p = 0; p < code_.size(); ++p) {
            if (starts[p]) graph_.blocks.push_back({p, 0, {}, {}, false, false, 0, kNone});
            ++graph_.blocks.back().count;
            graph_.block_of[p] = static_cast<BlockId>(graph_.blocks.size() - 1);
        }
    }

    void add_edge(BlockId from, BlockId to) {
        std::vector<BlockId>& s = graph_.blocks[from].successors;
        if (std::find(s.begin(), s.end(), to) == s.end()) s.push_back(to);
    }
    void fall_through(BlockId b) {
        if (b + 1 < graph_.blocks.size())
            add_edge(b, b + 1);
        else
            graph_.blocks[b].unknown_successors = true;
    }
    void jump(BlockId b, std::int64_t target) {
        if (inside(target))
            add_edge(b, block_at(target));
        else
            graph_.blocks[b].unknown_successors = true;
    }

    void connect() {
        for (BlockId b = 0; b < graph_.blocks.size(); ++b)
            connect_block(b);
    }

    void connect_block(BlockId b) {
        const Instruction& end = last(b);
        switch (flow_kind(end)) {
            case FlowKind::None:
                fall_through(b);
                return;
            case FlowKind::Branch:
                jump(b, end.branch_target);
                if (is_conditional(end)) fall_through(b);
                return;
            case FlowKind::Indirect:
                connect_indirect(b);
                return;
            case FlowKind::Exit:
                break;
            case FlowKind::Call:
                jump(b, end.branch_target);
                if (b + 1 < graph_.blocks.size()) {
                    graph_.blocks[b + 1].unknown_predecessors = true;
                    return_edges_.push_back({b, b + 1});
                }
                break;
            case FlowKind::Return:
                graph_.blocks[b].unknown_successors = true;
                break;
            case FlowKind::Reconverge:
                return;  // resolve_reconvergence
            case FlowKind::BlockEnd:
                if (end.branch_target >= 0) jump(b, end.branch_target);
                fall_through(b);
                return;
            case FlowKind::Unknown:
                graph_.blocks[b].unknown_successors = true;
                fall_through(b);
                return;
        }
        if (end.guarded()) fall_through(b);
    }

    // Tables have thousands of targets: adds each block once, in linear time.
    void jump_to_all(BlockId b, const std::vector<std::uint32_t>& targets) {
        std::unordered_set<BlockId> known(graph_.blocks[b].successors.begin(),
                                          graph_.blocks[b].successors.end());
        for (const std::uint32_t target : targets) {
            if (!inside(target))
                graph_.blocks[b].unknown_successors = true;
            else if (known.insert(block_at(target)).second)
                graph_.blocks[b].successors.push_back(block_at(target));
        }
    }

    void connect_indirect(BlockId b) {
        const auto branch = indirect_.find(last_offset(b));
        if (branch != indirect_.end()) {
            jump_to_all(b, branch->second->targets);
        } else {
            graph_.blocks[b].unknown_successors = true;
            // Without these edges, every target has unknown predecessors: see mark_unknown_predecessors.
            guessed_ += hints_.indirect_targets.size();
            if (guessed_ <= kMostGuessed) jump_to_all(b, hints_.indirect_targets);
        }
        if (last(b).guarded()) fall_through(b);
    }

    // BSYNC branches to the target of the BSSY that set its B register: a forward data-flow analysis over the
    // edges found so far, which adds the edges of each resolved BSYNC.
    void resolve_reconvergence() {
        collect_bssy_targets();
        std::vector<BarrierState> in(graph_.blocks.size());
        std::vector<bool> queued(graph_.blocks.size(), true);
        std::deque<BlockId> work;
        for (BlockId b = 0; b < graph_.blocks.size(); ++b)
            work.push_back(b);
        while (!work.empty()) {
            const BlockId b = work.front();
            work.pop_front();
            queued[b] = false;
            const BarrierState out = transfer(b, in[b]);
            if (flow_kind(last(b)) == FlowKind::Reconverge) connect_bsync(b, out[barrier_register(last(b))]);
            auto push = [&](BlockId to) {
                bool changed = false;
                for (std::size_t r = 0; r < out.size(); ++r)
                    changed |= insert_all(in[to][r], out[r]);
                if (changed && !queued[to]) {
                    queued[to] = true;
                    work.push_back(to);
                }
            };
            for (const BlockId to : graph_.blocks[b].successors)
                push(to);
            if (flow_kind(last(b)) == FlowKind::Call && b + 1 < graph_.blocks.size()) push(b + 1);
        }
        for (BlockId b = 0; b < graph_.blocks.size(); ++b)
            if (flow_kind(last(b)) == FlowKind::Reconverge) finish_bsync(b, in[b]);
    }

    void collect_bssy_targets() {
        for (const Instruction& i : code_)
            if (is_bssy(i) && inside(i.branch_target))
                insert_all(bssy_targets_[barrier_register(i)], {static_cast<std::uint32_t>(i.branch_target)});
    }

    BarrierState transfer(BlockId b, BarrierState state) const {
        const Block& block = graph_.blocks[b];
        for (Position p = block.first; p < block.end(); ++p) {
            const Instruction& i = code_[p];
            if (is_bssy(i)) {
                OffsetSet& set = state[barrier_register(i)];
                if (!i.guarded()) set.clear();
                if (inside(i.branch_target)) insert_all(set, {static_cast<std::uint32_t>(i.branch_target)});
                continue;
            }
            if (flow_kind(i) == FlowKind::Reconverge || std::string_view(i.mnemonic) == "BREAK") continue;
            for (const Operand& operand :
                 i.operands)  // BMOV restores a saved barrier: any BSSY of that register
                if (operand.file == RegFile::BReg && operand.write && operand.first < 16)
                    insert_all(state[operand.first], bssy_targets_[operand.first]);
        }
        return state;
    }

    void connect_bsync(BlockId b, const OffsetSet& targets) {
        for (const std::uint32_t target : targets)
            add_edge(b, block_at(target));
    }

    void finish_bsync(BlockId b, const BarrierState& in) {
        const unsigned reg = barrier_register(last(b));
        OffsetSet targets = transfer(b, in)[reg];
        if (targets.empty()) targets = bssy_targets_[reg];
        if (targets.empty()) graph_.blocks[b].unknown_successors = true;
        connect_bsync(b, targets);
        fall_through(b);
    }

    void mark_unknown_predecessors() {
        graph_.blocks[0].unknown_predecessors = true;
        std::vector<bool> reached(graph_.blocks.size(), false), listed(graph_.blocks.size(), false);
        for (const Block& block : graph_.blocks)
            for (const BlockId to : block.successors)
                reached[to] = true;
        for (const IndirectBranch& branch : hints_.indirect_branches)
            for (const std::uint32_t target : branch.targets)
                if (inside(target)) listed[block_at(target)] = true;
        for (const std::uint32_t target : hints_.indirect_targets)
            if (inside(target) && (!listed[block_at(target)] || guessed_ > kMostGuessed))
                graph_.blocks[block_at(target)].unknown_predecessors = true;
        // An indirect call may enter any function, whatever its other callers are.
        const bool indirect_calls = std::any_of(code_.begin(), code_.end(), [](const Instruction& i) {
            return flow_kind(i) == FlowKind::Call && i.branch_target < 0;
        });
        for (const std::uint32_t entry : hints_.function_entries)
            if (inside(entry) && (indirect_calls || !reached[block_at(entry)]))
                graph_.blocks[block_at(entry)].unknown_predecessors = true;
    }

    void link_predecessors() {
        for (BlockId b = 0; b < graph_.blocks.size(); ++b)
            for (const BlockId to : graph_.blocks[b].successors)
                graph_.blocks[to].predecessors.push_back(b);
    }

    const std::vector<Instruction>& code_;
    const FlowHints& hints_;
    FlowGraph graph_;
    std::unordered_map<std::uint32_t, const IndirectBranch*> indirect_;  // by offset
    std::size_t guessed_ = 0;  // edges of indirect branches without a target list
    BarrierState bssy_targets_;
    std::vector<std::pair<BlockId, BlockId>> return_edges_;  // CALL to the word after it
};

}  // namespace

FlowGraph build_flow_graph(const std::vector<Instruction>& code, const FlowHints& hints) {
    return FlowBuilder(code, hints).build();
}

FlowGraph build_flow_graph(const std::vector<Instruction>& code,
                           const std::vector<std::uint32_t>& indirect_targets) {
    return build_flow_graph(code, FlowHints{indirect_targets, {}, {}});
}

std::vector<bool> reachable_blocks(const FlowGraph& flow) {
    std::vector<bool> seen(flow.blocks.size(), false);
    std::vector<BlockId> open;
    const auto push = [&](BlockId b) {
        if (b < seen.size() && !seen[b]) {
            seen[b] = true;
            open.push_back(b);
        }
    };
    push(0);
    bool indirect_done = false;
    while (!open.empty()) {
        const Block& block = flow.blocks[open.back()];
        open.pop_back();
        for (const BlockId next : block.successors)
            push(next);
        if (block.unknown_successors && !indirect_done) {
            indirect_done = true;
            for (BlockId b = 0; b < flow.blocks.size(); ++b)
                if (flow.blocks[b].unknown_predecessors) push(b);
        }
    }
    return seen;
}

}  // namespace cubinlab
