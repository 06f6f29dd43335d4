// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a kernel, to be timed alone: what a launch takes at least. They compute nothing that anyone wants, are no
// schedules of the kernel, and nothing but `cubinlab-lab bounds` makes them.
//
//   auto floor = cut_kernel(kernel, Part::Nothing);   // floor->bytes: the same cubin, whose first instruction is EXIT
#pragma once
#include <cstddef>
#include <vector>

#include "core/schedule/kernel.h"

namespace cubinlab {

enum class Part {
    Nothing,  // EXIT in front: the launch itself, with the registers and shared memory of the whole
    Memory,  // what is loaded, stored, copied and waited for, and what gives addresses and ways; NOP for the rest
    Arithmetic,  // the other way round: NOP for memory accesses and barriers, but for what the ways hang on
};
const char* name_of(Part part);

struct CutKernel {
    std::vector<std::byte> bytes;          // the cubin
    std::size_t kept = 0, taken_away = 0;  // instructions; Nothing: all but the EXIT are taken away
};

// A NOP keeps the stall count, the yield and the waits of what stood there, so that distances between the kept stay what
// they are; reuse flags go. What an address or a way hangs on is every instruction whose value may reach it. Memory
// stores zeros, so that it gives the same every time. Errors: Unsupported (calls, indirect branches, an opcode that is not
// known, an address or a way that hangs on what stands in shared or local memory, Arithmetic where a way hangs on an
// asynchronous copy).
Result<CutKernel> cut_kernel(const Kernel& kernel, Part part);

}  // namespace cubinlab
