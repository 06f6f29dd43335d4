// SPDX-License-Identifier: GPL-3.0-or-later
// Aligns two compilations of one source by what their instructions compute.
//
//   const KernelAlignment found = align_kernels(*original, *start);
//   for (const AlignedPair& row : found.rows) ...               // side by side
//
// Two instructions compute the same if their texts agree up to the numbers of registers and scoreboards, the target of
// a branch and the control code. Blocks are aligned first, in address order, by the instructions that they share; inside
// a pair of blocks a longest common subsequence has its rows. Of several longest ones it is one that agrees most in
// where the sources come from. Instructions that compute the same elsewhere are partners without a common row.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/schedule/kernel.h"

namespace cubinlab {

enum class Computed : std::uint8_t {
    Same,     // also the same registers
    Renamed,  // in other registers
    Moved,    // its partner has another row
    Alone,    // the other kernel has no such instruction left
};

struct AlignedPair {
    InstrId left = kNone, right = kNone;  // kNone: blank on this side
    Computed computed = Computed::Alone;
};

struct KernelAlignment {
    std::vector<AlignedPair> rows;     // every instruction of both kernels once, in the order of its kernel
    std::vector<InstrId> right_of_left;  // by InstrId of the left kernel: its partner; kNone: it has none
    std::vector<InstrId> left_of_right;
    std::size_t same = 0, renamed = 0, moved = 0;  // pairs
    std::size_t only_left = 0, only_right = 0;     // instructions
};

KernelAlignment align_kernels(const Kernel& left, const Kernel& right);

// What an instruction computes: "LDG.E.128 R, desc[UR][R.64]" of "LDG.E.128 R8, desc[UR6][R18.64]".
std::string computed_text(std::string_view text);

// A longest common subsequence of two sequences of keys, as ascending pairs of indices; of several one whose pairs have
// most `finer` keys in common. From kMostCells on it is a common subsequence, not always a longest one.
using KeySpan = std::span<const std::uint64_t>;
std::vector<std::pair<std::uint32_t, std::uint32_t>> common_subsequence(KeySpan a, KeySpan b, KeySpan finer_a,
                                                                        KeySpan finer_b);
inline constexpr std::size_t kMostCells = std::size_t{16} << 20;

}  // namespace cubinlab
