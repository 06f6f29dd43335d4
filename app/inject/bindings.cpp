// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/bindings.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>

#include "app/inject/driver.h"
#include "app/inject/lookup.h"
#include "app/inject/objects.h"
#include "app/inject/sandbox.h"
#include "app/inject/tally.h"

namespace cubinlab::inject {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kCall = R_X86_64_JUMP_SLOT, kData = R_X86_64_GLOB_DAT, kPointer = R_X86_64_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kCall = R_AARCH64_JUMP_SLOT, kData = R_AARCH64_GLOB_DAT, kPointer = R_AARCH64_ABS64;
#endif

std::uintptr_t value_of(std::uintptr_t slot) {
    return __atomic_load_n(reinterpret_cast<std::uintptr_t*>(slot), __ATOMIC_ACQUIRE);
}

// Another thread may call through the slot meanwhile: it is one aligned word.
void write_slot(const Object& object, std::uintptr_t slot, std::uintptr_t before, const void* ours) {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    if (slot % sizeof slot != 0 || !object.writable(slot)) return;
    const std::lock_guard lock(calls_lock());
    void* const first = reinterpret_cast<void*>(slot / page * page);
    const bool sealed = object.sealed(slot);
    if (sealed && ::mprotect(first, page, PROT_READ | PROT_WRITE) != 0) {
        note(std::string("calls of ") + (*object.path ? object.path : "the program") +
             " are not seen: the system refuses to change the table of its calls");
        return;
    }
    __atomic_compare_exchange_n(reinterpret_cast<std::uintptr_t*>(slot), &before,
                                reinterpret_cast<std::uintptr_t>(ours), false, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
    if (sealed) ::mprotect(first, page, PROT_READ);
}

// A slot that the loader fills at the first call.
struct Waiting {
    std::uintptr_t slot = 0, value = 0;
    std::string path, name;
    const void* ours = nullptr;
};

// Our function for one of the driver's, for what the library exports where the loader went past it (RTLD_DEEPBIND), or for a
// call that may restrict others.
void* stand_in(void* address) {
    void* ours = replaced(address);
    if (ours == address) ours = our_export(address);
    return ours != address ? ours : watched_system_call(address);
}

bool is_wanted(const char* name) {
    return is_hooked(name) || is_exported(name) || is_watched_system_call(name);
}

template <class Use>
void each_call(const Object& object, Use use) {
    for (const Object::Relocations* table : {&object.calls, &object.data})
        for (std::size_t i = 0; i < table->count; ++i) {
            const ElfW(Rela)& r = table->first[i];
            const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(r.r_info));
            const bool function = type == kCall || type == kData || (type == kPointer && r.r_addend == 0);
            if (function) use(object.base + r.r_offset, object.symbols[ELF64_R_SYM(r.r_info)], type == kCall);
        }
}

// One pass over the objects. `waiting`: receives the slots that are not filled yet.
void pass(const std::vector<std::uintptr_t>& bases, std::vector<Waiting>* waiting,
          const std::vector<Waiting>& known) {
    std::uintptr_t driver = 0;
    each_object([&](const Object& object) {
        // The driver's calls of itself are its own.
        if (is_this_library(object) || std::find(bases.begin(), bases.end(), object.base) == bases.end())
            return false;
        if (is_driver(object)) {
            if (driver == 0 || driver == object.base)
                driver = object.base;
            else
                note(std::string("calls of a second driver are not seen: ") + object.path);
            return false;
        }
        each_call(object, [&](std::uintptr_t slot, const ElfW(Sym) & symbol, bool call) {
            if (slot % sizeof slot != 0 || !object.contains(reinterpret_cast<const void*>(slot))) return;
            const std::uintptr_t value = value_of(slot);
            void* const theirs = reinterpret_cast<void*>(value);
            if (void* ours = stand_in(theirs); ours != theirs) return write_slot(object, slot, value, ours);
            if (!call || !object.executable(value) || !is_wanted(object.names + symbol.st_name)) return;
            if (waiting) {
                waiting->push_back({slot, value, object.path, object.names + symbol.st_name, nullptr});
                return;
            }
            for (const Waiting& one : known)
                if (one.slot == slot && one.ours) write_slot(object, slot, one.value, one.ours);
        });
        return false;
    });
}

}  // namespace

std::mutex& calls_lock() {
    static auto* const mutex = new std::mutex;
    return *mutex;
}

void bind_calls(const std::vector<std::uintptr_t>& bases) {
    std::vector<Waiting> waiting;
    pass(bases, &waiting, {});
    bool any = false;
    for (Waiting& one : waiting) {
        // No callback here: a lookup takes the loader's lock. The object must stay meanwhile.
        void* const kept = one.path.empty() ? nullptr : keep_loaded(one.path.c_str());
        if (!one.path.empty() && !kept) continue;
        void* const found =
            default_lookup_from(return_within(reinterpret_cast<const void*>(one.value)), one.name.c_str());
        if (void* ours = stand_in(found); ours != found) {
            one.ours = ours;
            any = true;
        } else if (found) {
            note_other_definition(one.name.c_str(), found);
        }
        release(kept);
    }
    if (any) pass(bases, nullptr, waiting);
}

void note_other_definition(const char* name, const void* address) {
    if (std::string_view(name).find("Launch") == std::string_view::npos) return;
    std::string where;
    bool driver = false;
    each_object([&](const Object& object) {
        if (!object.contains(address)) return false;
        where = *object.path ? object.path : "the program";
        driver = is_driver(object) || is_this_library(object);
        return true;
    });
    if (driver) return;
    if (where.empty())
        return note(std::string(name) + " is taken from another linker namespace (dlmopen): launches there are not seen");
    note(std::string(name) + " is a function of " + where +
         " here: launches are seen where it passes them on through dlsym or as linked");
}

}  // namespace cubinlab::inject
