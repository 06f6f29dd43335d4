// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inject/linking.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "app/inject/hooks.h"
#include "app/inject/image.h"
#include "app/inject/settings.h"
#include "app/inject/tally.h"
#include "core/base/hash.h"

namespace cubinlab::inject {
namespace {

constexpr int kInputPtx = 1;                          // CUjitInputType
constexpr std::size_t kMostCubin = std::size_t{1} << 30;

// CUjit_option numbers that change the code. Others ask for logs and times, which the program's own load fills.
constexpr int kCodeOptions[] = {0, 1, 7, 8, 9, 11, 13, 14};

using AddData = Code (*)(Handle, int, void*, std::size_t, const char*, unsigned, int*, void**);
using AddFile = Code (*)(Handle, int, const char*, unsigned, int*, void**);
using Complete = Code (*)(Handle, void**, std::size_t*);
using Destroy = Code (*)(Handle);

struct Links {
    std::mutex mutex;
    std::map<Handle, std::string> open;         // PTX of links that are not complete
    std::map<std::string, std::string> made;  // by the hash of the cubin
};
Links& links() {
    static auto* const all = new Links;
    return *all;
}

bool keeps_text() {
    return settings().list || !settings().capture.empty();
}

void add_text(Handle state, std::string text) {
    Links& all = links();
    const std::lock_guard lock(all.mutex);
    std::string& known = all.open[state];
    if (!known.empty() && !text.empty()) known += "\n";
    known += text;
}

Code add_data(Slot slot, Handle state, int type, void* data, std::size_t size, const char* name, unsigned count,
              int* options, void** values) {
    const auto theirs = real<AddData>(slot);
    if (!theirs) return kNotFound;
    const Code result = theirs(state, type, data, size, name, count, options, values);
    if (result == kSuccess && type == kInputPtx && keeps_text())
        guarded([&] {
            const auto* text = static_cast<const char*>(data);
            add_text(state, std::string(text, ::strnlen(text, size)));
        });
    return result;
}

std::string file_text(const char* path) {
    std::string out;
    std::FILE* file = path ? std::fopen(path, "rbe") : nullptr;
    if (!file) return out;
    char chunk[1 << 16];
    for (std::size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;)
        out.append(chunk, n);
    std::fclose(file);
    return out;
}

Code add_file(Slot slot, Handle state, int type, const char* path, unsigned count, int* options, void** values) {
    const auto theirs = real<AddFile>(slot);
    if (!theirs) return kNotFound;
    const Code result = theirs(state, type, path, count, options, values);
    if (result == kSuccess && type == kInputPtx && keeps_text()) guarded([&] { add_text(state, file_text(path)); });
    return result;
}

}  // namespace

LinkedCode compile_ptx(const std::string& ptx, const JitOptions& options) {
    const auto refuse = [](std::string why) { return LinkedCode{{}, std::move(why)}; };
    const auto add = real<AddData>(Slot::LinkAddData2);
    const auto complete = real<Complete>(Slot::LinkComplete);
    const auto destroy = real<Destroy>(Slot::LinkDestroy);
    const auto create = calls().link_create;
    if (!add || !complete || !destroy || !create) return refuse("this driver has no linker");
    std::vector<int> names;
    std::vector<void*> values;
    for (unsigned i = 0; options.names && options.values && i < options.count; ++i)
        if (std::find(std::begin(kCodeOptions), std::end(kCodeOptions), options.names[i]) != std::end(kCodeOptions)) {
            names.push_back(options.names[i]);
            values.push_back(options.values[i]);
        }
    Handle state = nullptr;
    if (const Code code = create(static_cast<unsigned>(names.size()), names.data(), values.data(), &state);
        code != kSuccess)
        return refuse("cuLinkCreate gave " + std::to_string(code));
    LinkedCode out;
    std::string text = ptx;  // with its zero
    void* made = nullptr;
    std::size_t size = 0;
    Code code = add(state, kInputPtx, text.data(), text.size() + 1, "ptx", 0, nullptr, nullptr);
    if (code == kSuccess) code = complete(state, &made, &size);
    if (code != kSuccess)
        out.why_not = "its linker gave " + std::to_string(code);
    else if (!made || size == 0 || size > kMostCubin)
        out.why_not = "its linker gave nothing";
    else
        out.cubin.assign(static_cast<const std::byte*>(made), static_cast<const std::byte*>(made) + size);
    destroy(state);
    return out;
}

std::string text_linked_into(Bytes cubin) {
    Links& all = links();
    const std::lock_guard lock(all.mutex);
    if (all.made.empty() || cubin.empty()) return {};
    const auto found = all.made.find(hash_bytes(cubin).hex());
    return found == all.made.end() ? std::string() : found->second;
}

}  // namespace cubinlab::inject

using namespace cubinlab::inject;

CUBINLAB_HOOK cuLinkAddData(Handle state, int type, void* data, std::size_t size, const char* name, unsigned count,
                            int* options, void** values) {
    return add_data(Slot::LinkAddData1, state, type, data, size, name, count, options, values);
}
CUBINLAB_HOOK cuLinkAddData_v2(Handle state, int type, void* data, std::size_t size, const char* name,
                               unsigned count, int* options, void** values) {
    return add_data(Slot::LinkAddData2, state, type, data, size, name, count, options, values);
}
CUBINLAB_HOOK cuLinkAddFile(Handle state, int type, const char* path, unsigned count, int* options, void** values) {
    return add_file(Slot::LinkAddFile1, state, type, path, count, options, values);
}
CUBINLAB_HOOK cuLinkAddFile_v2(Handle state, int type, const char* path, unsigned count, int* options,
                               void** values) {
    return add_file(Slot::LinkAddFile2, state, type, path, count, options, values);
}

CUBINLAB_HOOK cuLinkComplete(Handle state, void** cubin, std::size_t* size) {
    const auto theirs = real<Complete>(Slot::LinkComplete);
    if (!theirs) return kNotFound;
    const Code result = theirs(state, cubin, size);
    if (result != kSuccess || !cubin || !*cubin || !settings().active()) return result;
    tally().links.fetch_add(1, std::memory_order_relaxed);
    guarded([&] {
        Links& all = links();
        const std::lock_guard lock(all.mutex);
        const auto known = all.open.find(state);
        if (known == all.open.end()) return;
        // The extent of its tables, by which a load of it is known again: `size` may count bytes behind them.
        const DeviceCode code = device_code(*cubin, 0);
        if (!code.elf.empty()) all.made[cubinlab::hash_bytes(code.elf).hex()] = known->second;
    });
    return result;
}

CUBINLAB_HOOK cuLinkDestroy(Handle state) {
    const auto theirs = real<Destroy>(Slot::LinkDestroy);
    if (!theirs) return kNotFound;
    guarded([&] {
        Links& all = links();
        const std::lock_guard lock(all.mutex);
        all.open.erase(state);
    });
    return theirs(state);
}
