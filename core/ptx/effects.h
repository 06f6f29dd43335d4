// SPDX-License-Identifier: GPL-3.0-or-later
// What an instruction reads, writes and orders. Names in quotes are sections of the PTX ISA.
//
// What may move, and why:
// - Register instructions, anywhere that their registers allow. mma, movmatrix and other `.sync.aligned` instructions
//   without memory are of this kind: all threads of the warp execute the same one, and none can meet another's.
// - Loads of .const, and of .param of the entry's own parameters, anywhere: a kernel cannot write them
//   ("Constant State Space", "Kernel Function Parameters").
// - Weak loads across weak loads. A store of another thread is not morally strong with a weak load, and the axiom "SC per
//   location" is about morally strong operations alone. ld.global.nc is ordered like a weak load.
// - Weak operations of .global, .shared and .local across each other: the spaces are disjoint ("State Spaces"). A
//   generic address may lie in any of them ("Generic Addressing") and counts as all.
// - cp.async (not bulk) across loads of .global: it is a weak operation that reads .global and writes .shared, and nothing but
//   a wait orders it ("Data Movement and Conversion Instructions: cp.async"). A wait is a fence.
// - shfl, vote, match, redux and elect with .sync across memory: the ISA gives them no effect on it. They keep their
//   order among themselves: threads in different blocks may meet in them.
//
// What keeps its order with every other operation of memory or of the warp, a fence: loads and stores with .volatile, .relaxed,
// .acquire, .release or .mmio, atomics, barriers, fences, mbarrier, bulk copies, wgmma, tcgen05, calls, reads of
// %clock and %globaltimer. Registers of wgmma.mma_async, tcgen05.ld and tcgen05.st are in use until a wait ("Asynchronous
// Warpgroup Level Matrix Instructions", "Tensorcore 5th Generation Instructions"): what touches one, or a copy of one by mov,
// keeps its order with fences.
//
// A region of inline assembly or a scope moves as one if it is no larger than kLargestRegion, no branch leaves it, and it
// declares nothing for what follows. Else inline assembly stays in its place, and a scope is opened.
//
// What ends a block: control flow, setmaxnreg, alloca, and each opcode that is not in the table.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/ptx/token.h"

namespace cubinlab::ptx {

constexpr std::size_t kLargestRegion = 16384;  // bytes
constexpr std::size_t kDeepestScope = 256;

// By rank: a region of several has the last of theirs.
enum class OpKind : std::uint8_t {
    DebugLabel,  // $L__tmpN, which no instruction names
    Arithmetic,
    Matrix,  // mma, wmma.mma, movmatrix
    Load,
    Store,
    Copy,  // cp.async, not bulk
    Warp,  // shfl, vote, match, redux, elect
    Fence,
    Call,
    Control,  // ends a block
    Unknown,  // ends a block
};

// What is ordered besides registers. A set of them is a mask.
enum Resource : std::uint16_t {
    kGlobal = 1,
    kShared = 2,
    kLocal = 4,
    kParam = 8,            // of calls
    kWarp = 16,            // the order of shuffles, votes and matches
    kCopies = 32,          // the order of asynchronous copies
    kAsyncRegisters = 64,  // touches a register of an asynchronous instruction
    kLabels = 128,         // the order of debug labels
    kGeneric = kGlobal | kShared | kLocal | kParam,
};

using Names = std::vector<std::string_view>;

struct Effects {
    OpKind kind = OpKind::DebugLabel;
    std::uint16_t reads = 0, writes = 0;  // masks of Resource
    bool fence = false;                   // ordered with each unit that has a resource or is a fence
    Names read, written;                  // registers, and names of variables among the read ones
    Names async;                          // registers that are in use until a wait
    bool copies = false;                  // mov: copies of such registers count as these
    std::string_view target;              // of a branch to one label

    bool ends_block() const { return kind >= OpKind::Control; }
    bool ordered() const { return fence || reads != 0 || writes != 0; }
    void add(const Effects& other);  // of a region
};

// Adds the registers that receive a copy of an asynchronous one, and copies of these.
void add_copies(std::span<const Effects> instructions, std::unordered_set<std::string_view>& async);

// Of one instruction, from its guard to its ';'. `constants`: parameters that the kernel cannot write.
Effects effects_of(std::string_view text, std::span<const Token> instruction,
                   const std::unordered_set<std::string_view>& constants);

}  // namespace cubinlab::ptx
