// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the parts of a host ELF file (program, library, object) that can contain device code. The caller
// searches them for magic numbers.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/byte_view.h"

namespace cubinlab {

struct HostRange {
    std::size_t offset = 0, size = 0;  // in the file's bytes
    std::string name;                  // section name; "loaded segment" if there are no sections
    bool device_code = false;          // a section that nvcc creates for device code only
    bool relocatable = false;          // __nv_relfatbin: input of the device linker
};

struct HostElf {
    std::uint16_t type = 0;     // 1 object, 2 executable, 3 shared library or position-independent executable
    std::uint16_t machine = 0;  // 62 x86-64, 183 AArch64
    bool interpreted = false;   // has a PT_INTERP segment: a program
    std::vector<HostRange> ranges;
};

inline constexpr std::uint16_t kMachineCudaElf = 190;
bool is_elf(Bytes bytes);
std::uint16_t elf_machine(Bytes bytes);

// For 64-bit little-endian ELF files of the host. Data sections, those of nvcc first; loaded segments if the
// section table is missing or damaged. Never fails; a damaged file yields fewer ranges.
HostElf read_host_elf(Bytes bytes);

}  // namespace cubinlab
