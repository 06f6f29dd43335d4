// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/guarded.h"

#include <unistd.h>
#include <csignal>

#include <cstring>
#include <exception>
#include <new>

namespace cubinlab {
namespace {

const char* program_name = "cubinlab";

// Allocates nothing: memory may be exhausted.
void say(const char* text) {
    const auto put = [](const char* part) {
        if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) return;
    };
    put(program_name);
    put(": ");
    put(text);
    put("\n");
}

// For a thread without its own handler. Other threads still run, so nothing can be closed in order; only what
// a session has already committed is kept.
[[noreturn]] void end_process() {
    const char* why = "ended by an unexpected error";
    try {
        if (std::current_exception()) std::rethrow_exception(std::current_exception());
    } catch (const std::bad_alloc&) {
        why = "out of memory";
    } catch (...) {
    }
    say(why);
    ::_exit(kExitUnexpected);
}

}  // namespace

std::optional<Error> guarded(const std::function<void()>& work) {
    try {
        work();
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::Io, "out of memory", {}};
    } catch (const std::exception& error) {
        return Error{ErrorCode::Io, std::string("an unexpected error: ") + error.what(), {}};
    }
}

int guarded_main(const char* program, const std::function<int()>& work) {
    program_name = program;
    std::set_terminate(end_process);
    std::signal(SIGXFSZ, SIG_IGN);  // exceeding a file size limit fails the write like a full disk
    try {
        return work();
    } catch (const std::bad_alloc&) {
        say("out of memory; steps that were logged are safe in the session");
    } catch (const std::exception& error) {
        say("ended by an unexpected error:");
        say(error.what());
    }
    return kExitUnexpected;
}

}  // namespace cubinlab
