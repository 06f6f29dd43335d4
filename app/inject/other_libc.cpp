// SPDX-License-Identifier: GPL-3.0-or-later
// The library comes into every program that inherits the environment, also into one whose C library is not glibc (musl),
// where a name that is missing ends the program before it begins. Here is what the compiler's static run-time library
// takes from glibc alone; the library itself looks such names up. This file must not include their headers.
#include <cstddef>

#define HIDDEN __attribute__((visibility("hidden")))

extern "C" {

// The exceptions of a thread. libstdc++'s own reaches them through a function of glibc's loader.
struct ThreadExceptions {
    void* caught = nullptr;
    unsigned uncaught = 0;
};
static thread_local ThreadExceptions t_exceptions [[gnu::tls_model("initial-exec")]];
HIDDEN void* __cxa_get_globals() noexcept {
    return &t_exceptions;
}
HIDDEN void* __cxa_get_globals_fast() noexcept {
    return &t_exceptions;
}

std::size_t strftime_l(char*, std::size_t, const char*, const void*, void*);
HIDDEN std::size_t __strftime_l(char* out, std::size_t size, const char* format, const void* time,
                                void* locale) {
    return strftime_l(out, size, format, time, locale);
}
}
