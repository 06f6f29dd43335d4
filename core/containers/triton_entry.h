// SPDX-License-Identifier: GPL-3.0-or-later
// What Triton keeps beside a cubin in its cache: NAME.json (launch facts) and NAME.ttir (the signature). Triton names
// the files of an entry in __grp__NAME.json by absolute paths, which a moved cache makes stale: those are not read.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubinlab {

struct TritonParam {
    std::string name;  // "x_ptr"; empty where the text has none
    std::string type;  // "f32" where `pointer`, else "i32", "f32", ...; as written where it is another
    bool pointer = false;
    std::uint32_t divisibility = 0;  // tt.divisibility; 0: none given
};

struct TritonEntry {
    std::filesystem::path folder;
    std::string name;  // of the kernel
    int num_warps = 0, num_ctas = 1, warp_size = 32, num_stages = 0;
    std::uint32_t shared = 0;                               // dynamic shared memory, bytes
    std::uint64_t global_scratch = 0, profile_scratch = 0;  // bytes a block
    bool cooperative = false, launch_pdl = false;
    std::string arch;                 // "90", as the target says
    std::string version;              // of Triton
    std::vector<TritonParam> params;  // as in the source, without the two scratch pointers at the end
    bool has_signature = false;       // a .ttir was there and understood
};

// Of NAME.cubin in a Triton cache entry; null where there is no NAME.json of Triton's beside it.
std::shared_ptr<const TritonEntry> read_triton_entry(const std::filesystem::path& cubin);
// The parameters of `tt.func public @NAME(...)` in the text of a .ttir.
std::optional<std::vector<TritonParam>> triton_signature(std::string_view ttir, std::string_view name);

}  // namespace cubinlab
