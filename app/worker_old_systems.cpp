// SPDX-License-Identifier: GPL-3.0-or-later
// Lets the worker run on servers older than the machine that built it. glibc gives a function a new version
// when it moves to another library or loses a wrapper, and a program requests the versions of the machine
// that linked it. These hidden definitions replace the new functions in the worker and call the version that
// every glibc since 2.17 has (with app/old_systems.cpp; a test checks the versions that the worker requests).
// This file must not include the headers that declare these functions.
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#define HIDDEN __attribute__((visibility("hidden")))
#if defined(__x86_64__)
#define BASE "GLIBC_2.2.5"
constexpr int kStatVersion = 1;
#elif defined(__aarch64__)
#define BASE "GLIBC_2.17"
constexpr int kStatVersion = 0;
#endif
// cubinlab_NAME is the C library's NAME of the oldest version.
#define OLD(name) __asm__(".symver cubinlab_" #name ", " #name "@" BASE)

extern "C" {

double cubinlab_exp(double);
double cubinlab_log(double);
double cubinlab_pow(double, double);
double cubinlab_hypot(double, double);
double cubinlab_lgamma(double);
OLD(exp);
OLD(log);
OLD(pow);
OLD(hypot);
OLD(lgamma);
HIDDEN double exp(double x) {
    return cubinlab_exp(x);
}
HIDDEN double log(double x) {
    return cubinlab_log(x);
}
HIDDEN double pow(double x, double y) {
    return cubinlab_pow(x, y);
}
HIDDEN double hypot(double x, double y) {
    return cubinlab_hypot(x, y);
}
HIDDEN double lgamma(double x) {
    return cubinlab_lgamma(x);
}

int cubinlab___xstat(int, const char*, void*);
int cubinlab___lxstat(int, const char*, void*);
int cubinlab___fxstat(int, int, void*);
OLD(__xstat);
OLD(__lxstat);
OLD(__fxstat);
// On 64-bit machines the names with 64 have the same structure. (stat and stat64 are also structures.)
HIDDEN int cubinlab_stat(const char*, void*) __asm__("stat");
int cubinlab_stat(const char* path, void* out) {
    return cubinlab___xstat(kStatVersion, path, out);
}
HIDDEN int cubinlab_stat64(const char*, void*) __asm__("stat64");
int cubinlab_stat64(const char* path, void* out) {
    return cubinlab___xstat(kStatVersion, path, out);
}
HIDDEN int lstat(const char* path, void* out) {
    return cubinlab___lxstat(kStatVersion, path, out);
}
HIDDEN int lstat64(const char* path, void* out) {
    return cubinlab___lxstat(kStatVersion, path, out);
}
HIDDEN int fstat(int file, void* out) {
    return cubinlab___fxstat(kStatVersion, file, out);
}
HIDDEN int fstat64(int file, void* out) {
    return cubinlab___fxstat(kStatVersion, file, out);
}

void* cubinlab_dlopen(const char*, int);
void* cubinlab_dlsym(void*, const char*);
char* cubinlab_dlerror();
OLD(dlopen);
OLD(dlsym);
OLD(dlerror);
HIDDEN void* dlopen(const char* file, int mode) {
    return cubinlab_dlopen(file, mode);
}
HIDDEN void* dlsym(void* library, const char* name) {
    return cubinlab_dlsym(library, name);
}
HIDDEN char* dlerror() {
    return cubinlab_dlerror();
}

int cubinlab_pthread_create(unsigned long*, const void*, void* (*)(void*), void*);
int cubinlab_pthread_detach(unsigned long);
int cubinlab_pthread_join(unsigned long, void**);
int cubinlab_pthread_key_delete(unsigned);
void* cubinlab_pthread_getspecific(unsigned);
int cubinlab_pthread_setspecific(unsigned, const void*);
OLD(pthread_create);
OLD(pthread_detach);
OLD(pthread_join);
OLD(pthread_key_delete);
OLD(pthread_getspecific);
OLD(pthread_setspecific);
HIDDEN int pthread_create(unsigned long* thread, const void* attributes, void* (*run)(void*),
                          void* argument) {
    return cubinlab_pthread_create(thread, attributes, run, argument);
}
HIDDEN int pthread_detach(unsigned long thread) {
    return cubinlab_pthread_detach(thread);
}
HIDDEN int pthread_join(unsigned long thread, void** result) {
    return cubinlab_pthread_join(thread, result);
}
int __pthread_key_create(unsigned*, void (*)(void*));
HIDDEN int pthread_key_create(unsigned* key, void (*destructor)(void*)) {
    return __pthread_key_create(key, destructor);
}
HIDDEN int pthread_key_delete(unsigned key) {
    return cubinlab_pthread_key_delete(key);
}
HIDDEN void* pthread_getspecific(unsigned key) {
    return cubinlab_pthread_getspecific(key);
}
HIDDEN int pthread_setspecific(unsigned key, const void* value) {
    return cubinlab_pthread_setspecific(key, value);
}

// (glibc 2.30.) Converts the time to the default clock of condition variables. If that clock is set
// meanwhile, the waiter wakes too early or too late; std::condition_variable then checks its own clock.
int pthread_cond_timedwait(void*, void*, const timespec*);
HIDDEN int pthread_cond_clockwait(void* condition, void* mutex, clockid_t clock, const timespec* until) {
    constexpr long kSecond = 1'000'000'000;
    timespec here{}, there{};
    clock_gettime(clock, &here);
    clock_gettime(CLOCK_REALTIME, &there);
    there.tv_sec += until->tv_sec - here.tv_sec;
    there.tv_nsec += until->tv_nsec - here.tv_nsec;
    if (there.tv_nsec < 0) {
        there.tv_nsec += kSecond;
        --there.tv_sec;
    } else if (there.tv_nsec >= kSecond) {
        there.tv_nsec -= kSecond;
        ++there.tv_sec;
    }
    return pthread_cond_timedwait(condition, mutex, &there);
}

// (glibc 2.25 and 2.36.) What std::random_device calls.
HIDDEN int getentropy(void* out, std::size_t bytes) {
    const int file = ::open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    const ssize_t got = ::read(file, out, bytes);
    ::close(file);
    return got == static_cast<ssize_t>(bytes) ? 0 : -1;
}
HIDDEN std::uint32_t arc4random() {
    std::uint32_t out = 0;
    if (getentropy(&out, sizeof out) != 0) std::abort();
    return out;
}

// (glibc 2.38.) What the compiler makes of strtol and the like on newer machines: they also read binary.
long cubinlab_strtol(const char*, char**, int);
unsigned long cubinlab_strtoul(const char*, char**, int);
long long cubinlab_strtoll(const char*, char**, int);
unsigned long long cubinlab_strtoull(const char*, char**, int);
OLD(strtol);
OLD(strtoul);
OLD(strtoll);
OLD(strtoull);
HIDDEN long __isoc23_strtol(const char* text, char** end, int base) {
    return cubinlab_strtol(text, end, base);
}
HIDDEN unsigned long __isoc23_strtoul(const char* text, char** end, int base) {
    return cubinlab_strtoul(text, end, base);
}
HIDDEN long long __isoc23_strtoll(const char* text, char** end, int base) {
    return cubinlab_strtoll(text, end, base);
}
HIDDEN unsigned long long __isoc23_strtoull(const char* text, char** end, int base) {
    return cubinlab_strtoull(text, end, base);
}

// The start of the program. Before 2.34 the program passed a function that ran its constructors; a later
// glibc still calls that function, if there is one.
using Constructor = void (*)(int, char**, char**);
extern HIDDEN Constructor __init_array_start[];
extern HIDDEN Constructor __init_array_end[];
void _init();
static void run_constructors(int argc, char** argv, char** environment) {
    _init();
    for (Constructor* one = __init_array_start; one != __init_array_end; ++one)
        (*one)(argc, argv, environment);
}
int cubinlab___libc_start_main(int (*)(int, char**, char**), int, char**, Constructor, void (*)(), void (*)(),
                               void*);
OLD(__libc_start_main);
HIDDEN int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, Constructor, void (*)(),
                             void (*at_exit)(), void* stack_end) {
    return cubinlab___libc_start_main(main, argc, argv, run_constructors, nullptr, at_exit, stack_end);
}
}
