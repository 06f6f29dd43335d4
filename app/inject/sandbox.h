// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that restrict their own system calls (seccomp): a call of ours that is not allowed would end them. So their result
// is written before, and behind it the library counts, and calls nothing but the driver. Seen are prctl() and syscall() as
// objects were linked to call them (bindings.h), which libseccomp does as well.
#pragma once

namespace cubinlab::inject {

// Our function for the C library's prctl or syscall; else `address`.
void* watched_system_call(void* address);
bool is_watched_system_call(const char* name);
// True behind the restriction.
bool is_restricted();

}  // namespace cubinlab::inject
