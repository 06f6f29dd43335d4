// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, unloads and first lookups of kernels: replaces code and assigns a Kernel to each handle.
#pragma once
#include <string_view>
#include <vector>

#include "app/inject/kernels.h"

namespace cubinlab::inject {

// The cubin of an image as the program passed it, before any replacement; empty if it is no longer in memory.
std::vector<std::byte> original_code(const LoadedImage& image);

// --ab of an image with variables: a launch of the replaced kernel loads the original a second time, so that
// both share the variables, and copies the constants for this launch. True if both can run here and now.
bool compare_with_shared_variables(LoadedKernel& kernel, LoadedImage& image, Handle stream, bool per_thread);

// True if a capture of a kernel of this name was requested.
bool wanted_for_capture(std::string_view name);

}  // namespace cubinlab::inject
