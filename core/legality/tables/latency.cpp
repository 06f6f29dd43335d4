// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/tables/latency.h"

#include <algorithm>

#include "core/legality/tables/latency_classes.h"
#include "core/legality/tables/published_distances.h"

namespace cubinlab {

using namespace latency;
using published::kNoEntry;

namespace {

// Longer distances in compiled code are coincidences: no published figure is above 26.
constexpr int kObservedCap = 33;
constexpr int kTrustedRaise = 2;
constexpr std::uint32_t kFewPlaces = 10;  // with fewer occurrences, the minimum means nothing

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
    if (is_mma(first)) return published::raw_gpr(90, gpr_writer(first, written, written.first), Reader::Mma);
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
    const int published =
        published::distance(source, kind, first, first_operand, second, second_operand, reg);
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
    const bool keeps_published =
        (first.unit == Unit::Fp64 && kind == DependenceKind::Raw && generation < 100) ||
        (generation == 75 && is_mma(first) && kind == DependenceKind::War);
    const int published = keeps_published ? published::distance(generation, kind, first, first_operand,
                                                                second, second_operand, reg)
                                          : 0;
    if (seen == nullptr)
        return mode == CheckMode::Absolute ? std::min(published, swept_cycles(generation, key)) : published;
    const int cycles = std::min<int>(seen->cycles, kObservedCap);
    if (mode == CheckMode::AgainstOriginal) return std::max(published, cycles);
    const int shortest = std::min(cycles, swept_cycles(generation, key));
    if (published != 0) return std::min(published, shortest);
    return well_observed(*seen) ? shortest : 0;
}

}  // namespace cubinlab
