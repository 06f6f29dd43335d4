// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the PTX that a kernel was compiled from: in its own program, library or fatbin (raw or compressed), next to its
// cubin (NAME.ptx; for NAME.sm_90a.cubin also NAME.ptx), or where the group file of a Triton cache entry says.
#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/binary/kernel_list.h"

namespace cubinlab {

struct PtxSource {
    std::string text;
    std::string origin;  // "add.ptx", "image 3: sm_90 PTX, zstd"
};

// `stated`: a file that must have it. None: there is no PTX that contains an entry of this name and can be compiled for
// the kernel's architecture. Errors, only with `stated`: NotFound, BadInput, Unsupported.
Result<std::optional<PtxSource>> find_ptx(const Container& container, const KernelChoice& kernel,
                                          const std::filesystem::path& stated = {});

// Of a cubin that Triton or Inductor compiled: the PTX next to the same file in one of their caches. These are
// TRITON_CACHE_DIR, the folder triton of TORCHINDUCTOR_CACHE_DIR, and where both keep theirs otherwise.
std::optional<PtxSource> ptx_in_triton_caches(std::span<const std::byte> cubin, const std::string& kernel);

// What is missed without PTX, a sentence.
inline constexpr const char* kWithoutPtx =
    "Without PTX only the order of the compiled instructions can be searched, not other compilations (--ptx "
    "FILE names it).";

}  // namespace cubinlab
