// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, unloads and first looks at kernels: where code is replaced and handles get their Kernel.
#pragma once
#include <string_view>
#include <vector>

#include "app/inject/kernels.h"

namespace cubinlab::inject {

// The cubin of an image, as the program handed it over (before anything was replaced); empty where it is gone.
std::vector<std::byte> original_code(const LoadedImage& image);

// --ab of an image with variables: at a launch of the replaced kernel the original is loaded a second time, so that both
// share them, and this launch's constants are copied over. True if both may run now, in this context and stream.
bool compare_with_shared_variables(Kernel& kernel, LoadedImage& image, Handle stream, bool per_thread);

// True if a capture is asked for of a kernel of this name.
bool wanted_for_capture(std::string_view name);

}  // namespace cubinlab::inject
