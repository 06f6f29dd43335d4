// SPDX-License-Identifier: GPL-3.0-or-later
// An audit library (LD_AUDIT) that watches every binding and changes none.
#include <link.h>

#include <cstdint>

extern "C" {
__attribute__((visibility("default"))) unsigned la_version(unsigned) {
    return LAV_CURRENT;
}
__attribute__((visibility("default"))) unsigned la_objopen(link_map*, Lmid_t, std::uintptr_t*) {
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}
__attribute__((visibility("default"))) std::uintptr_t la_symbind64(Elf64_Sym* symbol, unsigned,
                                                                   std::uintptr_t*, std::uintptr_t*,
                                                                   unsigned*, const char*) {
    return symbol->st_value;
}
}
