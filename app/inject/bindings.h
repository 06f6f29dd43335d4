// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of the driver that objects were linked to make. The loader writes the address of the function into a slot of
// the calling object; where it is a hooked function of the driver, ours takes its place. Nothing is exported for that,
// so that weak references, lookups by name and other libraries' functions of the same name stay what they are.
#pragma once
#include <cstdint>
#include <mutex>
#include <vector>

namespace cubinlab::inject {

// Goes through the loaded objects with these bases, which must be relocated. Repeating it changes only new ones.
void bind_calls(const std::vector<std::uintptr_t>& bases);
// Held while a slot is written.
std::mutex& calls_lock();

// Notes that a hooked name means a function of another object than the driver.
void note_other_definition(const char* name, const void* address);

}  // namespace cubinlab::inject
