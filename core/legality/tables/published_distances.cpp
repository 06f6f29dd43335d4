// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/tables/published_distances.h"

#include <algorithm>
#include <cstddef>

namespace cubinlab::published {

using namespace latency;

namespace {

// GPR read after write. Rows in the order of latency::Reader.
constexpr Row kRaw75[] = {
    // Alu Cs2r Fma WLo WHi Fp16 H2m Fp64 Im88 1x 2x Dmma
    {4, 6, 5, 3, 5, 8, 0, 9, 10, 14, 22, 0},  // Alu
    {5, 6, 4, 2, 4, 8, 0, 9, 10, 14, 22, 0},  // Fma, wide c low
    {5, 6, 4, 4, 6, 8, 0, 9, 10, 14, 22, 0},  // wide a, b
    {3, 4, 2, 2, 2, 6, 0, 7, 8, 12, 20, 0},   // wide c high
    {6, 6, 6, 6, 6, 6, 0, 9, 10, 14, 22, 0},  // Fp16
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},     // no HFMA2.MMA pipe
    {6, 6, 6, 6, 6, 8, 0, 8, 10, 14, 22, 0},  // Fp64
    {8, 8, 8, 8, 8, 8, 0, 9, 10, 14, 22, 0},  // Mma: the figure of IMMA, the larger one
    {6, 6, 6, 6, 6, 8, 0, 9, 10, 14, 22, 0},  // Xu, branch unit
    {6, 6, 6, 8, 8, 8, 0, 9, 10, 14, 22, 0},  // Memory (wide: ptxas never below 8)
};
constexpr Row kRaw80[] = {
    {4, 6, 5, 3, 5, 5, 10, 10, 13, 16, 24, 25}, {5, 6, 4, 2, 4, 5, 10, 10, 13, 16, 24, 25},
    {5, 6, 4, 4, 6, 5, 10, 10, 13, 16, 24, 25}, {3, 4, 2, 2, 2, 3, 8, 8, 11, 14, 22, 23},
    {5, 6, 5, 3, 5, 5, 10, 10, 13, 16, 24, 25}, {6, 6, 6, 6, 6, 6, 6, 6, 13, 16, 24, 25},
    {6, 6, 6, 6, 6, 6, 6, 6, 13, 16, 24, 25},   {7, 7, 7, 7, 7, 7, 11, 11, 14, 16, 24, 26},
    {4, 4, 4, 4, 4, 4, 6, 6, 11, 14, 22, 23},   {5, 5, 5, 5, 5, 5, 7, 7, 12, 15, 23, 24},
};

}  // namespace

int raw_gpr(int generation, Writer writer, Reader reader) {
    if (writer == Writer::None || reader == Reader::None) return kNoEntry;
    const auto row = static_cast<std::size_t>(reader);
    const auto column = static_cast<std::size_t>(writer);
    if (generation == 75) return kRaw75[row][column];
    // sm_90, measured: these two pipes forward to each other, and HFMA2.MMA to itself, in 8 cycles; ptxas
    // agrees.
    const bool slow_writer = writer == Writer::Fp64 || writer == Writer::H2m;
    if (generation == 90 && slow_writer && (reader == Reader::Fp64 || reader == Reader::H2m)) return 8;
    // sm_90, measured: no reader of a DMMA result gets it at 24.
    if (generation == 90 && writer == Writer::Dmma) return std::max(kRaw80[row][column], 25);
    return kRaw80[row][column];
}

bool same_fp16_kind(const Instruction& first, const Instruction& second) {
    // Packed halves widened to f32 are a separate class without early forwarding, measured on sm_90.
    constexpr unsigned kWidensBit = 78;
    for (const Instruction* i : {&first, &second})
        if (is_named(*i, "HADD2") && i->word.bit(kWidensBit)) return false;
    const auto arithmetic = [](const Instruction& i) {
        return is_named(i, "HADD2") || is_named(i, "HMUL2") || is_named(i, "HFMA2");
    };
    // Minimum, maximum and comparisons are one class: ptxas has HMNMX2 at 4 cycles from itself, HSET2 and
    // HSETP2, and at least 5 from others, in both directions.
    const auto halves = [](const Instruction& i) { return i.unit == Unit::Fp16 || is_half_minimum(i); };
    return halves(first) && halves(second) && arithmetic(first) == arithmetic(second);
}

