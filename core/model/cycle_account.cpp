// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/cycle_account.h"

#include <algorithm>

namespace cubinlab {

CycleAccount::CycleAccount(const ModelProgram& program, std::vector<double> weights, IssueRecorder* recorder)
    : program_(program),
      weights_(std::move(weights)),
      recorder_(recorder),
      entries_(program.ops.size()),
      warps_(static_cast<std::size_t>(program.warps)),
      last_on_pipe_(kPipes, kNone) {}

CycleEntry& CycleAccount::entry(Position at, WaitReason reason, int slot, Position by) {
    std::vector<CycleEntry>& all = entries_[at];
    for (CycleEntry& e : all)
        if (e.reason == reason && e.slot == slot && e.by == by) return e;
    all.push_back({reason, slot, by});
    return all.back();
}

void CycleAccount::add(Position at, WaitReason reason, int slot, Position by, std::uint64_t cycles,
                       double weight) {
    if (cycles == 0 || weight == 0) return;
    CycleEntry& e = entry(at, reason, slot, by);
    e.cycles += static_cast<double>(cycles) * weight;
    e.times += weight;
    booked_ += static_cast<double>(cycles) * weight;
    if (recorder_ && reason != WaitReason::None) recorder_->waited(reason, slot, by, cycles);
}

void CycleAccount::sets(std::size_t index, int slot, Position by, std::uint64_t until) {
    Warp& warp = warps_[index];
    const auto s = static_cast<std::size_t>(slot);
    warp.settings[s][warp.set[s]++ % kKept] = {by, until, issuing_};
}

// Cycles [from, end) in which the warp could issue but for what it shares with others.
void CycleAccount::hold(Warp& warp, const SubCore::WarpState& s, std::uint64_t from, std::uint64_t end) {
    const std::uint64_t most = std::max({s.pipe, s.port, s.queue});
    const std::uint64_t until = std::clamp(most, from, end);
    Held& held = warp.held;
    if (until > from) {
        if (most == s.pipe) {
            held.pipe += until - from;
            held.pipe_by = last_on_pipe_[static_cast<std::size_t>(program_.ops[s.at].timing.pipe)];
        } else if (most == s.port) {
            held.port += until - from;
            held.port_by = last_reader_;
        } else {
            held.queue += until - from;
            held.queue_by = last_memory_;
        }
    }
    held.others += end - until;
}

void CycleAccount::step(const SubCore& core, std::uint64_t now, std::uint64_t when, std::size_t picked) {
    issuing_ = when;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        Warp& warp = warps_[w];
        const std::uint64_t ready = core.ready_of(w);
        if (w != picked && (ready > when || !warp.started)) continue;
        const SubCore::WarpState s = core.warp_state(w);
        if (!warp.started) {  // the wait before the first instruction is in no pass
            warp.started = true;
        } else {
            hold(warp, s, std::max(ready, now), w == picked ? when : when + 1);
            if (w == picked) book_wait(warp, s, when);
        }
        if (w != picked) continue;
        add(s.at, WaitReason::None, -1, kNone, 1, weights_[s.pass]);
        if (recorder_) recorder_->issued(w, s.pass, s.at, when);
        warp.last_issue = when;
        warp.last_pass = s.pass;
        warp.last_at = s.at;
        const Timing& timing = program_.ops[s.at].timing;
        last_on_pipe_[static_cast<std::size_t>(timing.pipe)] = s.at;
        if (timing.read_count[0] + timing.read_count[1] + timing.read_count[2] > 0) last_reader_ = s.at;
        if (timing.pipe == Pipe::Memory) last_memory_ = s.at;
    }
}

void CycleAccount::book_wait(Warp& warp, const SubCore::WarpState& s, std::uint64_t when) {
    const double weight = weights_[warp.last_pass];
    const std::uint64_t begin = warp.last_issue + 1;
    const std::uint64_t stalled = std::max(begin, s.next_issue);
    add(s.at, WaitReason::Stall, -1, warp.last_at, stalled - begin, weight);
    std::uint64_t released = std::max(stalled, s.named);
    for (unsigned mask = program_.ops[s.at].control.wait_mask & 0x3fu; mask != 0; mask &= mask - 1)
        released = std::max(released, s.release[static_cast<unsigned>(__builtin_ctz(mask))]);
    if (released > stalled && weight != 0) book_scoreboard(warp, s, stalled, when, weight);
    if (s.ready > released) add(s.at, WaitReason::Barrier, -1, warp.last_at, s.ready - released, weight);
    const Held& held = warp.held;
    add(s.at, WaitReason::Unit, -1, held.pipe_by, held.pipe, weight);
    add(s.at, WaitReason::RegisterPort, -1, held.port_by, held.port, weight);
    add(s.at, WaitReason::MemoryQueue, -1, held.queue_by, held.queue, weight);
    add(s.at, WaitReason::OtherWarp, -1, kNone, held.others, weight);
    warp.held = {};
}

// The wait belongs to the scoreboard that is released last, and to the instruction that has it released then.
void CycleAccount::book_scoreboard(const Warp& warp, const SubCore::WarpState& s, std::uint64_t from,
                                   std::uint64_t when, double weight) {
    int slot = -1;
    std::uint64_t last = 0, next = from;
    const auto consider = [&](int at, std::uint64_t until) {
        if (until > last) {
            next = std::max(next, last);
            last = until;
            slot = at;
        } else {
            next = std::max(next, until);
        }
    };
    for (unsigned mask = program_.ops[s.at].control.wait_mask & 0x3fu; mask != 0; mask &= mask - 1)
        consider(__builtin_ctz(mask), s.release[static_cast<unsigned>(__builtin_ctz(mask))]);
    if (s.named_slot >= 0) consider(s.named_slot, s.named);
    Setting by;
    for (const Setting& one : warp.settings[static_cast<std::size_t>(slot)])
        if (one.until == last && one.by != kNone && (by.by == kNone || one.issued > by.issued)) by = one;
    if (slot != s.named_slot)  // others that set the same scoreboard hold it as well
        for (const Setting& one : warp.settings[static_cast<std::size_t>(slot)])
            if (one.by != by.by || one.issued != by.issued) next = std::max(next, std::min(one.until, last));
    add(s.at, WaitReason::Scoreboard, slot, by.by, last - from, weight);
    CycleEntry& e = entry(s.at, WaitReason::Scoreboard, slot, by.by);
    e.to_next += static_cast<double>(last - next) * weight;
    e.after += static_cast<double>(when - by.issued) * weight;
}

void CycleAccount::close(const SubCore& core) {
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        Warp& warp = warps_[w];
        const std::uint64_t next = core.warp_state(w).next_issue;
        if (warp.started && next > warp.last_issue + 1)
            add(warp.last_at, WaitReason::Stall, -1, warp.last_at, next - warp.last_issue - 1,
                weights_[warp.last_pass]);
        if (recorder_ && warp.started) recorder_->ended(w, next);
        warp = {};
    }
    std::fill(last_on_pipe_.begin(), last_on_pipe_.end(), kNone);
    last_reader_ = last_memory_ = kNone;
}

}  // namespace cubinlab
