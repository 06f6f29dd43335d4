// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the file and the kernel in it that the arguments of a command name (a cubin, program, library, Triton
// cache ...; --kernel, --arch, --image).
#pragma once
#include <memory>
#include <stop_token>
#include <string>

#include "app/cli/base/common_options.h"
#include "core/binary/kernel_list.h"
#include "core/schedule/kernel.h"

namespace cubinlab::cli {

KernelQuery query_of(const Common& options);
// The kernel with the container that it is in; sources are compiled.
struct FileKernel {
    std::shared_ptr<const Container> container;
    KernelChoice choice;
};
Result<FileKernel> open_file_kernel(const std::string& file, const Common& options,
                                    std::stop_token stop = {});
// Exactly one kernel; `options.kernel` may be its mangled or demangled name, or a regular expression.
Result<KernelChoice> open_kernel(const std::string& file, const Common& options);
// One image with all of its kernels; with --kernel, `kernel` of the result is its name in the file.
Result<KernelChoice> open_image(const std::string& file, const Common& options);
// The kernel of the same name and architecture in another file, rebuilt or rescheduled.
Result<KernelChoice> open_counterpart(const std::string& file, const KernelChoice& of);
// An error if the driver cannot load this cubin because it is relocatable.
Status check_linked(const Cubin& cubin);
// Prints on standard error the findings in an original checked alone, which a comparison with it does not
// show. Returns the number of findings, for a document.
std::size_t note_self_check(const KernelPtr& original);

}  // namespace cubinlab::cli
