// SPDX-License-Identifier: GPL-3.0-or-later
// Looks up every name in every way from where it is compiled in, and prints a line for each: who answers a call, what
// dlerror() says, and what dladdr() says of it. As a plugin (PLUGIN) it exports `probe`, and looks some names up while
// it is loaded; as a program it probes itself and the plugins that it is given as MODE:PATH:
//
//   local global deep    how it is opened
//   promoted             opened locally, then made global
//   again                opened, closed and opened again
//   apart                in a linker namespace of its own
//   shim                 a library between the program and the driver, opened globally; the program probes itself again
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string_view>

#include "tests/inject/lookup_names.h"

// As linked: calls, and the addresses that a table holds. Weak, so that it also links without a driver.
extern "C" {
#define X(name, number) __attribute__((weak)) int name();
DRIVER_NAMES(X)
OTHER_NAMES(X)
#undef X
}

namespace {

const char* file_name(const char* path) {
    const char* const slash = path ? std::strrchr(path, '/') : nullptr;
    return slash ? slash + 1 : path ? path : "?";
}

// -1: nothing was found.
void say(const char* place, const char* kind, const char* name, void* found, const char* error) {
    char text[500];  // what is called may look something up, which frees the message
    std::snprintf(text, sizeof text, "%s", error ? error : "no error");
    Dl_info about = {}, more = {};
    void* symbol = nullptr;
    if (found) ::dladdr(found, &about);
    if (found) ::dladdr1(found, &more, &symbol, RTLD_DL_SYMENT);
    const int answer =
        found ? reinterpret_cast<Any>(found)(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                             nullptr, nullptr, nullptr, nullptr)
              : -1;
    std::printf("%s %s %s: %d, %s, in %s %s %s\n", place, kind, name, answer, text,
                file_name(about.dli_fname), about.dli_sname ? about.dli_sname : "?",
                file_name(more.dli_fname));
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

using Get = int (*)(const char*, void**, int, unsigned long long, int*);

void probe_get(const char* place, const char* entry, void* get) {
    if (!get) return;
    const bool second = std::strcmp(entry, "cuGetProcAddress") != 0;
    for (const char* name :
         {"cuGetProcAddress", "cuMemAlloc", "cuLaunchKernel", "cuLaunchKernelEx", "cuModuleLoadData",
          "cuGraphAddKernelNode", "cuCtxSynchronize", "cuNoSuchThing", "cuLinkComplete"})
        for (const int version : {11030, 12000, 13000})
            for (const unsigned long long flags : {0, 1, 2}) {
                void* found = nullptr;
                int status = -1;
                const int code =
                    reinterpret_cast<Get>(get)(name, &found, version, flags, second ? &status : nullptr);
                char kind[100];
                std::snprintf(kind, sizeof kind, "%s-%d-%llu: %d %d", entry, version, flags, code, status);
                say(place, kind, name, found, nullptr);
                // The driver's own lookup by the driver's own lookup.
                if (found && second && version >= 12000 && std::strcmp(name, "cuGetProcAddress") == 0 &&
                    std::strcmp(entry, "inner") != 0)
                    probe_get(place, "inner", found);
            }
}

// Lookups of the lookups: through what is found the same is found.
void probe_lookups(const char* place, void* handle, const char* kind) {
    using Lookup = void* (*)(void*, const char*);
    for (const char* name : {"dlsym", "dlvsym", "dladdr"}) {
        void* const found = ::dlsym(handle, name);
        Dl_info about = {};
        // The program's handle is of the first namespace, wherever this is.
        if (found && handle == RTLD_DEFAULT) ::dladdr(found, &about);
        std::printf("%s %s %s: %d, in %s %s\n", place, kind, name, found ? 1 : 0, file_name(about.dli_fname),
                    about.dli_sname ? about.dli_sname : "?");
    }
    const auto lookup = reinterpret_cast<Lookup>(::dlsym(handle, "dlsym"));
    if (lookup) say(place, kind, "cuLaunchKernel-by-dlsym", lookup(RTLD_DEFAULT, "cuLaunchKernel"), nullptr);
}

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
            for (const char* version : {"VERSION_0", "VERSION_1"}) {
                found = ::dlvsym(handle, one.name, version);
                error = ::dlerror();
                say(place, with_version, one.name, found, error);
            }
        }
        say(place, "table", one.name, reinterpret_cast<void*>(one.address), nullptr);
        // A lookup that failed leaves its error for the next dlerror(), whatever was found before.
        (void)::dlsym(RTLD_DEFAULT, "no_such_name_at_all");
        const bool kept = ::dlerror() != nullptr;
        (void)::dlsym(RTLD_DEFAULT, one.name);
        std::printf("%s errors %s: %d\n", place, one.name, kept ? 1 : 0);
        ::dlerror();
    }