namespace {

// Queued readers that compiled code issues as early as an XU operation, by producer and generation; others
// have the distance of a memory operand. FMUL to R2UR at 4 gave wrong results on sm_90 (H200); ptxas emits it
// for sm_80 to sm_89.
bool reads_early(int generation, const Instruction& reader, Writer writer) {
    const bool alu = writer == Writer::Alu;
    const bool fma = writer == Writer::Fma;
    switch (reader.unit) {
        case Unit::Xu:
        case Unit::Cbu:
            return true;
        case Unit::Ldc:
            return alu || fma;
        case Unit::Match:
            return alu;
        case Unit::Redux:
            return (alu && generation != 75) || (fma && generation == 80);
        case Unit::R2ur:
            return alu || (generation == 80 && fma);
        case Unit::AsyncGroup:
            return generation == 90 && (alu || fma) && is_named(reader, "SYNCS");
        default:
            return false;
    }
}

// The table has the later row for queued readers; see reads_early.
Reader row_of(int generation, const Instruction& reader, const Operand& read, unsigned reg, Writer writer) {
    const Reader row = gpr_reader(reader, read, reg);
    if (row != Reader::Xu && row != Reader::Memory) return row;
    return reads_early(generation, reader, writer) ? Reader::Xu : Reader::Memory;
}

int raw_pred(int generation, const Instruction& first, const Instruction& second, const Operand& read) {
    const PredWriter writer = pred_writer(first);
    const PredReader reader = pred_reader(second, read);
    if (writer == PredWriter::None) return kNoEntry;
    if (reader == PredReader::Guard) {
        if (generation == 75) return writer == PredWriter::Fp64 ? 15 : writer == PredWriter::Fp16 ? 14 : 12;
        return writer == PredWriter::Fp64 ? 14 : 13;
    }
    if (reader == PredReader::Fp64) {
        if (writer == PredWriter::Fp64) return generation == 75 ? 8 : 6;
        return generation == 75 ? 12 : 13;
    }
    if (writer == PredWriter::Fp64) return generation == 75 ? 9 : 6;
    if (writer == PredWriter::Fp16) return generation == 75 ? 8 : 5;
    // The same as for a guard: ptxas has exactly this in 310 of 396 generated chains, and never less.
    if (reader == PredReader::Fp16) return writer != PredWriter::Alu ? kNoEntry : generation == 75 ? 12 : 13;
    if (writer == PredWriter::Alu) return reader == PredReader::Alu ? 4 : 5;
    if (generation == 75 && first.unit == Unit::FmaWide && second.unit == Unit::FmaWide) return 2;
    return reader == PredReader::Alu ? 5 : 4;
}

// sm_90: observed minima of ptxas; 4 cycles otherwise. On an H200 UMOV and ULDC before memory instructions
// work at two cycles but not at one (resources/docs/latencies-sm_90a.md, UDP fast to MIO).
int fast_uniform_to_queue(const Instruction& first, const Instruction& second) {
    const bool loads = uniform_writer(first) == UniformWriter::Ldc, votes = is_named(first, "VOTEU");
    if (second.unit == Unit::Xu) return loads || votes ? 2 : 4;
    if (loads || (second.unit == Unit::Lsu && !votes)) return 2;
    if (is_named(second, "UTMASTG")) return 3;
    const bool bulk =
        is_named(second, "UTMALDG") || is_named(second, "UTMAREDG") || is_named(second, "UBLKCP");
    return bulk || second.unit == Unit::Gmma ? 2 : 4;
}

int raw_uniform(int generation, const Instruction& first, const Instruction& second, const Operand& read) {
    const UniformReader reader = uniform_reader(second, read);
    switch (uniform_writer(first)) {
        case UniformWriter::Udp:
            switch (reader) {
                case UniformReader::Vector:
                    return 6;
                case UniformReader::Memory:
                    return 9;
                case UniformReader::Control:
                    return 10;
                case UniformReader::Bindless:
                    return 12;
                case UniformReader::Udp:
                    return 4;
                case UniformReader::Fast:
                    return 7;
                default:
                    return kNoEntry;
            }
        case UniformWriter::Ldc:
        case UniformWriter::Mov:
            switch (reader) {
                case UniformReader::Vector:
                    return 2;
                case UniformReader::Memory:
                    return generation == 90 ? fast_uniform_to_queue(first, second) : 2;
                case UniformReader::Control:
                    return 3;
                case UniformReader::Bindless:
                    return 5;
                case UniformReader::Udp:
                case UniformReader::Fast:
                    return 2;
                default:
                    return kNoEntry;
            }
        case UniformWriter::R2ur:
            if (generation != 90) return kNoEntry;
            if (reader == UniformReader::Memory) return 13;
            return reader == UniformReader::Udp ? 10 : kNoEntry;
        default:
            return kNoEntry;
    }
}

int raw_uniform_pred(const Instruction& first, const Instruction& second, const Operand& read) {
    const UniformReader reader = uniform_reader(second, read);
    const bool fast = first.unit == Unit::UdpFast;
    if (!fast && first.unit != Unit::Udp) return kNoEntry;
    switch (reader) {
        case UniformReader::Vector:
            return fast ? 1 : 6;
        case UniformReader::Udp:
            return fast ? 1 : 4;
        case UniformReader::Guard:
            return fast ? 5 : 11;
        case UniformReader::Control:
            return fast ? 2 : 9;
        default:
            return kNoEntry;
    }
}

// A queued write is much later than the operand reads of a tensor instruction: ptxas issues it in the next
// cycle, but only for these queues.
int war_queue_after_mma(int generation, const Instruction& first, const Instruction& second) {
    if (first.unit == Unit::Dmma) return 7;
    if (second.unit == Unit::Lsu || second.unit == Unit::Mio) return 1;
    const bool seen = generation == 90 && first.unit == Unit::Mma2x &&
                      (second.unit == Unit::Xu || second.unit == Unit::Ldc);
    return seen ? 1 : 2;
}

int war_gpr(int generation, const Instruction& first, const Instruction& second) {
    const bool vector_writer = is_vector(second);
    if (!vector_writer && !is_mma(second) && !is_decoupled(second)) return kNoEntry;
    if (is_mma(first)) {
        if (is_mma(second)) return generation != 75 ? 2 : first.unit == Unit::MmaImma88 ? 4 : 6;
        if (generation == 75) return first.unit == Unit::Mma2x ? 14 : first.unit == Unit::Mma1x ? 6 : 2;
        if (is_decoupled(second)) return war_queue_after_mma(generation, first, second);
        return first.unit == Unit::Mma2x || first.unit == Unit::Dmma ? 7 : 1;
    }
    if (!is_vector(first) && first.unit != Unit::Cbu) return kNoEntry;
    if (generation == 90 && first.unit == Unit::Fp64 &&
        (second.unit == Unit::Lsu || second.unit == Unit::Mio || second.unit == Unit::Xu))
        return 1;
    if (vector_writer) {
        const bool slow = second.unit == Unit::Fp64 || second.unit == Unit::Fp16;
        return generation == 75 && slow && first.unit != second.unit ? 2 : 1;
    }
    return 2;
}

int tensor_waw_term(int generation, Unit unit) {
    if (generation == 75) return unit == Unit::Mma1x ? 9 : unit == Unit::Mma2x ? 17 : 5;
    return unit == Unit::Dmma                        ? 20
           : unit == Unit::Mma2x                     ? 19
           : unit == Unit::Mma1x || generation == 90 ? 11
                                                     : 8;
}

int waw_after_mma(int generation, const Instruction& first, const Instruction& second) {
    if (is_mma(second)) {
        if (generation == 75) return 16;
        return first.unit == Unit::Dmma ? 17 : first.unit == Unit::Mma2x ? 16 : 8;
    }
    // The table requires this only after a predicated tensor instruction. Otherwise an unread result could
    // overwrite the newer value, so the longer figure applies always.
    const int term = 1 + tensor_waw_term(generation, first.unit);
    return is_decoupled(second) ? term + (generation == 80 ? 3 : 4) : term;
}

int waw_gpr(int generation, const Instruction& first, const Operand& a, const Instruction& second,
            const Operand& b, unsigned reg) {
    const int p = first.guarded() ? 1 : 0;
    const bool decoupled = is_decoupled(second);
    if (!is_vector(second) && !is_mma(second) && !decoupled) return kNoEntry;
    if (is_mma(first)) return waw_after_mma(generation, first, second);
    if (!is_vector(first)) return kNoEntry;
    if (is_mma(second)) return 2;
    const bool slow_first = first.unit == Unit::Fp64 || first.unit == Unit::H2Mma;
    if (decoupled) {
        const bool early = second.unit == Unit::Xu ? first.unit == Unit::Alu || first.unit == Unit::Fma
                                                   : second.unit == Unit::Ldc && first.unit == Unit::Alu;
        if (generation == 75)
            return early ? 6 : second.unit == Unit::Match && first.unit == Unit::Alu ? 7 : 8;
        return slow_first ? 9 + p : 5 + 1;
    }
    const bool wide_low = gpr_writer(second, b, reg) == Writer::WideLo;
    if (slow_first && second.unit != first.unit)
        return generation == 75 ? 1 + 4 * p : wide_low ? 3 + 5 * p : 3 + 3 * p;
    if (gpr_writer(first, a, reg) == Writer::Cs2r) return wide_low ? 3 + p : 2;
    if (wide_low) return generation == 75 ? 1 + 2 * p : 2 + p;
    return 1;
}

int waw_pred(int generation, const Instruction& first, const Instruction& second) {
    const int p = first.guarded() ? 1 : 0;
    if (pred_writer(first) == PredWriter::None) return kNoEntry;
    if (is_decoupled(second)) {
        if (generation == 75) return 14;
        return first.unit == Unit::Fp64 ? 13 : 12;
    }
    const PredWriter writer = pred_writer(second);
    if (writer == PredWriter::None) return kNoEntry;
    if (first.unit == second.unit) return 1;
    if (writer == PredWriter::Fp16) return 7 + 2 * p;
    if (writer == PredWriter::Fp64) return 5 + 2 * p;
    return first.unit == Unit::Fp64 || first.unit == Unit::Fp16 ? kNoEntry : 1;
}

int waw_uniform(int generation, const Instruction& first, const Instruction& second) {
    const UniformWriter a = uniform_writer(first);
    const UniformWriter b = uniform_writer(second);
    const int p = first.guarded() ? 1 : 0;
    const bool fast_a = a == UniformWriter::Ldc || a == UniformWriter::Mov;
    const bool fast_b = b == UniformWriter::Ldc || b == UniformWriter::Mov;
    const bool slow_b = b == UniformWriter::R2ur || second.unit == Unit::S2ur || second.unit == Unit::Redux;
    if (a == UniformWriter::Udp && fast_b) return 7;
    if (a == UniformWriter::Udp && slow_b) return (generation == 75 ? 6 : 7) + 4 * p;
    if (fast_a && slow_b) return 4;
    if ((a == UniformWriter::Udp || fast_a) && (b == UniformWriter::Udp || fast_b)) return 1;
    return kNoEntry;
}

int war_uniform(const Instruction& first, const Instruction& second) {
    const UniformWriter writer = uniform_writer(second);
    if (writer == UniformWriter::Ldc || writer == UniformWriter::Mov) return first.unit == Unit::Udp ? 3 : 1;
    return 1;
}

}  // namespace

