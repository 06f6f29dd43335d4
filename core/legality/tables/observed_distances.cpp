// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/legality/tables/observed_distances.h"

#include <algorithm>
#include <array>

#include "core/legality/tables/latency_classes.h"

namespace cubinlab {

namespace {

using K = DependenceKind;
using F = RegFile;
using C = ObservedClass;

constexpr ObservedDistance kRows[] = {
#include "core/legality/tables/observed_distances.inc"
};
constexpr ObservedDistance kSwept[] = {
#include "core/legality/swept_distances.inc"
};

const ObservedDistance* find(std::span<const ObservedDistance> rows, int generation, const ObservedKey& key) {
    const auto before = [](const ObservedDistance& row, const std::pair<int, ObservedKey>& at) {
        return std::pair<int, ObservedKey>(row.generation, row.key) < at;
    };
    const auto row = std::lower_bound(rows.begin(), rows.end(), std::pair(generation, key), before);
    if (row == rows.end() || row->generation != generation || row->key != key) return nullptr;
    return &*row;
}

constexpr std::array kNames = {
    "Alu",   "Vote",  "Fma",    "WideAb", "WideLo", "WideHi", "HalfMath", "HalfCompare", "HalfWiden",
    "H2Mma", "Fp64",  "Imma88", "Mma1x",  "Mma2x",  "Dmma",   "Gmma",     "Cs2r32",      "Cs2r64",
    "Xu",    "S2r",   "S2ur",   "Ldc",    "R2ur",   "Redux",  "Mio",      "Lsu",         "Tex",
    "Match", "Udp",   "Uldc",   "Umov",   "Voteu",  "Cbu",    "Barrier",  "Fence",       "Depbar",
    "Syncs", "Elect", "Bulk",   "Async",  "Nop",    "Guard",  "None"};
static_assert(kNames.size() == static_cast<std::size_t>(ObservedClass::None) + 1);

ObservedClass half_class(const Instruction& i) {
    constexpr unsigned kWidensBit = 78;  // packed halves widened to f32
    if (latency::is_named(i, "HADD2") && i.word.bit(kWidensBit)) return C::HalfWiden;
    return latency::is_named(i, "HSET2") || latency::is_named(i, "HSETP2") ? C::HalfCompare : C::HalfMath;
}

ObservedClass wide_class(const Operand& operand, unsigned reg, bool writes) {
    if (!writes && operand.role != Role::C) return C::WideAb;
    return operand.count == 2 && reg == operand.first ? C::WideLo : C::WideHi;
}

ObservedClass async_class(const Instruction& i) {
    if (latency::is_named(i, "SYNCS")) return C::Syncs;
    if (latency::is_named(i, "ELECT")) return C::Elect;
    return i.mnemonic[0] == 'U' ? C::Bulk : C::Async;
}

}  // namespace

const char* to_string(ObservedClass c) {
    return kNames[static_cast<std::size_t>(c)];
}

ObservedClass observed_class(const Instruction& i, const Operand& operand, unsigned reg, bool writes) {
    if (!writes && operand.role == Role::Guard) return C::Guard;
    switch (i.unit) {
        case Unit::Alu:
            if (latency::is_half_minimum(i)) return C::HalfCompare;
            return latency::is_named(i, "VOTE") ? C::Vote : C::Alu;
        case Unit::Fma:
            return C::Fma;
        case Unit::FmaWide:
            return wide_class(operand, reg, writes);
        case Unit::Fp16:
            return half_class(i);
        case Unit::H2Mma:
            return C::H2Mma;
        case Unit::Fp64:
            return C::Fp64;
        case Unit::MmaImma88:
            return C::Imma88;
        case Unit::Mma1x:
            return C::Mma1x;
        case Unit::Mma2x:
            return C::Mma2x;
        case Unit::Dmma:
            return C::Dmma;
        case Unit::Gmma:
            return C::Gmma;
        case Unit::Cs2r:
            return operand.count == 2 ? C::Cs2r64 : C::Cs2r32;
        case Unit::Xu:
            return C::Xu;
        case Unit::S2r:
            return C::S2r;
        case Unit::S2ur:
            return C::S2ur;
        case Unit::Ldc:
            return C::Ldc;
        case Unit::R2ur:
            return C::R2ur;
        case Unit::Redux:
            return C::Redux;
        case Unit::Mio:
            return C::Mio;
        case Unit::Lsu:
            return C::Lsu;
        case Unit::Tex:
            return C::Tex;
        case Unit::Match:
            return C::Match;
        case Unit::Udp:
            return C::Udp;
        case Unit::UdpFast:
            if (latency::is_named(i, "ULDC")) return C::Uldc;
            return latency::is_named(i, "VOTEU") ? C::Voteu : C::Umov;
        case Unit::Cbu:
            return C::Cbu;
        case Unit::Barrier:
            return C::Barrier;
        case Unit::Fence:
            return C::Fence;
        case Unit::Depbar:
            return C::Depbar;
        case Unit::AsyncGroup:
            return async_class(i);
        case Unit::Nop:
            return C::Nop;
        case Unit::Unknown:
            return C::None;
    }
    return C::None;
}

ObservedKey observed_key(DependenceKind kind, const Instruction& first, const Operand& first_operand,
                         const Instruction& second, const Operand& second_operand, unsigned reg,
                         bool waited) {
    return {kind,
            first_operand.file,
            observed_class(first, first_operand, reg, kind != K::War),
            observed_class(second, second_operand, reg, kind != K::Raw),
            kind == K::Waw && first.guarded(),
            waited};
}

std::span<const ObservedDistance> observed_distances() {
    return kRows;
}

std::span<const ObservedDistance> swept_distances() {
    return kSwept;
}

const ObservedDistance* observed_distance(int generation, const ObservedKey& key) {
    return find(kRows, generation, key);
}

const ObservedDistance* swept_distance(int generation, const ObservedKey& key) {
    return find(kSwept, generation, key);
}

}  // namespace cubinlab
