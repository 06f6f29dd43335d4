// SPDX-License-Identifier: GPL-3.0-or-later
// The cubin that the driver will run out of what a program hands it: a bare ELF, a fatbin, or the wrapper that nvcc
// puts around one. Memory of the program: every range is asked for before it is read.
#pragma once
#include <string>
#include <vector>

#include "core/base/byte_view.h"

namespace cubinlab::inject {

struct DeviceCode {
    Bytes elf;                        // as it lies in the program's memory, or in `unpacked`
    std::vector<std::byte> unpacked;  // where it was packed
    std::string why_not;              // why there is none; empty: there is one
    bool is_ptx = false;
};

// `sm`: of the GPU, 90; 0: not known or not the same for all GPUs.
DeviceCode device_code(const void* code, int sm);

// sm of the current context's GPU, else that of all GPUs if they agree, else 0.
int current_sm();

// True if `size` bytes at `address` are mapped.
bool mapped(const void* address, std::size_t size);
// True if the address lies in a file that the loader mapped (a program or a library), so that it stays.
bool in_loaded_file(const void* address);

}  // namespace cubinlab::inject
