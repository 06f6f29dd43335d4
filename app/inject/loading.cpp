// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/loading.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

#include "app/inject/hooks.h"
#include "app/inject/image.h"
#include "app/inject/schedules.h"
#include "app/inject/settings.h"
#include "app/inject/sharing.h"
#include "app/inject/tally.h"
#include "app/inject/timings.h"
#include "core/binary/name_search.h"

namespace cubinlab::inject {
namespace {

using ImagePtr = std::shared_ptr<LoadedImage>;

// Under kernels_lock(): the image of a module or library handle, and the lookups in it.
std::unordered_map<Handle, ImagePtr>& images_by_handle() {
    static auto* const all = new std::unordered_map<Handle, ImagePtr>;
    return *all;
}
// Loading a kernel again (the same name in the same image) gives the same Kernel. Null: it is ignored.
std::unordered_map<std::string, Kernel*>& kernels_seen() {
    static auto* const all = new std::unordered_map<std::string, Kernel*>;
    return *all;
}

// Describes an image before the driver receives it. Null: the library ignores it.
ImagePtr look_at(const void* code) {
    ImagePtr out;
    if (!settings().active()) return out;
    guarded([&] {
        fault_point("load");
        auto image = std::make_shared<LoadedImage>();
        image->code = code;
        image->static_code = in_loaded_file(code);
        image->sm = current_sm();
        char place[32];
        std::snprintf(place, sizeof place, "@%p", code);
        image->key = place;
        const bool keep = (settings().list || !settings().capture.empty()) && !image->static_code;
        if (settings().swaps() || keep) {
            DeviceCode found = device_code(code, image->sm);
            image->why_not = found.why_not;
            // Memory that a program frees may contain another image later.
            if (!image->static_code && !found.elf.empty()) image->key = "@" + hash_bytes(found.elf).hex();
            if (!found.elf.empty() && settings().swaps()) {
                Swapped swapped = swap_in(found.elf);
                image->copy = std::move(swapped.image);
                image->replaced = std::move(swapped.kernels);
            }
            if (!found.elf.empty() && (keep || !image->copy.empty()))
                image->original.assign(found.elf.begin(), found.elf.end());
        }
        out = std::move(image);
    });
    return out;
}

// --ab: loads the original next to the tuned code. Both must use the same data: an image with variables waits
// until the variables have addresses.
template <class Call>
void load_original_too(const ImagePtr& image, Call call) {
    if (!settings().trial || image->copy.empty()) return;
    if (has_module_data(image->original)) {
        image->sharing.store(kSharingWaits);
        return;
    }
    Handle other = nullptr;
    if (call(&other, image->original.data()) == kSuccess) {
        image->other = other;
    } else {
        note("no comparison of " + image->replaced.front() +
             ": the original could not be loaded a second time");
    }
}

// `call(handle, image)` is the driver's own load.
template <class Call>
Code load(Handle* handle, const void* code, bool library, Call call) {
    const ImagePtr image = look_at(code);
    const bool substitute = image && !image->copy.empty();
    Code result = call(handle, substitute ? static_cast<const void*>(image->copy.data()) : code);
    if (substitute && result != kSuccess) {
        guarded([&] {
            note("the driver refused an image with tuned code (" + std::to_string(result) +
                 "); the original was loaded");
            image->copy.clear();
            image->replaced.clear();
        });
        result = call(handle, code);
    }
    if (result != kSuccess || !handle) return result;
    tally().images.fetch_add(1, std::memory_order_relaxed);
    if (!image) return result;
    guarded([&] {
        finish_before_driver();
        image->handle = *handle;
        image->library = library;
        load_original_too(image, call);
        const std::lock_guard lock(kernels_lock());
        images_by_handle()[*handle] = image;
        all_images().push_back(image);
    });
    return result;
}

// A load from a file. If a kernel of it is replaced, `from_memory` loads the edited image instead.
template <class FromMemory, class FromFile>
Code load_file(Handle* handle, const char* path, bool library, FromMemory from_memory, FromFile from_file) {
    std::vector<std::byte> bytes;
    if (settings().active() && path)
        guarded([&] {
            fault_point("file");
            std::FILE* file = std::fopen(path, "rbe");
            if (!file) return;
            std::byte chunk[1 << 16];
            for (std::size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;)
                bytes.insert(bytes.end(), chunk, chunk + n);
            std::fclose(file);
            bytes.resize(bytes.size() + 1);  // PTX ends with a zero
        });
    if (bytes.empty()) return from_file(handle);
    // Without a replacement the driver loads the file as the program requested.
    return load(handle, bytes.data(), library, [&](Handle* into, const void* code) {
        return code == bytes.data() ? from_file(into) : from_memory(into, code);
    });
}

void unload(Handle handle, Code (*unload_other)(Handle)) {
    ImagePtr image;
    guarded([&] {
        std::vector<Kernel*> gone;
        {
            const std::lock_guard lock(kernels_lock());
            const auto found = images_by_handle().find(handle);
            if (found == images_by_handle().end()) return;
            image = found->second;
            std::erase_if(images_by_handle(), [&](const auto& entry) { return entry.second == image; });
            for (Kernel* kernel : all_kernels())
                if (kernel->image == image) {
                    gone.push_back(kernel);
                    kernel->other.store(nullptr);
                    kernel->shares.store(nullptr);
                }
        }
        for (const Kernel* one : gone)
            forget_handles_of(one);
        if (image->other && unload_other) unload_other(image->other);
        // The final report lists kernels that were launched: keep their image, free its tuned copy.
        image->copy = {};
        image->second = {};
        if (!settings().list) image->original = {};
    });
}

std::string demangled(std::string_view name) {
    int status = 0;
    const std::string mangled(name);
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    std::string out = status == 0 && text ? text : "";
    std::free(text);
    return out;
}

// The same kernel with the original code, for --ab.
Handle counterpart(const LoadedImage& image, const char* name, bool library) {
    if (!image.other) return nullptr;
    Handle out = nullptr;
    using Get = Code (*)(Handle*, Handle, const char*);
    const auto get = real<Get>(library ? Slot::LibraryGetKernel : Slot::ModuleGetFunction);
    return get && get(&out, image.other, name) == kSuccess ? out : nullptr;
}

// Address and size of a variable of a load; {0, 0} if the driver does not know it.
std::pair<Address, std::size_t> variable(const LoadedImage& image, Handle handle, const std::string& name) {
    const Calls& cuda = calls();
    Address address = 0;
    std::size_t size = 0;
    const auto ask = [&](auto* get) {
        return get && get(&address, &size, handle, name.c_str()) == kSuccess && address != 0;
    };
    const bool found =
        image.library ? ask(cuda.library_global) || ask(cuda.library_managed) : ask(cuda.module_global);
    return found ? std::pair(address, size) : std::pair(Address{0}, std::size_t{0});
}

// Loads the original a second time, on the variables of the first load. Not during a capture into a graph.
bool load_sharing(LoadedImage& image, Handle context) {
    const auto refuse = [&](const std::string& why) {
        note("no comparison of " + image.replaced.front() + ": " + why);
        return false;
    };
    SharedImage shared = share_variables(image.original, [&](const std::string& name) {
        const Address address = variable(image, image.handle, name).first;
        return address == 0 ? std::nullopt : std::optional(address);
    });
    if (shared.image.empty()) return refuse(shared.why_not);
    using LoadLibrary = Code (*)(Handle*, const void*, int*, void**, unsigned, int*, void**, unsigned);
    const auto library = real<LoadLibrary>(Slot::LibraryLoadData);
    const auto module = real<Code (*)(Handle*, const void*)>(Slot::ModuleLoadData);
    image.second = std::move(shared.image);
    Handle other = nullptr;
    const Code result =
        image.library
            ? (library ? library(&other, image.second.data(), nullptr, nullptr, 0, nullptr, nullptr, 0)
                       : kNotFound)
            : (module ? module(&other, image.second.data()) : kNotFound);
    if (result != kSuccess) return refuse("the original could not be loaded a second time");
    std::vector<ConstantCopy> constants;
    for (const std::string& name : shared.constants) {
        const auto [from, size] = variable(image, image.handle, name);
        const auto [to, room] = variable(image, other, name);
        if (from == 0 || to == 0 || size != room)
            return refuse("the driver does not say where its constant " + name + " lies");
        constants.push_back({to, from, size});
    }
    // A library loads lazily: trigger it here instead of at the program's launch.
    const auto function_of = real<Code (*)(Handle*, Handle)>(Slot::KernelGetFunction);
    image.other = other;
    Handle kernel = counterpart(image, image.replaced.front().c_str(), image.library), function = nullptr;
    if (!kernel || (image.library && (!function_of || function_of(&function, kernel) != kSuccess))) {
        image.other = nullptr;
        return refuse("the driver refused the original with the program's variables");
    }
    image.constants = std::move(constants);
    image.shared_context = context;
    return true;
}

// A program received `handle` for the kernel `name` of the module or library `from`.
void see(Handle handle, const char* name, Handle from, bool library) {
    if (!settings().active() || !handle || !name) return;
    guarded([&] {
        fault_point("see");
        Kernel* const known_handle = find_kernel(handle);
        ImagePtr image;
        Kernel* again = nullptr;
        {
            const std::lock_guard lock(kernels_lock());
            const auto found = images_by_handle().find(from);
            if (found != images_by_handle().end()) image = found->second;
            // The driver reuses handles after their module is unloaded, for example with its context.
            if (known_handle && known_handle->image == image && known_handle->name == name) return;
            const auto [known, fresh] =
                kernels_seen().try_emplace(name + (image ? image->key : std::string()), nullptr);
            if (fresh) tally().kernels.fetch_add(1, std::memory_order_relaxed);
            again = known->second;
        }
        if (known_handle) forget_kernel(handle);
        if (!image) return;
        if (again) {
            again->other.store(again->replaced ? counterpart(*image, name, library) : nullptr);
            if (again->replaced && image->sharing.load() != kNoSharing) again->shares.store(image.get());
            {
                const std::lock_guard lock(kernels_lock());
                again->image = image;
                again->handle = handle;
            }
            remember_kernel(handle, again);
            return;
        }
        const bool replaced =
            std::find(image->replaced.begin(), image->replaced.end(), name) != image->replaced.end();
        const bool capture = wanted_for_capture(name);
        if (!replaced && !capture && !settings().list) return;
        auto kernel = std::make_unique<Kernel>();
        kernel->name = name;
        kernel->image = image;
        kernel->replaced = replaced;
        kernel->library = library;
        kernel->handle = handle;
        kernel->capture.store(capture);
        if (replaced) kernel->other.store(counterpart(*image, name, library));
        const bool pairs = kernel->other.load() || (replaced && image->sharing.load() != kNoSharing);
        if (settings().list || settings().time || pairs) kernel->timings = new Timings(pairs);
        if (pairs && !kernel->other.load()) kernel->shares.store(image.get());
        Kernel* const stays = kernel.release();
        {
            const std::lock_guard lock(kernels_lock());
            all_kernels().push_back(stays);
            kernels_seen()[name + image->key] = stays;
        }
        remember_kernel(handle, stays);
    });
}

template <class Names>
void see_all(Handle* handles, unsigned count, Handle from, bool library, Names name_of) {
    if (!settings().active() || !handles || !name_of) return;
    for (unsigned i = 0; i < count; ++i) {
        const char* name = nullptr;
        if (handles[i] && name_of(&name, handles[i]) == kSuccess) see(handles[i], name, from, library);
    }
}

}  // namespace

std::vector<std::byte> original_code(const LoadedImage& image) {
    if (!image.original.empty()) return image.original;
    if (!image.code || !image.static_code) return {};
    const DeviceCode found = device_code(image.code, image.sm);
    return {found.elf.begin(), found.elf.end()};
}

bool compare_with_shared_variables(Kernel& kernel, LoadedImage& image, Handle stream, bool per_thread) {
    const Calls& cuda = calls();
    Handle context = nullptr;
    if (!cuda.context_current || cuda.context_current(&context) != kSuccess) return false;
    int waits = kSharingWaits;
    if (image.sharing.compare_exchange_strong(waits, kSharingBegun) && load_sharing(image, context))
        image.sharing.store(kShared);
    if (image.sharing.load() != kShared || image.shared_context != context) return false;
    if (!kernel.other.load()) kernel.other.store(counterpart(image, kernel.name.c_str(), image.library));
    const auto copy =
        per_thread && cuda.copy_on_device_per_thread ? cuda.copy_on_device_per_thread : cuda.copy_on_device;
    for (const ConstantCopy& c : image.constants)
        if (!copy || copy(c.to, c.from, c.size, stream) != kSuccess) return false;
    return kernel.other.load() != nullptr;
}

bool wanted_for_capture(std::string_view name) {
    const std::string& asked = settings().capture;
    if (asked.empty()) return false;
    if (asked == "*") return true;
    constexpr std::string_view kRegex = "regex:";
    if (asked.rfind(kRegex, 0) != 0) return asked == name || asked == demangled(name);
    // A malformed or slow expression matches nothing: the program itself continues.
    static auto* const search = new Result<NameSearch>(NameSearch::of(asked.substr(kRegex.size())));
    static auto* const one_at_a_time = new std::mutex;
    const std::lock_guard lock(*one_at_a_time);
    if (!*search) return false;
    auto found = (*search)->finds(name);
    if (found && !*found) found = (*search)->finds(demangled(name));
    return found && *found;
}

}  // namespace cubinlab::inject

