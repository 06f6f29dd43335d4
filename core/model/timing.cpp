// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/timing.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace cubinlab {
namespace {

bool named(const Instruction& instruction, std::string_view name) {
    return name == instruction.mnemonic;
}

bool wide_fma(const Arch& arch) {
    return arch.sm >= 86;
}  // 32 lanes of FP32 (16 on 75 and 80)

void set(Timing& t, Pipe pipe, int occupancy) {
    t.pipe = pipe;
    t.occupancy = static_cast<std::uint8_t>(occupancy);
}

void fma(const Arch& arch, const Instruction& instruction, Timing& t) {
    const bool integer = named(instruction, "IMAD") || named(instruction, "VIADD");
    set(t, Pipe::Fma, integer || !wide_fma(arch) ? 2 : 1);
}

int mma_occupancy(const Arch& arch, Unit unit) {
    switch (unit) {
        case Unit::Mma2x:
            return arch.sm == 90 ? 6 : 8;
        case Unit::MmaImma88:
            return 4;
        case Unit::Dmma:
            return arch.sm == 90 ? 8 : 16;
        default:
            return arch.sm == 75 ? 8 : 4;
    }
}

int fp64_occupancy(const Arch& arch) {
    if (arch.sm == 90 || arch.sm == 100) return 2;
    return arch.sm == 80 ? 4 : 16;
}

// m64nNk16: 128 cycles for N = 256 on the four sub-cores together. N / 8 - 1 is in bits 53..57.
std::uint16_t tensor_cycles(const Instruction& instruction) {
    return static_cast<std::uint16_t>((instruction.word.bits(53, 5) + 1) * 4);
}

// Bytes of one lane, at least a word: the path moves whole words.
int lane_bytes(const Instruction& instruction) {
    return std::max<int>(instruction.memory.width, 4);
}

// Four sub-cores share the SM's memory path, and all of them run the same code: a sub-core gets a quarter.
// The shared stage takes one request each 2 cycles, hence 8 for a sub-core.
void memory(const Instruction& instruction, Timing& t) {
    constexpr int kRequest = 8;
    set(t, Pipe::Memory, 4);
    const int bytes = lane_bytes(instruction);
    const bool shared = instruction.unit == Unit::Mio;
    // 128 B a cycle for shared memory: 32 lanes * bytes / 128 * 4 sub-cores = bytes; 64 B a cycle for global:
    // twice that.
    t.service = static_cast<std::uint16_t>(std::max(kRequest, shared ? bytes : 2 * bytes));
    const int wider = bytes / 4 > 1 ? 2 * (bytes / 8) : 0;  // + 2 each for 64 and + 4 for 128 bits
    const bool global = !shared && instruction.memory.space != MemorySpace::Shared;
    const int latency = global ? kGlobalLatency : kSharedLatency;
    t.write_release = static_cast<std::uint16_t>(latency + wider);
    t.read_release = static_cast<std::uint16_t>((instruction.memory.writes ? 14 : 11) + wider);
    if (instruction.has(Trait::AsyncIssue)) {
        t.effect = Effect::AsyncCopy;
        t.read_release = 13;
    }
}

// Of Timing::reads; empty: no source.
std::optional<std::size_t> source_slot(const Operand& operand) {
    if (operand.role == Role::A) return 0;
    if (operand.role == Role::B) return 1;
    if (operand.role == Role::C) return 2;
    return std::nullopt;
}

void register_reads(const Instruction& instruction, Timing& t) {
    for (const Operand& operand : instruction.operands) {
        if (!operand.read || operand.file != RegFile::Gpr) continue;
        const auto slot = source_slot(operand);
        if (!slot) continue;
        t.reads[*slot] = operand.first;
        t.read_count[*slot] = std::min<std::uint8_t>(operand.count, 2);
    }
}

void scoreboard(Timing& t, int read_release, int write_release) {
    t.read_release = static_cast<std::uint16_t>(read_release);
    t.write_release = static_cast<std::uint16_t>(write_release);
}

}  // namespace

Timing timing_of(const Arch& arch, const Instruction& instruction) {
    Timing t;
    t.named_scoreboard = instruction.named_scoreboard;
    t.named_count = instruction.named_count;
    switch (instruction.unit) {
        case Unit::Alu:
            set(t, Pipe::Alu, 2);
            register_reads(instruction, t);
            break;
        case Unit::Fma:
            fma(arch, instruction, t);
            register_reads(instruction, t);
            break;
        case Unit::FmaWide:
            set(t, Pipe::Fma, arch.sm == 86 || arch.sm == 87 || arch.sm == 89 ? 2 : 4);
            register_reads(instruction, t);
            break;
        case Unit::Fp16:
            set(t, Pipe::Fp16, wide_fma(arch) ? 1 : 2);
            break;
        case Unit::H2Mma:
            set(t, Pipe::Fp16, 2);
            break;
        case Unit::Fp64:
            set(t, Pipe::Fp64, fp64_occupancy(arch));
            scoreboard(t, 8, 18);
            break;
        case Unit::MmaImma88:
        case Unit::Mma1x:
        case Unit::Mma2x:
        case Unit::Dmma:
            set(t, Pipe::Mma, mma_occupancy(arch, instruction.unit));
            scoreboard(t, 12, 34);
            break;
        case Unit::Gmma:
            set(t, Pipe::None, 1);
            t.effect = Effect::TensorGroup;
            t.service = tensor_cycles(instruction);
            break;
        case Unit::Xu:
            set(t, Pipe::Xu, 8);
            scoreboard(t, 8, 23);
            break;
        case Unit::S2r:
        case Unit::S2ur:
            set(t, Pipe::Memory, 4);
            t.service = 8;
            scoreboard(t, 11, 25);
            break;
        case Unit::Ldc:
            set(t, Pipe::Ldc, arch.sm == 90 ? 8 : 4);
            scoreboard(t, 11, 28);
            break;
        case Unit::R2ur:
            set(t, Pipe::Uniform, 2);
            scoreboard(t, 8, 13);
            break;
        case Unit::Redux:
        case Unit::Match:
            set(t, Pipe::Memory, 4);
            t.service = 8;
            scoreboard(t, 11, 24);
            break;
        case Unit::Mio:
        case Unit::Lsu:
            memory(instruction, t);
            break;
        case Unit::Tex:
            set(t, Pipe::Memory, 4);
            t.service = 16;
            scoreboard(t, 20, kGlobalLatency);
            break;
        case Unit::Udp:
            set(t, Pipe::Uniform, 2);
            break;
        case Unit::UdpFast:
            set(t, Pipe::UniformFast, 1);
            break;
        case Unit::Barrier:
            t.effect = Effect::Barrier;
            scoreboard(t, kBarrierLatency, kBarrierLatency);
            break;
        case Unit::Depbar:
            t.effect = named(instruction, "DEPBAR") ? Effect::AsyncWait : Effect::AsyncCommit;
            break;
        case Unit::AsyncGroup:
            // Bit 80 tells WARPGROUP.DEPBAR from WARPGROUP.ARRIVE.
            if (named(instruction, "WARPGROUP") && instruction.word.bit(80)) t.effect = Effect::TensorWait;
            scoreboard(t, 11, kSharedLatency);
            break;
        case Unit::Fence:
            scoreboard(t, 53, 53);
            break;
        case Unit::Cs2r:
        case Unit::Cbu:
        case Unit::Nop:
        case Unit::Unknown:
            scoreboard(t, 11, 25);
            break;
    }
    return t;
}

}  // namespace cubinlab
