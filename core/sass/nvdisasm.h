// SPDX-License-Identifier: GPL-3.0-or-later
// Runs nvdisasm on a whole cubin and caches the output by content hash.
#pragma once
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/sass/disassembler.h"

namespace cubinlab {

// One complete listing per kernel; each line is checked against the code words.
using CubinListings = std::map<std::string, std::vector<std::string>>;

struct NvdisasmResult {
    NvdisasmInfo tool;
    CubinListings kernels;
};
Result<NvdisasmResult> disassemble_cubin(const Cubin& cubin, const DisassemblerSettings& settings,
                                         std::stop_token stop);

}  // namespace cubinlab
