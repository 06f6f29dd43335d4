// SPDX-License-Identifier: GPL-3.0-or-later
// `info` of files that contain several cubins: images and their kernels.
#pragma once
#include <string>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "core/binary/kernel_list.h"

namespace cubinlab::cli {

// Whether --kernel, --arch and --image select exactly one kernel, which `info` describes in detail.
bool names_one_kernel(const Container& container, const InfoOptions& options);
Result<int> info_of_container(const InfoOptions& options, const Container& container);

// Loops of the flow graph, without the jump to itself after the end of a kernel.
int count_loops(const Kernel& kernel);
Json triton_json(const TritonEntry& entry);
std::string triton_text(const TritonEntry& entry);

}  // namespace cubinlab::cli
