// SPDX-License-Identifier: GPL-3.0-or-later
// Looks up every name in every way from where it is compiled in, and prints a line for each: who answers a call, and
// what dlerror() says. As a plugin (PLUGIN) it exports `probe`; as a program it probes itself and the plugins that it is
// given as MODE:PATH (local, global, deep).
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "tests/inject/lookup_names.h"

// As linked: calls, and the addresses that a table holds. Weak, so that it also links without a driver.
extern "C" {
#define X(name, number) __attribute__((weak)) int name();
DRIVER_NAMES(X)
OTHER_NAMES(X)
#undef X
}

namespace {

void say(const std::string& place, const char* kind, const char* name, void* found, const char* error) {
    std::string answer = "none";
    if (found)
        answer = std::to_string(reinterpret_cast<Any>(found)(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                             nullptr, nullptr, nullptr, nullptr, nullptr));
    std::printf("%s %s %s: %s, %s\n", place.c_str(), kind, name, answer.c_str(), error ? error : "no error");
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

void probe_all(const std::string& place) {
    void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void* const whole = ::dlopen(nullptr, RTLD_LAZY);
    const struct {
        const char* kind;
        void* handle;
    } handles[] = {{"default", RTLD_DEFAULT}, {"next", RTLD_NEXT}, {"program", whole}, {"driver", driver}};
    ::dlerror();
    for (const Linked& one : table) {
        for (const auto& [kind, handle] : handles) {
            if (!handle && std::strcmp(kind, "driver") == 0) continue;
            void* found = ::dlsym(handle, one.name);
            const char* error = ::dlerror();
            say(place, kind, one.name, found, error);
            found = ::dlvsym(handle, one.name, "VERSION_1");
            error = ::dlerror();
            say(place, (std::string(kind) + "-version").c_str(), one.name, found, error);
        }
        say(place, "table", one.name, reinterpret_cast<void*>(one.address), nullptr);
        // A lookup that failed leaves its error for the next dlerror(), whatever was found before.
        (void)::dlsym(RTLD_DEFAULT, "no_such_name_at_all");
        const bool kept = ::dlerror() != nullptr;
        (void)::dlsym(RTLD_DEFAULT, one.name);
        std::printf("%s errors %s: %d\n", place.c_str(), one.name, kept ? 1 : 0);
        ::dlerror();
    }
#define X(name, number)                                                                 \
    std::printf("%s call %s: %d\n", place.c_str(), #name, &name != nullptr ? name() : -1);
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
        const std::string word = argv[i], mode = word.substr(0, word.find(':')), path = word.substr(mode.size() + 1);
        const int flags = mode == "global" ? RTLD_GLOBAL : mode == "deep" ? RTLD_LOCAL | RTLD_DEEPBIND : RTLD_LOCAL;
        void* const plugin = ::dlopen(path.c_str(), RTLD_LAZY | flags);
        if (!plugin) {
            std::printf("%s: %s\n", word.c_str(), ::dlerror());
            return 1;
        }
        const auto probe = reinterpret_cast<void (*)(const char*)>(::dlsym(plugin, "probe"));
        probe((mode + std::to_string(i)).c_str());
        const auto found = ::dlsym(plugin, "cuLaunchKernel");
        say("program", "plugin", "cuLaunchKernel", found, ::dlerror());
    }
    return 0;
}
#endif
