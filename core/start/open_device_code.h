// SPDX-License-Identifier: GPL-3.0-or-later
// Opens every file that holds device code, or from which it is compiled: containers (core/binary/container.h), PTX by
// ptxas, CUDA sources by nvcc.
#pragma once
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "core/binary/container.h"

namespace cubinlab {

// `arch`: of a compilation; empty: the target of the PTX, sm_90a for CUDA. The PTX of the result is where find_ptx()
// searches. Errors: those of Container::open, of compile_source(); Missing (no ptxas), BadInput (it does not compile).
Result<std::shared_ptr<const Container>> open_device_code(const std::filesystem::path& path,
                                                          const std::string& arch = {},
                                                          std::stop_token stop = {});

// The folder of the compiled files of a source: in `compiled` of the user's cache folder, named by its path.
std::filesystem::path folder_of_compiled(const std::filesystem::path& source);

}  // namespace cubinlab
