// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/agents/agent_loader.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <mutex>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "core/search/agents/agent_module.h"

namespace cubinlab {
namespace {

constexpr char kHowToGet[] =
    "the neural agents need libcubinlab-agent.so: build with -DCUBINLAB_AGENT=ON (LibTorch: `apt install "
    "libtorch-dev`), or set "
    "CUBINLAB_AGENT_MODULE to its path; every other agent works without it";

struct AgentModule {
    MakeSearcherFunction make = nullptr;
    std::string problem;
};

template <class Function>
Function symbol(void* handle, const char* name) {
    return reinterpret_cast<Function>(dlsym(handle, name));
}

AgentModule module_from(void* handle, const std::string& from) {
    const auto abi = symbol<AgentAbiFunction>(handle, "cubinlab_agent_abi");
    const auto make = symbol<MakeSearcherFunction>(handle, "cubinlab_make_searcher");
    if (!abi || !make) return {nullptr, fmt::format("{} is not an agent module of this program", from)};
    if (abi() != kAgentAbi)
        return {nullptr, fmt::format("{} was built for another version (interface {}, this program has {}); "
                                     "build both from the same sources",
                                     from, abi(), kAgentAbi)};
    return {make, {}};
}

AgentModule open_module() {
    std::string tried;
    for (const std::filesystem::path& place : agent_module_places()) {
        std::error_code ignored;
        if (place.has_parent_path() && !std::filesystem::exists(place, ignored)) {
            tried += fmt::format("{}{} is not there", tried.empty() ? "" : "; ", place.string());
            continue;
        }
        if (void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL))
            return module_from(handle, place.string());
        const char* why = dlerror();
        tried += fmt::format("{}{}", tried.empty() ? "" : "; ", why ? why : place.string());
    }
    return {nullptr, fmt::format("{} (searched: {})", kHowToGet, tried)};
}

const AgentModule& module() {
    static std::once_flag once;
    static AgentModule opened;
    std::call_once(once, [] { opened = open_module(); });
    return opened;
}

}  // namespace

std::vector<std::filesystem::path> agent_module_places() {
    if (const char* explicit_path = std::getenv(kAgentModuleVariable); explicit_path && *explicit_path)
        return {explicit_path};
    std::vector<std::filesystem::path> places;
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const std::filesystem::path prefix = program.parent_path().parent_path();
        places.push_back(prefix / "lib" / kAgentModuleFile);  // a build folder
        // Where `cmake --install` puts it, "lib64" and "lib/x86_64-linux-gnu" included.
        places.push_back(prefix / CUBINLAB_LIBDIR / "cubinlab" / kAgentModuleFile);
        const std::filesystem::path plain = prefix / "lib" / "cubinlab" / kAgentModuleFile;
        if (places.back() != plain) places.push_back(plain);
    }
    places.emplace_back(kAgentModuleFile);
    return places;
}

std::string agent_module_problem() {
    return module().problem;
}

Result<std::unique_ptr<Searcher>> make_agent_searcher(std::string_view name, const SearchContext& context) {
    const AgentModule& agent = module();
    if (!agent.make) return fail(ErrorCode::Missing, agent.problem, std::string(name));
    std::array<char, 512> error{};
    Searcher* searcher = agent.make(std::string(name).c_str(), &context, error.data(), error.size());
    if (!searcher) {
        error.back() = '\0';
        return fail(ErrorCode::BadUse,
                    error.front() ? std::string(error.data()) : "the agent module gave no reason",
                    std::string(name));
    }
    return std::unique_ptr<Searcher>(searcher);
}

}  // namespace cubinlab
