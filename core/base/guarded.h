// SPDX-License-Identifier: GPL-3.0-or-later
// The outermost handler of a process or thread. Core returns errors as values; any exception that still
// occurs (out of memory, a library) becomes a message and an exit code here. The stack is unwound, so a
// session commits what it has.
//
//   int main(int argc, char** argv) { return guarded_main("cubinlab", [&] { return run(argc, argv); }); }
#pragma once
#include <functional>
#include <optional>

#include "core/base/result.h"

namespace cubinlab {

// Exit code after an unexpected exception.
inline constexpr int kExitUnexpected = 2;

// Returns what `work` returns; after an exception prints a message on standard error and returns
// kExitUnexpected. An exception in another thread also ends the process with a message and this code.
int guarded_main(const char* program, const std::function<int()>& work);

// For the outermost function of a thread. Returns the exception that `work` threw as an error, or nothing.
std::optional<Error> guarded(const std::function<void()>& work);

}  // namespace cubinlab
