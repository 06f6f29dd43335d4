// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue is written in the text of sm_90. The text of the same instruction on sm_100 and later, where ptxas has
// other operands, another mnemonic and another place of the parameters.
//
//   spelled_for(Arch{100, true}, "IADD3 R16, R8, R9, RZ")     // "IADD3 R16, PT, PT, R8, R9, RZ"
#pragma once
#include <string>

#include "core/isa/arch.h"

namespace cubinlab::probe {

std::string spelled_for(const Arch& arch, std::string text);

}  // namespace cubinlab::probe
