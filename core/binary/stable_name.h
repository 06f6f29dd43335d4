// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a mangled name that does not depend on where its source file lies. nvcc names an anonymous namespace and
// a static function after a hash of the file's path, so that the same kernel has another name in every folder:
//
//   _ZN36_GLOBAL__N__63a97211_4_k_cu_0bd5af855blendEPfi  ->  _ZN11_GLOBAL__N_5blendEPfi
//
// libcubinlab-inject.so uses it, so it depends on no library.
#pragma once
#include <string>
#include <string_view>

namespace cubinlab {

// Returns a name without such a part as it is.
std::string stable_name(std::string_view mangled);

}  // namespace cubinlab
