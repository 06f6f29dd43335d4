// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>

namespace cubinlab::test {
namespace {

const std::string kPrograms = std::string(CUBINLAB_BINARY_DIR) + "/bin/";
const std::string kProgram = kPrograms + "cubinlab";

struct Child {
    pid_t pid = -1;
    int out = -1, err = -1;
};

Child start(const std::vector<std::string>& arguments, const Environment& environment,
            const std::string& program = kProgram) {
    int out[2], err[2];
    if (pipe(out) != 0 || pipe(err) != 0) std::abort();
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& a : arguments)
        argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], 1);
        dup2(err[1], 2);
        for (int fd : {out[0], out[1], err[0], err[1]})
            close(fd);
        unsetenv("DISPLAY");
        unsetenv("WAYLAND_DISPLAY");
        for (const auto& [name, value] : environment)
            setenv(name.c_str(), value.c_str(), 1);
        execv(argv[0], argv.data());
        _exit(127);
    }
    close(out[1]);
    close(err[1]);
    return {pid, out[0], err[0]};
}

int wait_for(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

double now_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

namespace {

ProgramResult collect(Child child) {
    ProgramResult result;
    pollfd fds[2] = {{child.out, POLLIN, 0}, {child.err, POLLIN, 0}};
    std::string* sinks[2] = {&result.out, &result.err};
    int open = 2;
    while (open > 0) {
        poll(fds, 2, -1);
        for (int i = 0; i < 2; ++i) {
            if (fds[i].fd < 0 || fds[i].revents == 0) continue;
            char buffer[65536];
            const ssize_t n = read(fds[i].fd, buffer, sizeof buffer);
            if (n > 0) {
                sinks[i]->append(buffer, static_cast<std::size_t>(n));
            } else {
                close(fds[i].fd);
                fds[i].fd = -1;
                --open;
            }
        }
    }
    result.code = wait_for(child.pid);
    return result;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments, const Environment& environment) {
    return collect(start(arguments, environment));
}

ProgramResult run_any(const std::string& program, const std::vector<std::string>& arguments) {
    return collect(start(arguments, {}, program));
}

ProgramResult run_built(const std::string& name, const std::vector<std::string>& arguments) {
    return collect(start(arguments, {}, kPrograms + name));
}

KilledRun run_and_kill(const std::vector<std::string>& arguments, std::size_t lines, int extra_ms,
                       const std::function<void()>& meanwhile) {
    Child child = start(arguments, {});
    KilledRun result;
    std::vector<std::pair<std::string, double>> read_at;
    std::string partial;
    bool counting_down = lines == 0;
    double deadline = now_ms() + (counting_down ? extra_ms : 60'000);
    while (now_ms() < deadline) {
        pollfd fd{child.err, POLLIN, 0};
        if (poll(&fd, 1, 5) <= 0) continue;
        char buffer[65536];
        const ssize_t n = read(child.err, buffer, sizeof buffer);
        if (n <= 0) break;
        partial.append(buffer, static_cast<std::size_t>(n));
        for (std::size_t end; (end = partial.find('\n')) != std::string::npos; partial.erase(0, end + 1))
            read_at.emplace_back(partial.substr(0, end), now_ms());
        if (!counting_down && read_at.size() >= lines) {
            counting_down = true;
            if (meanwhile) meanwhile();
            deadline = now_ms() + extra_ms;
        }
    }
    const double killed = now_ms();
    result.was_running = kill(child.pid, SIGKILL) == 0 && wait_for(child.pid) == -SIGKILL;
    close(child.out);
    close(child.err);
    for (auto& [line, when] : read_at)
        result.lines.emplace_back(std::move(line), killed - when);
    return result;
}

ProgramResult run_and_signal(const std::vector<std::string>& arguments, std::size_t lines, int signal) {
    Child child = start(arguments, {});
    ProgramResult result;
    bool sent = false;
    pollfd fds[2] = {{child.out, POLLIN, 0}, {child.err, POLLIN, 0}};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        poll(fds, 2, -1);
        for (pollfd& fd : fds) {
            if (fd.fd < 0 || fd.revents == 0) continue;
            char buffer[65536];
            const ssize_t n = read(fd.fd, buffer, sizeof buffer);
            std::string& sink = fd.fd == child.out ? result.out : result.err;
            if (n > 0) sink.append(buffer, static_cast<std::size_t>(n));
            if (n <= 0) {
                close(fd.fd);
                fd.fd = -1;
            }
        }
        if (sent || static_cast<std::size_t>(std::count(result.err.begin(), result.err.end(), '\n')) < lines)
            continue;
        sent = true;
        if (signal != SIGPIPE) {
            kill(child.pid, signal);
        } else if (fds[1].fd >= 0) {
            close(fds[1].fd);
            fds[1].fd = -1;
        }
    }
    result.code = wait_for(child.pid);
    return result;
}

ProgramResult run_to_full_disk(const std::vector<std::string>& arguments) {
    std::vector<char*> argv{const_cast<char*>(kProgram.c_str())};
    for (const std::string& a : arguments)
        argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
        const int full = open("/dev/full", O_WRONLY);
        dup2(full, 1);
        execv(argv[0], argv.data());
        _exit(127);
    }
    ProgramResult result;
    result.code = wait_for(pid);
    return result;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "cubinlab-test-XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace cubinlab::test
