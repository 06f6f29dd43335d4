// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/worker_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>

#include "core/base/utc_text.h"

namespace cubinlab {
namespace {

std::mutex g_mutex;
WorkerListener g_listener;
std::atomic<bool> g_listening{false};

// Splits into lines; control characters become dots.
std::string lines_of(int number, std::string_view text) {
    const std::string start = fmt::format("{} {} worker {}: ", utc_text(), ::getpid(), number);
    std::string out;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        out += start;
        for (const char c : text.substr(0, end))
            out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '.' : c;
        out += '\n';
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return out;
}

void append(const std::filesystem::path& path, const std::string& lines) {
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    struct stat now {};
    if (::stat(path.c_str(), &now) == 0 && S_ISREG(now.st_mode) &&
        static_cast<std::size_t>(now.st_size) + lines.size() > kWorkerLogBytes) {
        std::filesystem::path older = path;
        older += ".1";
        std::filesystem::rename(path, older, ignored);
    }
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd < 0) return;
    [[maybe_unused]] const ssize_t written = ::write(fd, lines.data(), lines.size());
    ::close(fd);
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

void listen(const std::string& lines) {
    if (!g_listener) return;
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = lines.find('\n', at);
        g_listener(lines.substr(at, end - at));
        at = end + 1;
    }
}

}  // namespace

std::filesystem::path user_state_folder() {
    if (const std::string state = variable("XDG_STATE_HOME"); state.starts_with('/'))
        return std::filesystem::path(state) / "cubinlab";
    if (const std::string home = variable("HOME"); home.starts_with('/'))
        return std::filesystem::path(home) / ".local" / "state" / "cubinlab";
    return {};
}

std::filesystem::path worker_log_path() {
    if (const std::string own = variable("CUBINLAB_WORKER_LOG"); !own.empty())
        return own == "off" ? std::filesystem::path() : std::filesystem::path(own);
    const std::filesystem::path folder = user_state_folder();
    return folder.empty() ? folder : folder / "worker.log";
}

void log_worker(int number, std::string_view text) {
    const std::string lines = lines_of(number, text);
    const std::lock_guard lock(g_mutex);
    if (const std::filesystem::path path = worker_log_path(); !path.empty()) append(path, lines);
    listen(lines);
}

void set_worker_listener(WorkerListener listener) {
    const std::lock_guard lock(g_mutex);
    g_listener = std::move(listener);
    g_listening = g_listener != nullptr;
}

void tell_worker_detail(int number, std::string_view text) {
    if (!g_listening) return;
    const std::lock_guard lock(g_mutex);
    listen(lines_of(number, text));
}

bool worker_detail_wanted() {
    return g_listening;
}

}  // namespace cubinlab
