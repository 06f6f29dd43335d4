// SPDX-License-Identifier: GPL-3.0-or-later
// Running nvdisasm on a whole cubin, with what it printed kept by content hash.
#pragma once
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/sass/disassembler.h"

namespace cubinlab {

// One listing per kernel that nvdisasm gave a full text for, each line checked against the code words.
using CubinListings = std::map<std::string, std::vector<std::string>>;

struct NvdisasmResult {
    NvdisasmInfo tool;
    CubinListings kernels;
};
Result<NvdisasmResult> disassemble_cubin(const Cubin& cubin, const DisassemblerSettings& settings,
                                         std::stop_token stop);

}  // namespace cubinlab