using namespace cubinlab::inject;

CUBINLAB_HOOK cuModuleLoad(Handle* module, const char* path) {
    const auto theirs = real<Code (*)(Handle*, const char*)>(Slot::ModuleLoad);
    const auto memory = real<Code (*)(Handle*, const void*)>(Slot::ModuleLoadData);
    if (!theirs || !memory) return kNotFound;
    return load_file(module, path, false, memory, [&](Handle* into) { return theirs(into, path); });
}

CUBINLAB_HOOK cuModuleLoadData(Handle* module, const void* code) {
    const auto theirs = real<Code (*)(Handle*, const void*)>(Slot::ModuleLoadData);
    if (!theirs) return kNotFound;
    return load(module, code, false, theirs);
}

CUBINLAB_HOOK cuModuleLoadDataEx(Handle* module, const void* code, unsigned count, int* options,
                                 void** values) {
    const auto theirs = real<Code (*)(Handle*, const void*, unsigned, int*, void**)>(Slot::ModuleLoadDataEx);
    if (!theirs) return kNotFound;
    return load(module, code, false,
                [&](Handle* into, const void* image) { return theirs(into, image, count, options, values); });
}

CUBINLAB_HOOK cuModuleLoadFatBinary(Handle* module, const void* code) {
    const auto theirs = real<Code (*)(Handle*, const void*)>(Slot::ModuleLoadFatBinary);
    const auto bare = real<Code (*)(Handle*, const void*)>(Slot::ModuleLoadData);
    if (!theirs || !bare) return kNotFound;
    return load(module, code, false, [&](Handle* into, const void* image) {
        return image == code ? theirs(into, image) : bare(into, image);
    });
}

