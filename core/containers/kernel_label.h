// SPDX-License-Identifier: GPL-3.0-or-later
// Names of kernels where there is little room. CUB's have three hundred characters and begin alike:
//
//   kernel_labels({"void cub::detail::sort::SortKernel<cub::detail::policy<float>::Policy900, float*>(float*, int)"})
//       -> {"SortKernel<Policy900, float*>"}
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cubinlab {

// `name` without the namespaces and classes in front of its parts, template arguments among them; of class templates
// ("policy<float>::Policy900") they are what can tell two names apart.
enum class Qualifiers { None, OfTemplates };
std::string unqualified(std::string_view name, Qualifiers kept = Qualifiers::None);

// Of one kernel, by its name in the file.
std::string kernel_label(const std::string& name);

// Of each of these demangled names what people call it, without qualifiers where it is long; where several would be the
// same these have more of them, up to the whole name. A name that stands twice is the same twice.
std::vector<std::string> kernel_labels(std::span<const std::string> demangled);

}  // namespace cubinlab
