// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/jobs/compile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "core/cubin/child_process.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
constexpr int kVersionTimeoutMs = 10000;
constexpr int kCompileTimeoutMs = 300000;

bool is_program(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> places() {
    std::vector<fs::path> out;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(name); home != nullptr && *home != 0)
            out.push_back(fs::path(home) / "bin");
    const char* variable = std::getenv("PATH");
    const std::string path = variable != nullptr ? variable : "";
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        if (end > at) out.push_back(path.substr(at, end - at));
        at = end + 1;
    }
    for (const char* usual : {"/usr/local/cuda/bin", "/opt/cuda/bin", "/usr/lib/nvidia-cuda-toolkit/bin"})
        out.push_back(usual);
    return out;
}

Result<fs::path> locate(const std::string& wanted) {
    const char* variable = std::getenv("CUBINLAB_NVCC");
    const std::string named = !wanted.empty() ? wanted : variable != nullptr ? variable : "";
    if (!named.empty()) {
        if (is_program(named)) return fs::path(named);
        return fail(ErrorCode::NotFound, "is not a program that can be run",
                    fmt::format("{} {}", wanted.empty() ? "CUBINLAB_NVCC" : "nvcc setting", named));
    }
    std::string looked;
    for (const fs::path& folder : places()) {
        if (is_program(folder / "nvcc")) return folder / "nvcc";
        looked += (looked.empty() ? "" : ", ") + folder.string();
    }
    return fail(ErrorCode::NotFound,
                fmt::format("nvcc was not found (looked in {}); it comes with the CUDA toolkit, and "
                            "CUBINLAB_NVCC can name it",
                            looked));
}

// "... release 13.0, V13.0.88"
std::string version_in(const std::string& text) {
    const std::size_t at = text.find(", V");
    if (at == std::string::npos) return "unknown version";
    const std::size_t end = text.find_first_not_of("0123456789.", at + 3);
    return text.substr(at + 3, end == std::string::npos ? end : end - at - 3);
}

std::string last_lines(const std::string& text, std::size_t most) {
    std::string tail = text.size() > most ? "..." + text.substr(text.size() - most) : text;
    while (!tail.empty() && std::isspace(static_cast<unsigned char>(tail.back())) != 0)
        tail.pop_back();
    return tail;
}

bool is_arch(const std::string& arch) {
    if (!arch.starts_with("sm_") || arch.size() < 5 || arch.size() > 8) return false;
    return std::all_of(arch.begin() + 3, arch.end(),
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
}

}  // namespace

Result<NvccInfo> find_nvcc(const std::string& wanted, std::stop_token stop) {
    auto path = locate(wanted);
    if (!path) return fail(path.error());
    auto ran = run_child({path->string(), "--version"}, kVersionTimeoutMs, stop);
    if (!ran) return fail(ran.error());
    if (ran->exit_status != 0)
        return fail(ErrorCode::NotFound, "does not run: " + last_lines(ran->err + ran->out, 400),
                    path->string());
    return NvccInfo{*path, version_in(ran->out)};
}

bool is_source(const fs::path& path) {
    const std::string ending = path.extension().string();
    return ending == ".cu" || ending == ".ptx";
}

Result<fs::path> compile_source(const fs::path& source, const std::string& arch, const fs::path& folder,
                                const std::string& nvcc, std::stop_token stop) {
    if (!is_arch(arch))
        return fail(ErrorCode::BadUse, fmt::format("'{}' is not an architecture; sm_90a is one", arch));
    auto compiler = locate(nvcc);
    if (!compiler) return fail(compiler.error());
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return fail(ErrorCode::Io, "cannot make the folder: " + error.message(), folder.string());
    const fs::path out = folder / fmt::format("{}.{}.cubin", source.stem().string(), arch);
    const fs::path part = fmt::format("{}.{}.part", out.string(), ::getpid());
    auto ran = run_child(
        {compiler->string(), "-cubin", "-lineinfo", "-arch=" + arch, "-o", part.string(), source.string()},
        kCompileTimeoutMs, stop);
    if (!ran || ran->exit_status != 0) fs::remove(part, error);
    if (!ran) return fail(ran.error());
    if (ran->exit_status != 0)
        return fail(ErrorCode::BadInput, "does not compile: " + last_lines(ran->err + ran->out, 1500),
                    source.string());
    fs::rename(part, out, error);
    if (error) return fail(ErrorCode::Io, "cannot be written: " + error.message(), out.string());
    return out;
}

}  // namespace cubinlab