CUBINLAB_HOOK cuModuleUnload(Handle module) {
    const auto theirs = real<Code (*)(Handle)>(Slot::ModuleUnload);
    if (!theirs) return kNotFound;
    const Code result = theirs(module);
    if (result == kSuccess && settings().active()) unload(module, theirs);
    return result;
}

CUBINLAB_HOOK cuModuleGetFunction(Handle* function, Handle module, const char* name) {
    const auto theirs = real<Code (*)(Handle*, Handle, const char*)>(Slot::ModuleGetFunction);
    if (!theirs) return kNotFound;
    const Code result = theirs(function, module, name);
    if (result == kSuccess && function) see(*function, name, module, false);
    return result;
}

CUBINLAB_HOOK cuModuleEnumerateFunctions(Handle* functions, unsigned count, Handle module) {
    const auto theirs = real<Code (*)(Handle*, unsigned, Handle)>(Slot::ModuleEnumerate);
    if (!theirs) return kNotFound;
    const Code result = theirs(functions, count, module);
    if (result == kSuccess) see_all(functions, count, module, false, calls().function_name);
    return result;
}

CUBINLAB_HOOK cuLibraryLoadData(Handle* library, const void* code, int* options, void** values,
                                unsigned count, int* more, void** more_values, unsigned more_count) {
    const auto theirs = real<Code (*)(Handle*, const void*, int*, void**, unsigned, int*, void**, unsigned)>(
        Slot::LibraryLoadData);
    if (!theirs) return kNotFound;
    return load(library, code, true, [&](Handle* into, const void* image) {
        return theirs(into, image, options, values, count, more, more_values, more_count);
    });
}

