// SPDX-License-Identifier: GPL-3.0-or-later
// The last line of defence of a process and of a thread. Core returns errors as values; what throws all the
// same (no memory left, a library) ends here in a message and an exit code, with every object on the way
// closed: a session commits what it was given.
//
//   int main(int argc, char** argv) { return guarded_main("cubinlab", [&] { return run(argc, argv); }); }
#pragma once
#include <functional>
#include <optional>

#include "core/base/result.h"

namespace cubinlab {

// Exit code of a process that ended for a reason nobody foresaw.
inline constexpr int kExitUnforeseen = 2;

// What `work` returns; after an exception a message on standard error and kExitUnforeseen. A thread that
// throws ends the process in the same way.
int guarded_main(const char* program, const std::function<int()>& work);

// What `work` threw, as an error; nothing if it threw nothing. For the outermost function of a thread.
std::optional<Error> guarded(const std::function<void()>& work);

}  // namespace cubinlab
