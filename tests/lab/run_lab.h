// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace cubinlab::test {

inline ProgramResult run_lab(const std::vector<std::string>& arguments) {
    return run_built("cubinlab-lab", arguments);
}

}  // namespace cubinlab::test
