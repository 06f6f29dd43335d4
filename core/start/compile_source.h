// SPDX-License-Identifier: GPL-3.0-or-later
// From a CUDA (.cu) or PTX (.ptx) source to a cubin by the user's own nvcc, so that a source can be opened as
// a cubin can. Line tables are asked for, which listings show. The PTX is kept next to the cubin (STEM.ARCH.ptx).
#pragma once
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

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

struct CompileRequest {
    std::filesystem::path source;
    std::optional<std::string>
        text;                        // what it would be if it were saved: lines and includes are the source's
    std::string arch;                // "sm_90a"
    std::filesystem::path folder;    // of the cubin
    std::string nvcc;                // as find_nvcc() takes it
    std::vector<std::string> flags;  // the user's, behind the program's own
};
// Into `folder`/STEM.ARCH.cubin, which is written whole or not at all. The compiler's own words are the error
// (BadInput); BadUse: no architecture, a flag that would put the cubin somewhere else.
Result<std::filesystem::path> compile_source(const CompileRequest& request, std::stop_token stop = {});
// The same with nothing but what it takes.
Result<std::filesystem::path> compile_source(const std::filesystem::path& source, const std::string& arch,
                                             const std::filesystem::path& folder, const std::string& nvcc,
                                             std::stop_token stop = {});

// What nvcc, the host compiler or ptxas say of lines of that source: "k.cu(12): error: ...", "k.cu:12:3: error: ...",
// "ptxas k.ptx, line 12; error   : ...".
struct CompilerMessage {
    int line = 0;  // from 1
    bool error = false;
    std::string text;
};
std::vector<CompilerMessage> compiler_messages(std::string_view output, const std::filesystem::path& source);

}  // namespace cubinlab
