// SPDX-License-Identifier: GPL-3.0-or-later
// `info` of what holds several cubins: images and their kernels.
#pragma once
#include <string>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "core/binary/kernel_list.h"

namespace cubinlab::cli {

// --kernel, --arch and --image leave exactly one kernel, which is then described as that of a cubin.
bool names_one_kernel(const Container& container, const InfoOptions& options);
Result<int> info_of_container(const InfoOptions& options, const Container& container);

// Loops of the flow graph; an instruction that jumps to itself behind the end of a kernel is none.
int count_loops(const Kernel& kernel);
Json triton_json(const TritonEntry& entry);
std::string triton_text(const TritonEntry& entry);

}  // namespace cubinlab::cli
