// SPDX-License-Identifier: GPL-3.0-or-later
// The installed versions of ptxas: those that CUBINLAB_PTXAS names (separated by colons), those of CUDA toolkits and of
// PATH, and those inside Python packages (Triton brings its own, NVIDIA's packages do too).
//
//   for (const Ptxas& ptxas : installed_ptxas()) ...   // "13.0.88", /usr/local/cuda/bin/ptxas
#pragma once
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

struct Ptxas {
    std::filesystem::path path;
    std::string version;  // "13.0.88"
};

// One program for each version, in the order above. The programs are asked once in a process.
const std::vector<Ptxas>& installed_ptxas();

// Every program in those places, as this process's environment has them; several may have the same version.
std::vector<std::filesystem::path> ptxas_programs();
// Asks each program. A program that does not run or does not state a version is left out, and so is a version that an
// earlier program has.
std::vector<Ptxas> with_versions(std::span<const std::filesystem::path> programs, std::stop_token stop = {});

// "13.0.88" of "Cuda compilation tools, release 13.0, V13.0.88"; empty if there is none.
std::string ptxas_version_in(std::string_view text);

}  // namespace cubinlab
