// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

extern char** environ;

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
constexpr std::size_t kMaxOutput = 1u << 30;  // bytes
constexpr std::size_t kMaxErrors = 1u << 16;  // bytes
constexpr int kPollMs = 20;                   // how soon a stop request is seen

struct Pipe {
    Descriptor read, write;
};

Result<Pipe> open_pipe(const std::string& where) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return fail(ErrorCode::Io, fmt::format("cannot create a pipe: {}", std::strerror(errno)), where);
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// As exec takes them; `texts` must outlive it.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (const std::string& text : texts)
        out.push_back(const_cast<char*>(text.c_str()));
    out.push_back(nullptr);
    return out;
}

struct Plan {
    std::vector<char*> argv, environment;
    const char* folder = nullptr;
    std::array<int, 3> streams{};  // negative: inherited
    bool own_group = true, ends_with_parent = false;
    pid_t parent = 0;
    int report = -1;  // takes errno where exec fails
    rlim_t memory = RLIM_INFINITY;
};

bool connect_streams(std::array<int, 3> streams) {
    for (int i = 0; i < 3; ++i)  // out of the way of the others
        if (int& from = streams[static_cast<std::size_t>(i)]; from >= 0 && from < 3 && from != i)
            from = ::fcntl(from, F_DUPFD_CLOEXEC, 3);
    for (int i = 0; i < 3; ++i) {
        const int from = streams[static_cast<std::size_t>(i)];
        if (from < 0) continue;
        if (from == i ? ::fcntl(i, F_SETFD, 0) < 0 : ::dup2(from, i) < 0) return false;
    }
    return true;
}

// In the child, where other threads may have held locks: only what is safe in a signal handler.
[[noreturn]] void become(const Plan& plan) {
    const int report = ::fcntl(plan.report, F_DUPFD_CLOEXEC, 3);
    if (plan.own_group) ::setpgid(0, 0);
    if (plan.ends_with_parent) {
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != plan.parent) ::_exit(1);
    }
    if (plan.memory != RLIM_INFINITY) {
        const rlimit memory{plan.memory, plan.memory}, none_of_it{0, 0};
        ::setrlimit(RLIMIT_AS, &memory);
        ::setrlimit(RLIMIT_CORE, &none_of_it);
    }
    for (const int number : {SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXFSZ})
        ::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (connect_streams(plan.streams) && (plan.folder == nullptr || ::chdir(plan.folder) == 0))
        ::execvpe(plan.argv[0], plan.argv.data(), plan.environment.data());
    const int error = errno;
    (void)!::write(report, &error, sizeof error);
    ::_exit(127);
}

// The child starts with all signals blocked, so that no handler of this process runs in it.
pid_t fork_blocked(const Plan& plan) {
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0) become(plan);
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return pid;
}

// Waits until exec has closed its end. errno of the child; 0: it runs.
int reported_error(int report) {
    int error = 0;
    ssize_t n = 0;
    do
        n = ::read(report, &error, sizeof error);
    while (n < 0 && errno == EINTR);
    return n == sizeof error ? error : 0;
}

void collect(pid_t pid) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

// srun killed outright leaves its job running, and the next one then waits for that job's GPU. A process whose GPU hangs
// may take seconds to end.
void end_group(pid_t pid, milliseconds grace) {
    siginfo_t ended{};
    for (const auto deadline = Clock::now() + grace; Clock::now() < deadline;
         std::this_thread::sleep_for(milliseconds(kPollMs))) {
        ended.si_pid = 0;
        if (::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT | WNOHANG) != 0 ||
            ended.si_pid == pid)
            break;
    }
    ::kill(-pid, SIGKILL);  // before it is collected: until then nobody else has the number
    collect(pid);
}

// Reads what there is; false at the end of the stream.
bool drain(int fd, const std::function<void(std::string_view)>& take) {
    std::array<char, 1 << 16> buffer;
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0) return errno == EINTR || errno == EAGAIN;
    if (n > 0) take({buffer.data(), static_cast<std::size_t>(n)});
    return n > 0;
}

void append(std::string& to, std::string_view text, std::size_t limit) {
    to.append(text.substr(0, limit > to.size() ? limit - to.size() : 0));
}

}  // namespace

void Descriptor::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

std::string ProcessEnd::text() const {
    return fmt::format("ended {} {}", by_signal ? "by signal" : "with exit code", status);
}

