// SPDX-License-Identifier: GPL-3.0-or-later
// Where the programs of the CUDA toolkit lie.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace cubinlab {

bool is_program(const std::filesystem::path& path);  // a file that this process may run

// Of several toolkits in /usr/local: the one that /usr/local/cuda names, or the highest version.
enum class ToolkitOrder { Chosen, Newest };

// CUDA_HOME, CUDA_PATH, PATH, the toolkits of /usr/local, the usual places.
std::optional<std::filesystem::path> find_in_toolkits(const std::string& name, ToolkitOrder order);
// All of them, the chosen toolkit first.
std::vector<std::filesystem::path> all_in_toolkits(const std::string& name);

// `wanted`: a setting; empty: what environment variable `variable` names, else as above. Errors: NotFound.
Result<std::filesystem::path> find_toolkit_program(const std::string& name, const std::string& wanted,
                                                   const char* variable, ToolkitOrder order);

}  // namespace cubinlab
