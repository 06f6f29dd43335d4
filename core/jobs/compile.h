// SPDX-License-Identifier: GPL-3.0-or-later
// From a CUDA (.cu) or PTX (.ptx) source to a cubin by the user's own nvcc, so that a source can be opened as
// a cubin can. Line tables are asked for, which listings show.
#pragma once
#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace cubinlab {

struct NvccInfo {
    std::filesystem::path path;
    std::string version;  // "13.0.88"
};
// `wanted`: a path; empty: CUBINLAB_NVCC, CUDA_HOME, PATH, the usual places. NotFound says what was looked
// at.
Result<NvccInfo> find_nvcc(const std::string& wanted = {}, std::stop_token stop = {});

bool is_source(const std::filesystem::path& path);  // by its ending

// Compiles for `arch` ("sm_90a") into `folder`/STEM.ARCH.cubin, which is written whole or not at all. The
// compiler's own words are the error (BadInput).
Result<std::filesystem::path> compile_source(const std::filesystem::path& source, const std::string& arch,
                                             const std::filesystem::path& folder, const std::string& nvcc,
                                             std::stop_token stop = {});

}  // namespace cubinlab
