// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of the driver that objects were linked to make. The loader writes the address of the function into a slot of
// the calling object; where it is a hooked function of the driver, ours takes its place. Nothing is exported for that,
// so that weak references, lookups by name and other libraries' functions of the same name stay what they are.
#pragma once

namespace cubinlab::inject {

// Goes through all loaded objects. Repeating it changes only objects that are new.
void bind_calls();

// Notes that a hooked name means a function of another object than the driver.
void note_other_definition(const char* name, const void* address);

}  // namespace cubinlab::inject
