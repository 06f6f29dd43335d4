// SPDX-License-Identifier: GPL-3.0-or-later
// The model's rules written down a second time, plainly and slowly: what SubCore has to agree with to the
// last bit, figure, issue cycles and reasons alike.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/model/model_program.h"
#include "core/model/sm_model.h"

namespace cubinlab {

class PlainCore {
  public:
    explicit PlainCore(const ModelProgram& program);
    // Weighted cycles of a warp, mean over warps. `detail` (may be null): filled for warp 0.
    double run(ModelRun* detail);

  private:
    static constexpr std::uint64_t kNever = ~0ull;
    struct Warp {
        std::size_t pass = 0;
        Position at = 0;
        std::uint64_t entered = 0;     // issue of the first instruction of this pass
        std::uint64_t next_issue = 0;  // by stall count and yield
        std::uint64_t ready = 0;       // next_issue, scoreboards, barrier
        std::uint64_t last_issue = 0;
        std::array<std::uint64_t, 6> release{};
        std::array<std::array<std::uint64_t, 8>, 6> recent{};  // releases of the last 8 that set it
        std::array<std::uint32_t, 6> sets{};
        std::array<std::uint64_t, 8> groups{};  // ends of the last 8 tensor groups
        std::uint32_t group_count = 0;
        std::uint64_t copies_done = 0;
        WaitReason ready_reason = WaitReason::None;
        double cycles = 0;
        bool started = false, waiting = false, done = false;
    };
    struct Meeting {  // a BAR of one thread block
        int arrived = 0;
        std::uint64_t last = 0;
    };

    const ModelOp& op_of(const Warp& warp) const { return program_.ops[warp.at]; }
    std::uint64_t earliest(const Warp& warp, std::uint64_t now, WaitReason* reason) const;
    void issue(std::size_t index, std::uint64_t cycle);
    void set_scoreboards(Warp& warp, const ModelOp& op, std::uint64_t cycle);
    void set_one(Warp& warp, std::uint8_t slot, std::uint64_t until);
    void arrive(std::size_t index, std::uint64_t cycle);
    void advance(Warp& warp);
    void make_ready(Warp& warp);
    std::uint64_t port_cycles(std::size_t index, const ModelOp& op);
    void note(ModelRun& detail, const Warp& warp, std::uint64_t cycle, WaitReason reason) const;

    const ModelProgram& program_;
    std::vector<Warp> warps_;
    std::vector<Meeting> meetings_;
    std::array<std::uint64_t, kPipes> pipe_free_{};
    std::uint64_t port_free_ = 0;
    std::array<std::uint64_t, 8> queue_{};  // service starts of the last memory instructions
    std::uint32_t queued_ = 0;
    std::uint64_t memory_free_ = 0;
    std::uint64_t tensor_free_ = 0;
    std::array<std::array<std::uint32_t, 2>, 3> reuse_{};  // slot, bank: warp and register + 1, 0 = empty
    std::size_t sticky_ = 0;                               // warp that keeps the issue port while it is ready
    bool has_sticky_ = false;
};

}  // namespace cubinlab
