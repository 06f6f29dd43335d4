// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

extern char** environ;

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMaxOutput = 1u << 30;  // bytes
constexpr std::size_t kMaxErrors = 1u << 16;  // bytes
constexpr int kPollMs = 20;                   // how soon a stop request is seen

class Pipe {
  public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close(0);
        close(1);
    }
    bool open() const { return ends_[0] >= 0; }
    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close(std::size_t end) {
        if (ends_[end] >= 0) ::close(ends_[end]);
        ends_[end] = -1;
    }

  private:
    std::array<int, 2> ends_{-1, -1};
};

struct Child {
    pid_t pid = -1;
    ~Child() { finish(true); }
    // Status as waitpid gives it. With `kill_group`, ends the child and all it started first.
    int finish(bool kill_group) {
        if (pid < 0) return 0;
        if (kill_group) ::kill(-pid, SIGKILL);
        int status = 0;
        while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        pid = -1;
        return status;
    }
};

int spawn(const std::vector<std::string>& command, const Pipe& out, const Pipe& err, pid_t& pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out.write_end(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, err.write_end(), STDERR_FILENO);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    const std::vector<char*> argv = argv_of(command);
    const int code = ::posix_spawn(&pid, argv[0], &actions, &attributes, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    return code;
}

// Reads what there is; false at the end of the stream.
bool drain(int fd, std::string& into, std::size_t limit) {
    std::array<char, 1 << 16> buffer;
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0) return errno == EINTR || errno == EAGAIN;
    if (n == 0) return false;
    const std::size_t room = limit > into.size() ? limit - into.size() : 0;
    into.append(buffer.data(), std::min(static_cast<std::size_t>(n), room));
    return true;
}

}  // namespace

Result<ChildOutput> run_child(const std::vector<std::string>& command, int timeout_ms, std::stop_token stop) {
    Pipe out, err;
    if (!out.open() || !err.open())
        return fail(ErrorCode::Io, fmt::format("cannot make a pipe: {}", std::strerror(errno)), command[0]);
    Child child;
    if (const int code = spawn(command, out, err, child.pid); code != 0) {
        child.pid = -1;
        return fail(ErrorCode::Io, fmt::format("cannot be started: {}", std::strerror(code)), command[0]);
    }
    out.close(1);
    err.close(1);
    ChildOutput result;
    const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
    std::array<pollfd, 2> fds{{{out.read_end(), POLLIN, 0}, {err.read_end(), POLLIN, 0}}};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "was stopped", command[0]);
        if (Clock::now() >= deadline)
            return fail(ErrorCode::Worker,
                        fmt::format("did not finish within {} ms and was ended", timeout_ms), command[0]);
        if (::poll(fds.data(), fds.size(), kPollMs) <= 0) continue;
        if (fds[0].revents != 0 && !drain(fds[0].fd, result.out, kMaxOutput)) fds[0].fd = -1;
        if (fds[1].revents != 0 && !drain(fds[1].fd, result.err, kMaxErrors)) fds[1].fd = -1;
        if (result.out.size() >= kMaxOutput)
            return fail(ErrorCode::Worker, "printed more than 1 GiB and was ended", command[0]);
    }
    // Both streams are closed; a child that closed them and lives on is held to the deadline as well.
    for (;;) {
        int status = 0;
        const pid_t done = ::waitpid(child.pid, &status, WNOHANG);
        if (done == child.pid) {
            child.pid = -1;
            result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            return result;
        }
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "was stopped", command[0]);
        if (Clock::now() >= deadline)
            return fail(ErrorCode::Worker,
                        fmt::format("did not finish within {} ms and was ended", timeout_ms), command[0]);
        ::usleep(1000);
    }
}

std::vector<char*> argv_of(const std::vector<std::string>& words) {
    std::vector<char*> out;
    for (const std::string& word : words)
        out.push_back(const_cast<char*>(word.c_str()));
    out.push_back(nullptr);
    return out;
}

}  // namespace cubinlab
