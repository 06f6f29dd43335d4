// SPDX-License-Identifier: GPL-3.0-or-later
// The simulated sub-core: one issue port, a few warps that run the same trace, the pipes they share.
// Deterministic: the same program gives the same cycles. A search computes the figure of thousands of
// schedules, so a run stores nothing else; an observer receives the rest.
//
//   SubCore core(program);
//   for (stagger : ...) sum += core.run(stagger);
//   core.run(0, observer);                            // the same figure, and everything that led to it
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/model/model_program.h"

namespace cubinlab {

class SubCore;

class SubCoreObserver {
  public:
    virtual ~SubCoreObserver() = default;
    // Time advances from `now`, the first cycle that is not over, to `when`, in which `warp` issues its next
    // instruction. Called before that instruction takes effect.
    virtual void step(const SubCore& core, std::uint64_t now, std::uint64_t when, std::size_t warp) = 0;
    // The instruction at `by` releases a scoreboard (or, as slot kTensorSlot, a group of the tensor core) in
    // cycle `until`.
    virtual void sets(std::size_t warp, int slot, Position by, std::uint64_t until) {
        (void)warp, (void)slot, (void)by, (void)until;
    }
};

class SubCore {
  public:
    static constexpr int kTensorSlot = 6;            // after the six scoreboards
    static constexpr std::uint64_t kMostWarps = 64;  // an SM has no more, and a sub-core a quarter
    static constexpr std::uint64_t kNever = ~0ull / kMostWarps;

    explicit SubCore(const ModelProgram& program);
    // Weighted cycles of a warp, mean over warps, if each warp starts `stagger` cycles after the one before
    // it.
    double run(std::uint64_t stagger);
    double run(std::uint64_t stagger, SubCoreObserver& observer);

    // For observers: the next instruction of a warp and the first cycle in which each wait is over.
    struct WarpState {
        std::size_t pass = 0;  // of the trace
        Position at = 0;
        std::uint64_t next_issue = 0;  // stall count and yield of the previous instruction
        std::uint64_t ready = 0;       // and scoreboards, and the barrier; kNever: done, or at a barrier
        std::uint64_t pipe = 0, port = 0, queue = 0;
        std::array<std::uint64_t, 6> release{};  // of each scoreboard
        std::uint64_t named = 0;                 // what DEPBAR.LE or WARPGROUP.DEPBAR waits for; 0: neither
        int named_slot = -1;
    };
    WarpState warp_state(std::size_t warp) const;
    std::uint64_t ready_of(std::size_t warp) const { return heads_[warp].ready; }
    std::size_t warps() const { return warps_.size(); }
    const ModelProgram& program() const { return *program_; }

  private:
    static constexpr std::size_t kNoWarp = ~std::size_t{0};
    // What an instruction may have to wait for before it issues: Pipe::None (never busy), the pipes, the
    // register file's ports, the memory queue.
    static constexpr std::size_t kPort = kPipes, kQueue = kPipes + 1, kBounds = kPipes + 2;

    // Indices into bound_, 0 where there is nothing to wait for: pipe, port, queue. Four bytes: a copy is one
    // move.
    using Waits = std::array<std::uint8_t, 4>;

    struct Op {
        Waits bounds{};
        std::uint8_t occupancy = 0;
        std::uint8_t stall = 1;  // with yield
        std::uint8_t wait_mask = 0;
        std::uint8_t write_barrier = kNoBarrier, read_barrier = kNoBarrier;
        std::uint16_t service = 0, write_release = 0, read_release = 0;
        Effect effect = Effect::None;
        std::int8_t named_scoreboard = -1;
        std::uint8_t named_count = 0;
        bool yield = false;
        bool plain = true;  // sets no scoreboard, uses no memory path and has no effect
        std::uint8_t reads = 0;
        // Register | entry of the reuse cache (slot and bank) << 9 | kept << 13.
        std::array<std::uint16_t, 6> read{};
    };
    struct Warp {
        std::size_t pass = 0;
        Position at = 0, end = 0;
        std::uint64_t entered = 0, next_issue = 0, ready = 0;
        std::array<std::uint64_t, 6> release{};
        std::array<std::uint32_t, 6> sets{};
        std::array<std::array<std::uint64_t, 8>, 6> recent{};
        std::array<std::uint64_t, 8> groups{};
        std::uint32_t group_count = 0;
        std::uint64_t copies_done = 0;
        double cycles = 0;
        bool fresh = true, started = false;  // fresh: at the first instruction of its pass
    };
    struct Head {                      // of a warp's next instruction
        std::uint64_t ready = kNever;  // kNever: done, or waiting at a barrier
        Waits bounds{};
    };
    struct Meeting {
        int arrived = 0;
        std::uint64_t last = 0;
    };

    static Op packed(const ModelOp& op);
    void reset(std::uint64_t stagger);
    std::uint64_t earliest(const Head& head, std::uint64_t now) const;
    // The simulation loop. Unobserved compiles to nothing.
    struct Unobserved;
    struct Observed;
    template <class Observer>
    double run_observed(std::uint64_t stagger, Observer observer);
    template <class Observer>
    void issue(std::size_t index, std::uint64_t cycle, Observer observer);
    std::uint64_t port_cycles(std::size_t index, const Op& op);
    template <class Observer>
    void set_scoreboards(std::size_t index, const Op& op, std::uint64_t cycle, Observer observer);
    static void set_one(Warp& warp, std::uint8_t slot, std::uint64_t until);
    static std::uint64_t named_until(const Warp& warp, const Op& op);
    bool advance(Warp& warp);  // false: that was its last instruction
    static void make_ready(Warp& warp, const Op& op);
    void arrive(std::size_t index, std::uint64_t cycle);

    const ModelProgram* program_;
    std::vector<Op> ops_;
    std::vector<Warp> warps_;
    std::vector<Head> heads_;
    std::vector<Meeting> meetings_;
    std::array<std::uint64_t, kBounds> bound_{};
    std::array<std::uint64_t, 8> queue_{};
    std::uint32_t queued_ = 0;
    std::uint64_t memory_free_ = 0, tensor_free_ = 0;
    std::array<std::uint32_t, 6> reuse_{};  // by entry: warp and register + 1, 0 = empty
    std::size_t sticky_ = kNoWarp;          // the warp that keeps the issue port while it is ready
};

}  // namespace cubinlab
