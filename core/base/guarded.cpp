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

// Without a byte of memory: there may be none.
void say(const char* text) {
    const auto put = [](const char* part) {
        if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) return;
    };
    put(program_name);
    put(": ");
    put(text);
    put("\n");
}

// A thread of a library, or one of ours that nobody guarded. Other threads are still running, so nothing can
// be closed in order; what a session was given more than a moment ago is committed.
[[noreturn]] void end_process() {
    const char* why = "ended by an error that nobody foresaw";
    try {
        if (std::current_exception()) std::rethrow_exception(std::current_exception());
    } catch (const std::bad_alloc&) {
        why = "out of memory";
    } catch (...) {
    }
    say(why);
    ::_exit(kExitUnforeseen);
}

}  // namespace

std::optional<Error> guarded(const std::function<void()>& work) {
    try {
        work();
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::Io, "out of memory", {}};
    } catch (const std::exception& error) {
        return Error{ErrorCode::Io, std::string("an error that nobody foresaw: ") + error.what(), {}};
    }
}

int guarded_main(const char* program, const std::function<int()>& work) {
    program_name = program;
    std::set_terminate(end_process);
    std::signal(SIGXFSZ, SIG_IGN);  // a limit of the size of files fails the write, as a full disk does
    try {
        return work();
    } catch (const std::bad_alloc&) {
        say("out of memory; steps that were logged are safe in the session");
    } catch (const std::exception& error) {
        say("ended by an error that nobody foresaw:");
        say(error.what());
    }
    return kExitUnforeseen;
}

}  // namespace cubinlab
