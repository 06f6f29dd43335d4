// SPDX-License-Identifier: GPL-3.0-or-later
// Handles programs that restrict their own system calls (seccomp): a call by the library that is not allowed would end them.
// So their result is written before the restriction. After it the library only counts, and calls nothing but the driver. It
// sees prctl() and syscall() where objects are linked to call them (bindings.h); libseccomp calls them that way too.
#pragma once

namespace cubinlab::inject {

// Our function for the C library's prctl or syscall; else `address`.
void* watched_system_call(void* address);
bool is_watched_system_call(const char* name);
// True after the restriction.
bool is_restricted();

}  // namespace cubinlab::inject
