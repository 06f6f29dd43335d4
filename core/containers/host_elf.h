// SPDX-License-Identifier: GPL-3.0-or-later
// Where a host program, library or object file (ELF for the CPU) can hold device code. Only places are told; the code
// itself is found in them by what it begins with.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/byte_view.h"

namespace cubinlab {

struct HostRange {
    std::size_t offset = 0, size = 0;  // of the file's bytes, inside of them
    std::string name;                  // of the section; "loaded segment" where there are no sections
    bool device_code = false;          // the sections that nvcc makes for it, and nothing else
    bool relocatable = false;          // __nv_relfatbin: what the device linker took its input from
};

struct HostElf {
    std::uint16_t type = 0;     // 1 object, 2 executable, 3 shared library or position-independent executable
    std::uint16_t machine = 0;  // 62 x86-64, 183 AArch64
    bool interpreted = false;   // names a loader: a program
    std::vector<HostRange> ranges;
};

inline constexpr std::uint16_t kMachineCudaElf = 190;
bool is_elf(Bytes bytes);
std::uint16_t elf_machine(Bytes bytes);

// Of a 64-bit little-endian ELF file that is not for CUDA. Sections of data, those of nvcc first; the loaded segments
// where a file has no section table, or a damaged one. Never fails: what is damaged has fewer ranges.
HostElf read_host_elf(Bytes bytes);

}  // namespace cubinlab
