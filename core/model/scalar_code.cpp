// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/scalar_code.h"

#include <algorithm>

#include "core/schedule/control_flow.h"

namespace cubinlab {

// Every slot that an op names, written ones with true.
template <class Visit>
void ScalarCode::visit_slots(ScalarOp& op, Visit visit) {
    for (ScalarSource* s :
         {&op.guard, &op.a, &op.b, &op.c, &op.c_high, &op.preds[0], &op.preds[1], &op.preds[2]})
        visit(s->slot, false);
    visit(op.dest, true);
    visit(op.dest_high, true);
    for (std::int16_t& slot : op.pred_dest)
        visit(slot, true);
    for (std::int16_t& slot : op.writes)
        visit(slot, true);
}

ScalarCode::ScalarCode(const Kernel& kernel, const LaunchValues& launch, std::optional<ThreadPlace> place) {
    const std::vector<Block>& blocks = kernel.flow().blocks;
    blocks_.resize(blocks.size());
    for (BlockId b = 0; b < blocks.size(); ++b) {
        for (Position at = blocks[b].first; at < blocks[b].end(); ++at) {
            ScalarOp op = scalar_op(kernel, launch, place, at);
            if (!op.writes.empty()) blocks_[b].ops.push_back(std::move(op));
        }
        if (blocks[b].count > 0)
            blocks_[b].ends_by_condition =
                scalar_condition(kernel, blocks[b].end() - 1, blocks_[b].guard, blocks_[b].extra);
    }
    find_calls(kernel);
    trace_memory();
    keep_relevant();
}

// What is computed, by instructions that are not looked into, from values out of memory, is said to be one.
void ScalarCode::trace_memory() {
    std::vector<bool> loaded(kScalarSlots, false);
    for (bool changed = true; changed;) {
        changed = false;
        for (BlockCode& block : blocks_)
            for (ScalarOp& op : block.ops) {
                if (op.kind != ScalarKind::Unknown) continue;
                if (op.from == Origin::Other &&
                    std::any_of(op.reads.begin(), op.reads.end(),
                                [&](std::int16_t slot) { return loaded[static_cast<std::size_t>(slot)]; }))
                    op.from = Origin::Memory;
                if (op.from != Origin::Memory) continue;
                for (const std::int16_t slot : op.writes) {
                    changed = changed || !loaded[static_cast<std::size_t>(slot)];
                    loaded[static_cast<std::size_t>(slot)] = true;
                }
            }
    }
}

// Slots that reach a condition, and the instructions that write them; the rest is dropped.
void ScalarCode::keep_relevant() {
    std::vector<std::vector<const ScalarOp*>> writers(kScalarSlots);
    for (BlockCode& block : blocks_)
        for (const ScalarOp& op : block.ops)
            for (const std::int16_t slot : op.writes)
                writers[static_cast<std::size_t>(slot)].push_back(&op);
    std::vector<bool> relevant(kScalarSlots, false);
    std::vector<std::int16_t> open;
    const auto need = [&](const ScalarSource& source) {
        if (source.slot < 0 || relevant[static_cast<std::size_t>(source.slot)]) return;
        relevant[static_cast<std::size_t>(source.slot)] = true;
        open.push_back(source.slot);
    };
    for (const BlockCode& block : blocks_)
        if (block.ends_by_condition) {
            need(block.guard);
            need(block.extra);
        }
    while (!open.empty()) {
        const auto slot = static_cast<std::size_t>(open.back());
        open.pop_back();
        for (const ScalarOp* op : writers[slot]) {
            need(op->guard);
            if (op->kind == ScalarKind::Unknown) continue;
            for (const ScalarSource* s :
                 {&op->a, &op->b, &op->c, &op->c_high, &op->preds[0], &op->preds[1], &op->preds[2]})
                need(*s);
        }
    }
    std::vector<std::int16_t> number(kScalarSlots, -1);
    for (std::size_t slot = 0; slot < number.size(); ++slot)
        if (relevant[slot]) number[slot] = static_cast<std::int16_t>(slots_++);
    const auto renumber = [&](std::int16_t& slot) {
        if (slot >= 0) slot = number[static_cast<std::size_t>(slot)];
    };
    const auto drop_lost = [](std::vector<std::int16_t>& slots) { std::erase(slots, std::int16_t{-1}); };
    for (BlockCode& block : blocks_) {
        std::erase_if(block.ops, [&](const ScalarOp& op) {
            return std::none_of(op.writes.begin(), op.writes.end(),
                                [&](std::int16_t slot) { return relevant[static_cast<std::size_t>(slot)]; });
        });
        for (ScalarOp& op : block.ops) {
            op.reads.clear();
            // A source of an instruction that is not looked into does not matter, its guard does.
            if (op.kind == ScalarKind::Unknown)
                op.a = op.b = op.c = op.c_high = op.preds[0] = op.preds[1] = op.preds[2] = {};
            visit_slots(op, [&](std::int16_t& slot, bool) { renumber(slot); });
            drop_lost(op.writes);
        }
        renumber(block.guard.slot);
        renumber(block.extra.slot);
        for (std::int16_t& slot : block.called_writes)
            renumber(slot);
        drop_lost(block.called_writes);
    }
}

// What the code that a call reaches writes, down to its RETs; everything where it goes nobody knows where.
void ScalarCode::find_calls(const Kernel& kernel) {
    const FlowGraph& flow = kernel.flow();
    for (BlockId b = 0; b < blocks_.size(); ++b) {
        const Block& block = flow.blocks[b];
        if (block.count == 0 || flow_kind(kernel.instruction(block.end() - 1)) != FlowKind::Call) continue;
        std::vector<bool> seen(blocks_.size(), false), written(kScalarSlots, block.successors.empty());
        std::vector<BlockId> open = block.successors;
        while (!open.empty()) {
            const BlockId at = open.back();
            open.pop_back();
            if (seen[at]) continue;
            seen[at] = true;
            for (const ScalarOp& op : blocks_[at].ops)
                for (const std::int16_t slot : op.writes)
                    written[static_cast<std::size_t>(slot)] = true;
            const Block& here = flow.blocks[at];
            if (here.count == 0) continue;
            const FlowKind kind = flow_kind(kernel.instruction(here.end() - 1));
            if (kind == FlowKind::Call && at + 1 < blocks_.size()) open.push_back(at + 1);
            if (here.unknown_successors && kind != FlowKind::Return && kind != FlowKind::Call)
                written.assign(kScalarSlots, true);
            open.insert(open.end(), here.successors.begin(), here.successors.end());
        }
        for (std::size_t slot = 0; slot < written.size(); ++slot)
            if (written[slot]) blocks_[b].called_writes.push_back(static_cast<std::int16_t>(slot));
    }
}

void ScalarCode::run(BlockId block, ScalarState& state) const {
    for (const ScalarOp& op : blocks_[block].ops)
        execute(op, state);
}

Scalar ScalarCode::condition(BlockId block, const ScalarState& state) const {
    const BlockCode& code = blocks_[block];
    if (!code.ends_by_condition) return {1, Origin::Known};
    return both(predicate_of(code.guard, state), predicate_of(code.extra, state));
}

void ScalarCode::clobber(BlockId block, ScalarState& state) const {
    for (const std::int16_t slot : blocks_[block].called_writes)
        state[static_cast<std::size_t>(slot)] = {0, Origin::Call};
}

}  // namespace cubinlab
