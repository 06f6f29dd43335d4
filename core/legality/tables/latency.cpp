// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/tables/latency.h"

#include <algorithm>

#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

using namespace latency;

namespace {

constexpr int kNoEntry = 0;
// Longer distances in compiled code are coincidences: no published figure is above 26.
constexpr int kObservedCap = 33;
constexpr int kTrustedRaise = 2;
constexpr std::uint32_t kFewPlaces = 10;  // with fewer occurrences, the minimum means nothing
using Row = int[12];                      // columns in the order of latency::Writer

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

// sm_100, as published; kSm120 adds to it.
constexpr Row kRaw100[] = {
    {4, 6, 5, 3, 5, 5, 10, 10, 19, 19, 19, 0}, {5, 6, 4, 2, 4, 5, 10, 10, 19, 19, 19, 0},
    {5, 6, 4, 4, 6, 5, 10, 10, 19, 19, 19, 0}, {3, 4, 2, 2, 2, 3, 8, 8, 19, 19, 19, 0},
    {5, 6, 5, 3, 5, 5, 10, 10, 19, 19, 19, 0}, {6, 6, 6, 6, 6, 6, 8, 10, 19, 19, 19, 0},
    {6, 6, 6, 6, 6, 6, 8, 8, 19, 19, 19, 0},   {7, 7, 7, 7, 7, 7, 11, 11, 20, 20, 20, 0},
    {4, 4, 4, 4, 4, 4, 6, 6, 19, 19, 19, 0},   {5, 5, 5, 5, 5, 5, 7, 7, 19, 19, 19, 0},
};

bool is_blackwell(int generation) {
    return generation >= 100;
}

// Cycles that sm_120 needs in addition to sm_100, from the same source.
int added_on_120(DependenceKind kind, RegFile file, const Instruction& first, const Instruction& second) {
    const bool tensor = file == RegFile::Gpr && (is_mma(first) || is_mma(second));
    if (kind != DependenceKind::Raw) return tensor ? 7 : 0;
    if (!tensor) return 1;
    return is_named(first, "IMMA") || is_named(second, "IMMA") ? 5 : 9;
}

int raw_gpr(int generation, Writer writer, Reader reader) {
    if (writer == Writer::None || reader == Reader::None) return kNoEntry;
    const auto row = static_cast<std::size_t>(reader);
    const auto column = static_cast<std::size_t>(writer);
    if (generation == 75) return kRaw75[row][column];
    if (is_blackwell(generation)) return kRaw100[row][column];
    // sm_90, measured: these two pipes forward to each other, and HFMA2.MMA to itself, in 8 cycles; ptxas
    // agrees.
    const bool slow_writer = writer == Writer::Fp64 || writer == Writer::H2m;
    if (generation == 90 && slow_writer && (reader == Reader::Fp64 || reader == Reader::H2m)) return 8;
    // sm_90, measured: no reader of a DMMA result gets it at 24.
    if (generation == 90 && writer == Writer::Dmma) return std::max(kRaw80[row][column], 25);
    return kRaw80[row][column];
}

// Queued readers that compiled code issues as early as an XU operation, by producer and generation; others
// have the distance of a memory operand. FMUL to R2UR at 4 gave wrong results on sm_90 (H200); ptxas emits it
// for sm_80 to sm_89.
bool reads_early(int generation, const Instruction& reader, Writer writer) {
    const bool alu = writer == Writer::Alu;
    const bool fma = writer == Writer::Fma;
    if (is_blackwell(generation))
        return reader.unit != Unit::Lsu && reader.unit != Unit::Mio && reader.unit != Unit::Barrier;
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

// FP16 arithmetic forwards to FP16 arithmetic one cycle earlier.
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

int raw_pred(int generation, const Instruction& first, const Instruction& second, const Operand& read) {
    const PredWriter writer = pred_writer(first);
    const PredReader reader = pred_reader(second, read);
    if (is_blackwell(generation) && first.unit == Unit::R2ur) return reader == PredReader::Alu ? 8 : 13;
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
            if (is_blackwell(generation))
                return reader == UniformReader::None       ? kNoEntry
                       : reader == UniformReader::Bindless ? 15
                                                           : 13;
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
    if (is_blackwell(generation))
        return vector_writer || is_mma(first) || first.unit == Unit::Fp64 ? 1 : 2;
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
    if (is_mma(first) && is_blackwell(generation)) return is_mma(second) ? 1 : decoupled ? 19 : 17;
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
    // sm_100 adds two cycles for the halves of IMAD.WIDE after the slow pipes.
    if (is_blackwell(generation) && slow_first && second.unit == Unit::FmaWide) return 8;
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
    if (a == UniformWriter::R2ur && is_blackwell(generation)) {
        if (b == UniformWriter::R2ur) return 1;
        return fast_b ? 11 : b == UniformWriter::Udp ? 9 : slow_b ? 14 : kNoEntry;
    }
    if ((a == UniformWriter::Udp || fast_a) && (b == UniformWriter::Udp || fast_b)) return 1;
    return kNoEntry;
}

int war_uniform(const Instruction& first, const Instruction& second) {
    const UniformWriter writer = uniform_writer(second);
    if (writer == UniformWriter::Ldc || writer == UniformWriter::Mov) return first.unit == Unit::Udp ? 3 : 1;
    return 1;
}

int lookup(int generation, DependenceKind kind, const Instruction& first, const Operand& a,
           const Instruction& second, const Operand& b, unsigned reg) {
    if (generation == 120) {
        const int cycles = lookup(100, kind, first, a, second, b, reg);
        return cycles == kNoEntry ? kNoEntry : cycles + added_on_120(kind, a.file, first, second);
    }
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

}  // namespace

int table_generation(const Arch& arch) {
    if (arch.sm < 90) return arch.sm < 80 ? 75 : 80;
    return arch.sm < 100 ? 90 : arch.sm < 120 ? 100 : 120;
}

int combined_distance(int published, const ObservedDistance* seen, DependenceKind kind, CheckMode mode) {
    if (seen == nullptr) return published;
    const int cycles = std::min<int>(seen->cycles, kObservedCap);
    if (mode == CheckMode::Absolute) {
        if (published != kNoEntry && cycles < published) return cycles;
        // A second write is seldom issued at its minimum, and a minimum far above the published figure comes
        // from the scheduler: neither may reject compiled code.
        const bool binding = kind == DependenceKind::Raw && cycles <= published + kTrustedRaise;
        return binding && well_observed(*seen) ? std::max(cycles, published) : published;
    }
    if (published == kNoEntry) return kNoEntry;  // the original's distance applies
    return seen->places >= kFewPlaces ? std::max(published, cycles) : published;
}

namespace {

// A few occurrences each, in kernels outside the mined table; for absolute mode only.
struct RarePair {
    int generation;
    ObservedKey key;
    int cycles;
};
constexpr RarePair kRare[] = {
    {80, {DependenceKind::Waw, RegFile::Pred, ObservedClass::Alu, ObservedClass::HalfCompare, true}, 8},
    {90, {DependenceKind::Waw, RegFile::Gpr, ObservedClass::Mma2x, ObservedClass::Imma88}, 11},
    {90, {DependenceKind::Raw, RegFile::Pred, ObservedClass::Alu, ObservedClass::Elect}, 2},
    {90, {DependenceKind::Waw, RegFile::Pred, ObservedClass::HalfCompare, ObservedClass::Elect}, 9},
    {90, {DependenceKind::Waw, RegFile::Pred, ObservedClass::WideHi, ObservedClass::R2ur}, 11},
};

// VOTE has the latency of the ALU and is rarely observed: uses the ALU row if its own has few occurrences.
const ObservedDistance* observed_as(int generation, const ObservedKey& key) {
    const ObservedDistance* own = observed_distance(generation, key);
    if (key.kind != DependenceKind::Raw || key.file != RegFile::Gpr || key.first != ObservedClass::Vote)
        return own;
    if (own != nullptr && own->places >= kFewPlaces) return own;
    ObservedKey alu = key;
    alu.first = ObservedClass::Alu;
    const ObservedDistance* row = observed_distance(generation, alu);
    return row != nullptr ? row : own;
}

int swept_cycles(int generation, const ObservedKey& key) {
    const ObservedDistance* row = swept_distance(generation, key);
    return row == nullptr ? kDistanceCap : row->cycles;
}

// Common pairs that only the public corpus has: before sm_90 IMAD.WIDE.X reads the carry of IMAD.WIDE 6
// cycles later (minimum, 11,416 of 71,084), where 4 and 2 are published.
const ObservedDistance* shown_by_sweep(int generation, const ObservedKey& key) {
    const ObservedDistance* row = swept_distance(generation, key);
    return row != nullptr && well_observed(*row) ? row : nullptr;
}

int rare_cycles(int generation, const ObservedKey& key) {
    for (const RarePair& pair : kRare)
        if (pair.generation == generation && pair.key == key) return pair.cycles;
    return kDistanceCap;
}

// Queued instructions read operands and write results later than the published tables assume, and tensor
// results arrive earlier. The margins are minima of ptxas for any unit after each kind of producer, in random
// PTX (tests/sweep/random_ptx.py), CUB and libcu++ (SHFL one cycle after FSEL or P2R, MATCH 4 after IMAD).
// For absolute mode, and only for pairs that compiled code rarely has.
int queued_distance(int generation, DependenceKind kind, RegFile file, const Instruction& first,
                    const Instruction& second, int cycles) {
    const bool queued = is_decoupled(second);
    const bool vector = is_vector(first), tensor = is_mma(first);
    if (cycles == kNoEntry) return cycles;
    if (kind == DependenceKind::War && file == RegFile::Pred && queued) return std::min(cycles, 1);
    if (!vector && !tensor) return cycles;
    if (kind == DependenceKind::War)
        return generation >= 80 && (queued || is_mma(second)) ? std::min(cycles, 1) : cycles;
    if (file != RegFile::Gpr || (!queued && (!tensor || kind == DependenceKind::Raw))) return cycles;
    const int least = generation == 75 ? 6 : 4;
    const int earlier = kind == DependenceKind::Waw && tensor ? 3 : generation == 75 ? 2 : 1;
    return std::min(cycles, std::max(least, cycles - earlier));
}

// The longest distance at which an H200 read the old value, plus one cycle
// (resources/probe/measured-sm_90a.jsonl.gz), for pairs with a few shorter occurrences in compiled code or by
// queued_distance; 0: none. A measured error overrides observations: 10 of 405,707 guards at 11 cycles after
// the ALU, probably copy-unit guards that were mistaken for vector predicates. On other generations guards
// have the published figure: of 66,550, 24,294 are exactly at it; one of 10,954 was at 5.
int measured_floor(int generation, const Instruction& first, const Instruction& second,
                   const ObservedKey& key, int published) {
    if (key.file == RegFile::Pred) return key.second == ObservedClass::Guard ? published : 0;
    // UIADD3 to UIADD3.X (carry): 2 cycles, also on the H200; other uniform pairs are never below 4.
    if (key.file == RegFile::UPred && key.first == ObservedClass::Udp && key.second == ObservedClass::Udp)
        return is_named(first, "UIADD3") && is_named(second, "UIADD3") ? 0 : published;
    // Rows of 4 cycles were mined when HMNMX2 counted as ALU: they are its distances to HSET2 and HSETP2.
    const auto between = [&](ObservedClass a, ObservedClass b) { return key.first == a && key.second == b; };
    if (between(ObservedClass::Alu, ObservedClass::HalfCompare) ||
        between(ObservedClass::HalfCompare, ObservedClass::Alu))
        return generation == 75 ? 0 : published;
    if (generation != 90 || key.file != RegFile::Gpr) return 0;
    if (second.unit == Unit::R2ur) {
        if (key.first == ObservedClass::H2Mma || key.first == ObservedClass::Fp64) return 8;
        if (key.first == ObservedClass::Dmma) return 25;
        const bool slow = key.first == ObservedClass::Fma || key.first == ObservedClass::WideHi ||
                          first.unit == Unit::Fp16 || is_half_minimum(first);
        return slow ? 5 : 0;
    }
    if (key.first == ObservedClass::H2Mma && key.second == ObservedClass::Xu) return 6;
    if (key.first == ObservedClass::Fp64 && key.second == ObservedClass::Mio) return 7;
    return 0;
}

// A predicate is written after a slower comparison, whose result must arrive first: the difference of their
// distances to an ALU reader, plus one. ptxas has at least 5 after HSETP2 (8 on sm_75), 8 after DSETP.
int second_predicate(int generation, const Instruction& first, const Instruction& second) {
    const PredWriter late = pred_writer(first), writer = pred_writer(second);
    if (writer != PredWriter::Alu && writer != PredWriter::Fma) return kNoEntry;
    const int soon = writer == PredWriter::Alu ? 4 : 5;
    if (late == PredWriter::Fp16) return std::max(1, (generation == 75 ? 8 : 5) - soon + 1);
    if (late == PredWriter::Fp64) return std::max(1, (generation == 75 ? 9 : 6) - soon + 1);
    // R2UR of sm_90: the ALU reads it at 8.
    return generation == 90 && first.unit == Unit::R2ur ? 8 - soon + 1 : kNoEntry;
}

// A register or predicate that a wgmma reads at issue. sm_90a code: at least 10 after the ALU, the FMA pipe
// and half math (2,900 cases, exactly 10 in 70), because WARPGROUP.ARRIVE takes 6 between; a scale predicate
// of VOTEU at least 5 (1,480, exactly 5 in 87), of the uniform datapath at least 11 (21, 4), as for a guard.
// Tensor results are complete.
int to_wgmma(const Instruction& first, const Operand& written) {
    if (written.file == RegFile::UPred)
        return first.unit == Unit::UdpFast ? 5 : first.unit == Unit::Udp ? 11 : kNoEntry;
    if (written.file != RegFile::Gpr) return kNoEntry;
    if (is_mma(first)) return raw_gpr(90, gpr_writer(first, written, written.first), Reader::Mma);
    constexpr UnitSet kQuick(Unit::Alu, Unit::Fma, Unit::FmaWide, Unit::Fp16);
    return kQuick.has(first.unit) ? 10 : kNoEntry;
}

// Pairs of sm_90 without a table entry, for absolute mode; a search uses the original's distance. Uniform
// registers of R2UR: an H200 read the old value at 9 cycles in vector instructions and UMOV, and ULDC, UMOV
// and VOTEU wrote too early; another uniform write at 3. Predicates of ELECT and R2UR, minima of ptxas: 13 to
// a guard (730 and 105 cases), 4 from ELECT to an ALU source (536), 8 from R2UR to one (106 of 113). A branch
// reads R2UR's uniform register at 13 (198 of 205).
int figure_alone(int generation, DependenceKind kind, const Instruction& first, const Operand& written,
                 const Instruction& second, const Operand& other) {
    if (kind == DependenceKind::Waw && written.file == RegFile::Pred)
        return second_predicate(generation, first, second);
    // LEPC: at least 9 cycles to the following addition (exactly 9 in 30 of 120 cases).
    if (kind == DependenceKind::Raw && generation != 90 && is_named(first, "LEPC") && is_vector(second))
        return 9;
    if (generation != 90 || kind == DependenceKind::War) return kNoEntry;
    if (kind == DependenceKind::Raw && second.unit == Unit::Gmma) return to_wgmma(first, written);
    const bool elects = is_named(first, "ELECT"), moves = first.unit == Unit::R2ur;
    if (written.file == RegFile::Pred && kind == DependenceKind::Raw && (elects || moves)) {
        if (other.role == Role::Guard) return 13;
        return second.unit != Unit::Alu ? kNoEntry : elects ? 4 : 8;
    }
    // A uniform register of ELECT: 2 cycles in 44 of 61 cases.
    if (written.file == RegFile::UGpr && elects && kind == DependenceKind::Raw && is_vector(second)) return 2;
    if (written.file != RegFile::UGpr || !moves) return kNoEntry;
    if (second.unit == Unit::UdpFast) return 10;
    if (second.unit == Unit::Udp) return kind == DependenceKind::Waw ? 4 : kNoEntry;
    if (kind != DependenceKind::Raw) return kNoEntry;
    return is_vector(second) ? 10 : second.unit == Unit::Cbu ? 13 : kNoEntry;
}

// Lane mask of a collective WARPSYNC: 7 cycles after its MOV or IMAD in 1,612 of 1,612 cases of compiled code
// for sm_90; the register of other WARPSYNCs is read at 4.
constexpr int kCollectiveMask = 7;

bool is_collective_mask(const Instruction& reader, const Operand& read) {
    return read.file == RegFile::Gpr && reader.has(Trait::Branch) && is_named(reader, "WARPSYNC");
}

}  // namespace

std::optional<int> required_distance(const Arch& arch, DependenceKind kind, const Instruction& first,
                                     const Operand& first_operand, const Instruction& second,
                                     const Operand& second_operand, unsigned reg, CheckMode mode) {
    const int generation = table_generation(arch);
    // ptxas emits sm_120 code with the distances of sm_100: only a search adds what Mesa adds.
    const int source = generation == 120 && mode == CheckMode::Absolute ? 100 : generation;
    const int published = lookup(source, kind, first, first_operand, second, second_operand, reg);
    const ObservedKey key = observed_key(kind, first, first_operand, second, second_operand, reg, false);
    const ObservedDistance* seen = observed_as(generation, key);
    // Absolute mode prefers frequent pairs of the public corpus to rare ones of the mined table.
    const bool seldom = seen == nullptr || (mode == CheckMode::Absolute && !well_observed(*seen));
    const ObservedDistance* swept =
        seldom && kind == DependenceKind::Raw ? shown_by_sweep(generation, key) : nullptr;
    if (swept != nullptr && (seen == nullptr || swept->cycles <= seen->cycles)) seen = swept;
    int cycles = combined_distance(published, seen, kind, mode);
    if (mode == CheckMode::Absolute && cycles != kNoEntry) {
        if (seen == nullptr || !well_observed(*seen))
            cycles = queued_distance(generation, kind, first_operand.file, first, second, cycles);
        cycles = std::min({cycles, swept_cycles(generation, key), rare_cycles(generation, key)});
        if (kind == DependenceKind::Raw)
            cycles = std::max(cycles, measured_floor(generation, first, second, key, published));
    }
    if (mode == CheckMode::Absolute && cycles == kNoEntry)
        cycles = figure_alone(generation, kind, first, first_operand, second, second_operand);
    if (kind == DependenceKind::Raw && is_collective_mask(second, second_operand))
        cycles = std::max(cycles, kCollectiveMask);
    return cycles == kNoEntry ? std::nullopt : std::optional<int>(cycles);
}

bool keeps_distance_with_wait(const Instruction& first) {
    return first.unit == Unit::Fp64 || is_mma(first) || first.unit == Unit::R2ur || first.unit == Unit::H2Mma;
}

int distance_with_wait(const Arch& arch, DependenceKind kind, const Instruction& first,
                       const Operand& first_operand, const Instruction& second, const Operand& second_operand,
                       unsigned reg, CheckMode mode) {
    if (!keeps_distance_with_wait(first)) return 0;
    // DMMA in a one-block loop with a wait: 10 cycles on sm_90; inside blocks the minimum is 16.
    if (mode == CheckMode::Absolute && first.unit == Unit::Dmma) return 0;
    const int generation = table_generation(arch);
    const ObservedKey key = observed_key(kind, first, first_operand, second, second_operand, reg, true);
    const ObservedDistance* seen = observed_distance(generation, key);
    // FP64 results and operands of the tensor units of sm_75 always have the published distance; others have
    // no published figure for a pair with a wait.
    const bool keeps_published = (first.unit == Unit::Fp64 && kind == DependenceKind::Raw && generation < 100) ||
                                 (generation == 75 && is_mma(first) && kind == DependenceKind::War);
    const int published =
        keeps_published ? lookup(generation, kind, first, first_operand, second, second_operand, reg) : 0;
    if (seen == nullptr)
        return mode == CheckMode::Absolute ? std::min(published, swept_cycles(generation, key)) : published;
    const int cycles = std::min<int>(seen->cycles, kObservedCap);
    if (mode == CheckMode::AgainstOriginal) return std::max(published, cycles);
    const int shortest = std::min(cycles, swept_cycles(generation, key));
    if (published != 0) return std::min(published, shortest);
    return well_observed(*seen) ? shortest : 0;
}

}  // namespace cubinlab
