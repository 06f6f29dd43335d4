// SPDX-License-Identifier: GPL-3.0-or-later
// Mesa's tables of sm_100, and what sm_120 adds to them (latency.h has the commits). Not measured by this project.
#include <optional>

#include "core/legality/tables/published_distances.h"

namespace cubinlab::published {

using namespace latency;

namespace {

// GPR read after write. Rows in the order of latency::Reader.
constexpr Row kRaw100[] = {
    // Alu Cs2r Fma WLo WHi Fp16 H2m Fp64 Im88 1x 2x Dmma
    {4, 6, 5, 3, 5, 5, 10, 10, 19, 19, 19, 0},  // Alu
    {5, 6, 4, 2, 4, 5, 10, 10, 19, 19, 19, 0},  // Fma, wide c low
    {5, 6, 4, 4, 6, 5, 10, 10, 19, 19, 19, 0},  // wide a, b
    {3, 4, 2, 2, 2, 3, 8, 8, 19, 19, 19, 0},    // wide c high
    {5, 6, 5, 3, 5, 5, 10, 10, 19, 19, 19, 0},  // Fp16
    {6, 6, 6, 6, 6, 6, 8, 10, 19, 19, 19, 0},   // HFMA2.MMA
    {6, 6, 6, 6, 6, 6, 8, 8, 19, 19, 19, 0},    // Fp64
    {7, 7, 7, 7, 7, 7, 11, 11, 20, 20, 20, 0},  // Mma
    {4, 4, 4, 4, 4, 4, 6, 6, 19, 19, 19, 0},    // Xu, branch unit
    {5, 5, 5, 5, 5, 5, 7, 7, 19, 19, 19, 0},    // Memory
};

// Of the queued readers the memory instructions and barriers read late.
Reader row_of_100(const Instruction& reader, const Operand& read, unsigned reg) {
    const Reader row = gpr_reader(reader, read, reg);
    if (row != Reader::Xu && row != Reader::Memory) return row;
    const bool late = reader.unit == Unit::Lsu || reader.unit == Unit::Mio || reader.unit == Unit::Barrier;
    return late ? Reader::Memory : Reader::Xu;
}

int raw_gpr_100(const Instruction& first, const Operand& a, const Instruction& second, const Operand& b,
                unsigned reg) {
    const Writer writer = gpr_writer(first, a, reg);
    const Reader reader = row_of_100(second, b, reg);
    if (writer == Writer::None || reader == Reader::None) return kNoEntry;
    return kRaw100[static_cast<std::size_t>(reader)][static_cast<std::size_t>(writer)];
}

int war_gpr_100(const Instruction& first, const Instruction& second) {
    if (is_vector(second)) return 1;
    if (!is_mma(second) && !is_decoupled(second)) return kNoEntry;
    return is_mma(first) || first.unit == Unit::Fp64 ? 1 : 2;
}

// Where tensor units are first, and two cycles for the halves of IMAD.WIDE after the slow pipes.
std::optional<int> waw_gpr_100(const Instruction& first, const Instruction& second) {
    const bool decoupled = is_decoupled(second);
    if (!is_vector(second) && !is_mma(second) && !decoupled) return kNoEntry;
    if (is_mma(first)) return is_mma(second) ? 1 : decoupled ? 19 : 17;
    const bool slow_first = first.unit == Unit::Fp64 || first.unit == Unit::H2Mma;
    if (slow_first && second.unit == Unit::FmaWide) return 8;
    return std::nullopt;
}

std::optional<int> after_r2ur(DependenceKind kind, const Instruction& second, const Operand& b) {
    if (kind == DependenceKind::Raw) {
        const UniformReader reader = uniform_reader(second, b);
        if (reader == UniformReader::None) return kNoEntry;
        return reader == UniformReader::Bindless ? 15 : 13;
    }
    const UniformWriter writer = uniform_writer(second);
    if (writer == UniformWriter::R2ur) return 1;
    if (writer == UniformWriter::Ldc || writer == UniformWriter::Mov) return 11;
    if (writer == UniformWriter::Udp) return 9;
    return second.unit == Unit::S2ur || second.unit == Unit::Redux ? 14 : kNoEntry;
}

// Where sm_100 differs from the generations before.
std::optional<int> own_figure(DependenceKind kind, const Instruction& first, const Operand& a,
                              const Instruction& second, const Operand& b, unsigned reg) {
    const bool raw = kind == DependenceKind::Raw;
    const bool moved = first.unit == Unit::R2ur && kind != DependenceKind::War;
    switch (a.file) {
        case RegFile::Gpr:
            if (kind == DependenceKind::War) return war_gpr_100(first, second);
            if (!raw) return waw_gpr_100(first, second);
            if (same_fp16_kind(first, second)) return std::nullopt;
            return raw_gpr_100(first, a, second, b, reg);
        case RegFile::Pred:
            if (raw && moved) return pred_reader(second, b) == PredReader::Alu ? 8 : 13;
            return std::nullopt;
        case RegFile::UGpr:
            return moved ? after_r2ur(kind, second, b) : std::nullopt;
        default:
            return std::nullopt;
    }
}

// Cycles that sm_120 needs in addition to sm_100.
int added_on_120(DependenceKind kind, RegFile file, const Instruction& first, const Instruction& second) {
    const bool tensor = file == RegFile::Gpr && (is_mma(first) || is_mma(second));
    if (kind != DependenceKind::Raw) return tensor ? 7 : 0;
    if (!tensor) return 1;
    return is_named(first, "IMMA") || is_named(second, "IMMA") ? 5 : 9;
}

}  // namespace

int blackwell(int generation, DependenceKind kind, const Instruction& first, const Operand& a,
              const Instruction& second, const Operand& b, unsigned reg) {
    const auto own = own_figure(kind, first, a, second, b, reg);
    const int cycles = own ? *own : before_blackwell(generation, kind, first, a, second, b, reg);
    if (cycles == kNoEntry || generation != 120) return cycles;
    return cycles + added_on_120(kind, a.file, first, second);
}

}  // namespace cubinlab::published
