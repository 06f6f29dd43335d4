// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of a container: their list, and the choice of one by what a person knows of it. Every command and the
// window choose here.
//
//   auto container = Container::open("program");
//   const KernelList list = list_kernels(**container);
//   auto choice = choose_kernel(**container, {"regex:gemm.*f16", "sm_90a", ""});
//   choice->cubin, choice->kernel
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/containers/container.h"

namespace cubinlab {

struct KernelEntry {
    std::size_t image = 0;  // in Container::images()
    std::string name;       // as in the file (mangled)
    std::string demangled;  // the same where it is no C++ name
    Arch arch;
    int registers = 0;                // per thread
    std::uint32_t local_bytes = 0;    // stack frame per thread, spills included
    std::uint32_t static_shared = 0;  // bytes
    std::size_t code_size = 0;        // bytes
    bool relocatable = false;         // not linked yet
};

struct ImageContents {
    std::size_t image = 0;
    std::optional<Arch> arch;  // of the entry, or of the code where there is no entry
    bool relocatable = false;
    std::vector<KernelEntry> kernels;  // by place in the image
    std::string remark;                // why there are none: "LTO-IR, no SASS in it", "no kernels", an error
};

struct KernelList {
    std::vector<ImageContents> images;  // as Container::images()
    std::size_t kernels = 0;
};

// An image that cannot be read has its error as remark: the others are listed all the same.
KernelList list_kernels(const Container& container, std::stop_token stop = {});
ImageContents contents_of(const Container& container, const Image& image);

// "void total<float>(float const*, int)"; the name itself where it is none of C++'s.
std::string demangled(const std::string& name);
// "total<float>", "total": what people call it, without result, arguments, and (with `bare`) template arguments.
std::string_view short_name(std::string_view demangled, bool bare = false);

struct KernelWish {
    std::string kernel;  // mangled or demangled name, its short form, "regex:RE"; empty: the only one
    std::string arch;    // "sm_90a"; empty: any
    std::string image;   // number as listed, or a part of the member's or source's name; empty: any
};
bool operator==(const KernelWish& a, const KernelWish& b);
// What KernelWish::arch means; empty: any. Errors: BadUse, no architecture.
Result<std::optional<Arch>> wished_arch(const std::string& wish);
// Whether KernelWish::image means this one.
bool is_image(const Image& image, const std::string& wish);

struct KernelChoice {
    std::shared_ptr<const Cubin> cubin;
    std::string kernel;  // mangled name; empty where only an image was chosen
    std::size_t image = 0;
    std::shared_ptr<const TritonEntry> triton;
};

// Which of `names` a wish means, best way of naming only: the exact name, the exact demangled name, the short form,
// the bare form, either of them without qualifiers (kernel_label.h); or all that the expression finds. Errors: BadUse
// (a malformed expression).
Result<std::vector<std::size_t>> matching(const std::vector<KernelEntry>& kernels, const std::string& wish);

// Exactly one kernel. Errors: NotFound (none), BadUse (several: which, and how to choose).
Result<KernelChoice> choose_kernel(const Container& container, const KernelWish& wish,
                                   std::stop_token stop = {});
// Exactly one image, for commands that look at all kernels of it; with a kernel named, that one as above.
Result<KernelChoice> choose_image(const Container& container, const KernelWish& wish);

}  // namespace cubinlab
