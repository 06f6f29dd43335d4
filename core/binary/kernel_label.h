// SPDX-License-Identifier: GPL-3.0-or-later
// Short labels for kernels. Names of CUB kernels have 300 characters and a common prefix:
//
//   kernel_labels({"void cub::detail::sort::SortKernel<cub::detail::policy<float>::Policy900, float*>(float*, int)"})
//       -> {"SortKernel<Policy900, float*>"}
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cubinlab {

// Removes namespaces and enclosing classes from all parts of `name`, template arguments included. OfTemplates
// keeps enclosing class templates ("policy<float>::Policy900"), which may distinguish two names.
enum class Qualifiers { None, OfTemplates };
std::string unqualified(std::string_view name, Qualifiers kept = Qualifiers::None);

// Label of one kernel from its mangled name.
std::string kernel_label(const std::string& name);

// Labels for demangled names: the short name, without qualifiers if it is long. Labels that would be equal
// get more qualifiers, up to the whole name. Equal names get equal labels.
std::vector<std::string> kernel_labels(std::span<const std::string> demangled);

}  // namespace cubinlab
