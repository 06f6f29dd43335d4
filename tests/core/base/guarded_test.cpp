// SPDX-License-Identifier: GPL-3.0-or-later
// What throws all the same ends in a message and an exit code, in any thread, never in an abort.
#include "core/base/guarded.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

struct Ended {
    int code = -1;  // -1: by a signal
    std::string said;
};

// `work` as the main function of a process of its own.
Ended run_as_process(const std::function<int()>& work) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        ::_exit(guarded_main("program", work));
    }
    ::close(ends[1]);
    Ended out;
    std::array<char, 256> part{};
    for (ssize_t n; (n = ::read(ends[0], part.data(), part.size())) > 0;)
        out.said.append(part.data(), static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    out.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
}

}  // namespace

TEST_CASE("an exception at the top of a process ends in a message and an exit code") {
    CHECK(run_as_process([] { return 7; }).code == 7);
    const Ended memory = run_as_process([]() -> int { throw std::bad_alloc(); });
    CHECK(memory.code == kExitUnexpected);
    CHECK(memory.said.find("program: out of memory") != std::string::npos);
    const Ended other = run_as_process([]() -> int { throw std::runtime_error("a library's own"); });
    CHECK(other.code == kExitUnexpected);
    CHECK(other.said.find("a library's own") != std::string::npos);
    const Ended thread = run_as_process([]() -> int {
        std::thread([] { throw std::bad_alloc(); }).join();
        return 0;
    });
    CHECK(thread.code == kExitUnexpected);
    CHECK(thread.said.find("out of memory") != std::string::npos);
}

TEST_CASE("a thread's exception becomes an error") {
    CHECK_FALSE(guarded([] {}));
    CHECK(guarded([] { throw std::bad_alloc(); })->what == "out of memory");
    CHECK(guarded([] { throw std::runtime_error("why"); })->what.find("why") != std::string::npos);
}
