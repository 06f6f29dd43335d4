// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/loading.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

#include "app/inject/capturing.h"
#include "app/inject/hooks.h"
#include "app/inject/image.h"
#include "app/inject/linking.h"
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

bool keeps_code() {
    return settings().list || !settings().capture.empty();
}

// PTX text: the driver compiles it at the load. The same compiler makes a cubin of it first, for the report and the
// capture, or because a schedule may replace its code.
DeviceCode compiled(DeviceCode found, const JitOptions& options) {
    const std::vector<CodeSwap>& all = schedules();
    const bool may_match = std::any_of(all.begin(), all.end(), [&](const CodeSwap& swap) {
        return found.ptx.find(swap.kernel) != std::string::npos;
    });
    if (found.ptx.empty() || (!keeps_code() && !may_match)) return found;
    LinkedCode linked = compile_ptx(found.ptx, options);
    if (!linked.why_not.empty()) {
        found.why_not += ", and " + linked.why_not;
        return found;
    }
    found.why_not.clear();
    found.unpacked = std::move(linked.cubin);
    found.elf = found.unpacked;
    return found;
}

// Describes an image before the driver receives it. Null: the library ignores it.
ImagePtr look_at(const void* code, const JitOptions& options) {
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
        if (settings().swaps() || keeps_code()) {
            DeviceCode found = compiled(device_code(code, image->sm), options);
            const bool keep = keeps_code() && (!image->static_code || found.is_ptx);
            image->why_not = found.why_not;
            // Memory that a program frees may contain another image later.
            if (!image->static_code && !found.elf.empty()) image->key = "@" + hash_bytes(found.elf).hex();
            if (!image->static_code && found.elf.empty() && !found.ptx.empty())
                image->key = "@" + hash_bytes(found.ptx.data(), found.ptx.size()).hex();
            if (keeps_code()) image->ptx = found.is_ptx ? std::move(found.ptx) : text_linked_into(found.elf);
            if (!found.elf.empty() && settings().swaps()) {
                Swapped swapped = swap_in(found.elf);
                image->copy = std::move(swapped.image);
                image->replaced = std::move(swapped.kernels);
                for (const Recompiled& one : swapped.instead)
                    image->instead.push_back({one.kernel, one.by->kernel, nullptr, &one.by->whole});
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

// The cubins of recompiled kernels are loaded next to the image. One that the driver refuses leaves the original in place.
template <class Call>
void load_instead(LoadedImage& image, Call call) {
    std::erase_if(image.instead, [&](InsteadOf& one) {
        const Code result = call(&one.handle, static_cast<const void*>(one.cubin->data()));
        if (result != kSuccess)
            note("the driver refused the recompiled " + one.kernel + " (" + std::to_string(result) +
                 "); the original runs");
        return result != kSuccess;
    });
}

// `call(handle, image)` is the driver's own load.
template <class Call>
Code load(Handle* handle, const void* code, bool library, const JitOptions& options, Call call) {
    const ImagePtr image = look_at(code, options);
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
        load_instead(*image, call);
        const std::lock_guard lock(kernels_lock());
        images_by_handle()[*handle] = image;
        all_images().push_back(image);
    });
    return result;
}

// A load from a file. If a kernel of it is replaced, `from_memory` loads the edited image instead.
template <class FromMemory, class FromFile>
Code load_file(Handle* handle, const char* path, bool library, const JitOptions& options,
               FromMemory from_memory, FromFile from_file) {
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
    return load(handle, bytes.data(), library, options, [&](Handle* into, const void* code) {
        return code == bytes.data() ? from_file(into) : from_memory(into, code);
    });
}

// Takes the image from its handle before the driver may give that handle to another load.
ImagePtr taken_from(Handle handle) {
    ImagePtr image;
    guarded([&] {
        const std::lock_guard lock(kernels_lock());
        const auto found = images_by_handle().find(handle);
        if (found == images_by_handle().end()) return;
        image = found->second;
        images_by_handle().erase(found);
    });
    return image;
}

// The driver unloaded the image: its own kernels go, those of other loads of it stay.
void forget(const ImagePtr& image, Code (*unload_other)(Handle)) {
    guarded([&] {
        std::vector<std::pair<Handle, LoadedKernel*>> gone;
        {
            const std::lock_guard lock(kernels_lock());
            std::erase_if(images_by_handle(), [&](const auto& entry) { return entry.second == image; });
            for (LoadedKernel* kernel : image->kernels) {
                for (const Handle handle : kernel->handles)
                    gone.emplace_back(handle, kernel);
                kernel->handles.clear();
                kernel->other.store(nullptr);
                kernel->shares.store(nullptr);
                kernel->instead.store(nullptr);
            }
            image->kernels.clear();
        }
        for (const auto& [handle, kernel] : gone)
            forget_kernel(handle, kernel);
        if (image->other && unload_other) unload_other(image->other);
        for (const InsteadOf& one : image->instead)
            if (unload_other) unload_other(one.handle);
        // The final report lists kernels that were launched: keep their image, free its tuned copy.
        image->copy = {};
        image->second = {};
        if (!settings().list) image->original = {};
    });
}

Code unload(Slot slot, Handle handle) {
    const auto theirs = real<Code (*)(Handle)>(slot);
    if (!theirs) return kNotFound;
    if (!settings().active()) return theirs(handle);
    const ImagePtr image = taken_from(handle);
    const Code result = theirs(handle);
    if (image && result == kSuccess) forget(image, theirs);
    if (image && result != kSuccess)
        guarded([&] {
            const std::lock_guard lock(kernels_lock());
            images_by_handle().try_emplace(handle, image);
        });
    return result;
}

std::string demangled(std::string_view name) {
    int status = 0;
    const std::string mangled(name);
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    std::string out = status == 0 && text ? text : "";
    std::free(text);
    return out;
}

Handle kernel_in(Handle load, bool library, const char* name) {
    Handle out = nullptr;
    using Get = Code (*)(Handle*, Handle, const char*);
    const auto get = real<Get>(library ? Slot::LibraryGetKernel : Slot::ModuleGetFunction);
    return get && get(&out, load, name) == kSuccess ? out : nullptr;
}

// The same kernel with the original code, for --ab.
Handle counterpart(const LoadedImage& image, const char* name) {
    return image.other ? kernel_in(image.other, image.library, name) : nullptr;
}

// The recompiled kernel that is launched in the place of this one; null: there is none.
Handle recompiled(const LoadedImage& image, std::string_view name) {
    for (const InsteadOf& one : image.instead)
        if (one.kernel == name && one.handle) return kernel_in(one.handle, image.library, one.tuned.c_str());
    return nullptr;
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
    Handle kernel = counterpart(image, image.replaced.front().c_str()), function = nullptr;
    if (!kernel || (image.library && (!function_of || function_of(&function, kernel) != kSuccess))) {
        image.other = nullptr;
        return refuse("the driver refused the original with the program's variables");
    }
    image.constants = std::move(constants);
    image.shared_context = context;
    return true;
}

bool is_replaced(const LoadedImage& image, const char* name) {
    return std::find(image.replaced.begin(), image.replaced.end(), name) != image.replaced.end();
}

// Stands for every image whose load was not seen.
const ImagePtr& unseen_image() {
    static const auto* const only = [] {
        auto* out = new ImagePtr(std::make_shared<LoadedImage>());
        (*out)->why_not = "the library did not see the load of its code";
        return out;
    }();
    return *only;
}

// Under kernels_lock(). The counts of a kernel, new with its first load; null: it is ignored.
Kernel* counts_of(const ImagePtr& image, const char* name, bool replaced, bool pairs) {
    const auto [known, fresh] = kernels_seen().try_emplace(name + image->key, nullptr);
    if (fresh) tally().kernels.fetch_add(1, std::memory_order_relaxed);
    Kernel* kernel = known->second;
    if (!kernel) {
        const bool capture = wanted_for_capture(name);
        if (!replaced && !capture && !settings().list && !settings().all) return nullptr;
        kernel = new Kernel;
        known->second = kernel;
        kernel->name = name;
        kernel->capture.store(capture);
        if (capture && settings().sizes > 0) kernel->sizes = new SizesCaptured(settings().sizes);
        all_kernels().push_back(kernel);
    }
    kernel->image = image;
    kernel->replaced = kernel->replaced || replaced;
    if (!kernel->timings && (settings().list || settings().time || pairs)) kernel->timings = new Timings(pairs);
    return kernel;
}

template <class Names>
void see_all(Handle* handles, unsigned count, Handle from, bool library, Names name_of) {
    if (!settings().active() || !handles || !name_of) return;
    for (unsigned i = 0; i < count; ++i) {
        const char* name = nullptr;
        if (handles[i] && name_of(&name, handles[i]) == kSuccess) see_kernel(handles[i], name, from, library);
    }
}

}  // namespace

