// SPDX-License-Identifier: GPL-3.0-or-later
// `show --format compiler-explorer`: a listing with its control codes as the answer of a compilation that Compiler
// Explorer and its clients display.
#pragma once
#include <string>
#include <vector>

#include "app/cli/base/output.h"
#include "core/schedule/kernel.h"

namespace cubinlab::cli {

// {"code": 0, "asm": [{text, address, opcodes, source, labels}], "labelDefinitions": {label: line}, ...}: lines of the
// kernel's name, of labels (one per block) and of instructions, numbered from 1. `opcodes` are the 16 bytes of the word in
// memory order. `lines` are the texts of the instructions; `kernel` is null where the code is not decoded.
Json explorer_document(const Cubin& cubin, const KernelInfo& info, const Kernel* kernel,
                       const std::vector<std::string>& lines);

}  // namespace cubinlab::cli
