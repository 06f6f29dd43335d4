// SPDX-License-Identifier: GPL-3.0-or-later
// What the model knows of one instruction: the pipe that it occupies, for how long, and when its scoreboards
// are released. All in cycles of a sub-core. Every figure and its source: resources/docs/model.md.
#pragma once
#include <array>
#include <cstdint>

#include "core/isa/arch.h"
#include "core/sass/instruction.h"

namespace cubinlab {

enum class Pipe : std::uint8_t { None, Alu, Fma, Fp16, Fp64, Mma, Xu, Memory, Ldc, Uniform, UniformFast };
inline constexpr std::size_t kPipes = 11;

// What an instruction does beyond occupying a pipe.
enum class Effect : std::uint8_t {
    None,
    AsyncCopy,    // LDGSTS: finishes after its scoreboards, counted by LDGDEPBAR
    AsyncCommit,  // LDGDEPBAR: its scoreboard is released when earlier copies have landed
    AsyncWait,    // DEPBAR.LE SBn, k
    TensorGroup,  // HGMMA ...: queued on the tensor core, retired by WARPGROUP.DEPBAR
    TensorWait,   // WARPGROUP.DEPBAR, ARRIVE
    Barrier,      // BAR
};

struct Timing {
    Pipe pipe = Pipe::None;
    Effect effect = Effect::None;
    std::uint8_t occupancy = 1;  // until the next instruction of the pipe may issue, any warp
    std::uint16_t service =
        0;  // memory pipe: cycles of the data path; tensor groups: cycles of the tensor core
    std::uint16_t read_release = 0;   // read barrier, after service starts
    std::uint16_t write_release = 0;  // write barrier, after service starts
    std::int8_t named_scoreboard = -1;
    std::uint8_t named_count = 0;
    // Register reads that go through the register file's ports: slot a, b, c; kNoRead = none. Pairs take both
    // banks.
    std::array<std::uint8_t, 3> reads{255, 255, 255};
    std::array<std::uint8_t, 3> read_count{0, 0, 0};
};
inline constexpr std::uint8_t kNoRead = 255;

Timing timing_of(const Arch& arch, const Instruction& instruction);

inline constexpr int kMemoryQueue = 5;  // entries and latch of a sub-core's memory queue (sm_75: 3)
inline constexpr int kMemoryQueueTuring = 3;
inline constexpr int kBarrierLatency = 20;  // last arrival to first issue
// Release of the scoreboard of a load, from the start of its service.
inline constexpr int kGlobalLatency = 500, kSharedLatency = 29;

}  // namespace cubinlab
