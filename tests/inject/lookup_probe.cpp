// SPDX-License-Identifier: GPL-3.0-or-later
// Looks up every name in every way from where it is compiled in, and prints a line for each: who answers a call, and
// what dlerror() says. As a plugin (PLUGIN) it exports `probe`; as a program it probes itself and the plugins that it is
// given as MODE:PATH (local, global, deep).
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "tests/inject/lookup_names.h"

// As linked: calls, and the addresses that a table holds. Weak, so that it also links without a driver.
extern "C" {
#define X(name, number) __attribute__((weak)) int name();
DRIVER_NAMES(X)
OTHER_NAMES(X)
#undef X
}

namespace {

// -1: nothing was found.
void say(const char* place, const char* kind, const char* name, void* found, const char* error) {
    char text[500];  // what is called may look something up, which frees the message
    std::snprintf(text, sizeof text, "%s", error ? error : "no error");
    const int answer = found ? reinterpret_cast<Any>(found)(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                            nullptr, nullptr, nullptr, nullptr)
                             : -1;
    std::printf("%s %s %s: %d, %s\n", place, kind, name, answer, text);
}

struct Linked {
    const char* name;
    int (*volatile address)();
};
const Linked table[] = {
#define X(name, number) {#name, &name},
    DRIVER_NAMES(X) OTHER_NAMES(X)
#undef X
};

void probe_all(const char* place) {
    void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void* const whole = ::dlopen(nullptr, RTLD_LAZY);
    const struct {
        const char *kind, *with_version;
        void* handle;
    } handles[] = {{"default", "default-version", RTLD_DEFAULT},
                   {"next", "next-version", RTLD_NEXT},
                   {"program", "program-version", whole},
                   {"driver", "driver-version", driver}};
    ::dlerror();
    for (const Linked& one : table) {
        for (const auto& [kind, with_version, handle] : handles) {
            if (!handle && std::strcmp(kind, "driver") == 0) continue;
            void* found = ::dlsym(handle, one.name);
            const char* error = ::dlerror();
            say(place, kind, one.name, found, error);
            found = ::dlvsym(handle, one.name, "VERSION_1");
            error = ::dlerror();
            say(place, with_version, one.name, found, error);
        }
        say(place, "table", one.name, reinterpret_cast<void*>(one.address), nullptr);
        // A lookup that failed leaves its error for the next dlerror(), whatever was found before.
        (void)::dlsym(RTLD_DEFAULT, "no_such_name_at_all");
        const bool kept = ::dlerror() != nullptr;
        (void)::dlsym(RTLD_DEFAULT, one.name);
        std::printf("%s errors %s: %d\n", place, one.name, kept ? 1 : 0);
        ::dlerror();
    }
#define X(name, number)                                                                 \
    std::printf("%s call %s: %d\n", place, #name, &name != nullptr ? name() : -1);
    DRIVER_NAMES(X)
    OTHER_NAMES(X)
#undef X
}

}  // namespace

#ifdef PLUGIN
extern "C" __attribute__((visibility("default"))) void probe(const char* place) {
    probe_all(place);
}
#else
int main(int argc, char** argv) {
    // Before anything is looked up, as a program finds it.
    std::printf("error at start: %s\n", ::dlerror() ? "yes" : "no");
    probe_all("program");
    for (int i = 1; i < argc; ++i) {
        const char* const path = std::strchr(argv[i], ':') + 1;
        const int flags = std::strncmp(argv[i], "global", 6) == 0 ? RTLD_GLOBAL
                          : std::strncmp(argv[i], "deep", 4) == 0 ? RTLD_LOCAL | RTLD_DEEPBIND
                                                                  : RTLD_LOCAL;
        void* const plugin = ::dlopen(path, RTLD_LAZY | flags);
        if (!plugin) {
            std::printf("%s: %s\n", argv[i], ::dlerror());
            return 1;
        }
        const auto probe = reinterpret_cast<void (*)(const char*)>(::dlsym(plugin, "probe"));
        char place[32];
        std::snprintf(place, sizeof place, "plugin%d", i);
        probe(place);
        const auto found = ::dlsym(plugin, "cuLaunchKernel");
        say("program", "plugin", "cuLaunchKernel", found, ::dlerror());
    }
    return 0;
}
#endif