CUBINLAB_HOOK cuLibraryLoadFromFile(Handle* library, const char* path, int* options, void** values,
                                    unsigned count, int* more, void** more_values, unsigned more_count) {
    const auto theirs = real<Code (*)(Handle*, const char*, int*, void**, unsigned, int*, void**, unsigned)>(
        Slot::LibraryLoadFile);
    const auto memory = real<Code (*)(Handle*, const void*, int*, void**, unsigned, int*, void**, unsigned)>(
        Slot::LibraryLoadData);
    if (!theirs || !memory) return kNotFound;
    return load_file(
        library, path, true,
        [&](Handle* into, const void* image) {
            return memory(into, image, options, values, count, more, more_values, more_count);
        },
        [&](Handle* into) {
            return theirs(into, path, options, values, count, more, more_values, more_count);
        });
}

CUBINLAB_HOOK cuLibraryUnload(Handle library) {
    const auto theirs = real<Code (*)(Handle)>(Slot::LibraryUnload);
    if (!theirs) return kNotFound;
    const Code result = theirs(library);
    if (result == kSuccess && settings().active()) unload(library, theirs);
    return result;
}

CUBINLAB_HOOK cuLibraryGetKernel(Handle* kernel, Handle library, const char* name) {
    const auto theirs = real<Code (*)(Handle*, Handle, const char*)>(Slot::LibraryGetKernel);
    if (!theirs) return kNotFound;
    const Code result = theirs(kernel, library, name);
    if (result == kSuccess && kernel) see(*kernel, name, library, true);
    return result;
}

