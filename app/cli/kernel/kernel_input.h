// SPDX-License-Identifier: GPL-3.0-or-later
// What file, and which kernel in it: the one place where the commands turn their words (a cubin, program, library,
// Triton cache ...; --kernel, --arch, --image) into a cubin.
#pragma once
#include <string>

#include "app/cli/base/common_options.h"
#include "core/binary/kernel_list.h"
#include "core/schedule/kernel.h"

namespace cubinlab::cli {

KernelQuery query_of(const Common& options);
// Exactly one kernel; `options.kernel` may be any of the ways that people name it.
Result<KernelChoice> open_kernel(const std::string& file, const Common& options);
// One image with all of its kernels; where --kernel was given, `kernel` of the answer is its name in the file.
Result<KernelChoice> open_image(const std::string& file, const Common& options);
// The kernel of the same name and architecture in another file: its rebuilt or rescheduled form.
Result<KernelChoice> open_counterpart(const std::string& file, const KernelChoice& of);
// Why this cubin cannot be loaded by a driver as it is, as an error; nothing for one that can.
Status check_linked(const Cubin& cubin);

}  // namespace cubinlab::cli