#define X(name, number) std::printf("%s call %s: %d\n", place, #name, &name != nullptr ? name() : -1);
    SIMPLE_NAMES(X)
    OTHER_NAMES(X)
#undef X
    // One function has one address, however it was found.
    std::printf("%s same: %d\n", place,
                reinterpret_cast<void*>(table[4].address) == ::dlsym(RTLD_DEFAULT, table[4].name) ? 1 : 0);
    for (const char* entry : {"cuGetProcAddress", "cuGetProcAddress_v2"}) {
        probe_get(place, entry, ::dlsym(RTLD_DEFAULT, entry));
        if (driver) probe_get(place, entry, ::dlsym(driver, entry));
    }
    if (&cuGetProcAddress_v2 != nullptr)
        probe_get(place, "linked", reinterpret_cast<void*>(&cuGetProcAddress_v2));
    probe_lookups(place, RTLD_DEFAULT, "lookup");
    probe_lookups(place, whole, "lookup-program");
    ::dlerror();
    std::fflush(stdout);  // a namespace of its own has a buffer of its own
}

}  // namespace

#ifdef PLUGIN
extern "C" __attribute__((visibility("default"))) void probe(const char* place) {
    probe_all(place);
}
namespace {
__attribute__((constructor)) void loaded() {
    for (const char* name : {"cuInit", "cuLaunchKernel"}) {
        void* found = ::dlsym(RTLD_DEFAULT, name);
        const char* error = ::dlerror();
        say("loading", "default", name, found, error);
        found = ::dlsym(RTLD_NEXT, name);
        error = ::dlerror();
        say("loading", "next", name, found, error);
    }
    if (&cuLaunchKernel != nullptr) std::printf("loading call: %d\n", cuLaunchKernel());
    std::fflush(stdout);
}
}  // namespace
#else
namespace {

void* open_as(std::string_view mode, const char* path) {
    if (mode == "apart") return ::dlmopen(LM_ID_NEWLM, path, RTLD_LAZY | RTLD_LOCAL);
    const bool global = mode == "global" || mode == "shim";
    const int flags = global ? RTLD_GLOBAL : mode == "deep" ? RTLD_LOCAL | RTLD_DEEPBIND : RTLD_LOCAL;
    void* plugin = ::dlopen(path, RTLD_LAZY | flags);
    if (mode == "again" && plugin) {
        ::dlclose(plugin);
        plugin = ::dlopen(path, RTLD_LAZY | flags);
    }
    if (mode == "promoted" && plugin) plugin = ::dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    return plugin;
}

}  // namespace

int main(int argc, char** argv) {
    // Before anything is looked up, as a program finds it.
    std::printf("error at start: %s\n", ::dlerror() ? "yes" : "no");
    // A driver that is asked for nothing that concerns us, and closed.
    if (void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY)) {
        say("program", "first", "cuInit", ::dlsym(driver, "cuInit"), nullptr);
        ::dlclose(driver);
        void* const still = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
        std::printf("driver closed: %d\n", still ? 1 : 0);
        if (still) ::dlclose(still);
    }
    probe_all("program");
    for (int i = 1; i < argc; ++i) {
        const char* const path = std::strchr(argv[i], ':') + 1;
        const std::string_view mode(argv[i], static_cast<std::size_t>(path - argv[i] - 1));
        std::fflush(stdout);
        void* const plugin = open_as(mode, path);
        if (!plugin) {
            std::printf("%s: %s\n", argv[i], ::dlerror());
            return 1;
        }
        char place[32];
        std::snprintf(place, sizeof place, "plugin%d", i);
        if (mode == "shim") {
            probe_all(place);
            continue;
        }
        const auto probe = reinterpret_cast<void (*)(const char*)>(::dlsym(plugin, "probe"));
        probe(place);
        const auto found = ::dlsym(plugin, "cuLaunchKernel");
        say("program", "plugin", "cuLaunchKernel", found, ::dlerror());
        if (mode != "local" && mode != "again") continue;
        ::dlclose(plugin);
        std::printf("%s stays: %d\n", place, ::dlopen(path, RTLD_LAZY | RTLD_NOLOAD) ? 1 : 0);
    }
    return 0;
}
#endif