CUBINLAB_HOOK cuLibraryGetModule(Handle* module, Handle library) {
    const auto theirs = real<Code (*)(Handle*, Handle)>(Slot::LibraryGetModule);
    if (!theirs) return kNotFound;
    const Code result = theirs(module, library);
    if (result == kSuccess && module && settings().active())
        guarded([&] {
            const std::lock_guard lock(kernels_lock());
            const auto found = images_by_handle().find(library);
            if (found != images_by_handle().end()) images_by_handle()[*module] = found->second;
        });
    return result;
}

CUBINLAB_HOOK cuLibraryEnumerateKernels(Handle* kernels, unsigned count, Handle library) {
    const auto theirs = real<Code (*)(Handle*, unsigned, Handle)>(Slot::LibraryEnumerate);
    if (!theirs) return kNotFound;
    const Code result = theirs(kernels, count, library);
    if (result == kSuccess) see_all(kernels, count, library, true, calls().kernel_name);
    return result;
}

// The function of a kernel in one context: the same kernel under another handle.
CUBINLAB_HOOK cuKernelGetFunction(Handle* function, Handle kernel) {
    const auto theirs = real<Code (*)(Handle*, Handle)>(Slot::KernelGetFunction);
    if (!theirs) return kNotFound;
    const Code result = theirs(function, kernel);
    if (result == kSuccess && function && settings().active())
        guarded([&] {
            Kernel* known = find_kernel(kernel);
            if (known && !find_kernel(*function)) remember_kernel(*function, known);
        });
    return result;
}
