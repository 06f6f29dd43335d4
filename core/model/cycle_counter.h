// SPDX-License-Identifier: GPL-3.0-or-later
// The figure of SubCore::run() alone, bit for bit, several times as fast: the same rules over packed records,
// with no reasons and no issue times kept. A search asks for the figure of thousands of schedules, the
// timeline for the reasons of one.
//
//   CycleCounter counter(program);
//   for (stagger : ...) sum += counter.run(stagger);
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/model/sub_core.h"

namespace cubinlab {

class CycleCounter {
  public:
    explicit CycleCounter(const ModelProgram& program);
    // Weighted cycles of a warp, mean over warps, if each warp starts `stagger` cycles after the one before
    // it.
    double run(std::uint64_t stagger);

  private:
    static constexpr std::uint64_t kMostWarps = 64;  // an SM has no more, and a sub-core a quarter
    static constexpr std::uint64_t kNever = ~0ull / kMostWarps;
    static constexpr std::size_t kNobody = ~std::size_t{0};
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
        std::array<std::uint16_t, 6> read{};  // register | entry of the reuse cache << 9 | kept << 12
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
    void issue(std::size_t index, std::uint64_t cycle);
    std::uint64_t port_cycles(std::size_t index, const Op& op);
    void set_scoreboards(Warp& warp, const Op& op, std::uint64_t cycle);
    static void set_one(Warp& warp, std::uint8_t slot, std::uint64_t until);
    bool advance(Warp& warp);  // false: that was its last instruction
    static void make_ready(Warp& warp, const Op& op);
    void arrive(std::size_t index, std::uint64_t cycle);

    const ModelProgram& program_;
    std::vector<Op> ops_;
    std::vector<Warp> warps_;
    std::vector<Head> heads_;
    std::vector<Meeting> meetings_;
    std::array<std::uint64_t, kBounds> bound_{};
    std::array<std::uint64_t, 8> queue_{};
    std::uint32_t queued_ = 0;
    std::uint64_t memory_free_ = 0, tensor_free_ = 0;
    std::array<std::uint32_t, 6> reuse_{};
    std::size_t sticky_ = kNobody;  // the warp that keeps the issue port while it is ready
};

}  // namespace cubinlab