Result<Process> Process::start(const std::vector<std::string>& command, const ProcessSettings& settings) {
    const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    Pipe report = TRY(open_pipe(command[0]));
    Plan plan;
    plan.argv = pointers_to(command);
    if (settings.environment) {
        plan.environment = pointers_to(*settings.environment);
    } else {
        for (char** at = environ; *at != nullptr; ++at)
            plan.environment.push_back(*at);
        plan.environment.push_back(nullptr);
    }
    if (!settings.folder.empty()) plan.folder = settings.folder.c_str();
    plan.streams = {settings.in, settings.out, settings.err};
    for (int& stream : plan.streams)
        if (stream == kNoStream) stream = null.get();
    plan.own_group = settings.own_group;
    plan.ends_with_parent = settings.ends_with_parent;
    plan.parent = ::getpid();
    plan.report = report.write.get();
    if (settings.memory_bytes != 0) plan.memory = settings.memory_bytes;
    const pid_t pid = fork_blocked(plan);
    int error = pid < 0 ? errno : 0;
    if (pid > 0) {
        report.write.close();
        error = reported_error(report.read.get());
        if (error != 0) collect(pid);
    }
    if (error != 0)
        return fail(ErrorCode::Io, fmt::format("cannot be started: {}", std::strerror(error)), command[0]);
    return Process(pid, settings.own_group);
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), own_group_(other.own_group_), end_(other.end_) {}

Process& Process::operator=(Process&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(own_group_, other.own_group_);
    std::swap(end_, other.end_);
    return *this;
}

Process::~Process() {
    kill();
}

std::optional<ProcessEnd> Process::ended() {
    if (end_ || pid_ <= 0) return end_;
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
        info.si_pid == pid_)
        end_ = ProcessEnd{info.si_code != CLD_EXITED, info.si_status};
    return end_;
}

ProcessEnd Process::wait() {
    int status = 0;
    while (pid_ > 0 && ::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    if (!end_)
        end_ =
            WIFSIGNALED(status) ? ProcessEnd{true, WTERMSIG(status)} : ProcessEnd{false, WEXITSTATUS(status)};
    pid_ = -1;
    return *end_;
}

void Process::signal(int number) {
    if (pid_ > 0) ::kill(own_group_ ? -pid_ : pid_, number);
}

void Process::kill() {
    if (pid_ <= 0) return;
    signal(SIGKILL);
    wait();
}

void Process::let_go(milliseconds grace) {
    if (pid_ <= 0) return;
    if (ended() || !own_group_) return kill();  // a wrapper that has ended may have left what it started
    signal(SIGTERM);
    signal(SIGCONT);
    // Detached: the caller must not wait for the grace, and nothing else lives as long. The thread makes system calls
    // with the process id and touches no object, so the program may end meanwhile; the group has its SIGTERM.
    std::thread(end_group, std::exchange(pid_, -1), grace).detach();
}

Result<ChildOutput> run_child(const std::vector<std::string>& command, const ChildSettings& settings,
                              std::stop_token stop) {
    Pipe out = TRY(open_pipe(command[0])), err = TRY(open_pipe(command[0]));
    ProcessSettings process = settings.process;
    process.out = out.write.get();
    process.err = settings.on_output ? out.write.get() : err.write.get();
    Process child = TRY(Process::start(command, process));
    out.write.close();
    err.write.close();
    ChildOutput result;
    const auto take_out = [&](std::string_view text) { append(result.out, text, kMaxOutput); };
    const auto take_err = [&](std::string_view text) { append(result.err, text, kMaxErrors); };
    const auto start = Clock::now();
    std::optional<Clock::time_point> asked;
    const auto may_continue = [&]() -> Status {
        if (stop.stop_requested() && !asked) {
            asked = Clock::now();
            if (settings.grace.count() > 0) child.signal(SIGTERM);
        }
        if (asked && Clock::now() >= *asked + settings.grace)
            return fail(ErrorCode::Cancelled, "was stopped", command[0]);
        if (settings.timeout_ms > 0 && Clock::now() >= start + milliseconds(settings.timeout_ms))
            return fail(ErrorCode::Worker,
                        fmt::format("did not finish within {} ms and was ended", settings.timeout_ms),
                        command[0]);
        if (result.out.size() >= kMaxOutput)
            return fail(ErrorCode::Worker, "printed more than 1 GiB and was ended", command[0]);
        return {};
    };
    std::array<pollfd, 2> fds{{{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}}};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        TRY(may_continue());
        if (::poll(fds.data(), fds.size(), kPollMs) <= 0) {
            // What it leaves running may hold the stream open.
            if (settings.on_output && child.ended()) break;
            continue;
        }
        if (fds[0].revents != 0 && !drain(fds[0].fd, settings.on_output ? settings.on_output : take_out))
            fds[0].fd = -1;
        if (fds[1].revents != 0 && !drain(fds[1].fd, take_err)) fds[1].fd = -1;
    }
    // A child that closed its streams and still runs is held to the deadline, too.
    for (; !child.ended(); std::this_thread::sleep_for(milliseconds(1)))
        TRY(may_continue());
    result.exit_status = child.wait().exit_status();
    if (asked) return fail(ErrorCode::Cancelled, "was stopped", command[0]);
    return result;
}

}  // namespace cubinlab
