// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>

#include "core/base/bounded_json.h"
#include "core/gpu/client/worker_log.h"

namespace cubinlab {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kGrace{3000};  // from the request to end to the end by force

int milliseconds_until(Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 20));
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view command) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (quote) {
            if (c == quote) {
                quote = 0;
            } else if (c == '\\' && quote == '"' && i + 1 < command.size() &&
                       (command[i + 1] == '"' || command[i + 1] == '\\')) {
                word += command[++i];
            } else {
                word += c;
            }
        } else if (c == '\'' || c == '"') {
            quote = c;
            in_word = true;
        } else if (c == '\\' && i + 1 < command.size()) {
            word += command[++i];
            in_word = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (in_word) words.push_back(std::move(word));
            word.clear();
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (quote) return fail(ErrorCode::BadUse, fmt::format("has an open {} quote", quote), "worker command");
    if (in_word) words.push_back(std::move(word));
    if (words.empty()) return fail(ErrorCode::BadUse, "is empty", "worker command");
    return words;
}

std::string default_worker_command() {
    const std::string name = "cubinlab-bench-worker";
    std::error_code ignored;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
    if (!ignored)
        for (const auto& folder : {self.parent_path(), self.parent_path().parent_path() / "bin"}) {
            const auto beside = folder / name;
            if (::access(beside.c_str(), X_OK) != 0) continue;
            std::string quoted = "'";
            for (char c : beside.string())
                quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
            return quoted + "'";
        }
    return name;
}

namespace {

int next_number() {
    static std::atomic<int> last{0};
    return ++last;
}

std::string type_and_id(const nlohmann::json& message) {
    return fmt::format("{} {}", json_or(message, "type", "?"), json_or(message, "id", std::int64_t{0}));
}

// One request or answer for each candidate, or for nothing at all: not for the file.
bool too_many(const std::string& kind) {
    for (const char* often : {"evaluate", "outcome", "done", "progress", "heartbeat"})
        if (kind.starts_with(std::string(often) + " ")) return true;
    return false;
}

// What an answer says in words; the kernel's bytes and the figures are in the session.
std::string words_of(const nlohmann::json& message) {
    std::string out;
    for (const char* key : {"code", "what", "where", "reason", "device", "driver"})
        if (const std::string said = json_or(message, key, ""); !said.empty())
            out += fmt::format(", {} {}", key, said);
    if (const auto seconds = message.find("seconds"); seconds != message.end() && seconds->is_object())
        for (const auto& [phase, time] : seconds->items())
            if (time.is_number()) out += fmt::format(", {} {:.2f} s", phase, time.get<double>());
    if (const auto facts = message.find("facts"); facts != message.end() && facts->is_object())
        out += words_of(*facts);
    if (const auto index = message.find("index"); index != message.end() && index->is_number_integer())
        out += fmt::format(", candidate {} of the request", index->get<std::int64_t>());
    return out;
}

}  // namespace

WorkerProcess::WorkerProcess() : number_(next_number()), parser_(true) {}

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::vector<std::string>& words) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return fail(ErrorCode::Worker, fmt::format("cannot create a socket: {}", std::strerror(errno)));
    std::unique_ptr<WorkerProcess> out(new WorkerProcess);
    out->socket_ = Descriptor(ends[0]);
    out->errors_ = Descriptor(::memfd_create("worker-errors", MFD_CLOEXEC));
    const Descriptor theirs(ends[1]);
    auto process = Process::start(
        words,
        {.in = theirs.get(), .out = theirs.get(), .err = out->errors_ ? out->errors_.get() : kInherit});
    if (!process) {
        const std::string what = fmt::format("'{}' {}", words[0], process.error().what);
        log_worker(out->number_, what);
        return fail(ErrorCode::Worker, what, "worker command");
    }
    out->process_ = std::move(*process);
    ::fcntl(out->socket_.get(), F_SETFL, ::fcntl(out->socket_.get(), F_GETFL) | O_NONBLOCK);
    log_worker(out->number_,
               fmt::format("started as process {}: {}", out->process_->id(), fmt::join(words, " ")));
    return out;
}

void WorkerProcess::kill() {
    if (process_) process_->let_go(kGrace);
}

WorkerProcess::~WorkerProcess() {
    log_end();
    socket_.close();  // end of input: a healthy worker leaves by itself, a remote one too
    kill();
}

