// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/find_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
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

std::vector<fs::path> places(ToolkitOrder order) {
    std::vector<fs::path> out;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const std::string home = environment(name); !home.empty()) out.push_back(fs::path(home) / "bin");
    const std::string path = environment("PATH");
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        if (end > at) out.push_back(path.substr(at, end - at));
        at = end + 1;
    }
    if (order == ToolkitOrder::Chosen) out.push_back("/usr/local/cuda/bin");
    for (fs::path& toolkit : local_toolkits())
        out.push_back(std::move(toolkit));
    out.push_back("/opt/cuda/bin");
    out.push_back("/usr/lib/nvidia-cuda-toolkit/bin");
    return out;
}

}  // namespace

bool is_program(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> find_in_toolkits(const std::string& name, ToolkitOrder order) {
    for (const fs::path& folder : places(order))
        if (is_program(folder / name)) return folder / name;
    return std::nullopt;
}

std::vector<fs::path> all_in_toolkits(const std::string& name) {
    std::vector<fs::path> out;
    for (const fs::path& folder : places(ToolkitOrder::Chosen))
        if (is_program(folder / name)) out.push_back(folder / name);
    return out;
}

Result<fs::path> find_toolkit_program(const std::string& name, const std::string& wanted,
                                      const char* variable, ToolkitOrder order) {
    const std::string named = wanted.empty() ? environment(variable) : wanted;
    if (!named.empty()) {
        if (is_program(named)) return fs::path(named);
        return fail(ErrorCode::NotFound, "is not executable",
                    fmt::format("{} {}", wanted.empty() ? variable : name + " setting", named));
    }
    if (auto found = find_in_toolkits(name, order)) return *found;
    return fail(
        ErrorCode::NotFound,
        fmt::format("{} was not found on PATH, under CUDA_HOME or where toolkits lie; it comes with the "
                    "CUDA toolkit, and {} can name it",
                    name, variable));
}

}  // namespace cubinlab
