// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/kernel_list.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

namespace cubinlab {
namespace {

// A longer name is not demangled: its demangled form can be far longer.
constexpr std::size_t kMostMangled = 8192;

}  // namespace

ImageContents contents_of(const Container& container, const Image& image) {
    ImageContents out;
    out.image = image.index;
    out.arch = image.arch;
    if (image.kind != ImageKind::Elf) {
        out.remark = image.kind == ImageKind::Ptx     ? "PTX text, no SASS in it"
                     : image.kind == ImageKind::LtoIr ? "LTO-IR, no SASS in it: the device linker makes it"
                                                      : "of an unknown kind";
        return out;
    }
    auto cubin = container.cubin(image, true);
    if (!cubin) {
        out.remark = cubin.error().what;
        return out;
    }
    const Arch arch = (*cubin)->arch();
    out.arch = arch;
    out.relocatable = (*cubin)->relocatable();
    out.kernels.reserve((*cubin)->kernels().size());
    for (const KernelInfo& k : (*cubin)->kernels())
        out.kernels.push_back({image.index, k.name, demangled(k.name), arch, k.registers, k.local_bytes,
                               k.static_shared, k.code_size, out.relocatable});
    out.unusable = (*cubin)->unusable();
    if (out.kernels.empty()) out.remark = "no kernels in it (a stub, or functions alone)";
    return out;
}

KernelList list_kernels(const Container& container, std::stop_token stop) {
    KernelList out;
    out.images.reserve(container.images().size());
    for (const Image& image : container.images()) {
        if (stop.stop_requested()) break;
        out.images.push_back(contents_of(container, image));
        out.kernels += out.images.back().kernels.size();
    }
    return out;
}

std::string demangled(const std::string& name) {
    if (!name.starts_with("_Z") || name.size() > kMostMangled) return name;
    int status = 0;
    char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    std::string out = status == 0 && text ? text : name;
    std::free(text);
    return out;
}

std::string_view short_name(std::string_view text, bool bare) {
    // The arguments begin at the last bracket of depth 0; "(anonymous namespace)" and operators precede it.
    std::size_t end = text.size();
    if (text.ends_with(')')) {
        int depth = 0;
        for (std::size_t i = text.size(); i-- > 0;) {
            if (text[i] == ')') ++depth;
            if (text[i] == '(' && --depth == 0) {
                end = i;
                break;
            }
        }
    }
    text = text.substr(0, end);
    // The result type ends at the first space outside brackets.
    int depth = 0;
    std::size_t first = 0, angle = std::string_view::npos;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (depth == 0 && c == '<') angle = i;
        if (c == '<' || c == '(' || c == '{') ++depth;
        if (c == '>' || c == ')' || c == '}') --depth;
        if (depth == 0 && c == ' ') first = i + 1;
    }
    if (bare && angle != std::string_view::npos && angle > first) text = text.substr(0, angle);
    return text.substr(std::min(first, text.size()));
}

}  // namespace cubinlab
