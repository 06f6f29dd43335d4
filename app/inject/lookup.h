// SPDX-License-Identifier: GPL-3.0-or-later
// Lookups by name. The library exports dlsym and dlvsym; both answer as the next definition of them does, with our
// function where the answer is one of the driver's that is hooked, or the next definition of what we export. dladdr
// and dladdr1 describe our functions as those that they stand for. RTLD_NEXT and RTLD_DEFAULT depend on the object
// that calls, which the C library knows by the return address:
//
//   a name that is not hooked   a jump to the next definition, which sees the program's return address
//   a hooked name, a handle     a call: a handle's scope does not depend on the caller
//   a hooked name, no handle    a call that returns through a `ret` instruction of the caller's own object
#pragma once

namespace cubinlab::inject {

// The next dlsym after ours, called as this library.
void* real_dlsym(void* handle, const char* name);

// A return instruction in the executable code of the object that holds `address`; null: none, or returning through
// one is not possible here (another processor, a shadow stack).
const void* return_within(const void* address);
// dlsym(RTLD_DEFAULT, name) as the object with this return instruction gets it.
void* default_lookup_from(const void* return_instruction, const char* name);

// Keeps a loaded object from being unloaded; releases it.
void* keep_loaded(const char* path);
void release(void* kept);

// The next definition of a function after this library, in the loader's order; null: none.
void* next_definition(const char* name);
// Our function for the next definition of what the library exports; else `address`.
void* our_export(void* address);
// True if the library exports a function of this name.
bool is_exported(const char* name);

// Called once, by the library's constructor.
void begin_lookups();
// Finds the driver and the calls of objects that were loaded since the last time.
void look_around() noexcept;

}  // namespace cubinlab::inject