void WorkerProcess::log(std::string_view text) const {
    log_worker(number_, text);
}

void WorkerProcess::log_end() {
    if (!process_ || end_logged_) return;
    end_logged_ = true;
    // Its stream ends a moment before the process does.
    for (int waited = 0; stream_ended_ && !ended() && waited < 100; waited += 5)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const auto end = ended();
    std::string text = end ? end->text() : "let go";
    constexpr std::size_t kMostSaid = std::size_t{64} << 10;
    if (const std::string words = said(kMostSaid); !words.empty()) text += "; it said:\n" + words;
    log_worker(number_, text);
}

Error WorkerProcess::lost(const std::string& what) {
    log_worker(number_, what);
    const std::string words = last_words();
    return {ErrorCode::Worker, words.empty() ? what : what + "; it said: " + words, "worker"};
}

Status WorkerProcess::send(const nlohmann::json& message, std::chrono::milliseconds patience) {
    if (const std::string kind = type_and_id(message); too_many(kind))
        tell_worker_detail(number_, "asked: " + kind);
    else
        log_worker(number_, "asked: " + kind);
    const std::vector<std::byte> frame = encode_frame(message);
    std::span<const std::byte> left(frame);
    auto deadline = Clock::now() + patience;
    while (!left.empty()) {
        const ssize_t n = ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL);
        if (n > 0) {
            left = left.subspan(static_cast<std::size_t>(n));
            deadline = Clock::now() + patience;
            continue;
        }
        if (n < 0 && errno != EAGAIN && errno != EINTR) return fail(lost("the worker is gone"));
        pollfd wait{socket_.get(), POLLOUT, 0};
        ::poll(&wait, 1, std::min(milliseconds_until(deadline), 1000));
        if (Clock::now() >= deadline) return fail(lost("the worker takes no requests"));
    }
    return {};
}

Result<std::optional<nlohmann::json>> WorkerProcess::receive(std::chrono::milliseconds timeout) {
    const auto deadline = Clock::now() + timeout;
    std::byte chunk[1 << 16];
    for (;;) {
        auto message = parser_.next();
        if (!message) return fail(lost(message.error().what));
        if (*message) {
            if (const std::string kind = type_and_id(**message); !too_many(kind))
                log_worker(number_, "answered: " + kind + words_of(**message));
            else if (worker_detail_wanted() && !kind.starts_with("heartbeat"))
                tell_worker_detail(number_, "answered: " + kind + words_of(**message));
            return message;
        }
        const ssize_t n = ::recv(socket_.get(), chunk, sizeof chunk, 0);
        if (n > 0) {
            parser_.feed(std::span<const std::byte>(chunk, static_cast<std::size_t>(n)));
            continue;
        }
        if (n == 0) {
            stream_ended_ = true;
            return fail(lost(parser_.pending() > 0 ? "the worker ended in the middle of a message"
                                                   : "the worker ended"));
        }
        if (errno != EAGAIN && errno != EINTR) return fail(lost("the worker is gone"));
        const int wait_ms = milliseconds_until(deadline);
        if (wait_ms == 0 && Clock::now() >= deadline) return std::optional<nlohmann::json>{};
        pollfd wait{socket_.get(), POLLIN, 0};
        ::poll(&wait, 1, std::max(1, wait_ms));
    }
}

std::string WorkerProcess::said(std::size_t most) const {
    std::string out;
    if (!errors_) return out;
    const off_t end = ::lseek(errors_.get(), 0, SEEK_END);
    const off_t from = std::max<off_t>(end - static_cast<off_t>(most), 0);
    out.resize(static_cast<std::size_t>(std::max<off_t>(end - from, 0)));
    const ssize_t n = ::pread(errors_.get(), out.data(), out.size(), from);
    out.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    while (!out.empty() && (out.back() == '\n' || out.back() == ' '))
        out.pop_back();
    return out;
}

std::string WorkerProcess::last_words() {
    std::string out = said(600);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    const auto end = ended();
    if (end && !end->by_signal && end->status == 127) out += out.empty() ? "command not found" : "";
    if (end && end->by_signal) out += fmt::format("{}({})", out.empty() ? "" : " ", end->text());
    return out;
}

}  // namespace cubinlab
