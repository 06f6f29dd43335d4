// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/model/plain_core.h"

#include <algorithm>

namespace cubinlab {

PlainCore::PlainCore(const ModelProgram& program)
    : program_(program),
      warps_(static_cast<std::size_t>(program.warps)),
      meetings_(
          (static_cast<std::size_t>(program.warps) + static_cast<std::size_t>(program.warps_per_block) - 1) /
          static_cast<std::size_t>(program.warps_per_block)) {
    for (Warp& warp : warps_) {
        warp.done = program_.trace->empty();
        if (!warp.done) warp.at = (*program_.blocks)[program_.trace->front().block].first;
        warp.next_issue = program_.stagger * static_cast<std::uint64_t>(&warp - warps_.data());
        if (!warp.done) make_ready(warp);
    }
}

double PlainCore::run(ModelRun* detail) {
    std::uint64_t now = 0;
    while (true) {
        std::size_t pick = warps_.size();
        std::uint64_t when = kNever;
        WaitReason why = WaitReason::None;
        for (std::size_t w = 0; w < warps_.size(); ++w) {
            const Warp& warp = warps_[w];
            if (warp.done || warp.waiting || warp.ready > when) continue;
            WaitReason reason = WaitReason::None;
            const std::uint64_t at = earliest(warp, now, detail && w == 0 ? &reason : nullptr);
            // The same warp goes on while it is ready, else the youngest one.
            const bool preferred = at == when && !(has_sticky_ && pick == sticky_);
            if (at < when || preferred) {
                when = at;
                pick = w;
            }
            if (w == 0) why = reason;
        }
        if (pick == warps_.size()) break;
        if (detail && pick == 0) note(*detail, warps_[0], when, why);
        issue(pick, when);
        now = when + 1;
    }
    double cycles = 0;
    for (const Warp& warp : warps_)
        cycles += warp.cycles;
    return warps_.empty() ? 0 : cycles / static_cast<double>(warps_.size());
}

// First cycle at which the warp's next instruction could issue, with the shared pipes as they are.
std::uint64_t PlainCore::earliest(const Warp& warp, std::uint64_t now, WaitReason* reason) const {
    const ModelOp& op = op_of(warp);
    std::uint64_t at = warp.ready;
    WaitReason why = warp.ready_reason;
    const auto bound = [&](std::uint64_t cycle, WaitReason by) {
        if (cycle > at) {
            at = cycle;
            why = by;
        }
    };
    bound(now, WaitReason::OtherWarp);
    const Pipe pipe = op.timing.pipe;
    if (pipe != Pipe::None) bound(pipe_free_[static_cast<std::size_t>(pipe)], WaitReason::Unit);
    if (op.timing.read_count[0] + op.timing.read_count[1] + op.timing.read_count[2] > 0)
        bound(port_free_, WaitReason::RegisterPort);
    if (pipe == Pipe::Memory && queued_ >= static_cast<std::uint32_t>(program_.memory_queue))
        bound(queue_[(queued_ - static_cast<std::uint32_t>(program_.memory_queue)) % queue_.size()],
              WaitReason::MemoryQueue);
    if (reason) *reason = why;
    return at;
}

void PlainCore::set_one(Warp& warp, std::uint8_t slot, std::uint64_t until) {
    if (slot >= warp.release.size()) return;
    warp.release[slot] = std::max(warp.release[slot], until);
    warp.recent[slot][warp.sets[slot]++ % 8] = warp.release[slot];
}

void PlainCore::set_scoreboards(Warp& warp, const ModelOp& op, std::uint64_t cycle) {
    std::uint64_t start = cycle;
    const Timing& timing = op.timing;
    if (timing.pipe == Pipe::Memory) {
        start = std::max(cycle, memory_free_);
        memory_free_ = start + timing.service;
        queue_[queued_++ % queue_.size()] = start;
    }
    std::uint64_t written = start + timing.write_release;
    switch (timing.effect) {
        case Effect::AsyncCopy:
            warp.copies_done = std::max(warp.copies_done, written);
            break;
        case Effect::AsyncCommit:
            written = std::max(warp.copies_done, cycle + 2);
            // The commit names its scoreboard in the operand where it has no write barrier.
            if (op.control.write_barrier == kNoBarrier && timing.named_scoreboard >= 0)
                set_one(warp, static_cast<std::uint8_t>(timing.named_scoreboard), written);
            break;
        case Effect::TensorGroup:
            tensor_free_ = std::max(tensor_free_, cycle) + timing.service;
            written = tensor_free_;
            warp.groups[warp.group_count++ % warp.groups.size()] = tensor_free_;
            break;
        default:
            break;
    }
    set_one(warp, op.control.write_barrier, written);
    set_one(warp, op.control.read_barrier, start + timing.read_release);
}

// Cycles that the register file's two ports are held: one register a bank each; a hit in the reuse cache is
// free.
std::uint64_t PlainCore::port_cycles(std::size_t index, const ModelOp& op) {
    std::array<std::uint64_t, 2> held{};
    for (std::size_t slot = 0; slot < 3; ++slot) {
        for (unsigned k = 0; k < op.timing.read_count[slot]; ++k) {
            const unsigned reg = op.timing.reads[slot] + k;
            const std::uint32_t tag = static_cast<std::uint32_t>(index << 9 | reg) + 1;
            std::uint32_t& entry = reuse_[slot][reg % 2];
            if (entry != tag) ++held[reg % 2];
            entry = (op.control.reuse >> slot & 1u) != 0 ? tag : 0;
        }
    }
    return std::max(held[0], held[1]);
}

void PlainCore::issue(std::size_t index, std::uint64_t cycle) {
    Warp& warp = warps_[index];
    const ModelOp& op = op_of(warp);
    if (warp.at == (*program_.blocks)[(*program_.trace)[warp.pass].block].first) {
        if (warp.started)
            warp.cycles +=
                static_cast<double>(cycle - warp.entered) * (*program_.trace)[warp.pass - 1].weight;
        warp.started = true;
        warp.entered = cycle;
    }
    if (op.timing.pipe != Pipe::None)
        pipe_free_[static_cast<std::size_t>(op.timing.pipe)] = cycle + op.timing.occupancy;
    if (op.timing.read_count[0] + op.timing.read_count[1] + op.timing.read_count[2] > 0)
        port_free_ = cycle + port_cycles(index, op);
    set_scoreboards(warp, op, cycle);
    const std::uint64_t stall = std::max<std::uint64_t>(op.control.stall, op.control.yield ? 2 : 1);
    warp.last_issue = cycle;
    warp.next_issue = cycle + stall;
    sticky_ = index;
    has_sticky_ = !op.control.yield;
    const bool barrier = op.timing.effect == Effect::Barrier;
    advance(warp);
    if (barrier) arrive(index, cycle);
}

void PlainCore::advance(Warp& warp) {
    const std::vector<Pass>& trace = *program_.trace;
    if (++warp.at == (*program_.blocks)[trace[warp.pass].block].end()) {
        if (warp.pass + 1 == trace.size()) {
            warp.cycles += static_cast<double>(warp.next_issue - warp.entered) * trace[warp.pass].weight;
            warp.done = true;
            return;
        }
        warp.at = (*program_.blocks)[trace[++warp.pass].block].first;
    }
    make_ready(warp);
}

void PlainCore::make_ready(Warp& warp) {
    const ModelOp& op = op_of(warp);
    warp.ready = warp.next_issue;
    warp.ready_reason = warp.next_issue > warp.last_issue + 1 ? WaitReason::Stall : WaitReason::None;
    const auto bound = [&](std::uint64_t cycle) {
        if (cycle > warp.ready) {
            warp.ready = cycle;
            warp.ready_reason = WaitReason::Scoreboard;
        }
    };
    for (unsigned mask = op.control.wait_mask & 0x3fu; mask != 0; mask &= mask - 1)
        bound(warp.release[static_cast<unsigned>(__builtin_ctz(mask))]);
    const Timing& timing = op.timing;
    if (timing.effect == Effect::AsyncWait && timing.named_scoreboard >= 0 && timing.named_scoreboard < 6) {
        // At most named_count may be outstanding: the one before those has to be back.
        const auto slot = static_cast<std::size_t>(timing.named_scoreboard);
        if (warp.sets[slot] > timing.named_count && timing.named_count < 8)
            bound(warp.recent[slot][(warp.sets[slot] - 1 - timing.named_count) % 8]);
    }
    if (timing.effect == Effect::TensorWait && warp.group_count > timing.named_count &&
        timing.named_count < 8)
        bound(warp.groups[(warp.group_count - 1 - timing.named_count) % 8]);
}

void PlainCore::arrive(std::size_t index, std::uint64_t cycle) {
    const auto per_block = static_cast<std::size_t>(program_.warps_per_block);
    const std::size_t first = index / per_block * per_block;
    const std::size_t last = std::min(first + per_block, warps_.size());
    Meeting& meeting = meetings_[index / per_block];
    warps_[index].waiting = true;
    meeting.last = std::max(meeting.last, cycle);
    if (++meeting.arrived < static_cast<int>(last - first)) return;
    for (std::size_t w = first; w < last; ++w) {
        Warp& warp = warps_[w];
        warp.waiting = false;
        const std::uint64_t open = meeting.last + kBarrierLatency;
        if (open > warp.ready) {
            warp.ready = open;
            warp.ready_reason = WaitReason::Barrier;
        }
    }
    meeting = {};
}

void PlainCore::note(ModelRun& detail, const Warp& warp, std::uint64_t cycle, WaitReason reason) const {
    const Block& block = (*program_.blocks)[(*program_.trace)[warp.pass].block];
    const std::uint64_t entered = warp.at == block.first ? cycle : warp.entered;
    const std::uint64_t soonest = warp.started ? warp.last_issue + 1 : 0;
    detail.issue_cycle[warp.at] = static_cast<std::uint32_t>(cycle - entered);
    detail.waited[warp.at] = static_cast<std::uint32_t>(cycle - soonest);
    detail.reason[warp.at] = cycle == soonest ? WaitReason::None : reason;
    if (warp.at == block.first && warp.started) {
        const BlockId before = (*program_.trace)[warp.pass - 1].block;
        detail.block_cycles[before] = static_cast<double>(cycle - warp.entered);
    }
}

}  // namespace cubinlab