int before_blackwell(int generation, DependenceKind kind, const Instruction& first, const Operand& a,
                     const Instruction& second, const Operand& b, unsigned reg) {
    switch (a.file) {
        case RegFile::Gpr:
            if (kind == DependenceKind::War) return war_gpr(generation, first, second);
            if (kind == DependenceKind::Waw) return waw_gpr(generation, first, a, second, b, reg);
            if (generation != 75 && same_fp16_kind(first, second)) return 4;
            if (generation == 90 && second.unit == Unit::R2ur &&
                (first.unit == Unit::H2Mma || first.unit == Unit::Fp64))
                return 8;  // measured: wrong at 7
            return raw_gpr(generation, gpr_writer(first, a, reg),
                           row_of(generation, second, b, reg, gpr_writer(first, a, reg)));
        case RegFile::Pred:
            // Guards are read at issue.
            if (kind == DependenceKind::War) return is_decoupled(second) && a.role != Role::Guard ? 2 : 1;
            if (kind == DependenceKind::Waw) return waw_pred(generation, first, second);
            return raw_pred(generation, first, second, b);
        case RegFile::UGpr:
            if (kind == DependenceKind::War) return war_uniform(first, second);
            if (kind == DependenceKind::Waw) return waw_uniform(generation, first, second);
            return raw_uniform(generation, first, second, b);
        case RegFile::UPred:
            if (kind == DependenceKind::War) return first.unit == Unit::Udp && a.role != Role::Guard ? 2 : 1;
            if (kind == DependenceKind::Waw)
                return second.unit == Unit::UdpFast && first.unit == Unit::Udp ? 7 : 1;
            return raw_uniform_pred(first, second, b);
        case RegFile::BReg:
            return 1;  // the hardware interlocks: order is sufficient
    }
    return kNoEntry;
}

int distance(int generation, DependenceKind kind, const Instruction& first, const Operand& a,
             const Instruction& second, const Operand& b, unsigned reg) {
    return generation >= 100 ? blackwell(generation, kind, first, a, second, b, reg)
                             : before_blackwell(generation, kind, first, a, second, b, reg);
}

}  // namespace cubinlab::published
