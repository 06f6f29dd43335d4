// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the kernels of a container and selects one by name, architecture and image. All commands and the
// window use this.
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

#include "core/binary/container.h"
#include "core/binary/kernel_match.h"

namespace cubinlab {

struct KernelEntry {
    std::size_t image = 0;  // in Container::images()
    std::string name;       // mangled, as in the file
    std::string demangled;  // same as `name` if it is not a C++ name
    Arch arch;
    int registers = 0;                // per thread
    std::uint32_t local_bytes = 0;    // stack frame per thread, spills included
    std::uint32_t static_shared = 0;  // bytes
    std::size_t code_size = 0;        // bytes
    bool relocatable = false;         // not linked
};

struct ImageContents {
    std::size_t image = 0;
    std::optional<Arch> arch;  // of the fatbin entry, or of the code if there is no entry
    bool relocatable = false;
    std::vector<KernelEntry> kernels;  // by offset in the image
    std::vector<UnusableKernel> unusable;
    std::string remark;                // why there are none: "LTO-IR, no SASS in it", "no kernels", an error
};

struct KernelList {
    std::vector<ImageContents> images;  // same order as Container::images()
    std::size_t kernels = 0;
};

// The list of all kernels. An image that cannot be read has the error as its remark.
KernelList list_kernels(const Container& container, std::stop_token stop = {});
ImageContents contents_of(const Container& container, const Image& image);

// "void total<float>(float const*, int)"; returns `name` if it is not a C++ name.
std::string demangled(const std::string& name);
// "total<float>", "total": the name without result type, arguments and, with `bare`, template arguments.
std::string_view short_name(std::string_view demangled, bool bare = false);

struct KernelQuery {
    std::string kernel;  // mangled, demangled or short name, or "regex:RE"; empty: the only kernel
    std::string arch;    // "sm_90a"; empty: any
    std::string image;   // number as listed, or part of the member or source name; empty: any
};
bool operator==(const KernelQuery& a, const KernelQuery& b);
// Parses KernelQuery::arch; empty: any. Errors: BadUse (not an architecture).
Result<std::optional<Arch>> queried_arch(const std::string& query);
// True if KernelQuery::image selects this image.
bool matches_image(const Image& image, const std::string& query);

struct KernelChoice {
    std::shared_ptr<const Cubin> cubin;
    std::string kernel;  // mangled name; empty if only an image was selected
    std::size_t image = 0;
    std::shared_ptr<const TritonEntry> triton;
};

// Returns the indices that a query matches. The first rule with a match wins: exact name, exact demangled
// name, short name, bare name, both without qualifiers (kernel_label.h). A regex returns all matches. Errors:
// BadUse (invalid regex).
Result<std::vector<std::size_t>> matching(const std::vector<KernelEntry>& kernels, const std::string& query);

// Selects exactly one kernel. Errors: NotFound (none), BadUse (several; the message lists them), Refused (the name
// means a kernel that shares its name with another one).
Result<KernelChoice> choose_kernel(const Container& container, const KernelQuery& query,
                                   std::stop_token stop = {});
// Selects the kernel of another build that a patch or a tuned cubin was made for: by code, then by name
// (kernel_match.h). `query.kernel` is not used. Errors: those of choose_kernel and find_again.
struct KernelFoundAgain {
    KernelChoice choice;
    FoundBy by = FoundBy::NameAndCode;
};
Result<KernelFoundAgain> choose_kernel_again(const Container& container, const KernelQuery& query,
                                             const SoughtKernel& sought);
// Selects one image, for commands that process all its kernels, or one kernel if the query names it.
Result<KernelChoice> choose_image(const Container& container, const KernelQuery& query);

}  // namespace cubinlab
