// SPDX-License-Identifier: GPL-3.0-or-later
// Finds nvdisasm and its version.
#include <fmt/format.h>

#include <map>
#include <mutex>

#include "core/base/find_program.h"
#include "core/base/process.h"
#include "core/sass/disassembler.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
constexpr int kVersionTimeoutMs = 10000;

// "... release 13.0, V13.0.85"
std::string version_in(const std::string& text) {
    const std::size_t at = text.find(", V");
    if (at == std::string::npos) return "";
    const std::size_t end = text.find_first_not_of("0123456789.", at + 3);
    return text.substr(at + 3, end == std::string::npos ? end : end - at - 3);
}

// A version query starts a process, so the answer is cached until the file changes.
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
    auto run = TRY(run_child({program.string(), "--version"}, {.timeout_ms = kVersionTimeoutMs}));
    const std::string version = version_in(run.out);
    if (run.exit_status != 0 || version.empty())
        return fail(ErrorCode::NotFound, "does not answer --version like nvdisasm does", program.string());
    const std::lock_guard lock(mutex);
    return known[key] = version;
}

}  // namespace

Result<NvdisasmInfo> find_nvdisasm(const DisassemblerSettings& settings) {
    auto path =
        TRY(find_toolkit_program("nvdisasm", settings.nvdisasm, "CUBINLAB_NVDISASM", ToolkitOrder::Newest));
    auto version = TRY(version_of(path));
    return NvdisasmInfo{path, version};
}

}  // namespace cubinlab
