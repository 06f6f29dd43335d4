// SPDX-License-Identifier: GPL-3.0-or-later
// Where nvdisasm is looked for: the setting, CUBINLAB_NVDISASM, CUDA_HOME, PATH, the usual places.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "core/cubin/child_process.h"
#include "core/sass/disassembler.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
constexpr int kVersionTimeoutMs = 10000;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool is_program(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

// Folders of /usr/local that hold a toolkit, the highest version first.
std::vector<fs::path> local_toolkits() {
    std::vector<fs::path> out;
    std::error_code error;
    for (fs::directory_iterator it("/usr/local", error), end; !error && it != end; it.increment(error))
        if (it->path().filename().string().starts_with("cuda")) out.push_back(it->path() / "bin");
    std::sort(out.rbegin(), out.rend());
    return out;
}

std::vector<fs::path> places() {
    std::vector<fs::path> out;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const std::string home = environment(name); !home.empty()) out.push_back(fs::path(home) / "bin");
    const std::string path = environment("PATH");
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        if (end > at) out.push_back(path.substr(at, end - at));
        at = end + 1;
    }
    for (const fs::path& p : local_toolkits())
        out.push_back(p);
    out.push_back("/opt/cuda/bin");
    out.push_back("/usr/lib/nvidia-cuda-toolkit/bin");
    return out;
}

Result<fs::path> locate(const DisassemblerSettings& settings) {
    const std::string variable = environment("CUBINLAB_NVDISASM");
    const std::string wanted = settings.nvdisasm.empty() ? variable : settings.nvdisasm;
    if (!wanted.empty()) {
        if (is_program(wanted)) return fs::path(wanted);
        return fail(ErrorCode::NotFound, "is not a program that can be run",
                    fmt::format("{} {}", settings.nvdisasm.empty() ? "CUBINLAB_NVDISASM" : "nvdisasm setting",
                                wanted));
    }
    for (const fs::path& folder : places())
        if (is_program(folder / "nvdisasm")) return folder / "nvdisasm";
    return fail(
        ErrorCode::NotFound,
        "nvdisasm was not found on PATH, under CUDA_HOME or where toolkits lie; it comes with the CUDA "
        "toolkit, and CUBINLAB_NVDISASM can name it");
}

// "... release 13.0, V13.0.85"
std::string version_in(const std::string& text) {
    const std::size_t at = text.find(", V");
    if (at == std::string::npos) return "";
    const std::size_t end = text.find_first_not_of("0123456789.", at + 3);
    return text.substr(at + 3, end == std::string::npos ? end : end - at - 3);
}

// Asking for the version costs a process, so the answer is kept while the file stays the same.
Result<std::string> version_of(const fs::path& program) {
    static std::mutex mutex;
    static std::map<std::string, std::string> known;
    std::error_code error;
    const auto changed = fs::last_write_time(program, error).time_since_epoch().count();
    const std::string key = fmt::format("{}|{}|{}", program.string(), changed, fs::file_size(program, error));
    {
        const std::lock_guard lock(mutex);
        if (const auto it = known.find(key); it != known.end()) return it->second;
    }
    auto run = run_child({program.string(), "--version"}, kVersionTimeoutMs);
    if (!run) return fail(run.error());
    const std::string version = version_in(run->out);
    if (run->exit_status != 0 || version.empty())
        return fail(ErrorCode::NotFound, "does not answer --version like nvdisasm does", program.string());
    const std::lock_guard lock(mutex);
    return known[key] = version;
}

}  // namespace

Result<NvdisasmInfo> find_nvdisasm(const DisassemblerSettings& settings) {
    auto path = locate(settings);
    if (!path) return fail(path.error());
    auto version = version_of(*path);
    if (!version) return fail(version.error());
    return NvdisasmInfo{*path, *version};
}

}  // namespace cubinlab
