// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns every cycle of every warp of a run to the instruction that issues in it or waits through it, and to a reason, as
// a profiler that samples warp states does. Each cycle is counted exactly once.
//
//   CycleAccount account(program, weights);      // one weight for each pass of the trace
//   core.run(stagger, account); account.close(core);
//
// A pass lasts from the issue of its first instruction to the issue of the first instruction of the next pass, and includes
// the wait of that one. So the entries of a pass add up to its cycles.
#pragma once
#include <cstdint>
#include <vector>

#include "core/model/issue_trace.h"
#include "core/model/sub_core.h"

namespace cubinlab {

// Cycles of one instruction for one reason. `reason` None: the cycle in which it issues.
struct CycleEntry {
    WaitReason reason = WaitReason::None;
    int slot = -1;        // scoreboards 0 to 5; SubCore::kTensorSlot: a group of the tensor core
    Position by = kNone;  // sets the scoreboard, holds the unit or has the stall count; kNone: none
    double cycles = 0;
    double times = 0;    // how often
    double to_next = 0;  // scoreboards: cycles that an earlier release would save, until something else binds
    double after = 0;    // scoreboards: cycles from the issue of `by` to the issue that waited
};

class CycleAccount final : public SubCoreObserver {
  public:
    // `recorder` may be null; it is told of passes of weight 0 without their waits.
    CycleAccount(const ModelProgram& program, std::vector<double> weights, IssueRecorder* recorder = nullptr);
    // Books the stall count of each warp's last instruction. After each run.
    void close(const SubCore& core);

    const std::vector<std::vector<CycleEntry>>& by_position() const { return entries_; }
    double booked() const { return booked_; }  // all entries together

    void step(const SubCore& core, std::uint64_t now, std::uint64_t when, std::size_t warp) override;
    void sets(std::size_t warp, int slot, Position by, std::uint64_t until) override;

  private:
    static constexpr std::size_t kSlots = 7, kKept = 12;
    struct Setting {
        Position by = kNone;
        std::uint64_t until = 0, issued = 0;
    };
    struct Held {  // while ready: cycles that something shared takes
        std::uint64_t pipe = 0, port = 0, queue = 0, others = 0;
        Position pipe_by = kNone, port_by = kNone, queue_by = kNone;
    };
    struct Warp {
        bool started = false;
        std::uint64_t last_issue = 0;
        std::size_t last_pass = 0;
        Position last_at = 0;
        Held held;
        std::array<std::array<Setting, kKept>, kSlots> settings{};
        std::array<std::uint32_t, kSlots> set{};
    };

    void hold(Warp& warp, const SubCore::WarpState& s, std::uint64_t from, std::uint64_t end);
    void book_wait(Warp& warp, const SubCore::WarpState& s, std::uint64_t when);
    void book_scoreboard(const Warp& warp, const SubCore::WarpState& s, std::uint64_t from,
                         std::uint64_t when, double weight);
    CycleEntry& entry(Position at, WaitReason reason, int slot, Position by);
    void add(Position at, WaitReason reason, int slot, Position by, std::uint64_t cycles, double weight);

    const ModelProgram& program_;
    std::vector<double> weights_;
    IssueRecorder* recorder_;
    std::vector<std::vector<CycleEntry>> entries_;
    std::vector<Warp> warps_;
    std::vector<Position> last_on_pipe_;
    Position last_reader_ = kNone, last_memory_ = kNone;
    std::uint64_t issuing_ = 0;
    double booked_ = 0;
};

}  // namespace cubinlab
