// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/worker/cuda_api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>

namespace cubinlab::cu {
namespace {

struct Exported {
    const char* member;
    const char* name;
};
constexpr Exported kNames[] = {
#define X(member, name, parameters) {#member, name},
    CUBINLAB_CUDA_REQUIRED(X) CUBINLAB_CUDA_OPTIONAL(X)
#undef X
};

template <class F>
void bind(F& slot, void* library, const char* name) {
    slot = reinterpret_cast<F>(::dlsym(library, name));
}

Result<Api> open_library() {
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* reason = ::dlerror();
        return fail(ErrorCode::NoGpu, fmt::format("no NVIDIA driver on this machine ({})",
                                                  reason ? reason : "libcuda.so.1 not found"));
    }
    Api api;
    const char* missing = nullptr;
#define X(member, name, parameters)  \
    bind(api.member, library, name); \
    if (!api.member && !missing) missing = name;
    CUBINLAB_CUDA_REQUIRED(X)
#undef X
    if (missing)
        return fail(ErrorCode::NoGpu, fmt::format("the NVIDIA driver is too old: it lacks {}", missing));
#define X(member, name, parameters) bind(api.member, library, name);
    CUBINLAB_CUDA_OPTIONAL(X)
#undef X
    const CUresult result = api.init(0);
    if (result != kSuccess)
        return fail(ErrorCode::NoGpu,
                    fmt::format("the NVIDIA driver does not start: cuInit: {}", api.name_of(result)));
    return api;
}

}  // namespace

Result<const Api*> Api::open() {
    static const Result<Api> api = open_library();
    if (!api) return fail(api.error());
    return &*api;
}

std::string Api::name_of(CUresult result) const {
    const char* text = nullptr;
    if (error_name && error_name(result, &text) == kSuccess && text) return text;
    return fmt::format("CUDA error {}", result);
}

Error failure(const Api& api, CUresult result, const char* call) {
    const char* exported = call;
    for (const Exported& entry : kNames)
        if (std::strcmp(entry.member, call) == 0) exported = entry.name;
    const char* text = nullptr;
    if (!api.error_string || api.error_string(result, &text) != kSuccess || !text) text = "no description";
    const std::string name = api.name_of(result);
    return {ErrorCode::Worker, fmt::format("{}: {}", exported, text), name};
}

}  // namespace cubinlab::cu