void see_kernel(Handle handle, const char* name, Handle from, bool is_kernel) {
    if (!settings().active() || !handle || !name) return;
    guarded([&] {
        fault_point("see");
        ImagePtr image;
        {
            const std::lock_guard lock(kernels_lock());
            const auto found = images_by_handle().find(from);
            if (found != images_by_handle().end()) image = found->second;
        }
        if (!image && (settings().list || settings().all)) image = unseen_image();
        LoadedKernel* const before = find_kernel(handle);
        // The driver reuses handles after their module is unloaded, for example with its context.
        if (before && before->image == image && before->counts->name == name) return;
        if (before) forget_kernel(handle, before);
        if (!image) return;
        const Handle instead = recompiled(*image, name);
        const bool replaced = is_replaced(*image, name);
        const Handle other = replaced ? counterpart(*image, name) : nullptr;
        const bool shares = !other && replaced && image->sharing.load() != kNoSharing;
        const bool pairs = other || shares || (instead && settings().trial);
        LoadedKernel* stays = nullptr;
        {
            const std::lock_guard lock(kernels_lock());
            Kernel* const counts = counts_of(image, name, replaced || instead, pairs);
            if (!counts) return;
            stays = new LoadedKernel;
            stays->counts = counts;
            stays->image = image;
            stays->is_kernel = is_kernel;
            stays->handle = handle;
            stays->other.store(other);
            if (shares) stays->shares.store(image.get());
            stays->handles.push_back(handle);
            if (instead) {
                stays->instead.store(instead);
                stays->handles.push_back(instead);
            }
            image->kernels.push_back(stays);
        }
        remember_kernel(handle, stays);
        if (instead) remember_kernel(instead, stays);  // graphs name it
    });
}

