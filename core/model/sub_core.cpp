// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sub_core.h"

#include <algorithm>

namespace cubinlab {

SubCore::SubCore(const ModelProgram& program) : program_(&program) {
    ops_.reserve(program.ops.size());
    for (const ModelOp& op : program.ops)
        ops_.push_back(packed(op));
}

SubCore::Op SubCore::packed(const ModelOp& op) {
    const Timing& timing = op.timing;
    const ControlCode& control = op.control;
    Op out;
    out.bounds[0] = static_cast<std::uint8_t>(timing.pipe);
    out.occupancy = timing.occupancy;
    for (std::size_t slot = 0; slot < timing.reads.size(); ++slot) {
        const unsigned kept = control.reuse >> slot & 1u;
        for (unsigned k = 0; k < timing.read_count[slot]; ++k) {
            const unsigned reg = timing.reads[slot] + k;
            const auto entry = static_cast<unsigned>(2 * slot + reg % 2);
            out.read[out.reads++] = static_cast<std::uint16_t>(reg | entry << 9 | kept << 13);
        }
    }
    if (out.reads > 0) out.bounds[1] = kPort;
    if (timing.pipe == Pipe::Memory) out.bounds[2] = kQueue;
    out.stall = std::max<std::uint8_t>(control.stall, control.yield ? 2 : 1);
    out.wait_mask = control.wait_mask & 0x3fu;
    out.write_barrier = control.write_barrier;
    out.read_barrier = control.read_barrier;
    out.service = timing.service;
    out.write_release = timing.write_release;
    out.read_release = timing.read_release;
    out.effect = timing.effect;
    out.named_scoreboard = timing.named_scoreboard;
    out.named_count = timing.named_count;
    out.yield = control.yield;
    out.plain = timing.effect == Effect::None && timing.pipe != Pipe::Memory &&
                control.write_barrier == kNoBarrier && control.read_barrier == kNoBarrier;
    return out;
}

void SubCore::reset(std::uint64_t stagger) {
    const auto count = static_cast<std::size_t>(program_->warps);
    const auto per_block = static_cast<std::size_t>(program_->warps_per_block);
    warps_.assign(count, {});
    heads_.assign(count, {});
    meetings_.assign((count + per_block - 1) / per_block, {});
    bound_ = {};
    queue_ = {};
    queued_ = 0;
    memory_free_ = tensor_free_ = 0;
    reuse_ = {};
    sticky_ = kNoWarp;
    if (program_->trace->empty()) return;
    const Block& first = (*program_->blocks)[program_->trace->front().block];
    for (std::size_t w = 0; w < count; ++w) {
        Warp& warp = warps_[w];
        warp.at = first.first;
        warp.end = first.end();
        warp.next_issue = stagger * w;
        make_ready(warp, ops_[warp.at]);
        heads_[w] = {warp.ready, ops_[warp.at].bounds};
    }
}

inline std::uint64_t SubCore::earliest(const Head& head, std::uint64_t now) const {
    const std::uint64_t a = std::max(bound_[head.bounds[0]], bound_[head.bounds[1]]);
    const std::uint64_t b = std::max(bound_[head.bounds[2]], head.ready);
    return std::max({a, b, now});
}

struct SubCore::Unobserved {
    void step(const SubCore&, std::uint64_t, std::uint64_t, std::size_t) const {}
    void sets(std::size_t, int, Position, std::uint64_t) const {}
};

struct SubCore::Observed {
    SubCoreObserver* observer;
    void step(const SubCore& core, std::uint64_t now, std::uint64_t when, std::size_t warp) const {
        observer->step(core, now, when, warp);
    }
    void sets(std::size_t warp, int slot, Position by, std::uint64_t until) const {
        if (slot <= kTensorSlot) observer->sets(warp, slot, by, until);
    }
};

double SubCore::run(std::uint64_t stagger) {
    return run_observed(stagger, Unobserved{});
}
double SubCore::run(std::uint64_t stagger, SubCoreObserver& observer) {
    return run_observed(stagger, Observed{&observer});
}

template <class Observer>
double SubCore::run_observed(std::uint64_t stagger, Observer observer) {
    reset(stagger);
    std::uint64_t now = 0;
    while (true) {
        // The earliest warp; of several the same one goes on unless it yielded, else the youngest. One number
        // holds cycle and rank, so that the choice is a minimum without branches, which no processor
        // predicts.
        std::uint64_t first = ~0ull;
        for (std::size_t w = 0; w < heads_.size(); ++w) {
            const std::uint64_t rank = w == sticky_ ? 0 : kMostWarps - 1 - w;
            first = std::min(first, earliest(heads_[w], now) * kMostWarps | rank);
        }
        const std::uint64_t when = first / kMostWarps;
        if (when >= kNever) break;
        const std::uint64_t rank = first % kMostWarps;
        const std::size_t pick = rank == 0 ? sticky_ : static_cast<std::size_t>(kMostWarps - 1 - rank);
        observer.step(*this, now, when, pick);
        issue(pick, when, observer);
        now = when + 1;
    }
    double cycles = 0;
    for (const Warp& warp : warps_)
        cycles += warp.cycles;
    return warps_.empty() ? 0 : cycles / static_cast<double>(warps_.size());
}

inline std::uint64_t SubCore::port_cycles(std::size_t index, const Op& op) {
    std::array<std::uint64_t, 2> held{};
    for (std::size_t i = 0; i < op.reads; ++i) {
        const unsigned read = op.read[i];
        const std::uint32_t tag = static_cast<std::uint32_t>(index << 9 | (read & 0x1ff)) + 1;
        const unsigned number = read >> 9 & 15;
        std::uint32_t& entry = reuse_[number];
        if (entry != tag) ++held[number & 1];
        entry = (read >> 13 & 1) != 0 ? tag : 0;
    }
    return std::max(held[0], held[1]);
}

template <class Observer>
void SubCore::issue(std::size_t index, std::uint64_t cycle, Observer observer) {
    Warp& warp = warps_[index];
    const Op& op = ops_[warp.at];
    if (warp.fresh) {
        if (warp.started)
            warp.cycles +=
                static_cast<double>(cycle - warp.entered) * (*program_->trace)[warp.pass - 1].weight;
        warp.started = true;
        warp.fresh = false;
        warp.entered = cycle;
    }
    if (op.bounds[0] != 0) bound_[op.bounds[0]] = cycle + op.occupancy;
    if (op.reads != 0) bound_[kPort] = cycle + port_cycles(index, op);
    if (!op.plain) set_scoreboards(index, op, cycle, observer);
    warp.next_issue = cycle + op.stall;
    sticky_ = op.yield ? kNoWarp : index;
    if (advance(warp)) {
        const Op& next = ops_[warp.at];
        make_ready(warp, next);
        heads_[index] = {warp.ready, next.bounds};
    } else {
        heads_[index] = {};
        warp.ready = kNever;
    }
    if (op.effect == Effect::Barrier) arrive(index, cycle);
}

inline bool SubCore::advance(Warp& warp) {
    if (++warp.at != warp.end) return true;
    const std::vector<Pass>& trace = *program_->trace;
    if (warp.pass + 1 == trace.size()) {
        warp.cycles += static_cast<double>(warp.next_issue - warp.entered) * trace[warp.pass].weight;
        return false;
    }
    const Block& block = (*program_->blocks)[trace[++warp.pass].block];
    warp.at = block.first;
    warp.end = block.end();
    warp.fresh = true;
    return true;
}

inline void SubCore::set_one(Warp& warp, std::uint8_t slot, std::uint64_t until) {
    if (slot >= warp.release.size()) return;
    warp.release[slot] = std::max(warp.release[slot], until);
    warp.recent[slot][warp.sets[slot]++ % 8] = warp.release[slot];
}

template <class Observer>
void SubCore::set_scoreboards(std::size_t index, const Op& op, std::uint64_t cycle, Observer observer) {
    Warp& warp = warps_[index];
    const auto set = [&](std::uint8_t slot, std::uint64_t until) {
        set_one(warp, slot, until);
        if (slot < warp.release.size()) observer.sets(index, slot, warp.at, until);
    };
    std::uint64_t start = cycle;
    if (op.bounds[2] != 0) {
        start = std::max(cycle, memory_free_);
        memory_free_ = start + op.service;
        queue_[queued_++ % queue_.size()] = start;
        const auto depth = static_cast<std::uint32_t>(program_->memory_queue);
        if (queued_ >= depth) bound_[kQueue] = queue_[(queued_ - depth) % queue_.size()];
    }
    std::uint64_t written = start + op.write_release;
    switch (op.effect) {
        case Effect::AsyncCopy:
            warp.copies_done = std::max(warp.copies_done, written);
            break;
        case Effect::AsyncCommit:
            written = std::max(warp.copies_done, cycle + 2);
            // The commit names its scoreboard in the operand where it has no write barrier.
            if (op.write_barrier == kNoBarrier && op.named_scoreboard >= 0)
                set(static_cast<std::uint8_t>(op.named_scoreboard), written);
            break;
        case Effect::TensorGroup:
            tensor_free_ = std::max(tensor_free_, cycle) + op.service;
            written = tensor_free_;
            warp.groups[warp.group_count++ % warp.groups.size()] = tensor_free_;
            observer.sets(index, kTensorSlot, warp.at, tensor_free_);
            break;
        default:
            break;
    }
    set(op.write_barrier, written);
    set(op.read_barrier, start + op.read_release);
}

// At most named_count may be outstanding: the one before those has to be back.
inline std::uint64_t SubCore::named_until(const Warp& warp, const Op& op) {
    const std::uint32_t count = op.named_count;
    if (count >= 8) return 0;
    if (op.effect == Effect::AsyncWait && op.named_scoreboard >= 0 && op.named_scoreboard < 6) {
        const auto slot = static_cast<std::size_t>(op.named_scoreboard);
        if (warp.sets[slot] > count) return warp.recent[slot][(warp.sets[slot] - 1 - count) % 8];
    }
    if (op.effect == Effect::TensorWait && warp.group_count > count)
        return warp.groups[(warp.group_count - 1 - count) % 8];
    return 0;
}

inline void SubCore::make_ready(Warp& warp, const Op& op) {
    std::uint64_t ready = warp.next_issue;
    for (unsigned mask = op.wait_mask; mask != 0; mask &= mask - 1)
        ready = std::max(ready, warp.release[static_cast<unsigned>(__builtin_ctz(mask))]);
    if (op.effect != Effect::None) ready = std::max(ready, named_until(warp, op));
    warp.ready = ready;
}

void SubCore::arrive(std::size_t index, std::uint64_t cycle) {
    const auto per_block = static_cast<std::size_t>(program_->warps_per_block);
    const std::size_t first = index / per_block * per_block;
    const std::size_t last = std::min(first + per_block, warps_.size());
    Meeting& meeting = meetings_[index / per_block];
    heads_[index].ready = kNever;
    meeting.last = std::max(meeting.last, cycle);
    if (++meeting.arrived < static_cast<int>(last - first)) return;
    for (std::size_t w = first; w < last; ++w) {
        if (warps_[w].ready == kNever) continue;  // done
        warps_[w].ready = std::max(warps_[w].ready, meeting.last + kBarrierLatency);
        heads_[w].ready = warps_[w].ready;
    }
    meeting = {};
}

SubCore::WarpState SubCore::warp_state(std::size_t index) const {
    const Warp& warp = warps_[index];
    const Head& head = heads_[index];
    WarpState out;
    out.pass = warp.pass;
    out.at = warp.at;
    out.next_issue = warp.next_issue;
    out.ready = head.ready;
    out.pipe = bound_[head.bounds[0]];
    out.port = bound_[head.bounds[1]];
    out.queue = bound_[head.bounds[2]];
    out.release = warp.release;
    const Op& op = ops_[std::min<std::size_t>(warp.at, ops_.size() - 1)];
    out.named = named_until(warp, op);
    if (op.effect == Effect::AsyncWait) out.named_slot = op.named_scoreboard;
    if (op.effect == Effect::TensorWait) out.named_slot = kTensorSlot;
    return out;
}

}  // namespace cubinlab
