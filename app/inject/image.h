// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the cubin that the driver will run in the image that a program passes: an ELF file, a fatbin, or
// nvcc's wrapper of one. The image is memory of the program: every range is checked before it is read.
#pragma once
#include <string>
#include <vector>

#include "core/base/byte_view.h"

namespace cubinlab::inject {

struct DeviceCode {
    Bytes elf;                        // in the program's memory, or in `unpacked`
    std::vector<std::byte> unpacked;  // if it was compressed
    std::string why_not;              // why there is no cubin; empty: there is one
    bool is_ptx = false;
    std::string ptx;  // the text, if that is what the driver takes
};

// `sm`: of the GPU, 90; 0: unknown, or the GPUs differ.
DeviceCode device_code(const void* code, int sm);

// The sm of the current context's GPU, else that of all GPUs if they are equal, else 0.
int current_sm();

// True if `size` bytes at `address` are mapped.
bool mapped(const void* address, std::size_t size);
// True if the address is in a file that the loader mapped (a program or a library), which stays mapped.
bool in_loaded_file(const void* address);

}  // namespace cubinlab::inject
