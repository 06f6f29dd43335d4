// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/start/ptxas.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/base/find_program.h"
#include "core/base/process.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
constexpr int kAskTimeoutMs = 10'000;

std::vector<fs::path> listed(const char* variable) {
    std::vector<fs::path> out;
    const char* value = std::getenv(variable);
    const std::string_view text = value != nullptr ? value : "";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(':', at), text.size());
        if (end > at) out.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

// Subfolders in the order of their names, so that the list is the same in every run.
std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> out;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        out.push_back(it->path());
    std::ranges::sort(out);
    return out;
}

// Where a Python of this prefix (/usr, a virtual environment) has its packages.
std::vector<fs::path> package_folders(const fs::path& prefix) {
    std::vector<fs::path> out;
    for (const char* lib : {"lib", "lib64"})
        for (const fs::path& python : entries_of(prefix / lib))
            if (python.filename().string().starts_with("python3"))
                for (const char* packages : {"site-packages", "dist-packages"})
                    out.push_back(python / packages);
    return out;
}

std::vector<fs::path> python_prefixes() {
    std::vector<fs::path> out;
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        for (const fs::path& prefix : listed(variable))
            out.push_back(prefix);
    for (const fs::path& folder : listed("PATH"))
        if (folder.filename() == "bin" && is_program(folder / "python3")) out.push_back(folder.parent_path());
    for (const fs::path& home : listed("HOME"))
        out.push_back(home / ".local");
    for (const char* prefix : {"/usr/local", "/usr"})
        out.emplace_back(prefix);
    return out;
}

std::vector<fs::path> in_python_packages() {
    std::vector<fs::path> folders = listed("PYTHONPATH");
    for (const fs::path& prefix : python_prefixes())
        for (fs::path& folder : package_folders(prefix))
            folders.push_back(std::move(folder));
    std::vector<fs::path> out;
    const auto add = [&](const fs::path& path) {
        if (is_program(path)) out.push_back(path);
    };
    for (const fs::path& folder : folders) {
        for (const char* name : {"ptxas", "ptxas-blackwell"})
            add(folder / "triton" / "backends" / "nvidia" / "bin" / name);
        for (const fs::path& package : entries_of(folder / "nvidia"))  // cuda_nvcc, cu13
            add(package / "bin" / "ptxas");
    }
    return out;
}

}  // namespace

std::string ptxas_version_in(std::string_view text) {
    constexpr std::string_view kBefore = ", V";
    const std::size_t at = text.find(kBefore);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = text.substr(at + kBefore.size());
    return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

std::vector<fs::path> ptxas_programs() {
    std::vector<fs::path> all;
    for (const char* variable : {"CUBINLAB_PTXAS", "TRITON_PTXAS_PATH"})
        for (fs::path& path : listed(variable))
            if (is_program(path)) all.push_back(std::move(path));
    for (auto places : {all_in_toolkits("ptxas"), in_python_packages()})
        all.insert(all.end(), places.begin(), places.end());
    std::vector<fs::path> out;
    std::set<fs::path> seen;
    std::error_code error;
    for (fs::path& path : all)
        if (seen.insert(fs::weakly_canonical(path, error)).second) out.push_back(std::move(path));
    return out;
}

std::vector<Ptxas> with_versions(std::span<const fs::path> programs, std::stop_token stop) {
    std::vector<Ptxas> out;
    for (const fs::path& path : programs) {
        const auto ran = run_child({path.string(), "--version"}, {.timeout_ms = kAskTimeoutMs}, stop);
        if (!ran || ran->exit_status != 0) continue;
        std::string version = ptxas_version_in(ran->out);
        if (!version.empty() && std::ranges::find(out, version, &Ptxas::version) == out.end())
            out.push_back({path, std::move(version)});
    }
    return out;
}

const std::vector<Ptxas>& installed_ptxas() {
    static const std::vector<Ptxas> found = with_versions(ptxas_programs());
    return found;
}

}  // namespace cubinlab
