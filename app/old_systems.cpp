// SPDX-License-Identifier: GPL-3.0-or-later
// C library functions that the compiler's static run-time libraries request in a version newer than
// necessary. These hidden definitions let the preloaded library and the worker load with glibc 2.17 or later;
// tests check the versions that both request. This file must not include their headers.
#include <link.h>

#include <cstdint>

#define HIDDEN __attribute__((visibility("hidden")))
#if defined(__x86_64__)
#define BASE "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define BASE "GLIBC_2.17"
#endif

extern "C" {

// Whether only one thread runs: 0 is always correct, but slower.
HIDDEN char __libc_single_threaded = 0;

int cubinlab_pthread_once(int*, void (*)());
__asm__(".symver cubinlab_pthread_once, pthread_once@" BASE);
HIDDEN int pthread_once(int* control, void (*routine)()) {
    return cubinlab_pthread_once(control, routine);
}

int cubinlab_pthread_key_create(unsigned*, void (*)(void*));
__asm__(".symver cubinlab_pthread_key_create, pthread_key_create@" BASE);
HIDDEN int __pthread_key_create(unsigned* key, void (*destructor)(void*)) {
    return cubinlab_pthread_key_create(key, destructor);
}

// How the unwinder finds the exception tables (glibc 2.35); here with dl_iterate_phdr.
struct FoundObject {
    unsigned long long flags;
    void* map_start;
    void* map_end;
    link_map* map;
    void* eh_frame;
};
HIDDEN int cubinlab_find_object(void*, FoundObject*) __asm__("_dl_find_object");
int cubinlab_find_object(void* address, FoundObject* out) {
    struct Search {
        std::uintptr_t wanted;
        FoundObject* out;
    } search{reinterpret_cast<std::uintptr_t>(address), out};
    const int found = ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& s = *static_cast<Search*>(data);
            const ElfW(Phdr)* tables = nullptr;
            bool inside = false;
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto& segment = info->dlpi_phdr[i];
                const std::uintptr_t first = info->dlpi_addr + segment.p_vaddr;
                if (segment.p_type == PT_GNU_EH_FRAME) tables = &segment;
                if (segment.p_type != PT_LOAD || s.wanted < first || s.wanted >= first + segment.p_memsz)
                    continue;
                inside = true;
                s.out->map_start = reinterpret_cast<void*>(first);
                s.out->map_end = reinterpret_cast<void*>(first + segment.p_memsz);
            }
            if (!inside || !tables) return 0;
            s.out->flags = 0;
            s.out->map = nullptr;
            s.out->eh_frame = reinterpret_cast<void*>(info->dlpi_addr + tables->p_vaddr);
            return 1;
        },
        &search);
    return found != 0 ? 0 : -1;
}
}