std::vector<std::byte> original_code(const LoadedImage& image) {
    if (!image.original.empty()) return image.original;
    if (!image.code || !image.static_code) return {};
    const DeviceCode found = device_code(image.code, image.sm);
    return {found.elf.begin(), found.elf.end()};
}

bool compare_with_shared_variables(LoadedKernel& kernel, LoadedImage& image, Handle stream, bool per_thread) {
    const Calls& cuda = calls();
    Handle context = nullptr;
    if (!cuda.context_current || cuda.context_current(&context) != kSuccess) return false;
    int waits = kSharingWaits;
    if (image.sharing.compare_exchange_strong(waits, kSharingBegun) && load_sharing(image, context))
        image.sharing.store(kShared);
    if (image.sharing.load() != kShared || image.shared_context != context) return false;
    if (!kernel.other.load()) kernel.other.store(counterpart(image, kernel.counts->name.c_str()));
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
    return load_file(module, path, false, {}, memory, [&](Handle* into) { return theirs(into, path); });
}

CUBINLAB_HOOK cuModuleLoadData(Handle* module, const void* code) {
    const auto theirs = real<Code (*)(Handle*, const void*)>(Slot::ModuleLoadData);
    if (!theirs) return kNotFound;
    return load(module, code, false, {}, theirs);
}

CUBINLAB_HOOK cuModuleLoadDataEx(Handle* module, const void* code, unsigned count, int* options,
                                 void** values) {
    const auto theirs = real<Code (*)(Handle*, const void*, unsigned, int*, void**)>(Slot::ModuleLoadDataEx);
    if (!theirs) return kNotFound;
    return load(module, code, false, {count, options, values},
                [&](Handle* into, const void* image) { return theirs(into, image, count, options, values); });
}

CUBINLAB_HOOK cuModuleLoadFatBinary(Handle* module, const void* code) {
    const auto theirs = real<Code (*)(Handle*, const void*)>(Slot::ModuleLoadFatBinary);
    const auto bare = real<Code (*)(Handle*, const void*)>(Slot::ModuleLoadData);
    if (!theirs || !bare) return kNotFound;
    return load(module, code, false, {}, [&](Handle* into, const void* image) {
        return image == code ? theirs(into, image) : bare(into, image);
    });
}

CUBINLAB_HOOK cuModuleUnload(Handle module) {
    return unload(Slot::ModuleUnload, module);
}

CUBINLAB_HOOK cuModuleGetFunction(Handle* function, Handle module, const char* name) {
    const auto theirs = real<Code (*)(Handle*, Handle, const char*)>(Slot::ModuleGetFunction);
    if (!theirs) return kNotFound;
    const Code result = theirs(function, module, name);
    if (result == kSuccess && function) see_kernel(*function, name, module, false);
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
    return load(library, code, true, {count, options, values}, [&](Handle* into, const void* image) {
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
        library, path, true, {count, options, values},
        [&](Handle* into, const void* image) {
            return memory(into, image, options, values, count, more, more_values, more_count);
        },
        [&](Handle* into) {
            return theirs(into, path, options, values, count, more, more_values, more_count);
        });
}

CUBINLAB_HOOK cuLibraryUnload(Handle library) {
    return unload(Slot::LibraryUnload, library);
}

CUBINLAB_HOOK cuLibraryGetKernel(Handle* kernel, Handle library, const char* name) {
    const auto theirs = real<Code (*)(Handle*, Handle, const char*)>(Slot::LibraryGetKernel);
    if (!theirs) return kNotFound;
    const Code result = theirs(kernel, library, name);
    if (result == kSuccess && kernel) see_kernel(*kernel, name, library, true);
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
            LoadedKernel* const known = find_kernel(kernel);
            LoadedKernel* const before = find_kernel(*function);
            if (before == known) return;
            if (before) forget_kernel(*function, before);
            if (!known) return;
            {
                const std::lock_guard lock(kernels_lock());
                known->handles.push_back(*function);
            }
            remember_kernel(*function, known);
        });
    return result;
}
